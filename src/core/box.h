// Guillotine cuts that leave a box of a leaf; what is around it becomes closed leaves.
#pragma once

#include "core/point_rows.h"

namespace anon_seq {

// Carves an open leaf to the tight box of its rows; nothing where a side is tight already, or where somebody who
// left may lie outside the box. Returns the box, which is open.
RegionId carve_box(Partition& partition, std::span<Scale const> scales, RegionId leaf, PointRows const& rows,
                   Slice slice);

// Carves the declared domains out of the root. All leaves stay closed.
void carve_domains(Partition& partition, std::span<Axis const> axes);

}  // namespace anon_seq
