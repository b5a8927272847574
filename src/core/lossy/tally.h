// Counts of sensitive values in a set of rows, and what such a set allows.
//
// All that a simulatable decision may read of sensitive values: it is asked for a set that is a union of classes of the
// release (doc/semantics.md, the reader who knows the code), never for its parts.
#pragma once

#include "core/lossy/sensitive.h"
#include "core/lossy/value_counts.h"

namespace anon_seq {

class Tally {
 public:
  // k: classes have at least so many rows. REQUIRES: sensitive outlives it.
  Tally(Sensitive const& sensitive, std::int64_t k);

  // m: the fewest rows of a class that can hold a value of each block. Classes of m rows hold at most floor(alpha * m)
  // rows of a block, which is 1 or more.
  std::int64_t least_class() const { return least_class_; }
  std::int64_t most_in_class(std::size_t block) const { return most_[block]; }

  // The fewest classes into which the rows can be dealt so that every block, or near values, is at most its share of
  // m rows in each: max over blocks of ceil(c / floor(alpha * m)), at least 1.
  std::int64_t classes_needed(std::span<JointValue const> values, Checkpoint& checkpoint);

  // The fewest rows that may hold all bounded values of these rows: max(k, max over bounds of ceil(c / alpha)).
  std::int64_t rows_needed(std::span<JointValue const> values, Checkpoint& checkpoint);

  bool is_ok(std::span<JointValue const> values, Checkpoint& checkpoint) {
    return rows_needed(values, checkpoint) <= static_cast<std::int64_t>(values.size());
  }

  // The most rows that lie in one window. Zero without a near column.
  std::int64_t most_near(std::span<JointValue const> values, Checkpoint& checkpoint);

 private:
  Sensitive const& sensitive_;
  std::int64_t k_, least_class_;
  Vector<std::int64_t> most_;  // of each block in a class of m rows
  std::int64_t most_near_ = 0;
  Vector<std::int64_t> counts_;  // of blocks or bounds; zero between calls
  ValueCounts near_;
};

}  // namespace anon_seq
