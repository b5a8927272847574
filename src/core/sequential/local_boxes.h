// T1 as local recoding sees it: its rows in disjoint boxes, all rows of a box showing the box.
//
// A box has a side for each attribute: a node of its taxonomy, a range of the ranks of a continuous one, or NULL. A
// division replaces a box by parts that differ in one side, the children of its node or two ranges, so that the boxes
// always divide the whole space of quasi values as a guillotine does: whoever knows somebody's values knows the one box
// that shows him. Parts without rows are nobody's, and kept by nobody.
#pragma once

#include "core/sequential/cells.h"

namespace anon_seq {

// What a box shows of an attribute. On a continuous one the node is kNoNode; so it is for NULL, of ranks {0, 1}.
struct Side {
  Extent ranks;
  Node node = kNoNode;
  bool operator==(Side const&) const = default;
};

using BoxId = std::uint32_t;

class LocalBoxes {
 public:
  // All cells in one box. `cells`: every attribute, in order.
  LocalBoxes(Cells cells, Vector<Side> root);

  Cells& cells() { return cells_; }
  Cells const& cells() const { return cells_; }
  std::size_t width() const { return width_; }
  // Boxes are numbered as they come, those that were divided among them.
  BoxId count() const { return static_cast<BoxId>(begins_.size()); }
  bool is_divided(BoxId box) const { return begins_[box] == ends_[box]; }
  std::uint32_t begin(BoxId box) const { return begins_[box]; }
  std::uint32_t end(BoxId box) const { return ends_[box]; }
  std::int64_t rows(BoxId box) const { return rows_[box]; }
  Side side(BoxId box, std::size_t a) const { return sides_[box * width_ + a]; }
  std::span<Side const> sides(BoxId box) const { return {sides_.data() + box * width_, width_}; }
  // Those that are not divided, in the order of their sides.
  Vector<BoxId> in_order(Checkpoint& checkpoint) const;

  // Puts the cells of a box in the order of its parts, whose sides of attribute `a` are `parts`, ascending. Returns
  // where each part ends, until the next call.
  std::span<std::uint32_t const> deal(BoxId box, std::size_t a, std::span<Side const> parts);
  // Replaces a box by those of its parts that have rows, as deal() left them. They get the next numbers, in order.
  void divide(BoxId box, std::size_t a, std::span<Side const> parts, std::span<std::uint32_t const> ends);

 private:
  Cells cells_;
  std::size_t width_;
  Vector<std::uint32_t> begins_, ends_;
  Vector<std::int64_t> rows_;
  Vector<Side> sides_;
};

}  // namespace anon_seq
