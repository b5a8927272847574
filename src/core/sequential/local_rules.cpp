#include "core/sequential/local_rules.h"

#include <algorithm>

#include "core/table/row_groups.h"

namespace anon_seq {
namespace {

std::size_t add_once(std::vector<std::size_t>& list, std::size_t value) {
  auto const found = std::find(list.begin(), list.end(), value);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(value);
  return list.size() - 1;
}

Vector<std::int32_t> combinations(CodedTable const& table, std::vector<std::size_t> const& columns,
                                  Checkpoint& checkpoint) {
  std::vector<KeyColumn> keys;
  for (auto c : columns) keys.push_back({table.columns[c].codes, table.columns[c].distinct()});
  return group_rows(table.rows(), keys, checkpoint).of_row;
}

}  // namespace

LocalRules::LocalRules(Problem const& problem, std::vector<AttributeCut> const& roots, Checkpoint& checkpoint)
    : problem_(problem),
      roots_(roots),
      checkpoint_(checkpoint),
      model_(problem),
      pool_(problem, model_, checkpoint),
      column_of_(roots.size(), kNone) {
  for (std::size_t c = 0; c < model_.columns(0).size(); ++c)
    if (auto const a = model_.columns(0)[c].generalized; a != kNoColumn) column_of_[a] = c;
  for (auto const& rule : problem.rules) {
    State& state = states_.emplace_back();
    state.meter = std::make_unique<RuleMeter>(problem, model_, rule, pool_, checkpoint);
    RuleMeter const& meter = *state.meter;
    if (meter.core() != RuleMeter::kNone) state.core = add_once(matchers_, meter.core());
    for (std::size_t f : meter.factors()) state.factors.push_back(add_once(matchers_, f));
    add_to_groups(state);
    Groups const& groups = groups_[state.group];
    boxes_are_apart_ = boxes_are_apart_ && groups.apart;
    state.counted = meter.counts_records() && groups.apart && groups.columns.empty();
    by_counts_alone_ = by_counts_alone_ && state.counted;
    state.constant = meter.plan().monotone && state.core == kNone && !state.factors.empty();
    // A part without the rows for that many persons does not have them.
    bool const of_rows = meter.judge().anonymity() && state.core == kNone && state.factors.empty() && groups.apart;
    if (of_rows) least_ = std::max(least_, rule.min);
  }
  for (std::size_t m = 0; m < pool_.size(); ++m) pool_[m].drop_rows();
  moves_.resize(matchers_.size());
}

void LocalRules::add_to_groups(State& state) {
  RulePlan const& plan = state.meter->plan();
  auto const found = std::find_if(groups_.begin(), groups_.end(), [&](Groups const& groups) {
    return groups.attributes == plan.x_attributes && groups.columns == plan.x_columns;
  });
  state.group = static_cast<std::size_t>(found - groups_.begin());
  if (found != groups_.end()) return;
  Groups& groups = groups_.emplace_back();
  groups.attributes = plan.x_attributes;
  groups.columns = plan.x_columns;
  groups.apart = groups.attributes.size() == roots_.size();
}

LocalBoxes LocalRules::root() {
  Cells::Layout layout;
  Vector<Side> sides;
  std::vector<std::size_t> quasi;
  for (std::size_t a = 0; a < roots_.size(); ++a) {
    layout.attributes.push_back(a);
    quasi.push_back(problem_.attributes[a].column);
    sides.push_back({roots_[a][0].ranks, roots_[a][0].node});
  }
  layout.in_x = roots_.size();
  layout.matchers = matchers_;
  combination_of_ = combinations(*problem_.table, quasi, checkpoint_);
  std::vector<Vector<std::int32_t>> tokens{combination_of_};
  for (Groups& groups : groups_) {
    if (groups.columns.empty()) continue;
    groups.token = tokens.size();
    tokens.push_back(combinations(*problem_.table, groups.columns, checkpoint_));
  }
  for (State& state : states_) {
    if (!state.meter->has_row_tokens()) continue;
    state.token = tokens.size();
    tokens.push_back(state.meter->take_tokens());
  }
  layout.tokens = tokens.size();
  return {Cells(problem_, model_, roots_, pool_, std::move(layout), std::move(tokens), checkpoint_), std::move(sides)};
}

Vector<std::int32_t> LocalRules::key_of(Groups const& groups, LocalBoxes const& boxes, BoxId box) const {
  Vector<std::int32_t> key;
  for (std::size_t a : groups.attributes) {
    Side const side = boxes.side(box, a);
    key.insert(key.end(), {side.ranks.begin, side.ranks.end, side.node});
  }
  return key;
}

void LocalRules::replace(Groups const& groups, Vector<std::int32_t>& key, std::size_t a, Side side) {
  auto const at = std::find(groups.attributes.begin(), groups.attributes.end(), a) - groups.attributes.begin();
  std::int32_t const parts[] = {side.ranks.begin, side.ranks.end, side.node};
  std::copy(std::begin(parts), std::end(parts), key.begin() + 3 * at);
}

void LocalRules::enter(LocalBoxes const& boxes, BoxId box) {
  for (Groups& groups : groups_)
    if (!groups.apart) groups.boxes[key_of(groups, boxes, box)].push_back(box);
}

void LocalRules::leave(LocalBoxes const& boxes, BoxId box) {
  for (Groups& groups : groups_) {
    if (groups.apart) continue;
    auto const at = groups.boxes.find(key_of(groups, boxes, box));
    std::erase(at->second, box);
    if (at->second.empty()) groups.boxes.erase(at);
  }
}

void LocalRules::open(LocalBoxes const& boxes) {
  for (Groups& groups : groups_) groups.boxes.clear();
  for (BoxId box = 0; box < boxes.count(); ++box)
    if (!boxes.is_divided(box)) enter(boxes, box);
}

bool LocalRules::moves(std::size_t word, std::size_t a) {
  return word != kNone && column_of_[a] != kNone && pool_[matchers_[word]].concerns(column_of_[a]);
}

// Whether a cut of the attribute can change the level of the rule.
bool LocalRules::touches(State const& state, std::size_t a) {
  if (state.constant) return false;
  auto const& x = groups_[state.group].attributes;
  auto const& shown = state.meter->plan().y_shown;
  return std::find(x.begin(), x.end(), a) != x.end() || moves(state.core, a) ||
         std::any_of(state.factors.begin(), state.factors.end(), [&](std::size_t word) { return moves(word, a); }) ||
         std::any_of(shown.begin(), shown.end(), [&](auto const& y) { return y.attribute == a; });
}

// The blocks that the parts of a division will be in.
void LocalRules::move(LocalBoxes const& boxes, BoxId box, Division const& division) {
  std::size_t const a = division.attribute;
  Vector<Extent> places;
  for (std::size_t word = 0; word < moves_.size(); ++word) {
    Moves& moved = moves_[word];
    Matcher& matcher = pool_[matchers_[word]];
    moved.first.clear();
    moved.drop_from = static_cast<BlockId>(matcher.blocks());
    if (!moves(word, a)) continue;
    if (places.empty())
      for (Side const& side : division.parts)
        places.push_back(model_.place(model_.columns(0)[column_of_[a]], side.ranks, side.node));
    for (std::uint32_t cell = boxes.begin(box); cell < boxes.end(box); ++cell) {
      checkpoint_.tick();
      BlockId const block = boxes.cells().block(cell, word);
      if (!moved.first.empty() && moved.first.back().first == block) continue;
      moved.first.emplace_back(block, 0);
    }
    std::sort(moved.first.begin(), moved.first.end());
    moved.first.erase(std::unique(moved.first.begin(), moved.first.end()), moved.first.end());
    for (auto& [block, first] : moved.first) first = matcher.refined_anew(block, column_of_[a], places);
  }
}

void LocalRules::drop_moves() {
  for (std::size_t word = 0; word < moves_.size(); ++word) {
    if (moves_[word].first.empty()) continue;
    pool_[matchers_[word]].drop_from(moves_[word].drop_from);
    for (State& state : states_)
      for (std::size_t f = 0; f < state.factors.size(); ++f)
        if (state.factors[f] == word) state.meter->forget_blocks(f, moves_[word].drop_from);
    moves_[word].first.clear();
  }
}

// The block of a cell: as it is, or as one of a part of the division.
BlockId LocalRules::block(LocalBoxes const& boxes, std::uint32_t cell, std::size_t word, std::size_t part) const {
  BlockId const now = boxes.cells().block(cell, word);
  auto const& first = moves_[word].first;
  if (part == kNone || first.empty()) return now;
  auto const at = std::lower_bound(first.begin(), first.end(), std::pair<BlockId, BlockId>{now, 0});
  return at->second + static_cast<BlockId>(part);
}

Item LocalRules::item(State& state, LocalBoxes const& boxes, std::uint32_t cell, Piece const& piece,
                      Division const* division) {
  Cells const& cells = boxes.cells();
  Item item{cells.weight(cell), state.token == kNone ? 0 : cells.token(cell, state.token),
            state.core == kNone ? 0 : block(boxes, cell, state.core, piece.part)};
  auto const& plan = state.meter->plan();
  if (plan.y_shown.empty()) return item;
  shown_.clear();
  nothing_.clear();
  for (auto const& y : plan.y_shown) {
    bool const is_part = piece.part != kNone && y.attribute == division->attribute;
    Side const side = is_part ? division->parts[piece.part] : boxes.side(piece.box, y.attribute);
    AttributeCut const& root = roots_[y.attribute];
    shown_.push_back(side.ranks);
    nothing_.push_back(side == Side{root[0].ranks, root[0].node} && root.root_says_nothing());
  }
  item.token =
      state.meter->token_of(state.token == kNone ? state.meter->tokens().neutral() : item.token, shown_, nothing_);
  return item;
}

// The worst of the x1 in some pieces, which show the same in all attributes of X: told apart by X's other columns.
Level LocalRules::level(State& state, LocalBoxes const& boxes, std::span<Piece const> pieces,
                        Division const* division) {
  std::size_t const word = groups_[state.group].token;
  order_.clear();
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::uint32_t cell = pieces[p].begin; cell < pieces[p].end; ++cell) {
      checkpoint_.tick();
      order_.push_back({word == kNone ? 0 : boxes.cells().token(cell, word), static_cast<std::uint32_t>(p), cell});
    }
  if (word != kNone)
    std::sort(order_.begin(), order_.end(), [&](Member const& one, Member const& other) {
      checkpoint_.tick();
      return one.x < other.x;
    });
  Level worst;
  for (std::size_t i = 0; i < order_.size();) {
    std::int32_t const x = order_[i].x;
    items_.clear();
    factor_blocks_.clear();
    for (std::size_t f : state.factors)
      factor_blocks_.push_back(block(boxes, order_[i].cell, f, pieces[order_[i].piece].part));
    for (; i < order_.size() && order_[i].x == x; ++i)
      items_.push_back(item(state, boxes, order_[i].cell, pieces[order_[i].piece], division));
    state.meter->judge().worsen(worst, state.meter->measure(items_, factor_blocks_));
  }
  return worst;
}

