// Distinct combinations of small integers, numbered 0, 1, 2, ...
//
// group_rows() numbers the rows of a table by the values of some columns; Interner numbers pairs as they
// come. Numbers are given in the order of first sight, so no result may depend on them.
#pragma once

#include <span>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

// Pairs of integers >= 0 and their numbers.
class Interner {
 public:
  std::int32_t intern(std::uint64_t key);
  std::int32_t intern(std::int32_t a, std::int32_t b) {
    return intern(static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b));
  }
  std::int32_t find(std::int32_t a, std::int32_t b) const;  // -1 if there is none
  std::int32_t size() const { return static_cast<std::int32_t>(keys_.size()); }

 private:
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  Vector<std::uint64_t> keys_;
  Vector<std::int32_t> slots_;  // open addressing, -1 where empty
};

struct KeyColumn {
  std::span<std::int32_t const> values;  // row -> value
  std::int32_t bound = 0;                // every value is in [0, bound)
  std::span<std::int32_t const> map{};   // if given, map[value] is the key, in [0, bound)
  std::int32_t of(std::size_t row) const {
    return map.empty() ? values[row] : map[static_cast<std::size_t>(values[row])];
  }
};

struct RowGroups {
  Vector<std::int32_t> of_row;
  Vector<std::uint32_t> first_row;  // group -> its first row
  std::size_t count() const { return first_row.size(); }
};

// Cost: one pass over the rows, a second one where the bounds multiply past 64 bits.
RowGroups group_rows(std::size_t rows, std::span<KeyColumn const> keys, Checkpoint& checkpoint);

}  // namespace anon_seq
