#include "core/sequential/population_levels.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace anon_seq {
namespace {

bool lies_in(Extent value, Extent outer) { return outer.begin <= value.begin && value.end <= outer.end; }

}  // namespace

Extent nodes_from(Taxonomy const& taxonomy, Node node) {
  if (node == kNoNode) return {0, 1};
  return {node == kRoot ? 0 : node + 1, taxonomy.end(node) + 1};
}

bool is_anti_monotone(Problem const& problem, Rule const& rule) {
  return rule.side != Rule::Side::kAtLeast || problem.person == kNoColumn;
}

std::size_t PopulationLevels::Side::add_cells(RowGroups const& groups) {
  order.resize(groups.count());
  std::iota(order.begin(), order.end(), 0U);
  begins = {0};
  ends = {static_cast<std::uint32_t>(groups.count())};
  weights.assign(groups.count(), 0);
  return groups.count();
}

PopulationLevels::PopulationLevels(Problem const& problem, std::vector<std::size_t> const& rules,
                                   std::vector<AttributeCut> const& cuts, Checkpoint& checkpoint)
    : cuts_(cuts), checkpoint_(checkpoint) {
  auto const& population = problem.populations[*problem.rules[rules.front()].population];
  for (auto const& axis : population.axes) {
    attributes_.push_back(axis.attribute);
    nodes_.push_back(axis.by_node ? problem.attributes[axis.attribute].taxonomy : nullptr);
  }
  for (std::size_t r : rules) {
    rules_.emplace_back(problem.rules[r]);
    rules_.back().splits.resize(attributes_.size());
    rules_.back().after.resize(attributes_.size());
  }
  add_persons(problem);
  add_people(population);
  shown_.assign(attributes_.size(), Vector<ValueId>(1, 0));
  fresh_.assign(attributes_.size(), 0);
  changed_.push_back(0);
}

void PopulationLevels::add_persons(Problem const& problem) {
  CodedTable const& table = *problem.table;
  std::vector<KeyColumn> keys;
  for (std::size_t a : attributes_) {
    auto const& column = table.columns[problem.attributes[a].column];
    keys.push_back({column.codes, column.distinct()});
  }
  bool const several = problem.person != kNoColumn;
  if (several) keys.push_back({table.columns[problem.person].codes, table.columns[problem.person].distinct()});
  auto const groups = group_rows(table.rows(), keys, checkpoint_);
  persons_.add_cells(groups);
  for (std::size_t row = 0; row < table.rows(); ++row)
    persons_.weights[static_cast<std::size_t>(groups.of_row[row])] += table.weight(row);
  for (std::size_t p = 0; p < attributes_.size(); ++p) {
    ranks_.emplace_back();
    for (auto row : groups.first_row) ranks_.back().push_back(cuts_[attributes_[p]].rank_of(keys[p].of(row)));
  }
  if (!several) return;
  for (auto row : groups.first_row) keys_.push_back(keys.back().of(row));
  met_.assign(static_cast<std::size_t>(keys.back().bound), 0);
}