// The worst of the groups that a division touches, behind it. `pieces`: the parts that have rows.
Level LocalRules::level_behind(State& state, LocalBoxes const& boxes, std::span<Piece const> pieces,
                               Division const& division) {
  Groups const& groups = groups_[state.group];
  Judge const& judge = state.meter->judge();
  Level worst;
  if (groups.apart) {
    for (Piece const& piece : pieces) judge.worsen(worst, level(state, boxes, {&piece, 1}, &division));
    return worst;
  }
  auto const& x = groups.attributes;
  BoxId const box = pieces.front().box;
  auto key = key_of(groups, boxes, box);
  auto const gather = [&] {
    group_.clear();
    if (auto const found = groups.boxes.find(key); found != groups.boxes.end())
      for (BoxId other : found->second)
        if (other != box) group_.push_back({other, boxes.begin(other), boxes.end(other), kNone});
  };
  gather();
  if (std::find(x.begin(), x.end(), division.attribute) == x.end()) {  // the group stays, its rows move
    group_.insert(group_.end(), pieces.begin(), pieces.end());
    return level(state, boxes, group_, &division);
  }
  if (!group_.empty()) worst = level(state, boxes, group_, &division);
  for (Piece const& piece : pieces) {
    if (judge.violates(worst)) return worst;
    replace(groups, key, division.attribute, division.parts[piece.part]);
    gather();
    group_.push_back(piece);
    judge.worsen(worst, level(state, boxes, group_, &division));
  }
  return worst;
}

