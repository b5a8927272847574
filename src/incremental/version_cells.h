// What a version shows, read from the ledger: for whoever has not all of it in memory.
#pragma once

#include "incremental/state.h"
#include "release/release_cells.h"

namespace anon_seq::incremental {

// Cells of the policy's version, in their order. REQUIRES: it is written. cell_of stays empty.
ReleaseCells version_cells(SpiSession& session, Policy const& policy, Checkpoint& checkpoint);

// Json: metric -> value, of what cells tell.
std::string measures_of(IncrementalState const& state, ReleaseCells const& cells);

}  // namespace anon_seq::incremental
