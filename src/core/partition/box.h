// Guillotine cuts that leave a box of a leaf; what is around it becomes closed leaves.
#pragma once

#include "core/partition/point_rows.h"

namespace anon_seq {

// Carves an open leaf to the tight box of its rows; nothing where a side is tight already, or where somebody who
// left may lie outside the box. Returns the box, which is open.
RegionId carve_box(Partition& partition, std::span<Scale const> scales, RegionId leaf, PointRows const& rows,
                   Slice slice);

// Carves the first leaf out of the root: of a line its declared domain; without one all that is known, unless
// `unknown` says of the axis that somebody has no value. All leaves stay closed.
void carve_domains(Partition& partition, std::span<Axis const> axes, std::span<char const> unknown);

}  // namespace anon_seq
