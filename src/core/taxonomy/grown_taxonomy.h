// The tree of an open taxonomy over the values that occur.
//
// Siblings stand in the order of what they mean: numbers and intervals by where they begin, calendar units by time,
// codes by their bytes. So which of two nodes comes first does not depend on which other values there are, and what
// was cut in that order goes on being an interval of it as the tree grows.
#pragma once

#include <set>

#include "core/taxonomy/open_taxonomy.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq {

using ValueTexts = std::set<std::string, std::less<>>;

// A value that another one generalizes to (an earlier release shows '204**') becomes an inner node.
// Without values it is the root alone. REQUIRES: climb() takes every value. Cost: n log n.
Taxonomy grow_taxonomy(std::string const& name, OpenTaxonomy const& open, ValueTexts const& values,
                       Checkpoint& checkpoint);

}  // namespace anon_seq
