// Where the people of an incremental policy truly are: what its ledger knows beyond what versions show.
#pragma once

#include "release/method.h"

namespace anon_seq::incremental {

// For the objects in some versions of one policy: exact quasi values, and the uncut region that holds them, found by
// the cuts as the ledger tells them; of somebody who was forgotten, and has no values any more, the last region and
// what it shows.
release::PlaceQueries select_points(std::vector<Release> const& versions);

}  // namespace anon_seq::incremental
