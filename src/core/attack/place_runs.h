// Where regions lie in a tree of them, as sets of places: so the attack counts whom a region holds, whatever it shows.
//
// Two regions of a tree are one in the other, or apart; what they show may meet all the same: a label stands for more
// than the part of it that a cut kept, and `(,)` for unknown values beside a part of the known ones. A place is a leaf
// of the tree, and a region the run of those below it.
#pragma once

#include "core/attack/value_sets.h"

namespace anon_seq {

// Region -> the pieces of the leaves at it or below it, 1 for the first leaf. parents: region -> the region that it was
// cut from, less than its own number; -1: none. Throws kDamaged for any other. Cost: linear.
Vector<PieceRun> place_runs(std::span<std::int32_t const> parents);

}  // namespace anon_seq
