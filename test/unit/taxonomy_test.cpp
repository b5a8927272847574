// The tree in preorder, against a naive tree of parent pointers.
#include "core/taxonomy/taxonomy.h"

#include <random>

#include "error_of.h"

namespace anon_seq {
namespace {

Taxonomy tree_of(std::vector<Node> const& parents) {
  Dictionary labels;
  for (std::size_t i = 0; i < parents.size(); ++i) labels.intern("n" + std::to_string(i));
  return Taxonomy(labels, Vector<Node>(parents.begin(), parents.end()));
}

TEST(Taxonomy, IsNumberedInPreorder) {
  // n2 is the root; below it n0 (with n3, n4) and n1.
  Taxonomy const tree = tree_of({2, 2, kNoNode, 0, 0});
  std::vector<std::string> labels;
  for (Node n = 0; n < tree.size(); ++n) labels.emplace_back(tree.label(n));
  EXPECT_EQ(labels, (std::vector<std::string>{"n2", "n0", "n3", "n4", "n1"}));
  EXPECT_EQ(tree.parent(kRoot), kNoNode);
  EXPECT_EQ(tree.end(1), 4);
  EXPECT_EQ(tree.leaves(kRoot), 3);
  EXPECT_EQ(tree.leaf_rank(4), 2);
  EXPECT_EQ(tree.depth(3), 2);
  EXPECT_EQ(tree.find("n4"), 3);
  EXPECT_EQ(tree.find("N4"), kNoNode);
  EXPECT_EQ(tree.ancestor(3, 0), 3);
  EXPECT_EQ(tree.ancestor(3, 1), 1);
  EXPECT_EQ(tree.ancestor(3, 2), kRoot);
  EXPECT_EQ(tree.ancestor(3, 1000000), kRoot);
}

TEST(Taxonomy, ARootAloneIsALeaf) {
  Taxonomy const tree = tree_of({kNoNode});
  EXPECT_TRUE(tree.is_leaf(kRoot));
  EXPECT_EQ(tree.leaves(kRoot), 1);
  EXPECT_EQ(tree.depth(kRoot), 0);
}

TEST(Taxonomy, NeedsOneRootAboveEverything) {
  EXPECT_ERROR(error_of([]() { tree_of({}); }), Fault::kData, "a taxonomy needs exactly one root");
  EXPECT_ERROR(error_of([]() { tree_of({kNoNode, kNoNode}); }), Fault::kData, "a taxonomy needs exactly one root");
  EXPECT_ERROR(error_of([]() { tree_of({1, 0}); }), Fault::kData, "a taxonomy needs exactly one root");
  EXPECT_ERROR(error_of([]() {
                 tree_of({kNoNode, 2, 1});
               }),
               Fault::kData, "a taxonomy node is not reached from the root");
}

TEST(Taxonomy, DepthIsLimited) {
  auto chain = [](int edges) {
    std::vector<Node> parents;
    for (Node n = 0; n <= edges; ++n) parents.push_back(n - 1);
    return parents;
  };
  EXPECT_EQ(tree_of(chain(kMaxTaxonomyDepth)).depth(kMaxTaxonomyDepth), kMaxTaxonomyDepth);
  auto const error = error_of([&]() { tree_of(chain(kMaxTaxonomyDepth + 1)); });
  EXPECT_ERROR(error, Fault::kLimit, "taxonomy is too deep");
  EXPECT_EQ(error.detail(), "A path may have 64 edges from the root to a leaf.");
}

// Random trees: everything that a Taxonomy says, worked out by climbing parent pointers.
TEST(Taxonomy, AgreesWithParentPointers) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    auto const size = static_cast<Node>(1 + random() % 60);
    std::vector<Node> parents(1, kNoNode);
    for (Node n = 1; n < size; ++n) parents.push_back(static_cast<Node>(random() % static_cast<unsigned>(n)));
    auto is_above = [&](Node a, Node d) {
      while (d != kNoNode && d != a) d = parents[static_cast<std::size_t>(d)];
      return d == a;
    };
    auto is_inner = [&](Node n) { return std::find(parents.begin(), parents.end(), n) != parents.end(); };

    Taxonomy const tree = tree_of(parents);
    ASSERT_EQ(tree.size(), size);
    auto node = [&](Node raw) { return tree.find("n" + std::to_string(raw)); };
    for (Node raw = 0; raw < size; ++raw) {
      Node const above = parents[static_cast<std::size_t>(raw)];
      EXPECT_EQ(tree.parent(node(raw)), above == kNoNode ? kNoNode : node(above));
      EXPECT_EQ(tree.is_leaf(node(raw)), !is_inner(raw));
      std::int32_t leaves = 0;
      int depth = -1;
      for (Node other = 0; other < size; ++other) {
        EXPECT_EQ(tree.covers(node(raw), node(other)), is_above(raw, other));
        leaves += is_above(raw, other) && !is_inner(other);
        depth += is_above(other, raw);
        // Siblings stand in the order in which they were given.
        if (other > raw && above != kNoNode && parents[static_cast<std::size_t>(other)] == above) {
          EXPECT_LT(node(raw), node(other));
        }
      }
      EXPECT_EQ(tree.leaves(node(raw)), leaves);
      EXPECT_EQ(tree.depth(node(raw)), depth);
    }
    // Leaf ranks count up along the preorder.
    std::int32_t rank = 0;
    for (Node n = 0; n < size; ++n) {
      EXPECT_EQ(tree.leaf_rank(n), rank);
      rank += tree.is_leaf(n);
    }
  }
}

}  // namespace
}  // namespace anon_seq
