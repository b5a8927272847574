// What demands and options do: k alone, persons with many rows, continuous splits, overlap, and what is refused.
#include <gtest/gtest.h>

#include "core/sequential/loss.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

TEST(SequentialDemands, PlainKAnonymityIsTheCaseWithoutEarlierReleases) {
  Case c;
  c.add_taxonomy("job", {{"white", "ANY"},
                         {"clerk", "white"},
                         {"manager", "white"},
                         {"blue", "ANY"},
                         {"driver", "blue"},
                         {"cook", "blue"}});
  add_flat(c, "sex", {"F", "M"});
  c.add_table({"job", "sex"}, {{"clerk", "F"},
                               {"clerk", "F"},
                               {"manager", "F"},
                               {"manager", "F"},
                               {"driver", "M"},
                               {"driver", "M"},
                               {"cook", "M"}});
  c.generalize("job");
  c.generalize("sex");
  c.anonymity({"T1.job", "T1.sex"}, {}, {0}, 2);
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  EXPECT_EQ(outcome.classes.count(), 3);
  expect_count(outcome.rules[0].reached, 2);
  EXPECT_EQ(outcome.classes.sizes(), (Vector<std::int64_t>{2, 2, 3}));
  outcome.classes.check();
  EXPECT_EQ(outcome.classes.class_of(0), 0);
  EXPECT_EQ(outcome.classes.class_of(6), 2);
  EXPECT_EQ(outcome.trace.size(), 3U);
}

TEST(SequentialDemands, CutsMadeForKAloneReadNoOtherColumn) {
  Case c;
  add_flat(c, "sex", {"F", "M"});
  c.add_table({"sex", "illness"}, {{"F", "flu"}, {"F", "HIV"}, {"M", "flu"}, {"M", "flu"}});
  c.generalize("sex");
  c.mutable_column({0, 1}).codes = {};  // reading a row of it is an error that the sanitizers see
  c.anonymity({"T1.sex"}, {}, {0}, 2);
  EXPECT_EQ(c.run().classes.count(), 2);
}

TEST(SequentialDemands, RootInfeasibleNamesRuleAndBestNumber) {
  Case c;
  add_flat(c, "sex", {"F", "M"});
  c.add_table({"sex"}, {{"F"}, {"M"}});
  c.generalize("sex");
  c.anonymity({"T1.sex"}, {}, {0}, 3);
  auto const outcome = c.run();
  EXPECT_FALSE(outcome.feasible);
  EXPECT_TRUE(outcome.proof);
  expect_count(outcome.rules[0].reached, 2);
}

TEST(SequentialDemands, PersonsWithManyRowsAreCountedOnce) {
  Case c;
  add_flat(c, "sex", {"F", "M"});
  c.add_table({"person", "sex"}, {{"1", "F"}, {"1", "F"}, {"1", "F"}, {"2", "M"}, {"3", "M"}});
  c.generalize("sex");
  c.problem.person = 0;
  c.anonymity({"T1.sex"}, {}, {0}, 2);
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  EXPECT_TRUE(outcome.trace.empty());
  expect_count(outcome.rules[0].reached, 3);
}

TEST(SequentialDemands, ContinuousSplitsWhereTheLabelChanges) {
  Case c;
  c.add_table({"age", "class"}, {{"20", "a"}, {"21", "a"}, {"30", "a"}, {"40", "b"}, {"50", "b"}, {"51", "b"}});
  c.generalize("age");
  c.anonymity({"T1.age"}, {}, {0}, 3);
  c.problem.label = 1;
  c.problem.objective = Objective::kEntropy;
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  ASSERT_EQ(outcome.cut[0].size(), 2U);
  EXPECT_EQ(outcome.cut[0][1].ranks.begin, 4);  // below 40
  EXPECT_NEAR(outcome.trace[0].info_gain, 1.0, 1e-12);
  EXPECT_EQ(outcome.classes.region(0, 0)[0], (Extent{0, 1}));
  EXPECT_EQ(outcome.classes.region(1, 0)[0], (Extent{1, 2}));
}

