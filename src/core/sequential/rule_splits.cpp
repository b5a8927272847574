// What rules come to behind splits that are weighed one after the other: fill_after() puts together what refresh()
// measured, for all values of an attribute, weigh_again() does so for one value whose split is another one, and
// unsettle() says for which values all of it may be different after a step.
#include <algorithm>

#include "core/sequential/rule_levels.h"

namespace anon_seq {

// The worst over the groups without v as they are, and over those with v once it is split; for all v of the
// attribute in one pass: the worst group value is known with its runner-up among the other values.
void RuleLevels::fill_after(State& state, std::size_t a) {
  Judge const& judge = state.meter->judge();
  std::size_t const p = position(a);
  auto& after = state.after[a];
  after.clear();
  for (ValueId v : cuts_[a].current()) level_at(after, static_cast<std::size_t>(v)) = {};
  state.fresh[a] = 1;
  if (p >= cells_->layout().in_x) {
    for (ValueId v : cuts_[a].current()) {
      if (cuts_[a][v].first_child < 0) continue;
      for (GroupId g = 0; g < cells_->groups(); ++g)
        judge.worsen(after[static_cast<std::size_t>(v)], measure_split(state, g, a, v));
    }
    return;
  }
  Vector<Level> current(after.size());
  looked_at_ += cells_->groups();
  for (GroupId g = 0; g < cells_->groups(); ++g) {
    checkpoint_.tick();
    auto const v = static_cast<std::size_t>(cells_->value(p, g));
    judge.worsen(after[v], state.splits[p][g]);
    judge.worsen(current[v], state.levels[g]);
  }
  State::Worst worst;
  for (std::size_t v = 0; v < current.size(); ++v)
    if (judge.worse(current[v], current[worst.value])) worst.value = v;
  for (std::size_t v = 0; v < current.size(); ++v)
    if (v != worst.value) judge.worsen(worst.second, current[v]);
  worst.level = current[worst.value];
  state.worst[a] = worst;
  for (std::size_t v = 0; v < after.size(); ++v) judge.worsen(after[v], v == worst.value ? worst.second : worst.level);
}

Level RuleLevels::after(std::size_t m, std::size_t a, ValueId v) {
  State& state = states_[m];
  if (!touches(state, a)) return state.now;
  if (state.running) {
    Level level = level_at(state.alternatives[a], static_cast<std::size_t>(v));
    state.meter->judge().worsen(level, state.now);
    return level;
  }
  if (state.fresh[a] == 0) fill_after(state, a);
  return state.after[a][static_cast<std::size_t>(v)];
}

std::vector<GroupId> const& RuleLevels::groups_with(std::size_t p, ValueId v) {
  if (with_.p == p && with_.v == v) return with_.groups;
  with_.p = p;
  with_.v = v;
  with_.groups.clear();
  looked_at_ += cells_->groups();
  for (GroupId g = 0; g < cells_->groups(); ++g)
    if (cells_->value(p, g) == v) with_.groups.push_back(g);
  return with_.groups;
}

void RuleLevels::weigh_again(std::size_t a, ValueId v) {
  std::size_t const p = position(a);
  if (p == kNone) return;
  last_move_ = {};
  if (discernibility_) {
    saved_[a][static_cast<std::size_t>(v)] = 0;
    for (GroupId g : groups_with(p, v)) add_squares(g, p, 1);
  }
  for (State& state : states_)
    if (touches(state, a)) weigh_again(state, a, p, v);
}

// What is fresh stays so: of the other values nothing has changed.
void RuleLevels::weigh_again(State& state, std::size_t a, std::size_t p, ValueId v) {
  Judge const& judge = state.meter->judge();
  auto const index = static_cast<std::size_t>(v);
  Level level;
  if (p >= cells_->layout().in_x) {
    if (state.running || state.fresh[a] == 0) return;
    for (GroupId g = 0; g < cells_->groups(); ++g) judge.worsen(level, measure_split(state, g, a, v));
    level_at(state.after[a], index) = level;
    return;
  }
  if (state.running) level_at(state.alternatives[a], index) = {};
  for (GroupId g : groups_with(p, v)) {
    Level const split = measure_split(state, g, a, v);
    if (state.running)
      judge.worsen(state.alternatives[a][index], split);
    else
      judge.worsen(level, level_at(state.splits[p], g) = split);
  }
  if (state.running || state.fresh[a] == 0) return;
  auto const& worst = state.worst[a];
  judge.worsen(level, index == worst.value ? worst.second : worst.level);
  level_at(state.after[a], index) = level;
}

void RuleLevels::unsettle(Wanted& settled) const {
  if (changed_.empty()) return;
  for (std::size_t a = 0; a < settled.size(); ++a) {
    std::size_t const p = position(a);
    if (p == kNone) continue;
    if (p >= cells_->layout().in_x) {
      std::fill(settled[a].begin(), settled[a].end(), 0);
      continue;
    }
    for (GroupId g : changed_) settled[a][static_cast<std::size_t>(cells_->value(p, g))] = 0;
  }
}

}  // namespace anon_seq
