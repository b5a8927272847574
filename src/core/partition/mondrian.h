// Strict Mondrian (LeFevre, DeWitt, Ramakrishnan, ICDE'06), in one leaf of the partition: incremental.h says how.
#pragma once

#include <functional>

#include "core/partition/axis_cut.h"

namespace anon_seq {

class Mondrian {
 public:
  Mondrian(Partition& partition, std::span<Scale> scales, IncrementalDemands const& demands, Checkpoint& checkpoint);

  using Formed = std::function<void(RegionId, Slice)>;

  // Cuts an open leaf, which holds these rows, as long as a cut is allowable. Calls formed(leaf, its rows) for
  // every leaf it ends in, in the order of their places. Rows change theirs.
  void cut(RegionId leaf, PointRows& rows, Cohorts const& cohorts, Formed const& formed);

 private:
  struct Part {
    RegionId leaf;
    Slice rows;
  };
  std::optional<AxisCut> choose(Part const& part, PointRows const& rows, Cohorts const& cohorts);
  void score(PointRows const& rows, Slice slice);
  void count_ranks(PointRows const& rows, Slice slice);
  double entropy(std::size_t axis, std::size_t rows) const;  // in bits
  void take(Part const& part, AxisCut const& cut, PointRows& rows);

  Partition& partition_;
  std::span<Scale> scales_;
  IncrementalDemands const& demands_;
  Checkpoint& checkpoint_;
  CutSearch search_;
  Vector<std::int32_t> low_, high_;
  std::vector<double> scores_;  // -1: nothing to cut, or tried
  // For the entropy: per axis its ranks' counts; neighbours count as one, 2^shift of them, where ranks are too many.
  std::vector<int> shifts_;
  std::vector<Vector<std::uint32_t>> counts_;
  std::vector<double> terms_;  // n -> n * log2(n)
  Vector<Part> parts_;
};

}  // namespace anon_seq
