// An axis as the cuts see it: points are ranks, in the order of which it is cut.
//
// A line's rank is its code; a taxonomy's is that of a leaf (node_set.h). Between two ranks a cut goes where it
// is roundest: for a taxonomy, where the nodes that part are highest.
#pragma once

#include "core/partition/incremental.h"

namespace anon_seq {

class Scale {
 public:
  explicit Scale(Axis const& axis);

  Axis const& axis() const { return *axis_; }
  bool is_line() const { return axis_->taxonomy == nullptr; }

  std::int32_t rank_of(std::int32_t point) const {
    if (is_line()) return point;
    return point == kUnknown ? 0 : axis_->taxonomy->leaf_rank(point) + 1;
  }

  // A taxonomy's unknown is one leaf more where somebody has no value.
  void count_unknown() {
    if (!is_line()) whole_ = axis_->taxonomy->leaves(kRoot);
  }

  // Distance of two ranks as a share of that of the extremes. Unknown lies where the smallest number does.
  double width(std::int32_t low, std::int32_t high) const;

  // Of low + 1 .. high the roundest, ties to the lowest; is_place() says whether a cut may be there.
  // REQUIRES: low < high, both are ranks.
  std::int32_t roundest(std::int32_t low, std::int32_t high);
  bool is_place(std::int32_t t) const {
    return roundness_.empty() || roundness_[static_cast<std::size_t>(t)] != kNoPlace;
  }

 private:
  static constexpr std::int32_t kBlock = 64;
  void take_rounder(std::int32_t t, std::int32_t& best) const;

  Axis const* axis_;
  Vector<std::int32_t> heights_;  // a taxonomy's roundness
  std::span<std::int32_t const> roundness_;
  Vector<std::int32_t> best_of_block_;  // 0: not known yet
  double unit_ = 1, whole_ = 1;         // a line: line_unit(), and its width in that unit
};

}  // namespace anon_seq
