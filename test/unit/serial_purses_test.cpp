// What persons may still stand beside, and the cohorts that this makes.
#include "core/serial/purses.h"

#include "error_of.h"
#include "serial_fixture.h"

namespace anon_seq::testing {
namespace {

NoCheckpoint checkpoint;

Spending fixed(std::int64_t horizon, Ratio l, std::int64_t largest_m = 0) {
  return {{PlanKind::kFixed, horizon, {1, 2}}, least_kept(l), largest_m};
}

std::vector<std::int64_t> sizes_of(Purses const& purses, std::size_t row) {
  auto const sizes = purses.sizes(static_cast<std::size_t>(purses.of_row[row]));
  return {sizes.begin(), sizes.end()};
}

TEST(SerialPurses, ByWhatWasMet) {
  // l = 4/3 over two versions: 1/2 each time; who met 1/3 first may meet all that is left, 5/8.
  std::vector<Met> const met{{1, 0, 1, {2, 3}}, {2, 1, 1, {1, 2}}, {3, 0, 1, {1, 2}}, {3, 1, 2, {1, 4}}};
  auto const purses = make_purses(5, 2, met, fixed(2, {4, 3}), checkpoint);
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(sizes_of(purses, 0), (Sizes{2, 2}));
  EXPECT_EQ(purses.of_row[0], purses.of_row[4]);
  EXPECT_EQ(sizes_of(purses, 1), (Sizes{2, 2}));
  EXPECT_EQ(purses.of_row[1], purses.of_row[0]);
  EXPECT_EQ(sizes_of(purses, 2), (Sizes{2, 2}));
  EXPECT_EQ(purses.of_row[3], Purses::kWithheld);  // met the second one twice
  EXPECT_EQ(purses.withheld, 1);
  EXPECT_EQ(purses.rows, (Vector<std::int64_t>{4}));
}

TEST(SerialPurses, WhatIsLeftMayBeLessThanThePlan) {
  // 13/20 kept of 1/2: 3/13 is left, less than the plan's 1/4.
  auto const purses = make_purses(1, 1, std::vector<Met>{{0, 0, 1, {13, 20}}}, fixed(2, {2, 1}), checkpoint);
  EXPECT_EQ(sizes_of(purses, 0), (std::vector<std::int64_t>{5}));
}

TEST(SerialPurses, WhoNeedsTooManyIsWithheld) {
  std::vector<Met> const met{{0, 0, 1, {13, 20}}};
  EXPECT_EQ(make_purses(2, 1, met, fixed(2, {2, 1}, 5), checkpoint).withheld, 0);
  EXPECT_EQ(make_purses(2, 1, met, fixed(2, {2, 1}, 4), checkpoint).withheld, 1);
  EXPECT_EQ(make_purses(2, 1, met, fixed(2, {2, 1}, 3), checkpoint).withheld, 2);  // those who met nothing as well
  EXPECT_EQ(make_purses(0, 1, {}, fixed(2, {2, 1}), checkpoint).size(), 0u);
  EXPECT_EQ(make_purses(3, 0, {}, fixed(2, {2, 1}), checkpoint).rows, (Vector<std::int64_t>{3}));
}

TEST(SerialPurses, RoundedSizesAreNeverLooser) {
  std::mt19937_64 random(runs(1431, 0).seed);
  std::set<std::int64_t> sizes;
  for (int i = 0; i < 50000; ++i) {
    auto const den = 1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << (1 + random() % 40)));
    auto const num = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(den));
    Ratio const planned{1, 1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << random() % 30))};
    auto const m = rows_for_one({num, den}, planned);
    ASSERT_TRUE(at_most(1, m, {num, den}));  // 1/m <= share
    ASSERT_TRUE(at_most(1, m, planned) || m >= den / num);
    bool const planned_fits = at_most(planned.num, planned.den, {num, den});
    ASSERT_TRUE(planned_fits ? m == planned.den : m <= (den + num - 1) / num * 9 / 8 + 1);
    if (!planned_fits) sizes.insert(m);
  }
  EXPECT_LT(sizes.size(), 16u + 8 * 41);  // few purses
  auto const never = rows_for_one({0, 1}, {1, 2});
  EXPECT_GT(never, std::int64_t{1} << 60);
  EXPECT_EQ(rows_for_one({1, 2}, {0, 1}), never);
}

