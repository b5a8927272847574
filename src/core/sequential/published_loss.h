// What a cut costs whose small classes are left out, by what the measures of a release tell of it.
#pragma once

#include "core/sequential/attribute_cut.h"

namespace anon_seq {

// Per row that is not out and attribute the share of the range that the published rows have, or of the declared domain
// (NCP), times the attribute's weight; who is out loses everything. Whole numbers: the order of rows plays no part.
// Reads quasi columns alone. `out`: row -> not 0. Cost: rows times attributes.
std::int64_t published_loss(Problem const& problem, std::vector<AttributeCut> const& cuts, Vector<char> const& out,
                            Vector<std::int64_t> const& weights, Checkpoint& checkpoint);

}  // namespace anon_seq
