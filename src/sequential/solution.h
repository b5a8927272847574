// The sequential method: from a policy to a release in memory, with everything the ledger shall remember.
#pragma once

#include "core/sequential/loss.h"
#include "core/sequential/specialize.h"
//
#include "release/publish_run.h"
#include "sequential/problem.h"

namespace anon_seq::sequential {

struct SequentialRelease {
  SequentialPolicy const* demands = nullptr;
  std::unique_ptr<SequentialProblem> problem;
  SequentialOutcome outcome;
};

// Throws nothing for a rule that cannot be met: see outcome.feasible; but for releases that cannot be compared, or that
// no rule names. REQUIRES: the run outlives the result.
SequentialRelease solve(PublishRun const& run, SourceTable source);

// The recoding that the policy asks for. Throws as specialize() does.
SequentialOutcome recode(SequentialPolicy const& demands, SequentialProblem const& problem, Checkpoint& checkpoint);

// A rational to six digits, for people; exact numbers are compared elsewhere.
std::string shown_level(Rule const& rule, Level level);

// What a person should know about the rules, though it stops nothing: join attributes that no x holds, joins
// that change nothing.
struct RuleNotice {
  std::string text, hint;
};
std::vector<RuleNotice> rule_notices(Policy const& policy, SequentialRelease const& release);

// The cells of a feasible outcome.
ReleaseCells cells_of(Policy const& policy, SequentialRelease const& release, Checkpoint& checkpoint);

Loss loss_of(SequentialRelease const& release, Checkpoint& checkpoint);

// Who was left out, for the ledger: {"persons", "of"}, of the source's persons; null where nobody may be.
std::string suppressed_json(SequentialRelease const& release);

// For the ledger, as json: [{"attribute", "value"}, ...], of boxes nothing, as cells tell them; and the steps of the
// trace.
std::string cut_json(Policy const& policy, SequentialRelease const& release);
std::string trace_json(Policy const& policy, SequentialRelease const& release);

}  // namespace anon_seq::sequential
