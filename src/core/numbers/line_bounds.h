// Bounds of regions on a line, as they are published: round values, and nobody's own.
#pragma once

#include <limits>

#include "core/numbers/cut_point.h"

namespace anon_seq {

// The text of a bound at code t: values before t lie below it, t and what follows at it or above.
// 1 <= t <= distinct(); below the least and above the greatest value it keeps a distance that depends on how far
// the values reach. REQUIRES: a continuous column with at least one value.
std::string bound_text(Column const& column, Code t);

inline constexpr std::int32_t kNoPlace = std::numeric_limits<std::int32_t>::min();

// code t -> how round bound_text(t) is; more is rounder. Entries 0 and 1 are 0; where it is barred kNoPlace.
Vector<std::int32_t> roundness_of(Column const& column, std::span<char const> barred);

}  // namespace anon_seq