// People with equal ranks are a cell; who does not fit the most general class fits none.
void PopulationLevels::add_people(Population const& population) {
  std::vector<KeyColumn> keys;
  std::vector<Vector<std::int32_t>> numbers(attributes_.size());  // code -> number of its ranks
  for (std::size_t p = 0; p < attributes_.size(); ++p) {
    auto const& axis = population.axes[p];
    std::map<std::pair<Rank, Rank>, std::int32_t> seen;
    for (Extent const value : axis.values)
      numbers[p].push_back(
          seen.try_emplace({value.begin, value.end}, static_cast<std::int32_t>(seen.size())).first->second);
    keys.push_back({axis.codes, static_cast<std::int32_t>(seen.size()), numbers[p]});
  }
  auto const groups = group_rows(population.people.size(), keys, checkpoint_);
  people_.add_cells(groups);
  for (std::size_t row = 0; row < population.people.size(); ++row) {
    auto& weight = people_.weights[static_cast<std::size_t>(groups.of_row[row])];
    weight = checked_add(weight, population.people[row]);
  }
  for (std::size_t p = 0; p < attributes_.size(); ++p) {
    auto const& axis = population.axes[p];
    values_.emplace_back();
    for (auto row : groups.first_row) values_.back().push_back(axis.values[static_cast<std::size_t>(axis.codes[row])]);
  }
  auto const fits = [&](std::uint32_t cell) {
    for (std::size_t p = 0; p < attributes_.size(); ++p) {
      Extent const value = values_[p][cell];
      if (value.begin >= value.end || !lies_in(value, shown(p, cuts_[attributes_[p]][0]))) return false;
    }
    return true;
  };
  auto const end = std::stable_partition(people_.order.begin(), people_.order.end(), fits);
  people_.ends[0] = static_cast<std::uint32_t>(end - people_.order.begin());
  left_ = people_in(people_.ends[0], static_cast<std::uint32_t>(people_.order.size()));
}

std::size_t PopulationLevels::position(std::size_t a) const {
  auto const found = std::find(attributes_.begin(), attributes_.end(), a);
  return found == attributes_.end() ? kNone : static_cast<std::size_t>(found - attributes_.begin());
}

std::int64_t PopulationLevels::persons_in(std::uint32_t begin, std::uint32_t end) {
  std::int64_t persons = 0;
  ++run_;
  for (auto i = begin; i < end; ++i) {
    auto const cell = persons_.order[i];
    if (keys_.empty())
      persons += persons_.weights[cell];
    else
      persons += std::exchange(met_[static_cast<std::size_t>(keys_[cell])], run_) != run_;
  }
  return persons;
}

std::int64_t PopulationLevels::people_in(std::uint32_t begin, std::uint32_t end) const {
  std::int64_t people = 0;
  for (auto i = begin; i < end; ++i) people = checked_add(people, people_.weights[people_.order[i]]);
  return people;
}

// Nobody fits: F is 0, which no share of it says.
Level PopulationLevels::level_of(Rule const& rule, Count count) const {
  if (rule.kind == Rule::Kind::kAnonymity) return {count.people, 1, -1};
  if (count.people > 0) return {count.persons, count.people, -1};
  return rule.side == Rule::Side::kAtLeast ? Level{1, 1, -1} : Level{kNobodyFits, 1, -1};
}

Extent PopulationLevels::shown(std::size_t p, CutValue const& value) const {
  return nodes_[p] == nullptr ? value.ranks : nodes_from(*nodes_[p], value.node);
}

// The last part that begins no later than the value, if it holds all of it: NULL may have no part. Parts ascend.
std::int32_t PopulationLevels::child_of(Extent value, std::size_t p, AttributeCut const& cut,
                                        CutValue const& parent) const {
  std::int32_t from = 0, to = parent.children;
  while (from < to) {
    auto const middle = from + (to - from) / 2;
    if (shown(p, cut[parent.first_child + middle]).begin <= value.begin)
      from = middle + 1;
    else
      to = middle;
  }
  if (from > 0 && lies_in(value, shown(p, cut[parent.first_child + from - 1]))) return from - 1;
  return parent.children;
}

std::int32_t PopulationLevels::child_of_cell(Side const& side, std::uint32_t cell, std::size_t p,
                                             AttributeCut const& cut, CutValue const& parent) const {
  return &side == &persons_ ? cut.child_of(ranks_[p][cell]) : child_of(values_[p][cell], p, cut, parent);
}

