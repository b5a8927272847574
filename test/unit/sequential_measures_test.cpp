// Fractions, groups of rows, and the loss metrics, each on numbers that can be checked by hand.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/sequential/loss.h"
#include "core/table/row_groups.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

TEST(Ratio, ComparesFractionsExactly) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t const a = random() % 50, b = 1 + random() % 50, c = random() % 50, d = 1 + random() % 50;
    EXPECT_EQ(fraction_less(a, b, c, d), a * d < c * b) << a << "/" << b << " " << c << "/" << d;
  }
  Wide const big = ~Wide{0};
  EXPECT_TRUE(fraction_less(big - 1, big, 1, 1));
  EXPECT_TRUE(fraction_less(big - 2, big - 1, big - 1, big));
  EXPECT_FALSE(fraction_less(big - 1, big, big - 2, big - 1));
  EXPECT_TRUE(at_most(1, 3, {1, 3}));
  EXPECT_FALSE(at_most(333333334, 1000000000, {1, 3}));
  EXPECT_THROW(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), Error);
}

TEST(RowGroups, NumbersCombinationsAlsoPast64Bits) {
  NoCheckpoint checkpoint;
  std::vector<Vector<std::int32_t>> columns(5);
  std::mt19937_64 random(5);
  for (auto& column : columns)
    for (int row = 0; row < 200; ++row) column.push_back(static_cast<std::int32_t>(random() % 2));
  std::set<std::vector<std::int32_t>> distinct;
  for (std::size_t row = 0; row < 200; ++row) {
    std::vector<std::int32_t> values;
    for (auto const& column : columns) values.push_back(column[row]);
    distinct.insert(values);
  }
  for (std::int32_t bound : {2, 1 << 30}) {
    std::vector<KeyColumn> keys;
    for (auto const& column : columns) keys.push_back({column, bound});
    auto const groups = group_rows(200, keys, checkpoint);
    EXPECT_EQ(groups.count(), distinct.size());
    for (std::size_t i = 0; i < 200; ++i) {
      auto const first = groups.first_row[static_cast<std::size_t>(groups.of_row[i])];
      for (auto const& column : columns) EXPECT_EQ(column[i], column[first]);
    }
  }
}

TEST(Loss, OfAGeneralizedTable) {
  Case c;
  c.add_taxonomy("job", {{"white", "ANY"},
                         {"clerk", "white"},
                         {"manager", "white"},
                         {"blue", "ANY"},
                         {"cook", "blue"},
                         {"driver", "blue"}});
  c.add_table({"job", "age"}, {{"clerk", "20"}, {"manager", "30"}, {"cook", "40"}, {"cook", "60"}});
  c.generalize("job");
  c.generalize("age");
  c.anonymity({"T1.job", "T1.age"}, {}, {0}, 2);
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  ASSERT_EQ(outcome.classes.count(), 2);
  NoCheckpoint checkpoint;
  auto const loss = measure_loss(*c.problem.table, outcome.classes, loss_axes(c.problem, outcome.cut), 2, checkpoint);
  EXPECT_DOUBLE_EQ(loss.discernibility, 8);
  EXPECT_DOUBLE_EQ(loss.c_avg, 1);
  EXPECT_DOUBLE_EQ(loss.suppression, 0);
  EXPECT_TRUE(loss.distortion_categorical.has_value());
  EXPECT_TRUE(loss.distortion_continuous.has_value());
  ASSERT_EQ(loss.axes.size(), 2U);
  EXPECT_DOUBLE_EQ((loss.axes[0].ncp + loss.axes[1].ncp) / 2, loss.ncp);
  EXPECT_EQ(std::max(loss.axes[0].shown, loss.axes[1].shown), 2);  // one cut makes two classes
  EXPECT_TRUE(loss.axes[0].several && loss.axes[1].several);
  EXPECT_EQ(loss.axes[0].unknown + loss.axes[1].unknown, 0);
}

// Who was beyond the cut is not published: nothing lies there.
TEST(Loss, OfACutBeyondEverybodyIsAtMostAll) {
  Case c;
  c.add_table({"age"}, {{"20"}, {"40"}, {"900"}});
  c.generalize("age");
  auto const axis = line_axis(c.problem.attributes[0], c.problem.table->columns[0], {1, 3},
                              {CutValue{{0, 3}, kNoNode, 2}, CutValue{{3, 4}, kNoNode, 0}});
  EXPECT_EQ(axis.upper, 40);
  EXPECT_EQ(axis.bounds, (Vector<double>{20, 40, 40}));
}

TEST(Loss, OfWithheldRecordsAndNull) {
  Case c;
  c.add_taxonomy("job", {{"white", "ANY"}, {"clerk", "white"}, {"manager", "white"}, {"cook", "ANY"}});
  c.add_table({"job"}, {{"clerk"}, {"manager"}, {""}, {"cook"}}, {1, 2, 1, 1});
  Taxonomy const& taxonomy =
      c.add_taxonomy("same", {{"white", "ANY"}, {"clerk", "white"}, {"manager", "white"}, {"cook", "ANY"}});
  Classes classes(4, 1);
  ClassId const white = classes.add_class();
  Extent const region{taxonomy.find("white"), taxonomy.end(taxonomy.find("white"))};
  classes.add_region({&region, 1});
  ClassId const null = classes.add_class();
  classes.add_region({});
  classes.assign(0, white);
  classes.assign(1, white);
  classes.assign(2, null);
  LossAxis axis;
  axis.taxonomy = &taxonomy;
  auto const& column = c.problem.table->columns[0];
  for (Code code = 0; code < column.distinct(); ++code)
    axis.leaves.push_back(code == kNull ? kNoNode : taxonomy.find(column.values[code]));
  NoCheckpoint checkpoint;
  auto const loss = measure_loss(*c.problem.table, classes, {&axis, 1}, 2, checkpoint);
  EXPECT_DOUBLE_EQ(loss.discernibility, 9 + 1 + 5);  // 3 of white, 1 NULL, 1 withheld of 5
  EXPECT_DOUBLE_EQ(loss.c_avg, 4.0 / 2 / 2);
  EXPECT_DOUBLE_EQ(*loss.distortion_categorical, 3.0 / 4);  // three climbed one level
  EXPECT_DOUBLE_EQ(loss.ncp, 3 * (2.0 / 3) / 4);
  EXPECT_DOUBLE_EQ(loss.suppression, 1.0 / 5);
  EXPECT_FALSE(loss.distortion_continuous.has_value());
  ASSERT_EQ(loss.axes.size(), 1U);
  EXPECT_DOUBLE_EQ(loss.axes[0].ncp, loss.ncp);
  EXPECT_EQ(loss.axes[0].shown, 2);  // "white", and no value
  EXPECT_EQ(loss.axes[0].unknown, 1);
  EXPECT_TRUE(loss.axes[0].several);
}

}  // namespace
}  // namespace anon_seq::testing
