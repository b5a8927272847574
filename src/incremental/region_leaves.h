// What a version with shared storage comes to, kept so that the next one needs only what changed: counts and digest.
//
// _leaf has a row for each region that the newest version shows: how many rows it has, and the leaves of the digest
// that these make. No two regions show the same, so a leaf is of one region, and those of a version are all that are
// there. Rows of regions that are as they were are not written again.
#pragma once

#include "incremental/state.h"
#include "release/release_cells.h"

namespace anon_seq::incremental {

struct VersionSums {
  CellCounts counts;  // but for who is withheld
  std::string digest;
};

// Some regions of a version as they are now, all of their cells.
struct RegionCells {
  ReleaseCells const& cells;
  std::span<RegionId const> region_of;  // cell -> region
};

// The region of each cell of rows in memory. REQUIRES: refined.
Vector<RegionId> region_of_cells(IncrementalState const& state, ReleaseCells const& cells);

// The ledger's table of it.
LedgerRelation leaf_table();

// Whether the ledger has the leaves of the last version, so that only touched regions are needed for the next.
bool has_leaves(SpiSession& session, Policy const& policy);

// Writes the leaves of a version, of which `now` are the regions that people came to or went from, new ones too, and
// `ended` those of the last version that it does not show any more; `now_all`: it has all, whatever the ledger says.
// Throws kDamaged for leaves that are none. REQUIRES: now_all or has_leaves().
VersionSums write_leaves(SpiSession& session, Policy const& policy, RelationShape const& relation,
                         RegionCells const& now, std::span<RegionId const> ended, bool now_all, Checkpoint& checkpoint);

#ifdef ANON_SEQ_SELFTEST
// For tests: whether versions are to be written as if only the regions that they change were in memory; and the cells
// of these, out of all.
void write_leaves_in_part(bool in_part);
bool writes_leaves_in_part();
struct ChangedRegions {
  ReleaseCells cells;
  Vector<RegionId> region_of, before;
};
ChangedRegions changed_regions(IncrementalState const& state, ReleaseCells const& all,
                               std::span<RegionId const> region_of);
#endif

}  // namespace anon_seq::incremental
