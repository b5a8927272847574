// How one rule is measured without the join: which releases it needs, and which of them factor out.
//
// Releases that share attributes or predicates among themselves form a component; given a record of T1, the
// partners in different components are chosen independently (star join, Section 7 of the paper). A component
// C whose join attributes of T1 all lie in X sees one block per x, so its counts are a factor of a(x):
//   no Y in C             it divides out, for anonymity and for linkability;
//   anonymity             A = min over x1 of (a of the rest) * min over x_C of a_{Y_C}(x_C);
//   linkability, Y in C   the rest divides out: L = max over x_C of the share of y.
// For anonymity a component without X and Y says only that a partner exists, which is so. What remains is
// the core, enumerated at the level of partitions. The paper's Cases 1 to 4 are instances of this; Case 2 is
// used only where it holds, because the core counts distinct tokens.
#pragma once

#include "core/sequential/join_model.h"

namespace anon_seq {

struct RulePlan {
  std::vector<std::size_t> x_attributes;  // of Problem::attributes, ascending
  std::vector<std::size_t> x_columns;     // T1 columns of X that are not generalized, ascending
  std::vector<std::size_t> y_columns;     // T1 columns of Y
  struct ShownY {
    std::size_t part, attribute;  // of Rule::y, of Problem::attributes
  };
  std::vector<ShownY> y_shown;  // those of Y that T1 generalizes: they stand there as published
  bool y_persons = false;
  std::vector<std::vector<std::size_t>> factors;  // components with Y, as tables
  std::vector<std::size_t> core;                  // tables to enumerate

  bool monotone = false;                // proven: a specialization that violates will violate for ever
  bool proof_at_root = false;           // proven: if the most general state violates, every state does
  bool join_attribute_missing = false;  // some join attribute of some table is not in X
  bool join_plays_no_part = false;      // the rule says no more than on T1, or on the releases, alone
};

// `general`: everything in the core, no shortcut; for checks.
RulePlan plan_rule(Problem const& problem, JoinModel const& model, Rule const& rule, bool general = false);

// Whether records of table i are in Y of the rule, by value or as records.
bool in_y(Rule const& rule, std::size_t table);

// The components of some earlier releases: tables that are linked, directly or through others of them.
std::vector<std::vector<std::size_t>> components(JoinModel const& model, std::vector<std::size_t> tables);

}  // namespace anon_seq
