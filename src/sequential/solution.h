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
  // Feasible, but persons without quasi values break a rule by themselves.
  struct BlankedBreak {
    std::size_t rule = 0;
    Level level;
  };
  std::optional<BlankedBreak> blanked_break;
};

// Of a feasible outcome: whether those who show no quasi values keep all rules. Where nobody else shows any either,
// they could not be told from the others, and are left out: that follows from the release.
void settle_blanked(Policy const& policy, SequentialRelease& release, Checkpoint& checkpoint);
// The first rule that they break.
std::optional<SequentialRelease::BlankedBreak> broken_by_blanked(SequentialProblem const& problem,
                                                                 Checkpoint& checkpoint);

// The classes of all rows of the source that are published; those without quasi values are the last.
Classes published_classes(SequentialRelease const& release);

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

// Who may not be shown, for the ledger: {"persons", "of", "blanked", "blanked_rows"}, of the source's persons, the last
// two of those without quasi values, if there may be such; null where everybody is shown.
std::string suppressed_json(SequentialRelease const& release);

// The tables of people that were counted, for the ledger: [{"population", "digest", "people"}, ...].
std::string populations_json(SpiSession& session, SequentialRelease const& release);

// For the ledger, as json: [{"attribute", "value"}, ...], of boxes nothing, as cells tell them; and the steps of the
// trace.
std::string cut_json(Policy const& policy, SequentialRelease const& release);
std::string trace_json(Policy const& policy, SequentialRelease const& release);

}  // namespace anon_seq::sequential
