// What a reader who knows the code learns from a sequential release: every arrangement of the sensitive values of small
// tables is released, and those that give one release are what he thinks possible.
#include "sequential_reader.h"

#include <random>
#include <set>

#include "core/sequential/simulatable.h"
#include "lossy_fixture.h"

namespace anon_seq::testing {
namespace {

using reader::judge;
using reader::Table;

// Columns job and sex, or job alone; h rows of n with HIV, f with flu, the others with a value each of their own or of
// one kind.
struct Shape {
  std::vector<int> cells;  // leaf -> rows
  bool two_columns = false;
  int hiv = 0, flu = 0;
  Ratio max{1, 2};
  std::int64_t k = 1;
  bool listed = false;
};

void make(Table& table, Shape const& shape, bool simulatable) {
  Case& c = table.c;
  if (shape.two_columns) {
    add_flat(c, "job", {"nurse", "clerk"});
    add_flat(c, "sex", {"F", "M"});
  } else {
    c.add_taxonomy(
        "job",
        {{"care", "ANY"}, {"nurse", "care"}, {"doctor", "care"}, {"desk", "ANY"}, {"clerk", "desk"}, {"boss", "desk"}});
  }
  char const* const one[] = {"nurse", "doctor", "clerk", "boss"};
  Rows rows;
  for (std::size_t cell = 0; cell < shape.cells.size(); ++cell)
    for (int i = 0; i < shape.cells[cell]; ++i) {
      auto const n = static_cast<int>(rows.size());
      std::string const illness = n < shape.hiv ? "HIV" : n < shape.hiv + shape.flu ? "flu" : "none";
      if (shape.two_columns)
        rows.push_back({cell < 2 ? "nurse" : "clerk", cell % 2 == 0 ? "F" : "M", illness});
      else
        rows.push_back({one[cell], illness});
    }
  std::vector<std::string> x{"T1.job"};
  if (shape.two_columns) x.push_back("T1.sex");
  c.add_table(shape.two_columns ? std::vector<std::string>{"job", "sex", "illness"}
                                : std::vector<std::string>{"job", "illness"},
              rows);
  c.generalize("job");
  if (shape.two_columns) c.generalize("sex");
  c.anonymity(x, {}, {0}, shape.k);
  if (shape.listed)
    c.linkability(x, {"T1.illness"}, shape.max, {{"HIV"}});
  else
    c.linkability(x, {"T1.illness"}, shape.max);
  c.problem.simulatable = simulatable;
  table.keep_secret({"illness"});
}

std::string text_of(Shape const& shape) {
  std::string text = shape.two_columns ? "two columns," : "one column,";
  for (int rows : shape.cells) text += " " + std::to_string(rows);
  return text + "; HIV " + std::to_string(shape.hiv) + ", flu " + std::to_string(shape.flu) + "; max " +
         std::to_string(shape.max.num) + "/" + std::to_string(shape.max.den) + ", k " + std::to_string(shape.k) +
         (shape.listed ? ", listed" : "");
}

// All tables of 2 to 8 rows over four leaves, in two forms, with any numbers of three values.
template <class Visit>
void each_shape(Visit visit) {
  Ratio const bounds[] = {{1, 2}, {1, 3}, {2, 3}};
  for (int n = 2; n <= 8; ++n)
    for (int a = 0; a <= n; ++a)
      for (int b = 0; a + b <= n; ++b)
        for (int d = 0; a + b + d <= n; ++d)
          for (int hiv = 1; hiv < n; ++hiv)
            for (int flu = 0; hiv + flu <= n && flu <= hiv; ++flu)
              for (auto const max : bounds)
                for (bool const two : {false, true})
                  for (bool const listed : {false, true}) {
                    if (listed && flu > 0) continue;  // of what is not listed nothing is read
                    int const most = listed ? hiv : std::max(hiv, n - hiv - flu);
                    if (most * max.den > n * max.num) continue;  // no release
                    visit(Shape{{a, b, d, n - a - b - d}, two, hiv, flu, max, 1 + (a + b + hiv) % 2, listed});
                  }
}

TEST(SequentialReader, SimulatableKeepsTheBoundInEveryTableOfTheGrid) {
  std::size_t const step = full_grid() ? 1 : 149;
  std::size_t number = 0, tables = 0, releases = 0, several = 0;
  each_shape([&](Shape const& shape) {
    if (number++ % step != 0 || ::testing::Test::HasFailure()) return;
    SCOPED_TRACE(text_of(shape));
    Table table;
    make(table, shape, true);
    auto const verdict = judge(table, 3000, false);
    ASSERT_TRUE(verdict);
    ++tables;
    releases += verdict->releases;
    several += verdict->several;
    EXPECT_LE(verdict->excess, 1e-9) << "a reader knows with chance " << verdict->worst;
    EXPECT_TRUE(verdict->all_accepted);
  });
  std::printf("%zu tables of %zu, %zu releases, of several classes %zu\n", tables, number, releases, several);
  EXPECT_GT(several, 0U);
}

// A node that is no union of what there is at the end was read too early, or too fine.
TEST(SequentialReader, NodesThatWereReadAreUnionsOfClasses) {
  TestedNodes tested;
  std::vector<TestedNodes::Node> const groups{{4, 7}, {0, 4}, {7, 9}};
  for (TestedNodes::Node const node : {TestedNodes::Node{0, 9}, {0, 4}, {4, 9}, {4, 7}}) tested.add(node);
  for (std::uint32_t i = 0; i < 10000; ++i) tested.add(groups[i % 3]);
  tested.check(groups);
  for (TestedNodes::Node const node : {TestedNodes::Node{0, 5}, {5, 7}, {1, 4}}) {
    TestedNodes bad = tested;
    bad.add(node);
    EXPECT_THROW(bad.check(groups), Error);
  }
}

TEST(SequentialReader, DecisionsOfThePaperTellMore) {
  std::size_t const step = full_grid() ? 1 : 499;
  std::size_t number = 0, tables = 0, exceeded = 0;
  double worst = 0;
  each_shape([&](Shape const& shape) {
    if (number++ % step != 0) return;
    Table table;
    make(table, shape, false);
    auto const verdict = judge(table, 3000, false);
    ++tables;
    exceeded += verdict->excess > 1e-9;
    worst = std::max(worst, verdict->worst);
  });
  std::printf("the paper's decisions: above the bound in %zu of %zu tables, worst chance %.3f\n", exceeded, tables,
              worst);
  EXPECT_GT(exceeded, 0U);
}

// Two nurses, four clerks, two of the six with HIV, a link of 1/2 at most (doc/semantics.md).
TEST(SequentialReader, TwoNursesAndFourClerks) {
  Shape const shape{{2, 0, 4, 0}, false, 2, 0, {1, 2}, 2, true};
  Table by_paper, by_rule;
  make(by_paper, shape, false);
  make(by_rule, shape, true);
  auto const paper = judge(by_paper, 100, true), rule = judge(by_rule, 100, true);
  EXPECT_DOUBLE_EQ(paper->worst, 1);
  EXPECT_FALSE(paper->all_accepted);
  EXPECT_NEAR(rule->worst, 1.0 / 3, 1e-12);
  EXPECT_TRUE(rule->all_accepted);
}

// A nurse with three partners and a clerk with one: one has HIV, at most half of the join may. Only if it is the clerk
// do the rows themselves keep that, and a release would tell.
TEST(SequentialReader, TheMostGeneralReleaseIsDecidedAtWorstToo) {
  for (bool const simulatable : {false, true})
    for (bool const nurse : {false, true}) {
      Case c;
      add_flat(c, "job", {"nurse", "clerk"});
      c.add_table({"sex", "job", "illness"},
                  {{"F", "nurse", nurse ? "HIV" : "flu"}, {"F", "clerk", nurse ? "flu" : "HIV"}});
      add_flat(c, "sex", {"F", "M"});
      c.generalize("sex");
      c.add_table({"job"}, {{"nurse"}, {"nurse"}, {"nurse"}, {"clerk"}});
      c.join("job", {0, 1});
      c.linkability({"T1.sex"}, {"T1.illness"}, {1, 2}, {{"HIV"}});
      c.problem.rules.back().tables = std::vector<std::size_t>{1};
      c.problem.simulatable = simulatable;
      c.problem.secret = {2};
      auto const outcome = c.run();
      EXPECT_EQ(outcome.feasible, !simulatable && !nurse);
      if (simulatable) expect_share(outcome.rules[0].root, 3, 4);
    }
}

// Cuts that follow a label which is not shown: of five persons one has H. Only if it is person 1 are they cut by y, so
// the cuts alone name the holder (doc/semantics.md).
TEST(SequentialReader, ALabelThatIsNotShownIsTold) {
  for (std::size_t holder = 0; holder < 5; ++holder) {
    Rows rows{{"b", "c", "f"}, {"a", "c", "f"}, {"b", "d", "f"}, {"a", "d", "f"}, {"a", "d", "f"}};
    rows[holder][2] = "H";
    Case c;
    add_flat(c, "x", {"a", "b"});
    add_flat(c, "y", {"c", "d"});
    c.add_table({"x", "y", "s"}, rows);
    c.generalize("x");
    c.generalize("y");
    c.anonymity({"T1.x", "T1.y"}, {}, {0}, 2);
    c.problem.objective = Objective::kEntropy;
    c.problem.label = 2;
    auto const outcome = c.run();
    ASSERT_EQ(outcome.trace.size(), 1U);
    EXPECT_EQ(outcome.trace.front().attribute, holder == 1 ? 1U : 0U) << "person " << holder;
  }
}

// What would read the secret in another way is refused.
TEST(SequentialReader, RefusesWhatIsNotDecidedAtWorst) {
  auto const refused = [](auto change) {
    Case c;
    add_flat(c, "job", {"nurse", "clerk"});
    c.add_table({"job", "illness", "income"}, {{"nurse", "flu", "rich"}, {"clerk", "HIV", "poor"}});
    c.add_table({"job", "illness"}, {{"nurse", "flu"}, {"clerk", "HIV"}});
    c.generalize("job");
    c.problem.simulatable = true;
    c.problem.secret = {1, 2};
    change(c);
    try {
      c.run();
    } catch (Error const& error) {
      EXPECT_TRUE(error.fault() == Fault::kUnsupported || error.fault() == Fault::kParameter) << error.what();
      return true;
    }
    return false;
  };
  std::vector<std::size_t> const alone;
  auto const link = [&](Case& c) { c.linkability({"T1.job"}, {"T1.illness"}, {2, 3}).tables = alone; };
  EXPECT_FALSE(refused([&](Case& c) { link(c); }));
  EXPECT_FALSE(refused([&](Case& c) {
    c.join("job", {0, 1});
    link(c);
  }));
  EXPECT_FALSE(refused([&](Case& c) { c.anonymity({"T1.job"}, {}, {0}, 1); }));
  EXPECT_TRUE(refused([&](Case& c) {
    link(c);
    c.join("illness", {0, 1});
  }));
  EXPECT_TRUE(refused([&](Case& c) {
    link(c);
    c.problem.search = true;
  }));
  EXPECT_TRUE(refused([&](Case& c) {
    c.problem.objective = Objective::kEntropy;
    c.problem.label = 1;
  }));
  EXPECT_TRUE(refused([&](Case& c) { c.anonymity({"T1.job"}, {"T1.illness"}, {}, 2); }));
  EXPECT_TRUE(refused([&](Case& c) { c.anonymity({"T1.job", "T1.income"}, {}, {0}, 2); }));
  EXPECT_TRUE(refused([&](Case& c) { c.linkability({"T1.income"}, {"T1.illness"}, {1, 2}).tables = alone; }));
  EXPECT_TRUE(refused([&](Case& c) { c.linkability({}, {"T1.illness", "T1.job"}, {1, 2}).tables = alone; }));
  EXPECT_TRUE(refused([&](Case& c) { c.linkability({"T1.job"}, {"T1.income", "T2.illness"}, {1, 2}); }));
}

// By the paper's score, the loss of a rule that refuses nothing moves steps; where a search for k leads the way it does
// not, so that whose values they are plays no part.
TEST(SequentialReader, ARuleThatRefusesNothingMovesNothingWhereKLeads) {
  std::set<std::vector<std::int32_t>> cuts[2];
  for (int arrangement = 0; arrangement < 16; ++arrangement)
    for (bool const led : {false, true}) {
      Case c;
      add_flat(c, "job", {"nurse", "clerk"});
      add_flat(c, "sex", {"F", "M"});
      Rows rows;
      for (int i = 0; i < 8; ++i)
        rows.push_back(
            {i < 4 ? "nurse" : "clerk", i % 4 < 2 ? "F" : "M", (arrangement >> i / 2 & 1) != 0 ? "HIV" : "flu"});
      c.add_table({"job", "sex", "illness"}, rows);
      c.generalize("job");
      c.generalize("sex");
      c.anonymity({"T1.job", "T1.sex"}, {}, {0}, 3);
      c.linkability({"T1.job", "T1.sex"}, {"T1.illness"}, {1, 1}, {{"HIV"}});
      c.problem.valid_split = true;
      if (led) lead(c.problem, 3);
      auto const outcome = c.run();
      ASSERT_TRUE(outcome.feasible);
      std::vector<std::int32_t> shown;
      for (auto const& values : outcome.cut) shown.push_back(static_cast<std::int32_t>(values.size()));
      cuts[led ? 1 : 0].insert(shown);
    }
  EXPECT_GT(cuts[0].size(), 1U);
  EXPECT_EQ(cuts[1].size(), 1U);
}

// Random tables: several quasi columns, numbers, NULL, a column that is published as it is, two secrets, an earlier
// release that shows something else, rules of all kinds.
class Draw {
 public:
  // `joined`: an earlier release, and only rules whose rows differ in weight.
  Draw(std::uint64_t seed, bool joined) : random_(seed), joined_(joined) {}

