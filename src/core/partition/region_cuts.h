// The ways in which a leaf of the partition gets children. All of them are closed leaves; the leaf that is
// cut is no longer open.
#pragma once

#include "core/partition/partition.h"

namespace anon_seq {

// A line: codes below `at`, codes from `at`; with at == 0 unknown, known. Returns the first of the two.
RegionId cut_line(Partition& partition, RegionId leaf, std::size_t attribute, std::int32_t at);

// A taxonomy: one child per set, and the others. Returns the first.
RegionId cut_nodes(Partition& partition, RegionId leaf, std::size_t attribute, std::span<Vector<Node> const> sets);

// A closed leaf that makes way for k persons, or a side that a cut leaves open. `of`: the open leaf it was in.
inline void open_leaf(Partition& partition, RegionId leaf, RegionId of) {
  partition.regions[static_cast<std::size_t>(leaf)].open = true;
  partition.regions[static_cast<std::size_t>(leaf)].departed = partition.regions[static_cast<std::size_t>(of)].departed;
}

}  // namespace anon_seq
