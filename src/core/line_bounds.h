// Bounds of regions on a line, as they are published: round values, never a person's own where another will do.
#pragma once

#include "core/cut_point.h"

namespace anon_seq {

// The text of a bound at code t: values before t lie below it, t and what follows at it or above.
// 1 <= t <= distinct(); below the least and above the greatest value it keeps a distance that depends on how far
// the values reach. REQUIRES: a continuous column with at least one value.
std::string bound_text(Column const& column, Code t);

// code t -> how round bound_text(t) is; more is rounder. Entries 0 and 1 are 0.
Vector<std::int32_t> roundness_of(Column const& column);

}  // namespace anon_seq