void PopulationLevels::part(Side& side, GroupId g, std::size_t p) {
  AttributeCut const& cut = cuts_[attributes_[p]];
  CutValue const& parent = cut[shown_[p][g]];
  std::uint32_t const begin = side.begins[g], end = side.ends[g];
  starts_.assign(static_cast<std::size_t>(parent.children) + 2, begin);
  of_cell_.clear();
  for (auto i = begin; i < end; ++i) {
    checkpoint_.tick();
    of_cell_.push_back(child_of_cell(side, side.order[i], p, cut, parent));
    ++starts_[static_cast<std::size_t>(of_cell_.back()) + 1];
  }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1] - begin;
  moved_.resize(end - begin);
  auto next = starts_;
  for (auto i = begin; i < end; ++i)
    moved_[next[static_cast<std::size_t>(of_cell_[i - begin])]++ - begin] = side.order[i];
  std::copy(moved_.begin(), moved_.end(), side.order.begin() + begin);
}

// Per child of the group's value who is in it; people who fit none come last.
void PopulationLevels::count_parts(GroupId g, std::size_t p) {
  AttributeCut const& cut = cuts_[attributes_[p]];
  CutValue const& parent = cut[shown_[p][g]];
  parts_.assign(static_cast<std::size_t>(parent.children) + 1, {});
  for (auto i = people_.begins[g]; i < people_.ends[g]; ++i) {
    checkpoint_.tick();
    auto const cell = people_.order[i];
    auto& people = parts_[static_cast<std::size_t>(child_of(values_[p][cell], p, cut, parent))].people;
    people = checked_add(people, people_.weights[cell]);
  }
  if (keys_.empty()) {
    for (auto i = persons_.begins[g]; i < persons_.ends[g]; ++i) {
      auto const cell = persons_.order[i];
      parts_[static_cast<std::size_t>(cut.child_of(ranks_[p][cell]))].persons += persons_.weights[cell];
    }
    return;
  }
  part(persons_, g, p);
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) parts_[i].persons = persons_in(starts_[i], starts_[i + 1]);
}

void PopulationLevels::measure_split(GroupId g, std::size_t p) {
  count_parts(g, p);
  looked_at_ += persons_.ends[g] - persons_.begins[g] + people_.ends[g] - people_.begins[g];
  for (State& state : rules_) state.splits[p][g] = {};
  std::int64_t left = 0;
  for (Count const& count : parts_) {
    if (count.persons == 0)
      left = checked_add(left, count.people);
    else
      for (State& state : rules_) state.judge.worsen(state.splits[p][g], level_of(*state.rule, count));
  }
  for (State& state : rules_)
    if (left > 0 && state.rule->side == Rule::Side::kAtLeast) state.judge.worsen(state.splits[p][g], {0, left, -1});
}

void PopulationLevels::refresh(Wanted const& wanted) {
  for (State& state : rules_) {
    state.levels.resize(groups());
    for (auto& splits : state.splits) splits.resize(groups());
  }
  for (GroupId g : changed_) {
    Count const count{persons_in(persons_.begins[g], persons_.ends[g]), people_in(people_.begins[g], people_.ends[g])};
    for (State& state : rules_) state.levels[g] = level_of(*state.rule, count);
    for (std::size_t p = 0; p < attributes_.size(); ++p)
      if (wanted[attributes_[p]][static_cast<std::size_t>(shown_[p][g])] != 0) measure_split(g, p);
  }
  changed_.clear();
  for (State& state : rules_) {
    state.now = left_ > 0 && state.rule->side == Rule::Side::kAtLeast ? Level{0, left_, -1} : Level{};
    for (Level const& level : state.levels) state.judge.worsen(state.now, level);
  }
  std::fill(fresh_.begin(), fresh_.end(), 0);
}

void PopulationLevels::weigh_again(std::size_t a, ValueId v) {
  std::size_t const p = position(a);
  if (p == kNone) return;
  for (GroupId g = 0; g < groups(); ++g)
    if (shown_[p][g] == v) measure_split(g, p);
  fresh_[p] = 0;
  looked_at_ += groups();
}

void PopulationLevels::apply(std::size_t a, ValueId v) {
  std::size_t const p = position(a);
  if (p == kNone) return;
  GroupId const before = groups();
  for (GroupId g = 0; g < before; ++g)
    if (shown_[p][g] == v) split(g, p);
}

