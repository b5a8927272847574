// Where the people of an incremental policy truly are: what its ledger knows beyond what versions show.
#pragma once

#include "catalog/release.h"

namespace anon_seq::incremental {

// Two SELECTs of object, c1, c2, ... for the objects in some versions of one policy: exact quasi values; and for who
// was forgotten, and has none any more, what his last region shows.
std::vector<std::string> select_points(std::vector<Release> const& versions);

}  // namespace anon_seq::incremental
