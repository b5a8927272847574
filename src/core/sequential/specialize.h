// TDS4SA: top-down specialization of the current release against everything released before.
//
// K. Wang, B. C. M. Fung: Anonymizing Sequential Releases, KDD 2006, Algorithm 1, with the corrections that
// its monotonicity claims need: a step is taken only if the state behind it was measured exactly, and the
// result is locally maximal: no single specialization (with its best split; with valid_split, with any split
// that was tried) satisfies all rules. How much other splits may cost follows from rows and columns. Score = InfoGain /
// (PrivLoss + 1), PrivLoss the sum over the rules of what each loses; where the problem has an order, its steps come
// first. The same input gives the same result, whatever the order of its rows.
#pragma once

#include "core/sequential/attribute_cut.h"
#include "core/sequential/level.h"
#include "core/sequential/rule_plan.h"

namespace anon_seq {

struct TraceStep {
  std::size_t attribute = 0;
  CutValue value;             // continuous: ranks are codes, [begin, end); begin <= 1: no lower cut
  Vector<CutValue> children;  // also those without records
  double info_gain = 0, priv_loss = 0, score = 0;
  std::vector<Level> after;  // per rule
  bool searching = false;    // the state before it violated a rule
};

struct RuleOutcome {
  RulePlan plan;        // its facts are worth a notice: join_attribute_missing, join_plays_no_part
  Level root, reached;  // root: of the most general state that a ceiling of detail allows
};

struct SequentialOutcome {
  bool feasible = false;
  // Not feasible: the first rule that the best state violates, and whether no state whatever satisfies it.
  std::size_t obstacle = 0;
  bool proof = false;
  std::vector<RuleOutcome> rules;  // reached: of the result; not feasible: the best state that was met
  std::vector<TraceStep> trace;
  std::vector<Vector<CutValue>> cut;  // per attribute, ascending; empty if not feasible
  Classes classes{0, 0};              // see cut_classes.h; empty if not feasible
  Vector<CutValue> boxes;             // local recoding: per class and attribute what it shows; else empty
  Vector<std::int64_t> dangling;      // per table: records without a match (only in Dangling::kOuter, kInner)
  bool cut_short = false;             // other splits were not all tried: it would have been too much work
};

// By Dangling::kError: a record has no match.
struct NoMatch : Error {
  explicit NoMatch(std::string const& detail);
};

// Throws kData if the table is empty, NoMatch if a record has no match and that is an error.
SequentialOutcome specialize(Problem const& problem, Checkpoint& checkpoint);

// How many rows of classes a search beyond the steps of the method may look at: about as many as its steps do. It
// follows from rows and columns, never from a clock, so that equal input has equal results.
std::int64_t search_effort(Problem const& problem);

// Whether a state is found that keeps all rules, if there is to be a search at most after so much work; not what could
// be made of it. Records without a match do not matter. REQUIRES: problem.check() holds.
struct Feasibility {
  bool found = false, cut_short = false;
  std::int64_t looked_at = 0;  // what it took
};
Feasibility find_feasible(Problem const& problem, std::int64_t effort, Checkpoint& checkpoint);

// The level of each rule for a given cut, e.g. an outcome's; none: of the most general state. `general`: by the general
// method alone.
std::vector<Level> measure_rules(Problem const& problem, std::vector<Vector<CutValue>> const& cut, bool general,
                                 Checkpoint& checkpoint);

// Per table, the records that are in no match when T1 is as specific as can be.
Vector<std::int64_t> count_dangling(Problem const& problem, Checkpoint& checkpoint);

}  // namespace anon_seq