// Moves cells to where `order` has them: counting goes through memory as it lies.
void PopulationLevels::move_cells(Side& side, GroupId g) {
  std::uint32_t const begin = side.begins[g], end = side.ends[g];
  auto const gather = [&](auto& values) {
    std::remove_reference_t<decltype(values)> moved;
    moved.reserve(end - begin);
    for (auto i = begin; i < end; ++i) moved.push_back(values[side.order[i]]);
    std::copy(moved.begin(), moved.end(), values.begin() + begin);
  };
  gather(side.weights);
  if (&side == &people_) {
    for (auto& values : values_) gather(values);
  } else {
    for (auto& ranks : ranks_) gather(ranks);
    if (!keys_.empty()) gather(keys_);
  }
  std::iota(side.order.begin() + begin, side.order.begin() + end, begin);
}

// The group keeps its number with its first part that has persons; people of parts without persons are in no class.
void PopulationLevels::split(GroupId g, std::size_t p) {
  CutValue const value = cuts_[attributes_[p]][shown_[p][g]];
  part(persons_, g, p);
  move_cells(persons_, g);
  person_starts_ = starts_;
  part(people_, g, p);
  move_cells(people_, g);
  auto const children = static_cast<std::size_t>(value.children);
  left_ += people_in(starts_[children], people_.ends[g]);
  bool first = true;
  for (std::size_t i = 0; i < children; ++i) {
    if (person_starts_[i] == person_starts_[i + 1]) {
      left_ += people_in(starts_[i], starts_[i + 1]);
      continue;
    }
    GroupId to = g;
    if (!first) {
      to = groups();
      for (Side* side : {&persons_, &people_}) side->begins.push_back(0), side->ends.push_back(0);
      for (auto& shown : shown_) {
        ValueId const same = shown[g];  // a copy: push_back may move what it refers to
        shown.push_back(same);
      }
    }
    first = false;
    persons_.begins[to] = person_starts_[i];
    persons_.ends[to] = person_starts_[i + 1];
    people_.begins[to] = starts_[i];
    people_.ends[to] = starts_[i + 1];
    shown_[p][to] = value.first_child + static_cast<ValueId>(i);
    changed_.push_back(to);
  }
}

// For all values at once: the worst of the groups that show it, once it is split, and of all others as they are.
void PopulationLevels::fill_after(std::size_t p) {
  auto const values = static_cast<std::size_t>(
      cuts_[attributes_[p]].current().empty()
          ? 0
          : *std::max_element(cuts_[attributes_[p]].current().begin(), cuts_[attributes_[p]].current().end()) + 1);
  for (State& state : rules_) {
    auto& after = state.after[p];
    after.assign(values, {});
    Vector<Level> now(values);
    for (GroupId g = 0; g < groups(); ++g) {
      auto const v = static_cast<std::size_t>(shown_[p][g]);
      state.judge.worsen(after[v], state.splits[p][g]);
      state.judge.worsen(now[v], state.levels[g]);
    }
    std::size_t worst = 0;
    for (std::size_t v = 0; v < values; ++v)
      if (state.judge.worse(now[v], now[worst])) worst = v;
    Level second = left_ > 0 && state.rule->side == Rule::Side::kAtLeast ? Level{0, left_, -1} : Level{};
    for (std::size_t v = 0; v < values; ++v)
      if (v != worst) state.judge.worsen(second, now[v]);
    for (std::size_t v = 0; v < values; ++v) {
      state.judge.worsen(after[v], second);
      if (v != worst) state.judge.worsen(after[v], now[worst]);
    }
  }
  fresh_[p] = 1;
}

Level PopulationLevels::after(std::size_t i, std::size_t a, ValueId v) {
  std::size_t const p = position(a);
  if (p == kNone) return rules_[i].now;
  if (fresh_[p] == 0) fill_after(p);
  return rules_[i].after[p][static_cast<std::size_t>(v)];
}

}  // namespace anon_seq
