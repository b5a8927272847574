// Weighted boxes, asked which of them hold a given box or meet it: a tree of halves with bounds.
//
// Each node knows what its boxes lie in (the hull) and what they all hold (the core), by the first and last
// pieces of their sets. A query passes by what the hull excludes, and takes as a whole what the core includes.
#pragma once

#include "core/attack/boxes.h"

namespace anon_seq {

class BoxTree {
 public:
  // REQUIRES: `boxes` outlives it and no box listed is a contradiction. Cost: n log n in the boxes listed.
  BoxTree(Boxes const& boxes, std::span<BoxId const> listed, std::span<std::int64_t const> weights,
          Checkpoint& checkpoint);

  // The weight of the boxes that hold `box`; `enough` if it is that or more.
  std::int64_t weight_holding(BoxId box, std::int64_t enough) const;

  // Appends the numbers, in `listed`, of the boxes that meet `box`; their order depends on `listed` only.
  void meeting(BoxId box, Vector<std::uint32_t>& numbers) const;

 private:
  struct Node {
    std::uint32_t begin, end;  // of order_
    std::uint32_t right;       // the left child is the next node; 0: a leaf
    bool plain;                // every set is one run
    std::int64_t weight;
  };
  struct Bound {
    std::int32_t first, last;
  };
  void grow(std::uint32_t node, Vector<std::uint32_t>& open);
  void measure(Node& node);
  Bound const* hull(std::size_t node) const { return bounds_.data() + node * 2 * width_; }
  Bound const* core(std::size_t node) const { return hull(node) + width_; }
  void ends_of(BoxId box, Vector<Bound>& ends) const;
  bool meets(BoxId a, BoxId b) const;

  Boxes const& boxes_;
  std::size_t width_;
  std::span<BoxId const> listed_;
  std::span<std::int64_t const> weights_;
  Vector<std::uint32_t> order_;
  Vector<Node> nodes_;
  Vector<Bound> bounds_;  // node -> hull, core
  Vector<Bound> ends_;    // listed box -> first and last piece, per attribute
  Vector<char> plain_;
  mutable Vector<std::uint32_t> todo_;
  mutable Vector<Bound> asked_;
};

}  // namespace anon_seq
