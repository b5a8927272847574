// Floors and ceilings of detail: how fine a column may be shown at most, and how coarse.
//
// Taxonomies: depths below the root; a leaf above such a depth is as fine as can be. Numbers and dates: widths, in days
// for dates and timestamps. No range is narrower than the floor between its bounds as they are published; an unbounded
// side counts from the least, or to the greatest, value that the column has, or from the declared domain's end. No
// range holds two values as far apart as the ceiling, or further: so it may be published wider, by gaps at its ends in
// which nobody is, of which each has room for one bound. NULL, set apart, has no width; where a ceiling is below the
// root it is set apart.
//
// A ceiling makes the most general state more specific than the root. Of all cuts of a line that keep both, that one is
// taken whose smallest range has most persons, of those the one with fewest ranges, and of those the one that begins
// each range, from the greatest, as low as can be: a function of quasi values and persons alone.
#pragma once

#include <optional>
#include <span>

#include "core/sequential/sequential.h"

namespace anon_seq {

struct DetailLimits {
  std::optional<double> finest, coarsest;  // widths, or depths
};

// REQUIRES: finest at least coarsest.
void limit_depth(Attribute& attribute, DetailLimits const& limits);

// holders: code -> persons who have it. False: no cut keeps the two. REQUIRES: barred and domain are set. Cost: codes,
// times the logarithm of persons.
bool limit_width(Attribute& attribute, Column const& column, std::span<std::int64_t const> holders,
                 DetailLimits const& limits);

}  // namespace anon_seq
