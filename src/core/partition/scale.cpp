#include "core/partition/scale.h"

#include "core/numbers/line_place.h"

namespace anon_seq {
namespace {

// rank t -> minus the depth of the lowest node above both leaf t - 1 and leaf t.
Vector<std::int32_t> heights_of(Taxonomy const& taxonomy) {
  Vector<std::int32_t> heights(static_cast<std::size_t>(taxonomy.leaves(kRoot)) + 1, 0);
  Node before = kNoNode;
  for (Node n = 0; n < taxonomy.size(); ++n) {
    if (!taxonomy.is_leaf(n)) continue;
    Node common = before;
    while (common != kNoNode && !taxonomy.covers(common, n)) common = taxonomy.parent(common);
    if (common != kNoNode) heights[static_cast<std::size_t>(taxonomy.leaf_rank(n)) + 1] = -taxonomy.depth(common);
    before = n;
  }
  return heights;
}

}  // namespace

Scale::Scale(Axis const& axis) : axis_(&axis), roundness_(axis.roundness) {
  if (!is_line()) {
    heights_ = heights_of(*axis.taxonomy);
    roundness_ = heights_;
    whole_ = axis.taxonomy->leaves(kRoot) - 1;
  } else if (axis.positions.size() > 2) {
    unit_ = line_unit(axis.positions[1], axis.positions.back());
    whole_ = axis.width > 0 ? axis.width * unit_ : axis.positions.back() * unit_ - axis.positions[1] * unit_;
  }
  if (!(whole_ > 0)) whole_ = 1;
  best_of_block_.assign(roundness_.size() / kBlock + 1, 0);
}

double Scale::width(std::int32_t low, std::int32_t high) const {
  if (!is_line()) return (high - low) / whole_;
  if (high == 0) return 0;
  auto const place = [&](std::int32_t rank) { return axis_->positions[static_cast<std::size_t>(rank)] * unit_; };
  return (place(high) - place(low == 0 ? 1 : low)) / whole_;
}

void Scale::take_rounder(std::int32_t t, std::int32_t& best) const {
  if (best == 0 || roundness_[static_cast<std::size_t>(t)] > roundness_[static_cast<std::size_t>(best)]) best = t;
}

std::int32_t Scale::roundest(std::int32_t low, std::int32_t high) {
  if (roundness_.empty()) return low + 1;
  std::int32_t best = 0;
  for (std::int32_t t = low + 1; t <= high;) {
    if (t % kBlock != 0 || t + kBlock - 1 > high) {
      take_rounder(t++, best);
      continue;
    }
    auto& of_block = best_of_block_[static_cast<std::size_t>(t / kBlock)];
    if (of_block == 0)
      for (std::int32_t i = t; i < t + kBlock; ++i) take_rounder(i, of_block);
    take_rounder(of_block, best);
    t += kBlock;
  }
  return best;
}

}  // namespace anon_seq
