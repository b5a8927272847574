// How the values of an attribute generalize: a rooted tree with unique labels.
//
// Nodes are numbered in preorder, the root is 0, and node n covers exactly the nodes [n, end(n)): an
// ancestor test is two comparisons, a subtree is an interval, n is a leaf iff end(n) == n + 1. Siblings
// stand in the order in which they were given. Immutable; NULL is not a node: it generalizes as a leaf
// of its own under the root, which its users see to.
#pragma once

#include <cstdint>

#include "core/table/dictionary.h"

namespace anon_seq {

using Node = std::int32_t;
inline constexpr Node kRoot = 0;
inline constexpr Node kNoNode = -1;
inline constexpr int kMaxTaxonomyDepth = 64;  // edges from the root to a leaf

class Taxonomy {
 public:
  // The tree of raw nodes 0 .. labels.size()-1: parents[r] is r's parent, or kNoNode for the root. Among
  // siblings the smaller raw number comes first. Cost: linear.
  // Throws kData unless there is one root from which every node is reached, kLimit if it is too deep.
  Taxonomy(Dictionary const& labels, Vector<Node> const& parents);

  Node size() const { return static_cast<Node>(parents_.size()); }
  Node parent(Node n) const { return parents_[at(n)]; }  // kNoNode for the root
  Node end(Node n) const { return ends_[at(n)]; }
  int depth(Node n) const { return depths_[at(n)]; }  // 0 for the root
  bool is_leaf(Node n) const { return end(n) == n + 1; }
  std::int32_t leaves(Node n) const { return leaves_before_[at(end(n))] - leaves_before_[at(n)]; }
  std::int32_t leaf_rank(Node n) const { return leaves_before_[at(n)]; }  // leaves before n in preorder
  std::string_view label(Node n) const { return labels_[n]; }
  Node find(std::string_view label) const { return labels_.find(label); }  // kNoNode if there is none

  // Whether a is d or above d.
  bool covers(Node a, Node d) const { return a <= d && d < end(a); }

  // Children of n: for (c = n + 1; c < end(n); c = end(c)).
  // The node `levels` edges above n, or the root where the path is shorter. REQUIRES: levels >= 0.
  Node ancestor(Node n, int levels) const {
    while (levels-- > 0 && n != kRoot) n = parent(n);
    return n;
  }

 private:
  static std::size_t at(Node n) { return static_cast<std::size_t>(n); }

  Dictionary labels_;
  Vector<Node> parents_, ends_;
  Vector<std::int32_t> leaves_before_;  // size() + 1 entries
  Vector<std::uint8_t> depths_;
};

}  // namespace anon_seq
