// The cut of one part on one axis, if there is one whose sides all have the least size.
//
// A function of ranks and of that size alone: what the size owes to sensitive values, the caller read of the part as a
// whole. On a line it is the gap nearest the median, ties to the lower; the smaller side is then as large as a cut here
// can make it. With a taxonomy, the children of the lowest node above the data (NULL beside the root's children): those
// with enough rows each for itself, the others together, with the smallest of those as need be, ties to the first.
#pragma once

#include <optional>

#include "core/lossy/quasi_rows.h"

namespace anon_seq {

struct QuasiCut {
  std::size_t axis = 0;
  // Ranks from firsts[i] on, below firsts[i + 1], go to child child_of[i].
  Vector<std::int32_t> firsts;
  Vector<std::size_t> child_of;
  Vector<std::size_t> sizes;  // rows per child
  std::size_t child(std::int32_t rank) const {
    auto const after = std::upper_bound(firsts.begin() + 1, firsts.end(), rank);
    return child_of[static_cast<std::size_t>(after - firsts.begin()) - 1];
  }
};

template <class Rank>
class CutFinder {
 public:
  CutFinder(std::span<QuasiAxis const> axes, Checkpoint& checkpoint) : axes_(axes), checkpoint_(checkpoint) {}

  // low, high: the extent of the part on the axis. REQUIRES: least > 0.
  std::optional<QuasiCut> find(QuasiRows<Rank> const& rows, Part part, std::size_t axis, std::int32_t low,
                               std::int32_t high, std::size_t least);

 private:
  std::optional<QuasiCut> on_line(QuasiRows<Rank> const& rows, Part part, std::size_t axis, std::int32_t low,
                                  std::int32_t high, std::size_t least);
  std::optional<QuasiCut> by_children(QuasiRows<Rank> const& rows, Part part, std::size_t axis, std::int32_t low,
                                      std::int32_t high, std::size_t least);
  bool lump(QuasiCut& cut, std::size_t least) const;

  std::span<QuasiAxis const> axes_;
  Checkpoint& checkpoint_;
  Vector<std::int32_t> scratch_;
};

// The ranks of the children of the lowest node above ranks low to high, and those of NULL if low is that: where each
// begins, ascending. Fewer than two: one leaf, or NULL alone.
Vector<std::int32_t> children_above(Taxonomy const& taxonomy, std::int32_t low, std::int32_t high);

}  // namespace anon_seq
