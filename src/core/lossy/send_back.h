// How many rows of which child return to their parent: the paper's rule (LJ'07, Algorithm 1, lines 8-10;
// doc/semantics.md for what it leaves open).
//
// Children that are not ok return whole. While the parent has rows and is not ok, one row returns: from the child with
// the most slack (rows beyond those that its counts need), ties to the first, of the value that is least frequent in
// the parent, ties to the first in the order of joint values; the value may hold no bound that is broken in the parent,
// and the child has to stay ok. If no row may, the smallest child returns whole. At worst the parent is as it was,
// which was ok. Which row of a value it is, is left to chance.
#pragma once

#include "core/lossy/sensitive.h"
#include "core/lossy/value_counts.h"

namespace anon_seq {

// The parts of a parent, by child and by local value: the i-th of its distinct joint values.
struct Branches {
  std::size_t values = 0;
  Vector<JointValue> joint;     // local value -> joint value
  Vector<std::int32_t> counts;  // child * values + local value -> rows
  std::size_t children() const { return values == 0 ? 0 : counts.size() / values; }
};

struct SentBack {
  Vector<char> whole;          // child -> returns whole
  Vector<std::int32_t> taken;  // child * values + local value -> rows that return of one that does not
  std::int64_t stay = 0;       // rows in the parent
  std::int64_t leaving = 0;    // children that go on
};

// REQUIRES: all rows together are ok. Cost: children times values for each row that returns.
SentBack send_back(Sensitive const& sensitive, Branches const& branches, std::int64_t k, Checkpoint& checkpoint);

}  // namespace anon_seq
