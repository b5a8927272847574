// Statements that hints print: rules about releases that no rule names, relaxed rules, options. Each is tried before it
// is printed: its bounds are measured on the join, with the most general release of ours, under the policy's own
// options.
#pragma once

#include "release/declare.h"
#include "sequential/solution.h"

namespace anon_seq::sequential {

// Throws kParameter if no rule speaks about some of the releases that the policy heeds: names all of them, with one
// statement that adds what is missing, and under which the policy can be published.
void require_all_named(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                       std::vector<Release> const& heeded, SourceTable const& source, Checkpoint& checkpoint);

// What stopped it: message, detail and hint with the best reachable number. REQUIRES: !release.outcome.feasible.
Error infeasible(SpiSession& session, Policy const& policy, SequentialRelease const& release, Checkpoint& checkpoint);

// What stopped it where persons without quasi values break a rule. REQUIRES: release.blanked_break.
Error infeasible_blanked(Policy const& policy, SequentialRelease const& release);

// A NOTICE for a policy that could not be published now, as no rule speaks about some releases.
void note_unnamed(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::sequential
