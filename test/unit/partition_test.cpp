#include "core/partition/partition.h"

#include <gtest/gtest.h>

#include "core/partition/node_set.h"
#include "core/partition/region_cuts.h"
#include "incremental_fixture.h"

namespace anon_seq::testing {
namespace {

// Whether a point is on the right side of every cut that led to a region.
bool lies_in(Partition const& partition, std::span<Taxonomy const* const> taxonomies,
             std::span<std::int32_t const> point, RegionId id) {
  for (; id != kWholeSpace; id = partition.regions[static_cast<std::size_t>(id)].parent) {
    auto const a = static_cast<std::size_t>(partition.regions[static_cast<std::size_t>(id)].attribute);
    if (!is_on_side(partition, id, taxonomies[a], point[a])) return false;
  }
  return true;
}

class PartitionTest : public ::testing::Test {
 protected:
  Node node(char const* label) const { return label == nullptr ? kUnknown : tree.find(label); }
  Vector<Node> nodes(std::initializer_list<char const*> labels) const {
    Vector<Node> set;
    for (auto const* label : labels) set.push_back(node(label));
    return set;
  }
  RegionId leaf(std::int32_t number, char const* label) const {
    std::int32_t const point[] = {number, node(label)};
    return leaf_of(partition, trees, point);
  }
  Shown shown(RegionId id, std::size_t attribute) const { return shown_of(partition, trees, id)[attribute]; }

  Taxonomy tree = tree_of({{"a", "r"}, {"a1", "a"}, {"a2", "a"}, {"b", "r"}, {"b1", "b"}, {"b2", "b"}, {"c", "r"}});
  std::vector<Taxonomy const*> trees{nullptr, &tree};
  Partition partition = whole_space();
};

TEST_F(PartitionTest, TheRootHoldsEverything) {
  EXPECT_EQ(leaf(0, nullptr), kWholeSpace);
  EXPECT_EQ(leaf(7, "b1"), kWholeSpace);
  EXPECT_EQ(shown(kWholeSpace, 0).from, 0);
  EXPECT_EQ(shown(kWholeSpace, 0).below, Shown::kUnbounded);
  EXPECT_EQ(shown(kWholeSpace, 1).nodes, nodes({"r"}));
  EXPECT_FALSE(shown(kWholeSpace, 1).known);
}

TEST_F(PartitionTest, UnknownIsBelowEveryNumber) {
  RegionId const below = cut_line(partition, kWholeSpace, 0, 5);
  EXPECT_EQ(leaf(0, "c"), below);
  EXPECT_EQ(leaf(4, "c"), below);
  EXPECT_EQ(leaf(5, "c"), below + 1);
  EXPECT_EQ(shown(below, 0).from, 0);
  EXPECT_EQ(shown(below, 0).below, Shown::kUnbounded);  // unknown may be in it
  EXPECT_EQ(shown(below + 1, 0).from, 5);
  RegionId const unknown = cut_line(partition, below, 0, 0);
  EXPECT_EQ(leaf(0, "c"), unknown);
  EXPECT_EQ(leaf(4, "c"), unknown + 1);
  EXPECT_TRUE(shown(unknown, 0).unknown);
  EXPECT_TRUE(shown(unknown + 1, 0).known);
  EXPECT_EQ(shown(unknown + 1, 0).from, 1);
  EXPECT_EQ(shown(unknown + 1, 0).below, 5);
  RegionId const from = cut_line(partition, unknown + 1, 0, 3) + 1;
  EXPECT_FALSE(shown(from, 0).known);
  EXPECT_EQ(shown(from, 0).from, 3);
}

TEST_F(PartitionTest, OthersShowWhatNoSisterHasAsAWhole) {
  Vector<Node> const sets[] = {nodes({nullptr, "a"}), nodes({"b1"})};
  RegionId const first = cut_nodes(partition, kWholeSpace, 1, sets);
  EXPECT_EQ(leaf(1, nullptr), first);
  EXPECT_EQ(leaf(1, "a2"), first);
  EXPECT_EQ(leaf(1, "b1"), first + 1);
  EXPECT_EQ(leaf(1, "b2"), first + 2);
  EXPECT_EQ(leaf(1, "c"), first + 2);
  EXPECT_EQ(shown(first, 1).nodes, nodes({nullptr, "a"}));
  EXPECT_EQ(shown(first + 2, 1).nodes, nodes({"r"}));
  EXPECT_TRUE(shown(first + 2, 1).known);
  EXPECT_EQ(held_by(partition, tree, 1, first + 2), nodes({"b2", "c"}));
  Vector<Node> const again[] = {nodes({"c"})};
  RegionId const below = cut_nodes(partition, first + 2, 1, again);
  EXPECT_EQ(held_by(partition, tree, 1, below + 1), nodes({"b2"}));
  EXPECT_EQ(leaf(1, "b2"), below + 1);
}

TEST_F(PartitionTest, LiesInAgreesWithTheSearch) {
  Vector<Node> const sets[] = {nodes({"a"}), nodes({"b1"})};
  RegionId const below = cut_line(partition, kWholeSpace, 0, 5);
  cut_nodes(partition, below, 1, sets);
  cut_line(partition, below + 1, 0, 0);
  for (std::int32_t number = 0; number < 8; ++number)
    for (auto const* label : {static_cast<char const*>(nullptr), "a1", "b1", "b2", "c"})
      for (RegionId id = 0; id < static_cast<RegionId>(partition.regions.size()); ++id)
        if (partition.is_leaf(id)) {
          std::int32_t const point[] = {number, node(label)};
          EXPECT_EQ(lies_in(partition, trees, point, id), leaf(number, label) == id);
        }
}

TEST_F(PartitionTest, SetsAreWrittenInFewNodes) {
  auto const all = nodes({nullptr, "r"});
  EXPECT_EQ(within(tree, all, {0, 1}), nodes({nullptr}));
  EXPECT_EQ(within(tree, all, {1, 6}), nodes({"r"}));
  EXPECT_EQ(within(tree, all, {0, 4}), nodes({nullptr, "a", "b1"}));
  EXPECT_EQ(within(tree, nodes({"a", "c"}), {2, 6}), nodes({"a2", "c"}));
  std::int32_t const ranks[] = {0, 1, 2, 5};
  EXPECT_EQ(covering(tree, all, ranks), nodes({nullptr, "a", "c"}));
}

TEST_F(PartitionTest, ACutLeafIsNotOpenAnyMore) {
  partition.regions[0].open = true;
  RegionId const first = cut_line(partition, kWholeSpace, 0, 2);
  EXPECT_FALSE(partition.regions[0].open);
  EXPECT_FALSE(partition.is_leaf(kWholeSpace));
  partition.regions[0].departed = true;
  open_leaf(partition, first, kWholeSpace);
  EXPECT_TRUE(partition.regions[1].open && partition.regions[1].departed);
  EXPECT_FALSE(partition.regions[2].open);
}

}  // namespace
}  // namespace anon_seq::testing
