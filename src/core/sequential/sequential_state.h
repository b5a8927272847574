// A state of T1 during specialization: the cuts, and the exact level of every rule, now and one step on.
#pragma once

#include "core/sequential/population_levels.h"

namespace anon_seq {

class SequentialState {
 public:
  // The most general state. `general`: measured by the general method alone, for checks.
  SequentialState(Problem const& problem, Checkpoint& checkpoint, bool general = false);
  SequentialState(SequentialState const&) = delete;

  AttributeCut const& cut(std::size_t a) const { return cuts_[a]; }
  Judge const& judge(std::size_t rule) const { return judges_[rule]; }
  RulePlan const& plan(std::size_t rule) const { return plans_[rule]; }
  bool is_at_worst(std::size_t rule) const { return meters_[rule] && meters_[rule]->at_worst() != nullptr; }

  // What may be specialized: current values that have a split and were not given up.
  bool is_candidate(std::size_t a, ValueId v) const { return wanted_[a][static_cast<std::size_t>(v)] != 0; }
  void give_up(std::size_t a, ValueId v) { wanted_[a][static_cast<std::size_t>(v)] = 0; }
  // A candidate none of whose splits may be taken, for all that was tried: nothing else comes of it until a class with
  // the value changes, as whether a split breaks a rule that holds now is a matter of these classes.
  bool is_settled(std::size_t a, ValueId v) const { return settled_[a][static_cast<std::size_t>(v)] != 0; }
  void settle(std::size_t a, ValueId v) { settled_[a][static_cast<std::size_t>(v)] = 1; }
  void settle_nothing();

  // How much was looked at so far: see RuleLevels.
  std::int64_t looked_at() const;

  Level now(std::size_t rule) const {
    if (!meters_[rule]) return people_[place_[rule].levels]->now(place_[rule].meter);
    return levels_[place_[rule].levels]->now(place_[rule].meter);
  }
  Level after(std::size_t rule, std::size_t a, ValueId v) {
    if (!meters_[rule]) return people_[place_[rule].levels]->after(place_[rule].meter, a, v);
    return levels_[place_[rule].levels]->after(place_[rule].meter, a, v);
  }
  double info_gain(std::size_t a, ValueId v) const;

  void apply(std::size_t a, ValueId v);
  // Down to the most general state that a ceiling of detail allows.
  void to_start();
  // Chooses another split of a continuous candidate.
  void split_at(std::size_t a, ValueId v, Code m);

  // Throws kInternal unless all secrets were counted in unions of the classes that there are now.
  void check_one_rule() {
    for (auto& levels : levels_) levels->check_one_rule();
  }

 private:
  struct Place {
    std::size_t levels, meter;  // of a rule about a population: of people_, and its number there
  };
  void add_levels(bool general);
  void add_people();
  void find_splits(std::size_t a);
  void unsettle();

  Problem const& problem_;
  Checkpoint& checkpoint_;
  JoinModel model_;
  MatcherPool pool_;
  std::vector<AttributeCut> cuts_;
  std::vector<Judge> judges_;
  std::vector<RulePlan> plans_;
  std::vector<std::unique_ptr<RuleMeter>> meters_;  // none for rules about a population
  std::vector<std::unique_ptr<RuleLevels>> levels_;
  std::vector<std::unique_ptr<PopulationLevels>> people_;  // of each population
  std::vector<Place> place_;                               // of each rule
  RuleLevels* squares_ = nullptr;                          // discernibility: those of all attributes
  Wanted wanted_, settled_;
};

}  // namespace anon_seq