  void make(Table& table) {
    Case& c = table.c;
    int const n = joined_ ? 3 + below(4) : 2 + below(7);
    bool const as_is = chance(40), two = !joined_ && chance(30), earlier = joined_ || chance(50);
    c.add_taxonomy("job", {{"care", "ANY"}, {"nurse", "care"}, {"doctor", "care"}, {"clerk", "ANY"}});
    add_flat(c, "sex", {"F", "M"});
    Rows rows;
    for (int i = 0; i < n; ++i)
      rows.push_back(
          {one_of({"nurse", "doctor", "clerk", chance(20) ? "" : "clerk"}), one_of({"F", "M"}),
           chance(5) && i > 0 ? "" : std::to_string(20 + 10 * below(4)), as_is ? one_of({"here", "there"}) : "here",
           chance(10) ? "" : one_of({"HIV", "flu", "none", "none"}), two ? one_of({"rich", "poor"}) : "rich"});
    c.add_table({"job", "sex", "age", "place", "illness", "income"}, rows);
    for (auto const& column : {"job", "sex", "age"}) c.generalize(column);
    if (earlier) {
      Rows shown;
      for (auto const& row : rows) {  // the same persons; some twice, so that weights differ
        Row const other{row[0].empty() || chance(40) ? (row[0].empty()      ? ""
                                                        : row[0] == "clerk" ? "clerk"
                                                                            : "care")
                                                     : row[0],
                        row[3], one_of({"a", "b"})};
        shown.push_back(other);
        if (chance(40)) shown.push_back(other);
      }
      c.add_table({"job", "place", "race"}, shown);
      c.join("job", {0, 1});
      if (chance(60)) c.join("place", {0, 1});
      c.problem.dangling = Dangling::kOuter;
    }
    joined_ ? add_joined_rules(c) : add_rules(c, two, earlier);
    c.problem.valid_split = chance(50);
    c.problem.objective = chance(30) ? Objective::kDiscernibility : Objective::kDistortion;
    c.problem.simulatable = true;
    table.keep_secret(two ? std::vector<std::string>{"illness", "income"} : std::vector<std::string>{"illness"});
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string one_of(std::vector<std::string> const& values) { return values[random_() % values.size()]; }

  void add_rules(Case& c, bool two, bool earlier) {
    std::vector<std::string> const quasi{"T1.job", "T1.sex", "T1.age"};
    std::vector<std::string> all(quasi);
    all.push_back("T1.place");
    if (!two) all.push_back("T1.income");  // known to all, as it is one
    auto const max = [&] { return std::vector<Ratio>{{1, 2}, {1, 3}, {2, 3}, {3, 4}}[random_() % 4]; };
    auto const join_or_not = [&](Rule& rule) {
      if (!earlier || chance(50)) rule.tables = std::vector<std::size_t>{};
    };
    c.anonymity(quasi, {}, {0}, 1 + below(2)).tables = std::vector<std::size_t>{};
    Rule& about = chance(50) ? c.linkability(all, {"T1.illness"}, max())
                             : c.linkability(all, {"T1.illness"}, max(), {{"HIV"}, {"HIV", "flu"}});
    about.nulls = about.sensitive.empty() && chance(40);
    join_or_not(about);
    if (two && chance(60)) join_or_not(c.linkability(all, {"T1.income"}, {3, 4}, {{"rich"}}));
    if (chance(40)) join_or_not(c.linkability({"T1.job"}, {"T1.illness"}, max(), {{"HIV"}}));
    if (earlier && chance(50)) c.linkability(quasi, {"T2.race"}, {3, 4});
    if (earlier && chance(30)) c.linkability({"T1.sex", "T2.job"}, {"T1.illness"}, {3, 4}, {{"flu"}});
  }

  void add_joined_rules(Case& c) {
    std::vector<Ratio> const bounds{{1, 2}, {2, 3}, {3, 4}, {4, 5}};
    auto const max = [&] { return bounds[random_() % 4]; };
    switch (below(3)) {
      case 0: c.linkability({"T1.sex"}, {"T1.illness"}, max(), {{"HIV"}, {"flu"}}); break;
      case 1: c.linkability({"T1.sex", "T2.race"}, {"T1.illness"}, max(), {{"HIV", "flu"}}); break;
      default: c.linkability({"T1.age"}, {"T1.illness"}, max(), {{"HIV"}}).nulls = false;
    }
    if (chance(30)) c.linkability({"T2.job"}, {"T1.illness"}, max(), {{"HIV"}});
  }

  std::mt19937_64 random_;
  bool joined_;
};

void judge_draws(std::uint64_t default_seed, int count, bool joined) {
  auto const [seed, instances] = runs(default_seed, count);
  std::size_t tables = 0, releases = 0, several = 0;
  for (int i = 0; i < instances && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    Table table;
    Draw(seed * 1000003 + static_cast<std::uint64_t>(i), joined).make(table);
    if (i % 2 == 1) lead(table.c.problem, 1 + i % 3);
    auto const verdict = judge(table, full_grid() ? 420 : joined ? 40 : 120, true);
    if (!verdict) continue;
    ++tables;
    releases += verdict->releases;
    several += verdict->several;
    EXPECT_LE(verdict->excess, 1e-9) << "a reader knows with chance " << verdict->worst;
    EXPECT_TRUE(verdict->all_accepted);
  }
  std::printf("%zu tables, %zu releases, of several classes %zu\n", tables, releases, several);
  EXPECT_GT(several, 0U);
}

TEST(SequentialReader, SimulatableKeepsTheBoundInRandomTables) { judge_draws(20260801, 80, false); }

// Where rows count as often as they have partners: in every arrangement the join keeps the bound, and each gives the
// release.
TEST(SequentialReader, SimulatableKeepsTheBoundWhereRowsDifferInWeight) { judge_draws(20260802, 200, true); }

}  // namespace
}  // namespace anon_seq::testing
