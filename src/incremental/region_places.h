// In which order regions are shown: each has a key, which it keeps for good. So no version writes down the order of
// all. It rests on this: what two regions show compares in each publish as it did in the one before, as trees only
// grow, and values that the ledger knows (_value) are never forgotten.
#pragma once

#include "incremental/next_version.h"

namespace anon_seq::incremental {

// Keys of all leaves that are, or become, open, by region; "" for others. Those that the ledger has stay. Throws
// kDamaged if these are not in the order of what their regions show.
std::vector<std::string> region_places(IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