bool LocalRules::divide_if_valid(LocalBoxes& boxes, BoxId box, std::size_t a, std::span<Side const> parts,
                                 std::span<std::uint32_t const> ends, std::vector<Level>& after) {
  Division const division{a, parts};
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  pieces_.clear();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::uint32_t const begin = i == 0 ? boxes.begin(box) : ends[i - 1];
    if (begin == ends[i]) continue;
    pieces_.push_back({box, begin, ends[i], i});
    std::int64_t rows = 0;
    for (std::uint32_t cell = begin; cell < ends[i]; ++cell) {
      checkpoint_.tick();
      rows += boxes.cells().weight(cell);
    }
    fewest = std::min(fewest, rows);
  }
  if (fewest < least_) return false;
  move(boxes, box, division);
  after.clear();
  for (State& state : states_) {
    after.push_back(state.counted       ? Level{fewest, 1, -1}
                    : touches(state, a) ? level_behind(state, boxes, pieces_, division)
                                        : Level{});
    if (!state.meter->judge().violates(after.back())) continue;
    drop_moves();
    return false;
  }
  take(boxes, box, division, ends);
  return true;
}

void LocalRules::divide(LocalBoxes& boxes, BoxId box, std::size_t a, std::span<Side const> parts,
                        std::span<std::uint32_t const> ends) {
  Division const division{a, parts};
  move(boxes, box, division);
  take(boxes, box, division, ends);
}

