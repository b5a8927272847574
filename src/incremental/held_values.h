// How many people have each value: what a publish has to know of those whose regions it does not load.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// Column of the policy -> code of it -> people who are shown with it, and have not gone, as the ledger counts them.
std::vector<Vector<std::int64_t>> held_values(IncrementalState const& state);

// Writes what the ledger shall count from this version on: all, or what is not as state.held says.
// REQUIRES: members are written.
void write_held(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
