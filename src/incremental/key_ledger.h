// The region in which each person who is shown was put first, found by an index: so a publish learns where somebody is
// without reading all members. Kept of shared policies whose sources are watched, from the second version on that knows
// what has changed.
#pragma once

#include "incremental/key_rows.h"
#include "incremental/state.h"

namespace anon_seq::incremental {

// Whether the ledger has it, as of the last version.
bool has_keys(IncrementalState const& state);

// Where these persons were put, and how many of them were; they may have come into parts of it since. Persons who are
// not shown have none.
struct KeyedRegions {
  Vector<RegionId> regions;  // ascending, each once
  std::int64_t persons = 0;
};
KeyedRegions regions_of(SpiSession& session, Policy const& policy, KeyRows const& keys, PersonKey const& person);

// Brings it up to date with this version, from the one before or, unless that had it, from all members.
// REQUIRES: members are written.
void write_keys(SpiSession& session, IncrementalState const& state, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
