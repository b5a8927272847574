// The cut of one leaf on one attribute, if there is an allowable one (incremental.h).
#pragma once

#include <optional>

#include "core/partition/point_rows.h"

namespace anon_seq {

struct AxisCut {
  std::size_t attribute = 0;
  std::int32_t at = 0;             // on a line and in leaf order: ranks below it go left, 1: only unknown does
  std::vector<Vector<Node>> sets;  // a taxonomy: what the children hold, "others" aside
  // By children: the first ranks of what can be told apart, ascending, and the child in which each is.
  Vector<std::int32_t> firsts;
  std::vector<std::size_t> child_of;
  std::vector<std::size_t> sizes;  // rows per child, "others" included
  std::size_t child(std::int32_t rank) const {
    auto const after = std::upper_bound(firsts.begin(), firsts.end(), rank);
    return child_of[static_cast<std::size_t>(after - firsts.begin()) - 1];
  }
};

// Groups of rows, each in two: who did not move, and who did. A side has none or at least k of the first half, none or
// at least k of both, and k of all first halves together.
struct Cohorts {
  std::size_t count = 1;                 // of halves; 1: nobody moved, and all are one group
  std::span<std::int32_t const> of_row;  // row id -> 2 * group, + 1 who moved; read only if count > 1
  std::size_t half_of(std::int32_t id) const {
    return count == 1 ? 0 : static_cast<std::size_t>(of_row[static_cast<std::size_t>(id)]);
  }
};

class CutSearch {
 public:
  CutSearch(Partition const& partition, std::span<Scale> scales, std::int64_t k, Checkpoint& checkpoint)
      : partition_(partition), scales_(scales), k_(static_cast<std::size_t>(k)), checkpoint_(checkpoint) {}

  // low, high: the extent of the slice on this axis. REQUIRES: 2k rows or more.
  std::optional<AxisCut> find(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                              Cohorts const& cohorts, std::int32_t low, std::int32_t high);

 private:
  struct Gap {
    std::int32_t low, high;  // the greatest rank on the left, the smallest on the right
  };
  std::optional<Gap> median_gap(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                std::int32_t low, std::int32_t high);
  std::optional<Gap> nearest_gap(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                 Cohorts const& cohorts);
  bool has_place(RegionId leaf, std::size_t attribute, Gap gap);
  std::optional<AxisCut> by_children(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                     Cohorts const& cohorts, std::int32_t low, std::int32_t high);
  bool is_broken(std::span<std::size_t const> counts, std::size_t half) const;
  bool fits(std::span<std::size_t const> counts) const;

  Partition const& partition_;
  std::span<Scale> scales_;
  std::size_t k_;
  Checkpoint& checkpoint_;
  Vector<std::int32_t> scratch_;
};

}  // namespace anon_seq