TEST(SequentialDemands, ContinuousNullComesApartFirst) {
  Case c;
  c.add_table({"age"}, {{"20"}, {"21"}, {"40"}, {"41"}, {""}, {""}});
  c.generalize("age");
  c.anonymity({"T1.age"}, {}, {0}, 2);
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  ASSERT_EQ(outcome.classes.count(), 3);
  EXPECT_TRUE(outcome.classes.region(0, 0).empty());
  EXPECT_EQ(outcome.classes.region(2, 0)[0], (Extent{1, 2}));
}

TEST(SequentialDemands, ValidSplitFindsWhatTheBestSplitMisses) {
  for (bool valid_split : {false, true}) {
    Case c;
    // The label changes after the first row, where k = 2 allows no cut.
    c.add_table({"age", "class"}, {{"20", "a"}, {"30", "b"}, {"40", "b"}, {"50", "b"}});
    c.generalize("age");
    c.anonymity({"T1.age"}, {}, {0}, 2);
    c.problem.label = 1;
    c.problem.objective = Objective::kEntropy;
    c.problem.valid_split = valid_split;
    auto const outcome = c.run();
    ASSERT_TRUE(outcome.feasible);
    EXPECT_EQ(outcome.classes.count(), valid_split ? 2 : 1);
  }
}

TEST(SequentialDemands, OverlapMatchesIntervalsThatIntersect) {
  Case c;
  c.add_table({"age"}, {{"20"}, {"35"}, {"50"}});
  c.add_table({"age", "ill"}, {{"[0,30)", "a"}, {"[30,60)", "b"}, {"[30,60)", "c"}});
  c.generalize("age");
  JoinAttribute age;
  age.name = "age";
  age.overlap = true;
  age.holders.resize(2);
  age.holders[1].table = 1;
  age.holders[1].intervals = {{1, 0, true}, {0, 30}, {30, 60}};
  c.problem.join.push_back(age);
  c.problem.attributes[0].cuts = {0, 0, 30, 50};  // published: below 35 at 30
  c.anonymity({"T1.age"}, {}, {1}, 1);
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  EXPECT_EQ(outcome.classes.count(), 3);
  expect_count(outcome.rules[0].reached, 1);  // [.., 30) meets only a
}

TEST(SequentialDemands, CountsThatOverflowAreRefused) {
  Case c;
  c.add_table({"C"}, {{"c"}}, {std::int64_t{1} << 40});
  c.add_table({"U"}, {{"u"}}, {std::int64_t{1} << 40});
  c.anonymity({"T1.C"}, {}, {0, 1}, 1);
  try {
    c.measure({});
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.fault(), Fault::kLimit);
  }
}

TEST(SequentialDemands, RowOrderPlaysNoPart) {
  Rows rows{{"clerk", "20"}, {"cook", "31"},    {"clerk", "25"}, {"manager", "44"},
            {"cook", "60"},  {"manager", "20"}, {"clerk", "61"}, {"cook", "33"}};
  std::vector<std::vector<ClassId>> seen;
  for (int turn = 0; turn < 3; ++turn) {
    Case c;
    c.add_taxonomy("job", {{"white", "ANY"}, {"clerk", "white"}, {"manager", "white"}, {"cook", "ANY"}});
    c.add_table({"job", "age"}, rows);
    c.generalize("job");
    c.generalize("age");
    c.anonymity({"T1.job", "T1.age"}, {}, {0}, 2);
    c.problem.objective = Objective::kDiscernibility;
    auto const outcome = c.run();
    std::vector<std::pair<Row, ClassId>> by_row;
    for (std::size_t r = 0; r < rows.size(); ++r) by_row.push_back({rows[r], outcome.classes.class_of(r)});
    std::sort(by_row.begin(), by_row.end());
    seen.emplace_back();
    for (auto const& each : by_row) seen.back().push_back(each.second);
    std::rotate(rows.begin(), rows.begin() + 3, rows.end());
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

}  // namespace
}  // namespace anon_seq::testing
