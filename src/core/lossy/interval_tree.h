// A taxonomy of the values of a line, for attributes that have none: intervals, cut in two at the median of the rows.
//
// A function of quasi values alone. A node is an interval of codes, a leaf a single code; where a bound between two
// codes is published is up to the caller, who can choose it nobody's own value (numbers/round_cut.h).
#pragma once

#include <span>

#include "core/base/checkpoint.h"
#include "core/table/classes.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq {

struct IntervalTree {
  Taxonomy taxonomy;
  Vector<Node> leaves;   // code -> leaf; kNoNode for NULL
  Vector<Extent> codes;  // node -> codes [begin, end)
};

// counts: code -> rows; that of NULL is not looked at. Of the two cuts nearest the median the lower.
// REQUIRES: a code besides NULL. Cost: n log n in the codes.
IntervalTree interval_tree(std::span<std::int64_t const> counts, Checkpoint& checkpoint);

}  // namespace anon_seq
