// Sets of leaves of a taxonomy, written as nodes: in preorder, kUnknown first, none above another.
//
// A rank orders the leaves: unknown is 0, leaf n is leaf_rank(n) + 1. So a node is an interval of ranks.
#pragma once

#include "core/partition/partition.h"

namespace anon_seq {

struct RankInterval {
  std::int32_t begin, end;
};

inline RankInterval ranks_below(Taxonomy const& taxonomy, Node node) {
  if (node == kUnknown) return {0, 1};
  return {taxonomy.leaf_rank(node) + 1, taxonomy.leaf_rank(node) + 1 + taxonomy.leaves(node)};
}

// Whether the set has node, or one above it.
bool holds(Taxonomy const& taxonomy, std::span<Node const> set, Node node);

// What the region holds of its attribute, no more and no less. Cost: its depth, and the sets of its sisters.
Vector<Node> held_by(Partition const& partition, Taxonomy const& taxonomy, std::size_t attribute, RegionId id);

// The leaves of the set with ranks in the interval, in as few nodes as there can be.
Vector<Node> within(Taxonomy const& taxonomy, std::span<Node const> set, RankInterval ranks);

// The leaves of the set that have one of these ranks, ascending, in as few nodes as there can be.
Vector<Node> covering(Taxonomy const& taxonomy, std::span<Node const> set, std::span<std::int32_t const> ranks);

// Puts the nodes of every region into the order of the trees, for which they may have been numbered anew.
void put_in_order(Partition& partition);

// Its children, in order.
Vector<Node> children_of(Taxonomy const& taxonomy, Node node);

}  // namespace anon_seq
