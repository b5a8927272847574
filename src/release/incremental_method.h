// The incremental method: from a policy to the next version, and what the ledger shall remember of it.
#pragma once

#include "release/incremental_state.h"
#include "release/release_cells.h"

namespace anon_seq::pg {

// The leaves that a version shows, in the order of what they show, and the texts of that.
struct ShownRegions {
  std::vector<RegionId> regions;
  Vector<std::int32_t> place;                     // region -> its place above, -1: not shown
  std::vector<std::optional<std::string>> texts;  // place * quasi columns + column; as the output function prints it
  std::map<std::pair<std::size_t, Code>, std::string> bounds;  // (quasi column, code) -> text of the bound
};

// Refines the regions and places everybody. `independent`: as if nothing had been published before.
void solve(IncrementalState& state, Checkpoint& checkpoint);

ShownRegions shown_regions(IncrementalState const& state, Checkpoint& checkpoint);

// Cells of the release, kept objects that have gone from the source included.
ReleaseCells cells_of(IncrementalState const& state, ShownRegions const& shown, Checkpoint& checkpoint);

// Json: metric -> value.
std::string measures_json(IncrementalState const& state, ShownRegions const& shown, ReleaseCells const& cells);

// What the user should know: persons that wait, deletions that are deferred, what arrivals tell.
std::vector<std::string> notices(IncrementalState const& state);

// Gives new objects their ids and writes what changed.
void write_version(SpiSession& session, IncrementalState& state, ShownRegions const& shown, ReleaseCells const& cells,
                   Checkpoint& checkpoint);

}  // namespace anon_seq::pg
