// Relations beside the ledger's cells, in one look at each: what was written in one order is still stored in it.
//
// Values are compared as they are stored, so equal rows are equal whatever their types take for equal. Rows that stand
// in another order than the cells prove nothing, and have to be compared as bags.
#pragma once

#include <optional>
#include <vector>

#include "catalog/release.h"

namespace anon_seq::release {

// How many rows each relation shows, but for joins of others, if all of them hold what the cells say, in their order:
// rows one by one; counted ones class by class, in any order within. Nothing if they do not, or it is not to be seen
// so.
std::optional<std::vector<std::int64_t>> rows_in_step(SpiSession& session, Release const& release);

}  // namespace anon_seq::release