void LocalRules::take(LocalBoxes& boxes, BoxId box, Division const& division, std::span<std::uint32_t const> ends) {
  for (std::size_t word = 0; word < moves_.size(); ++word) {
    if (moves_[word].first.empty()) continue;
    std::uint32_t cell = boxes.begin(box);
    for (std::size_t i = 0; i < ends.size(); ++i)
      for (; cell < ends[i]; ++cell) boxes.cells().set_block(cell, word, block(boxes, cell, word, i));
    moves_[word].first.clear();
  }
  leave(boxes, box);
  BoxId const first = boxes.count();
  boxes.divide(box, division.attribute, division.parts, ends);
  for (BoxId part = first; part < boxes.count(); ++part) enter(boxes, part);
}

std::vector<Level> LocalRules::measure(LocalBoxes const& boxes) {
  std::vector<Level> levels;
  for (State& state : states_) {
    Level worst;
    Groups const& groups = groups_[state.group];
    auto const add = [&](std::span<Piece const> pieces) {
      state.meter->judge().worsen(worst, level(state, boxes, pieces, nullptr));
    };
    if (groups.apart) {
      for (BoxId box = 0; box < boxes.count(); ++box) {
        Piece const piece{box, boxes.begin(box), boxes.end(box), kNone};
        if (!boxes.is_divided(box)) add({&piece, 1});
      }
    } else {
      for (auto const& [key, members] : groups.boxes) {
        group_.clear();
        for (BoxId box : members) group_.push_back({box, boxes.begin(box), boxes.end(box), kNone});
        add(group_);
      }
    }
    levels.push_back(worst);
  }
  return levels;
}

}  // namespace anon_seq
