// A policy's demands, loosened until the most general release keeps them: what hints offer.
#pragma once

#include "core/sequential/level.h"
//
#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

class Loosened {
 public:
  // REQUIRES: `demands` outlives it.
  explicit Loosened(SequentialPolicy const& demands);

  // Lets a rule that stands at `level` hold there. False if nothing can be done about it.
  bool allow(BoundRule const& bound, Rule const& rule, Level level);

  SequentialPolicy const& demands() const { return demands_; }
  // A bound rule as it is written now; nullptr for one that k or max_link stand for.
  RuleSpec const* find(BoundRule const& bound) const;

  // Members of the json that alter_policy takes, for what differs from what was given, of which the first `known_rules`
  // rules are the policy's own.
  std::string changes(std::size_t known_rules) const;

 private:
  SequentialPolicy demands_;
  SequentialPolicy const& given_;
  std::vector<std::string> texts_;  // of the rules, as given
};

}  // namespace anon_seq::sequential
