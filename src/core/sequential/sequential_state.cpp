#include "core/sequential/sequential_state.h"

#include <algorithm>

namespace anon_seq {

SequentialState::SequentialState(Problem const& problem, Checkpoint& checkpoint, bool general)
    : problem_(problem), checkpoint_(checkpoint), model_(problem), pool_(problem, model_, checkpoint) {
  for (std::size_t a = 0; a < problem.attributes.size(); ++a) cuts_.emplace_back(problem, a, checkpoint);
  wanted_.resize(cuts_.size());
  settled_.resize(cuts_.size());
  for (std::size_t a = 0; a < cuts_.size(); ++a) find_splits(a);
  add_levels(general);
  add_people();
  for (auto& levels : levels_) levels->refresh(wanted_);
  for (auto& people : people_) people->refresh(wanted_);
}

void SequentialState::add_levels(bool general) {
  for (auto const& rule : problem_.rules) {
    judges_.emplace_back(rule);
    meters_.push_back(nullptr);
    plans_.emplace_back();
    if (rule.population) {
      plans_.back().monotone = plans_.back().proof_at_root = is_anti_monotone(problem_, rule);
    } else {
      meters_.back() = std::make_unique<RuleMeter>(problem_, model_, rule, pool_, checkpoint_, general);
      plans_.back() = meters_.back()->plan();
    }
  }
  for (std::size_t m = 0; m < pool_.size(); ++m) pool_[m].drop_rows();
  place_.resize(meters_.size());
  std::vector<bool> placed(meters_.size(), false);
  bool const squares = problem_.objective == Objective::kDiscernibility;
  for (std::size_t first = 0; first < meters_.size(); ++first) {
    if (placed[first] || !meters_[first]) continue;
    RulePlan const& plan = meters_[first]->plan();
    std::vector<RuleMeter*> sharing;
    for (std::size_t i = first; i < meters_.size(); ++i) {
      if (!meters_[i]) continue;
      RulePlan const& other = meters_[i]->plan();
      if (placed[i] || other.x_attributes != plan.x_attributes || other.x_columns != plan.x_columns) continue;
      placed[i] = true;
      place_[i] = {levels_.size(), sharing.size()};
      sharing.push_back(meters_[i].get());
    }
    bool const all =
        squares && squares_ == nullptr && plan.x_columns.empty() && plan.x_attributes.size() == cuts_.size();
    levels_.push_back(
        std::make_unique<RuleLevels>(problem_, model_, cuts_, pool_, std::move(sharing), all, checkpoint_));
    if (all) squares_ = levels_.back().get();
  }
  if (!squares || squares_ != nullptr) return;
  levels_.push_back(
      std::make_unique<RuleLevels>(problem_, model_, cuts_, pool_, std::vector<RuleMeter*>(), true, checkpoint_));
  squares_ = levels_.back().get();
}

void SequentialState::add_people() {
  for (std::size_t p = 0; p < problem_.populations.size(); ++p) {
    std::vector<std::size_t> about;
    for (std::size_t r = 0; r < problem_.rules.size(); ++r) {
      if (problem_.rules[r].population != p) continue;
      place_[r] = {people_.size(), about.size()};
      about.push_back(r);
    }
    if (!about.empty()) people_.push_back(std::make_unique<PopulationLevels>(problem_, about, cuts_, checkpoint_));
  }
}

// Candidates have records and a split; what is current and new is looked at, the rest keeps its standing.
void SequentialState::find_splits(std::size_t a) {
  Vector<ValueId> const current = cuts_[a].current();
  for (ValueId v : current) {
    auto const at = static_cast<std::size_t>(v);
    if (cuts_[a][v].first_child >= 0) continue;
    bool const splits = cuts_[a][v].weight > 0 && cuts_[a].split(v);
    if (at >= wanted_[a].size()) wanted_[a].resize(at + 1, 0);
    wanted_[a][at] = splits;
  }
  settled_[a].resize(wanted_[a].size(), 0);
}

void SequentialState::settle_nothing() {
  for (auto& settled : settled_) std::fill(settled.begin(), settled.end(), 0);
}

// Of people, who are in no class that persons are in, too: all of it may be otherwise.
void SequentialState::unsettle() {
  if (!people_.empty()) return settle_nothing();
  for (auto const& levels : levels_) levels->unsettle(settled_);
}

std::int64_t SequentialState::looked_at() const {
  std::int64_t sum = 0;
  for (auto const& levels : levels_) sum += levels->looked_at();
  for (auto const& people : people_) sum += people->looked_at();
  return sum;
}

double SequentialState::info_gain(std::size_t a, ValueId v) const {
  return squares_ != nullptr ? squares_->squares_saved(a, v) : cuts_[a][v].gain;
}

void SequentialState::apply(std::size_t a, ValueId v) {
  for (auto& levels : levels_) levels->apply(a, v);
  for (auto& people : people_) people->apply(a, v);
  for (std::size_t c = 0; c < model_.columns(0).size(); ++c)
    if (model_.columns(0)[c].generalized == a)
      for (std::size_t m = 0; m < pool_.size(); ++m) pool_[m].retire(c, v);
  cuts_[a].specialize(v);
  give_up(a, v);
  find_splits(a);
  unsettle();
  for (auto& levels : levels_) levels->refresh(wanted_);
  for (auto& people : people_) people->refresh(wanted_);
}

void SequentialState::to_start() {
  for (std::size_t a = 0; a < cuts_.size(); ++a)
    for (auto next = cuts_[a].next_to_start(); next.value >= 0; next = cuts_[a].next_to_start()) {
      bool const has_split = cuts_[a][next.value].first_child >= 0;
      if (cuts_[a].continuous() && (!has_split || cuts_[a][cuts_[a][next.value].first_child].ranks.end != next.m))
        split_at(a, next.value, next.m);
      else if (!has_split && !cuts_[a].split(next.value))
        throw Error(Fault::kInternal, "a floor of detail is above the ceiling");
      apply(a, next.value);
    }
}

void SequentialState::split_at(std::size_t a, ValueId v, Code m) {
  for (std::size_t c = 0; c < model_.columns(0).size(); ++c)
    if (model_.columns(0)[c].generalized == a)
      for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i].forget(c, v);
  cuts_[a].split_at(v, m);
  for (auto& levels : levels_) levels->weigh_again(a, v);
  for (auto& people : people_) people->weigh_again(a, v);
}

}  // namespace anon_seq
