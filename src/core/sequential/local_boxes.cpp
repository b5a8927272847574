#include "core/sequential/local_boxes.h"

#include <algorithm>

namespace anon_seq {

LocalBoxes::LocalBoxes(Cells cells, Vector<Side> root)
    : cells_(std::move(cells)), width_(root.size()), sides_(std::move(root)) {
  begins_.push_back(0);
  ends_.push_back(static_cast<std::uint32_t>(cells_.size()));
  rows_.push_back(0);
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) rows_[0] += cells_.weight(cell);
}

Vector<BoxId> LocalBoxes::in_order(Checkpoint& checkpoint) const {
  Vector<BoxId> order;
  for (BoxId box = 0; box < count(); ++box)
    if (!is_divided(box)) order.push_back(box);
  // Boxes are disjoint: one of them begins earlier in some attribute.
  std::sort(order.begin(), order.end(), [&](BoxId x, BoxId y) {
    checkpoint.tick();
    for (std::size_t a = 0; a < width_; ++a) {
      Extent const one = side(x, a).ranks, other = side(y, a).ranks;
      if (one.begin != other.begin) return one.begin < other.begin;
      if (one.end != other.end) return one.end < other.end;
    }
    return false;
  });
  return order;
}

std::span<std::uint32_t const> LocalBoxes::deal(BoxId box, std::size_t a, std::span<Side const> parts) {
  if (parts.size() == 2)
    return cells_.deal(begins_[box], ends_[box], 2, [&, middle = parts[1].ranks.begin](std::size_t cell) {
      return static_cast<std::size_t>(cells_.rank(cell, a) >= middle);
    });
  return cells_.deal(begins_[box], ends_[box], parts.size(), [&](std::size_t cell) {
    Rank const rank = cells_.rank(cell, a);
    auto const after = std::upper_bound(parts.begin(), parts.end(), rank,
                                        [](Rank r, Side const& part) { return r < part.ranks.begin; });
    return static_cast<std::size_t>(after - parts.begin()) - 1;
  });
}

void LocalBoxes::divide(BoxId box, std::size_t a, std::span<Side const> parts, std::span<std::uint32_t const> ends) {
  std::uint32_t begin = begins_[box];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (ends[i] == begin) continue;
    begins_.push_back(begin);
    ends_.push_back(ends[i]);
    rows_.push_back(0);
    make_room(sides_, width_);
    for (; begin < ends[i]; ++begin) rows_.back() += cells_.weight(begin);
    for (std::size_t other = 0; other < width_; ++other) {
      Side const same = side(box, other);  // a copy: push_back may move what it refers to
      sides_.push_back(other == a ? parts[i] : same);
    }
  }
  ends_[box] = begins_[box];
}

}  // namespace anon_seq
