// Intervals as a taxonomy: every code is a leaf, in order, and halves are even.
#include "core/lossy/interval_tree.h"

#include <gtest/gtest.h>

#include <random>

namespace anon_seq {
namespace {

TEST(IntervalTree, CutsAtTheMedian) {
  NoCheckpoint checkpoint;
  std::vector<std::int64_t> const counts{7, 1, 1, 4, 1, 1};
  auto const tree = interval_tree(counts, checkpoint);
  EXPECT_EQ(tree.codes[0], (Extent{1, 6}));
  EXPECT_EQ(tree.codes[1], (Extent{1, 3}));  // 2 of 8 rows; {1, 2, 3} would have 6: ties to the lower
  EXPECT_EQ(tree.codes[4], (Extent{3, 6}));
  EXPECT_EQ(tree.codes[5], (Extent{3, 4}));
  EXPECT_EQ(interval_tree(std::vector<std::int64_t>{0, 3}, checkpoint).taxonomy.size(), 1);
}

TEST(IntervalTree, HoldsEveryCodeInOrder) {
  NoCheckpoint checkpoint;
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::int64_t> counts(2 + random() % 60);
    for (auto& count : counts)
      count = static_cast<std::int64_t>(random() % (i % 2 == 0 ? 3 : std::uint64_t{1} << random() % 24));
    auto const tree = interval_tree(counts, checkpoint);
    auto const& taxonomy = tree.taxonomy;
    Code next = 1;
    for (Node n = 0; n < taxonomy.size(); ++n) {
      Extent const codes = tree.codes[static_cast<std::size_t>(n)];
      if (taxonomy.is_leaf(n)) {
        EXPECT_EQ(codes, (Extent{next, next + 1}));
        EXPECT_EQ(tree.leaves[static_cast<std::size_t>(next)], n);
        ++next;
      } else {
        EXPECT_EQ(codes.begin, tree.codes[static_cast<std::size_t>(n + 1)].begin);
        EXPECT_EQ(codes.end, tree.codes[static_cast<std::size_t>(taxonomy.end(n + 1))].end);
      }
    }
    EXPECT_EQ(next, static_cast<Code>(counts.size()));
  }
}

}  // namespace
}  // namespace anon_seq
