// One level down a taxonomy: which child of a node a row goes to.
//
// Children are counted from 0 in the order of the taxonomy; NULL is a leaf of its own beside the root's children, the
// last of them. A table per level and rank, so that a row costs one look.
#pragma once

#include "core/lossy/quasi_rows.h"

namespace anon_seq {

class TaxonomySteps {
 public:
  static constexpr Node kNullNode = kNoNode;  // the leaf of NULL

  // REQUIRES: axis.taxonomy, and it outlives this.
  explicit TaxonomySteps(QuasiAxis const& axis)
      : taxonomy_(axis.taxonomy), ranks_(static_cast<std::size_t>(axis.ranks())) {
    int depth = 0;
    for (Node n = 0; n < taxonomy_->size(); ++n) depth = std::max(depth, taxonomy_->depth(n));
    step_.resize(static_cast<std::size_t>(depth) * ranks_);
    if (depth == 0) return;
    Vector<std::uint16_t> ordinal(static_cast<std::size_t>(taxonomy_->size()));
    for (Node n = 0; n < taxonomy_->size(); ++n) {
      std::size_t next = 0;
      for (Node child = n + 1; child < taxonomy_->end(n); child = taxonomy_->end(child)) {
        if (next == 0xfffe) throw Error(Fault::kLimit, "a node of a taxonomy has too many children");
        ordinal[static_cast<std::size_t>(child)] = static_cast<std::uint16_t>(next++);
      }
      children_.push_back(static_cast<std::uint16_t>(next + (n == kRoot)));
      if (n == kRoot) step_[0] = static_cast<std::uint16_t>(next);
      if (!taxonomy_->is_leaf(n)) continue;
      for (Node up = n; up != kRoot; up = taxonomy_->parent(up))
        step_[static_cast<std::size_t>(taxonomy_->depth(up) - 1) * ranks_ +
              static_cast<std::size_t>(taxonomy_->leaf_rank(n) + 1)] = ordinal[static_cast<std::size_t>(up)];
    }
  }

  // A tree of the root alone has none, not even NULL.
  bool has_children(Node node) const { return node != kNullNode && !taxonomy_->is_leaf(node); }

  // The children of a node that has some, in order.
  Vector<Node> children(Node node) const {
    Vector<Node> all;
    for (Node child = node + 1; child < taxonomy_->end(node); child = taxonomy_->end(child)) all.push_back(child);
    if (node == kRoot) all.push_back(kNullNode);
    return all;
  }

  std::size_t count_children(Node node) const { return children_[static_cast<std::size_t>(node)]; }

  // By rank, the child of a node with children: REQUIRES that the rank lies below it.
  std::uint16_t const* step(Node node) const {
    return step_.data() + static_cast<std::size_t>(taxonomy_->depth(node)) * ranks_;
  }

 private:
  Taxonomy const* taxonomy_;
  std::size_t ranks_;
  Vector<std::uint16_t> children_;  // node -> how many
  Vector<std::uint16_t> step_;      // depth * ranks_ + rank
};

}  // namespace anon_seq
