// Ranges that leave the outermost persons out, and who is far off.
#include <gtest/gtest.h>

#include "core/sequential/finest_cut.h"
#include "core/sequential/line_window.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

// Incomes of 1000 to 6000 and one of 900000: who is so far off is out, and nobody else loses his income for it.
TEST(FinestCut, WhoIsFarOffMakesNobodysWidthLookLikeNothing) {
  auto const found_in = [](int odd) {
    Case c;
    Rows rows;
    for (int i = 1; i <= 400; ++i)
      rows.push_back({std::to_string(i), std::to_string(20 + i % 50), std::to_string(1000 + i * 185 % 5000)});
    for (int i = 0; i < odd; ++i) rows.push_back({std::to_string(401 + i), "44", "900000"});
    c.add_table({"person", "age", "income"}, rows);
    c.generalize("age");
    c.generalize("income");
    NoCheckpoint none;
    auto found = find_finest_cut(c.problem, {10, 4, {}}, none);
    return std::tuple(found.published, found.left_out.persons, found.cuts[1].current().size(),
                      odd > 0 && found.left_out.rows.back() != 0);
  };
  auto const [least, none_out, values, nobody] = found_in(0);
  auto const [lost, out, values_shown, odd_is_out] = found_in(1);
  EXPECT_TRUE(odd_is_out);
  EXPECT_LE(out, 4);
  EXPECT_GE(values_shown, 4U);
  EXPECT_LE(lost, least + 2 * kLossUnit * 4 + least / 8);
}

// A cut of the finest one may lie beyond everybody who is left in.
TEST(FinestCut, BoundsBesideNobodyWhoIsInGainNothing) {
  Case c;
  c.add_table({"age"}, {{"20"}, {"30"}, {"40"}, {"1.7e308"}, {"-1.7e308"}});
  c.generalize("age");
  c.mutable_column({0, 0}).codes.resize(3);  // those far off are out
  c.problem.objective = Objective::kDistortion;
  auto& attribute = c.problem.attributes[0];
  attribute.fixed = true;
  attribute.barred = {1, 1, 0, 0, 1, 0};  // below 20, 30 and 1.7e308
  NoCheckpoint none;
  AttributeCut cut(c.problem, 0, none);
  ASSERT_TRUE(cut.split(0));
  EXPECT_EQ(cut.splits_by_gain(0), (Vector<Code>{3, 2, 5}));
  EXPECT_DOUBLE_EQ(cut[0].gain, 1 * 0.5 + 2 * 0.5);
}

TEST(LineWindow, IsTheNarrowestRangeOfAllButSoMany) {
  auto const window = [](std::vector<std::string> const& ages, std::int64_t most_out) {
    Case c;
    Rows rows;
    for (auto const& age : ages) rows.push_back({age});
    c.add_table({"age"}, rows);
    c.generalize("age");
    NoCheckpoint none;
    std::vector<AttributeCut> root;
    root.emplace_back(c.problem, 0, none);
    KTable const table(c.problem, root, none);
    return line_window(table, 0, c.problem.table->columns[0], most_out);
  };
  std::vector<std::string> const ages{"-3", "", "20", "30", "30", "40", "150"};  // codes 1 to 5
  EXPECT_EQ(window(ages, 0), (Extent{0, 0}));
  EXPECT_EQ(window(ages, 1), (Extent{1, 5}));
  EXPECT_EQ(window(ages, 2), (Extent{2, 5}));
  EXPECT_EQ(window(ages, 3), (Extent{2, 4}));  // as narrow as 30 to 40: the first
  EXPECT_EQ(window(ages, 4), (Extent{0, 0}));  // 30 alone has no width
  EXPECT_EQ(window(ages, 6), (Extent{0, 0}));
  EXPECT_EQ(window({"", ""}, 1), (Extent{0, 0}));
}

}  // namespace
}  // namespace anon_seq::testing
