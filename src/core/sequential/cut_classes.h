// The classes that a cut makes of T1's rows.
#pragma once

#include "core/sequential/attribute_cut.h"

namespace anon_seq {

// Rows with equal values of the cut are one class; classes are numbered in the order of their values, so that
// the order of rows plays no part. Regions: a node n of a taxonomy is [n, end(n)); a continuous value is
// [i, i + 1), i counting the cut's values but NULL; NULL is empty.
Classes classes_of_cut(Problem const& problem, std::vector<Vector<CutValue>> const& cut, Checkpoint& checkpoint);

// Codes of a continuous attribute below which a cut is published, ascending: cut i lies in the gap
// (position of code i - 1, position of code i], and interval i + 1 of the regions begins there.
Vector<Code> published_cuts(Vector<CutValue> const& cut);

}  // namespace anon_seq