TEST(SerialPurses, ShownAlone) {
  std::vector<Met> const met{{0, 1, 2, {1, 4}}, {2, 0, 1, {13, 20}}, {3, 1, 1, {13, 20}}};
  auto const purses = make_purses(4, 3, met, fixed(2, {2, 1}), checkpoint);
  EXPECT_EQ(purses.withheld, 1);
  EXPECT_EQ(shown_rows(purses, checkpoint), (Vector<std::uint32_t>{1, 2, 3}));
  auto const shown = shown_purses(purses, std::vector<std::int32_t>{2, 1}, checkpoint);
  EXPECT_EQ(shown.withheld, 0);
  EXPECT_EQ(shown.of_row.size(), 3u);
  EXPECT_EQ(sizes_of(shown, 0), (std::vector<std::int64_t>{4, 4}));
  EXPECT_EQ(shown.of_row[0], shown.of_row[1]);  // what tells them apart is not among these bounds
  EXPECT_EQ(sizes_of(shown, 2), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(shown.rows, (Vector<std::int64_t>{2, 1}));
}

// --- cohorts ---

struct Case {
  std::vector<std::int64_t> m;  // row -> of the one listed value, 0
  std::vector<Code> held;
};

Cohorts cohorts_of(Case const& c, CohortDemands const& demands) {
  Purses purses;
  purses.bounds = 1;
  std::map<std::int64_t, std::int32_t> numbers;
  for (auto const m : c.m) {
    auto const [at, fresh] = numbers.try_emplace(m, static_cast<std::int32_t>(numbers.size()));
    if (fresh) {
      purses.classes_of.push_back(m);
      purses.rows.push_back(0);
    }
    purses.of_row.push_back(at->second);
    ++purses.rows[static_cast<std::size_t>(at->second)];
  }
  SensitiveColumn column;
  column.name = "s";
  column.codes = c.held;
  column.distinct = 3;
  column.listing = Listing::kEach;
  column.listed.push_back(0);
  column.alpha = {1, 2};
  return make_cohorts(purses, Sensitive(c.held.size(), std::vector{column}, checkpoint), demands, checkpoint);
}

using Made = std::vector<std::pair<std::set<std::uint32_t>, std::int64_t>>;  // rows, m
Made made_of(Cohorts const& cohorts) {
  Made made;
  for (std::size_t i = 0; i < cohorts.parts.size(); ++i)
    made.push_back({{cohorts.rows.begin() + static_cast<std::ptrdiff_t>(cohorts.parts[i].begin),
                     cohorts.rows.begin() + static_cast<std::ptrdiff_t>(cohorts.parts[i].end)},
                    cohorts.sizes(i)[0]});
  return made;
}

TEST(SerialCohorts, SmallOnesJoinTheNextTighter) {
  // Four of m = 2, one of 3, seven of 4, one of 5.
  Case const c{{5, 4, 4, 2, 2, 3, 4, 4, 2, 2, 4, 4, 4}, {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
  EXPECT_EQ(made_of(cohorts_of(c, {false, 1, 1, true})),
            (Made{{{3, 4, 8, 9}, 2}, {{0, 1, 2, 5, 6, 7, 10, 11, 12}, 5}}));
  // Eight are two classes of 4, but nine are not two of 5: all is one.
  EXPECT_EQ(made_of(cohorts_of(c, {false, 2, 1, true})), (Made{{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 5}}));
}

TEST(SerialCohorts, KIsTheLeastClass) {
  Case const c{{2, 2, 2, 2, 3, 3, 3, 3}, {0, 1, 1, 1, 1, 1, 1, 1}};
  EXPECT_EQ(cohorts_of(c, {false, 1, 4, true}).parts.size(), 2u);
  EXPECT_EQ(cohorts_of(c, {false, 1, 5, true}).parts.size(), 1u);
  EXPECT_EQ(error_of([&] { cohorts_of(c, {false, 1, 9, true}); }).fault(), Fault::kData);
}

TEST(SerialCohorts, NothingIsMergedThatDoesNotFit) {
  Case const c{{2, 2, 4, 4, 4, 4}, {0, 0, 1, 1, 1, 1}};
  auto const error = error_of([&] { cohorts_of(c, {false, 1, 1, true}); });
  EXPECT_ERROR(error, Fault::kData, "a listed value is too frequent for what is left of the persons' budgets");
  EXPECT_NE(error.detail().find("1 of 2 cohorts, with 2 of 6 persons"), std::string::npos) << error.detail();
}

// Both sides have to hold all that the node has, whoever has it.
TEST(SerialCohorts, CutOnlyWhatBothSidesCouldHold) {
  std::vector<std::int64_t> const m{2, 2, 2, 2, 4, 4, 4, 4};
  std::vector<Code> const one{0, 1, 1, 1, 1, 1, 1, 1}, two{0, 0, 1, 1, 1, 1, 1, 1}, apart{0, 1, 1, 1, 0, 1, 1, 1};
  for (bool const dealt : {true, false}) {
    EXPECT_EQ(made_of(cohorts_of({m, one}, {true, 1, 1, dealt})), (Made{{{0, 1, 2, 3}, 2}, {{4, 5, 6, 7}, 4}}));
    EXPECT_EQ(made_of(cohorts_of({m, two}, {true, 1, 1, dealt})), (Made{{{0, 1, 2, 3, 4, 5, 6, 7}, 4}}));
    EXPECT_EQ(made_of(cohorts_of({m, apart}, {true, 1, 1, dealt})), (Made{{{0, 1, 2, 3, 4, 5, 6, 7}, 4}}));
    EXPECT_EQ(error_of([&] { cohorts_of({m, {0, 0, 0, 1, 1, 1, 1, 1}}, {true, 1, 1, dealt}); }).fault(), Fault::kData);
  }
}

TEST(SerialCohorts, OfOtherRowsAreRefused) {
  Purses purses;
  purses.bounds = 0;
  purses.of_row.assign(2, 0);
  purses.rows.push_back(1);
  purses.withheld = 1;
  SensitiveColumn column;
  column.name = "s";
  std::vector<Code> const held{1, 2};
  column.codes = held;
  column.distinct = 3;
  column.listing = Listing::kEach;
  EXPECT_ERROR(error_of([&] { make_cohorts(purses, Sensitive(2, std::vector{column}, checkpoint), {}, checkpoint); }),
               Fault::kInternal, "purses are of other rows than the values");
}

// Rows in one cohort each, loosest first, each the tightest of its rows; tested nodes are unions of cohorts.
void expect_cohorts(Cohorts const& cohorts, Case const& c, CohortDemands const& demands) {
  std::set<std::uint32_t> const all(cohorts.rows.begin(), cohorts.rows.end());
  EXPECT_EQ(all.size(), c.m.size());
  EXPECT_EQ(cohorts.rows.size(), c.m.size());
  std::set<std::size_t> ends{0};
  std::int64_t before = 0;
  for (std::size_t i = 0; i < cohorts.parts.size(); ++i) {
    auto const part = cohorts.parts[i];
    EXPECT_TRUE(ends.contains(part.begin));
    ends.insert(part.end);
    std::int64_t largest = 1, holders = 0;
    for (auto place = part.begin; place < part.end; ++place) {
      auto const row = cohorts.rows[place];
      EXPECT_GE(c.m[row], before);
      largest = std::max(largest, c.m[row]);
      holders += c.held[row] == 0;
    }
    before = largest;
    EXPECT_EQ(cohorts.sizes(i)[0], largest);
    auto const m = std::max(demands.k, largest), n = static_cast<std::int64_t>(part.size());
    EXPECT_GE(n, demands.k);
    EXPECT_LE(holders, demands.dealt ? n / m * (m / largest) : n / largest);
    EXPECT_TRUE(demands.by_cut || cohorts.parts.size() == 1 || n >= demands.least * m);
  }
  EXPECT_TRUE(ends.contains(c.m.size()));
  for (auto const& node : cohorts.tested) EXPECT_TRUE(ends.contains(node.begin) && ends.contains(node.end));
}

TEST(SerialCohorts, AtRandom) {
  auto const [seed, instances] = runs(1432, 3000);
  int made = 0, several = 0;
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    RandomSerial random(seed * 1000003 + static_cast<std::uint64_t>(i));
    Case c;
    for (int rows = 4 + random.draw(60); rows > 0; --rows) {
      c.m.push_back(2 + random.draw(6));
      c.held.push_back(random.chance(8) ? 0 : 1);
    }
    c.held[0] = 0;
    CohortDemands const demands{random.chance(50), 1 + random.draw(4), 1 + random.draw(4), random.chance(50)};
    try {
      auto const cohorts = cohorts_of(c, demands);
      expect_cohorts(cohorts, c, demands);
      ++made;
      several += cohorts.parts.size() > 1;
    } catch (Error const& error) {
      EXPECT_EQ(error.fault(), Fault::kData) << error.what();
    }
    if (HasFailure()) FAIL();
  }
  std::printf("made %d, of several cohorts %d\n", made, several);
  EXPECT_GT(several, 0);
}

}  // namespace
}  // namespace anon_seq::testing
