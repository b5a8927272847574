// Floors and ceilings of detail: options "finest" and "coarsest" of a policy.
#pragma once

#include "sequential/policy.h"

namespace anon_seq::sequential {

// Throws kParameter for a depth where a width is meant or the other way round, and for a floor above the ceiling.
void check_detail(Policy const& policy, SequentialPolicy const& demands);

// Puts those of a column into its attribute. holders: code -> persons; of a continuous column. Throws kData, with a
// statement that helps, where no cut keeps the two.
void limit_detail(Policy const& policy, SequentialPolicy const& demands, Column const& column,
                  std::span<std::int64_t const> holders, Attribute& attribute);

// What alter_policy takes: the option "coarsest" without some of its columns.
std::string coarsest_without(SequentialPolicy const& demands, std::vector<std::string> const& columns);

}  // namespace anon_seq::sequential
