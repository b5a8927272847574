// Which regions a publish has to load: those that somebody comes to, goes from, or is deferred in. The others stay as
// they are.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// Chooses them, if the ledger knows enough for it: state.partial, touched, held, elsewhere. Else all are loaded.
// REQUIRES: watched; the space is laid out.
void choose_regions(IncrementalState& state);

// Regions of those that were loaded which nobody is shown in any more: cut, or left out. REQUIRES: refined.
Vector<RegionId> ended_regions(IncrementalState const& state);

// Which regions of the partition this version writes rows of, or closes: somebody came to, went from or changed in
// them, or they were worn. REQUIRES: members are written.
Vector<char> changed_regions(IncrementalState const& state);

// After members are matched and everybody is placed: the content's fingerprint, out of that of the last version.
std::string changed_fingerprint(IncrementalState const& state);

// The hashes of who waits in this version, see ContentSum.
ContentSum waiting_content(IncrementalState const& state);

// Regions that hold objects which have gone, as an array in text. REQUIRES: refined.
std::string deferred_regions(IncrementalState const& state);

}  // namespace anon_seq::incremental
