#include "core/sequential/rule_levels.h"

#include <algorithm>

namespace anon_seq {
namespace {

std::size_t index_of(std::vector<std::size_t> const& list, std::size_t value) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

std::size_t add_once(std::vector<std::size_t>& list, std::size_t value) {
  std::size_t const i = index_of(list, value);
  if (i == list.size()) list.push_back(value);
  return i;
}

}  // namespace

RuleLevels::RuleLevels(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts,
                       MatcherPool& pool, std::vector<RuleMeter*> meters, bool discernibility, Checkpoint& checkpoint)
    : model_(model),
      cuts_(cuts),
      pool_(pool),
      checkpoint_(checkpoint),
      meters_(std::move(meters)),
      discernibility_(discernibility) {
  Cells::Layout layout;
  std::vector<Vector<std::int32_t>> tokens;
  if (meters_.empty()) {
    for (std::size_t a = 0; a < problem.attributes.size(); ++a) layout.attributes.push_back(a);
  } else {
    layout.attributes = meters_.front()->plan().x_attributes;
    layout.x_columns = meters_.front()->plan().x_columns;
  }
  layout.in_x = layout.attributes.size();
  for (RuleMeter* meter : meters_) {
    State state;
    state.meter = meter;
    if (meter->core() != RuleMeter::kNone) state.core = add_once(layout.matchers, meter->core());
    for (std::size_t f : meter->factors()) state.factors.push_back(add_once(layout.matchers, f));
    if (meter->has_row_tokens()) {
      state.token = tokens.size();
      tokens.push_back(meter->take_tokens());
    }
    state.running = meter->plan().monotone && meter->core() == RuleMeter::kNone && meter->factors().empty();
    state.constant = meter->plan().monotone && meter->core() == RuleMeter::kNone && !meter->factors().empty();
    state.alternatives.resize(problem.attributes.size());
    state.after.resize(problem.attributes.size());
    state.fresh.assign(problem.attributes.size(), 0);
    state.worst.resize(problem.attributes.size());
    state.splits.resize(layout.in_x);
    states_.push_back(std::move(state));
  }
  column_of_.assign(problem.attributes.size(), kNone);
  for (std::size_t c = 0; c < model.columns(0).size(); ++c)
    if (model.columns(0)[c].generalized != kNoColumn) column_of_[model.columns(0)[c].generalized] = c;
  for (std::size_t a = 0; a < problem.attributes.size(); ++a)
    if (column_of_[a] != kNone && std::any_of(layout.matchers.begin(), layout.matchers.end(),
                                              [&](auto m) { return pool[m].concerns(column_of_[a]); }))
      add_once(layout.attributes, a);
  for (State& state : states_)
    for (auto const& y : state.meter->plan().y_shown) state.shown.push_back(add_once(layout.attributes, y.attribute));
  layout.tokens = tokens.size();
  cells_ = std::make_unique<Cells>(problem, model, cuts, pool, std::move(layout), std::move(tokens), checkpoint);
  for (GroupId g = 0; g < cells_->groups(); ++g) changed_.push_back(g);
  saved_.resize(problem.attributes.size());
}

std::size_t RuleLevels::position(std::size_t attribute) const {
  std::size_t const i = index_of(cells_->layout().attributes, attribute);
  return i == cells_->layout().attributes.size() ? kNone : i;
}

// Whether a split of the attribute can change the level of the rule.
bool RuleLevels::touches(State const& state, std::size_t a) const {
  if (state.constant) return false;
  std::size_t const p = position(a);
  if (p == kNone) return false;
  if (p < cells_->layout().in_x || index_of(state.shown, p) < state.shown.size()) return true;
  if (column_of_[a] == kNone) return false;
  auto concerns = [&](std::size_t word) { return pool_[cells_->layout().matchers[word]].concerns(column_of_[a]); };
  return (state.core != kNone && concerns(state.core)) ||
         std::any_of(state.factors.begin(), state.factors.end(), concerns);
}

Item RuleLevels::item_of(State const& state, std::uint32_t cell, std::size_t a, ValueId v) {
  Item item{cells_->weight(cell), state.token == kNone ? 0 : cells_->token(cell, state.token),
            state.core == kNone ? 0 : cells_->block(cell, state.core)};
  if (state.shown.empty()) return item;
  shown_.clear();
  roots_.clear();
  for (std::size_t p : state.shown) {
    AttributeCut const& cut = cuts_[cells_->layout().attributes[p]];
    Rank const rank = cells_->rank(cell, p);
    ValueId value = cut.value_at(rank);
    if (cells_->layout().attributes[p] == a && value == v) value = cut[v].first_child + cut.child_of(rank);
    shown_.push_back(cut[value].ranks);
    roots_.push_back(value == 0 && cut.root_says_nothing());
  }
  item.token =
      state.meter->token_of(state.token == kNone ? state.meter->tokens().neutral() : item.token, shown_, roots_);
  return item;
}

// The only place where a rule that is decided at worst has its tokens read: of a whole group.
void RuleLevels::count_secrets(State& state, GroupId g) {
  tested_.add({cells_->begin(g), cells_->end(g)});
  WorstShare& worst = *state.meter->at_worst();
  worst.begin();
  for (std::uint32_t cell = cells_->begin(g); cell < cells_->end(g); ++cell) {
    checkpoint_.tick();
    worst.count(cells_->token(cell, state.token), cells_->weight(cell));
  }
}

void RuleLevels::check_one_rule() {
  Vector<TestedNodes::Node> groups;
  for (GroupId g = 0; g < cells_->groups(); ++g) groups.push_back({cells_->begin(g), cells_->end(g)});
  tested_.check(groups);
}

Level RuleLevels::measure(State& state, GroupId g) {
  looked_at_ += cells_->end(g) - cells_->begin(g);
  if (auto* const worst = state.meter->at_worst()) {
    count_secrets(state, g);
    alike_.clear();
    for (std::uint32_t cell = cells_->begin(g); cell < cells_->end(g); ++cell)
      alike_.push_back({cells_->weight(cell), state.core == kNone ? 0 : cells_->block(cell, state.core)});
    return worst->of(alike_);
  }
  items_.clear();
  for (std::uint32_t cell = cells_->begin(g); cell < cells_->end(g); ++cell) items_.push_back(item_of(state, cell));
  factor_blocks_.clear();
  for (std::size_t word : state.factors) factor_blocks_.push_back(cells_->block(cells_->begin(g), word));
  return state.meter->measure(items_, factor_blocks_);
}

// The block of a cell once value v of attribute a is split.
BlockId RuleLevels::moved(std::size_t word, std::uint32_t cell, std::size_t a, ValueId v) {
  BlockId const block = cells_->block(cell, word);
  std::size_t const column = column_of_[a];
  if (column == kNone) return block;
  Matcher& matcher = pool_[cells_->layout().matchers[word]];
  if (!matcher.concerns(column)) return block;
  CutValue const& value = cuts_[a][v];
  Rank const rank = cells_->rank(cell, position(a));
  if (rank < value.ranks.begin || rank >= value.ranks.end) return block;
  if (last_move_.word != word || last_move_.a != a || last_move_.v != v || last_move_.block != block) {
    Vector<Extent> children;
    for (std::int32_t i = 0; i < value.children; ++i)
      children.push_back(model_.place(model_.columns(0)[column], cuts_[a][value.first_child + i].ranks,
                                      cuts_[a][value.first_child + i].node));
    last_move_ = {word, a, v, block, matcher.refined(block, column, children, value.first_child)};
  }
  return last_move_.children[static_cast<std::size_t>(cuts_[a].child_of(rank))];
}

Level RuleLevels::measure_split(State& state, GroupId g, std::size_t a, ValueId v) {
  Judge const& judge = state.meter->judge();
  std::size_t const p = position(a);
  std::uint32_t const begin = cells_->begin(g), end = cells_->end(g);
  looked_at_ += end - begin;
  bool const parts = p < cells_->layout().in_x;  // else the group stays whole, its cells change blocks
  std::size_t const children = parts ? static_cast<std::size_t>(cuts_[a][v].children) : 1;
  auto child = [&](std::uint32_t cell) {
    return parts ? static_cast<std::size_t>(cuts_[a].child_of(cells_->rank(cell, p))) : 0;
  };
  starts_.assign(children + 1, 0);
  for (std::uint32_t cell = begin; cell < end; ++cell) ++starts_[child(cell) + 1];
  for (std::size_t i = 0; i < children; ++i) starts_[i + 1] += starts_[i];
  order_.resize(end - begin);
  for (std::uint32_t cell = begin; cell < end; ++cell) {
    checkpoint_.tick();
    order_[starts_[child(cell)]++] = cell;
  }
  auto* const at_worst = state.meter->at_worst();
  if (at_worst != nullptr) count_secrets(state, g);
  Level worst;
  std::uint32_t from = 0;
  for (std::size_t i = 0; i < children; ++i) {
    std::uint32_t const to = starts_[i];
    if (from == to) continue;
    if (at_worst != nullptr) {
      alike_.clear();
      for (std::uint32_t j = from; j < to; ++j)
        alike_.push_back({cells_->weight(order_[j]), state.core == kNone ? 0 : moved(state.core, order_[j], a, v)});
      judge.worsen(worst, at_worst->of(alike_));
      from = to;
      continue;
    }
    items_.clear();
    for (std::uint32_t j = from; j < to; ++j) {
      Item item = item_of(state, order_[j], a, v);
      if (state.core != kNone) item.block = moved(state.core, order_[j], a, v);
      items_.push_back(item);
    }
    factor_blocks_.clear();
    for (std::size_t word : state.factors) factor_blocks_.push_back(moved(word, order_[from], a, v));
    judge.worsen(worst, state.meter->measure(items_, factor_blocks_));
    from = to;
  }
  return worst;
}

// Plain counts of records: one pass over the group's cells for all attributes at once.
void RuleLevels::measure_counts(State& state, GroupId g, Wanted const& wanted) {
  Judge const& judge = state.meter->judge();
  auto const& layout = cells_->layout();
  offsets_.clear();
  std::vector<std::size_t> live;
  std::size_t space = 0;
  for (std::size_t p = 0; p < layout.in_x; ++p) {
    auto const a = layout.attributes[p];
    ValueId const v = cells_->value(p, g);
    if (wanted[a][static_cast<std::size_t>(v)] == 0) continue;
    live.push_back(p);
    offsets_.push_back(space);
    space += static_cast<std::size_t>(cuts_[a][v].children);
  }
  counts_.assign(space, 0);
  looked_at_ += cells_->end(g) - cells_->begin(g);
  std::int64_t total = 0;
  for (std::uint32_t cell = cells_->begin(g); cell < cells_->end(g); ++cell) {
    checkpoint_.tick();
    std::int64_t const weight = cells_->weight(cell);
    total += weight;
    for (std::size_t i = 0; i < live.size(); ++i)
      counts_[offsets_[i] + static_cast<std::size_t>(
                                cuts_[layout.attributes[live[i]]].child_of(cells_->rank(cell, live[i])))] += weight;
  }
  judge.worsen(state.now, {total, 1, -1});
  for (std::size_t i = 0; i < live.size(); ++i) {
    auto const a = layout.attributes[live[i]];
    ValueId const v = cells_->value(live[i], g);
    Level& level = level_at(state.alternatives[a], static_cast<std::size_t>(v));
    for (std::size_t c = 0; c < static_cast<std::size_t>(cuts_[a][v].children); ++c)
      if (counts_[offsets_[i] + c] > 0) judge.worsen(level, {counts_[offsets_[i] + c], 1, -1});
  }
}

void RuleLevels::add_squares(GroupId g, std::size_t p, int sign) {
  auto const a = cells_->layout().attributes[p];
  ValueId const v = cells_->value(p, g);
  if (cuts_[a][v].first_child < 0) return;
  counts_.assign(static_cast<std::size_t>(cuts_[a][v].children), 0);
  __int128 total = 0, squares = 0;
  for (std::uint32_t cell = cells_->begin(g); cell < cells_->end(g); ++cell) {
    checkpoint_.tick();
    counts_[static_cast<std::size_t>(cuts_[a].child_of(cells_->rank(cell, p)))] += cells_->weight(cell);
    total += cells_->weight(cell);
  }
  for (auto count : counts_) squares += static_cast<__int128>(count) * count;
  saved_[a][static_cast<std::size_t>(v)] += sign * (total * total - squares);
}

void RuleLevels::add_all_squares(GroupId g, int sign) {
  for (std::size_t p = 0; p < cells_->layout().in_x; ++p) add_squares(g, p, sign);
}

void RuleLevels::refresh(Wanted const& wanted) {
  auto const& layout = cells_->layout();
  if (discernibility_) {
    for (std::size_t a = 0; a < saved_.size(); ++a) saved_[a].resize(wanted[a].size(), 0);
    for (GroupId g : changed_) add_all_squares(g, 1);
  }
  for (State& state : states_) {
    if (state.constant && state.measured) continue;
    state.measured = true;
    state.fresh.assign(state.fresh.size(), 0);
    Judge const& judge = state.meter->judge();
    if (!state.running) state.levels.resize(cells_->groups());
    for (GroupId g : changed_) {
      if (state.running && state.meter->counts_records()) {
        measure_counts(state, g, wanted);
        continue;
      }
      Level const level = measure(state, g);
      if (state.running || state.constant)
        judge.worsen(state.now, level);
      else
        state.levels[g] = level;
      for (std::size_t p = 0; p < layout.in_x; ++p) {
        auto const a = layout.attributes[p];
        ValueId const v = cells_->value(p, g);
        if (!touches(state, a)) continue;
        bool const weigh = wanted[a][static_cast<std::size_t>(v)] != 0;
        if (state.running) {
          if (weigh)
            judge.worsen(level_at(state.alternatives[a], static_cast<std::size_t>(v)), measure_split(state, g, a, v));
        } else {
          level_at(state.splits[p], g) = weigh ? measure_split(state, g, a, v) : Level{};
        }
      }
    }
    if (!state.running && !state.constant) {
      state.now = {};
      for (Level const& level : state.levels) judge.worsen(state.now, level);
    }
  }
  changed_.clear();
}

void RuleLevels::apply(std::size_t a, ValueId v) {
  std::size_t const p = position(a);
  if (p == kNone) return;
  bool const in_x = p < cells_->layout().in_x;
  CutValue const& value = cuts_[a][v];
  with_.p = kNone;
  looked_at_ += cells_->groups();
  for (GroupId g = 0; g < cells_->groups(); ++g) {
    if (in_x && cells_->value(p, g) != v) continue;
    looked_at_ += cells_->end(g) - cells_->begin(g);
    if (discernibility_) add_all_squares(g, -1);
    bool moves = false;
    for (std::uint32_t cell = cells_->begin(g); cell < cells_->end(g); ++cell) {
      checkpoint_.tick();
      if (cells_->rank(cell, p) < value.ranks.begin || cells_->rank(cell, p) >= value.ranks.end) continue;
      moves = true;
      for (std::size_t m = 0; m < cells_->layout().matchers.size(); ++m)
        cells_->set_block(cell, m, moved(m, cell, a, v));
    }
    if (!in_x && moves) changed_.push_back(g);
  }
  if (in_x) cells_->split(p, v, cuts_[a], changed_);
}

}  // namespace anon_seq
