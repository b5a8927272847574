// The rows of a leaf while it is cut: their ranks row by row, so that every pass over a part is sequential.
#pragma once

#include <algorithm>

#include "core/partition/scale.h"

namespace anon_seq {

// Rows [begin, end).
struct Slice {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

class PointRows {
 public:
  // Copies the points of these rows; takes all of them where ids are all rows in order.
  PointRows(Vector<std::int32_t>& points, std::span<std::int32_t> ids, std::span<Scale const> scales,
            Checkpoint& checkpoint);

  std::size_t axes() const { return axes_; }
  std::size_t size() const { return ids_.size(); }
  std::int32_t rank(std::size_t row, std::size_t axis) const { return ranks_[row * axes_ + axis]; }
  std::int32_t id(std::size_t row) const { return ids_[row]; }

  // Per axis, the least and the greatest rank of the slice.
  void extents(Slice slice, std::span<std::int32_t> low, std::span<std::int32_t> high) const;

  // Rows with a rank below `at` to the front. Returns where the others begin.
  std::size_t split(Slice slice, std::size_t axis, std::int32_t at);

  // Rows in order of class_of(rank), a class in [0, sizes.size()); sizes: how many there are of each.
  template <class ClassOf>
  void deal(Slice slice, std::size_t axis, std::span<std::size_t const> sizes, ClassOf class_of) {
    std::vector<std::size_t> next, ends;
    for (std::size_t c = 0, begin = slice.begin; c < sizes.size(); ++c) {
      next.push_back(begin);
      ends.push_back(begin += sizes[c]);
    }
    for (std::size_t c = 0; c < sizes.size(); ++c)
      while (next[c] < ends[c]) {
        std::size_t const own = class_of(rank(next[c], axis));
        if (own == c)
          ++next[c];
        else
          swap_rows(next[c], next[own]++);
      }
  }

 private:
  void swap_rows(std::size_t a, std::size_t b) {
    std::swap_ranges(&ranks_[a * axes_], &ranks_[a * axes_] + axes_, &ranks_[b * axes_]);
    std::swap(ids_[a], ids_[b]);
  }

  std::size_t axes_;
  Vector<std::int32_t> ranks_;
  std::span<std::int32_t> ids_;
};

}  // namespace anon_seq
