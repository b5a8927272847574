// Persons who are published without quasi values: what a reader concludes who knows the code, and everybody's quasi
// values, by enumeration over small tables.
#include "core/sequential/blanked.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "core/sequential/finest_cut.h"
#include "lossy_fixture.h"
#include "sequential_reader.h"

namespace anon_seq::testing {
namespace {

using reader::SecretTuple;
using reader::Table;

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string one_of(std::vector<std::string> const& values) { return values[random_() % values.size()]; }

 private:
  std::mt19937_64 random_;
};

// A release with such persons as "suppress": "cells" makes it: row -> class; one more than the cut's of those without
// quasi values; -1 left out.
struct Made {
  std::vector<std::int32_t> class_of;
  bool blanked = false;
};

bool is_root(Problem const& problem, std::size_t a, Vector<CutValue> const& cut) {
  auto const* const tree = problem.attributes[a].taxonomy;
  Rank const all =
      tree != nullptr ? tree->leaves(kRoot) + 1 : problem.table->columns[problem.attributes[a].column].distinct();
  return cut.size() == 1 && cut[0].ranks == Extent{0, all};
}

// nullopt: refused. `out`: who may not be shown; `problem`: with the finest cut.
std::optional<Made> make(Problem problem, Vector<char> const& out, std::int64_t k) {
  NoCheckpoint none;
  CodedTable const whole = *problem.table, visible = whole.rows_where(out, false);
  auto const persons = std::count_if(out.begin(), out.end(), [](char each) { return each != 0; });
  problem.table = &visible;
  auto const outcome = specialize(problem, none);
  if (!outcome.feasible) return std::nullopt;
  bool general = true;
  for (std::size_t a = 0; a < outcome.cut.size(); ++a) general = general && is_root(problem, a, outcome.cut[a]);
  Made made;
  made.blanked = persons > 0 && persons >= k && !general;
  if (made.blanked) {
    auto const levels = measure_blanked(problem, whole.rows_where(out, true), none);
    for (std::size_t r = 0; r < levels.size(); ++r)
      if (Judge(problem.rules[r]).violates(levels[r])) return std::nullopt;
  }
  for (std::size_t row = 0, at = 0; row < out.size(); ++row)
    made.class_of.push_back(out[row] == 0  ? outcome.classes.class_of(at++)
                            : made.blanked ? outcome.classes.count()
                                           : kWithheld);
  return made;
}

struct Beliefs {
  double arrangements = 0;
  std::map<std::pair<std::size_t, Code>, double> holds;  // row, value
};

struct Verdict {
  std::size_t blanked = 0, several = 0, left_out = 0;  // releases
  double excess = -1;                                  // of a chance above the bound
  bool all_accepted = true;
};

// Every arrangement of the illnesses released; the chances of those who are published. `bounded`: kNull: each illness.
void judge(Table& table, Vector<char> const& out, std::int64_t k, Ratio max, Code bounded, double most,
           Verdict& verdict) {
  std::map<std::pair<std::vector<std::int32_t>, std::map<std::int32_t, std::vector<SecretTuple>>>, Beliefs> releases;
  table.each_arrangement(most, [&] {
    auto const made = make(table.c.problem, out, k);
    if (!made) return;
    std::map<std::int32_t, std::vector<SecretTuple>> bags;
    for (std::size_t row = 0; row < out.size(); ++row)
      if (made->class_of[row] >= 0) bags[made->class_of[row]].push_back(table.tuples()[row]);
    for (auto& [id, bag] : bags) std::sort(bag.begin(), bag.end());
    verdict.blanked += made->blanked;
    verdict.several += made->blanked && bags.size() > 2;
    verdict.left_out += !made->blanked && std::count(out.begin(), out.end(), 1) > 0;
    auto& beliefs = releases[{made->class_of, bags}];
    ++beliefs.arrangements;
    for (std::size_t row = 0; row < out.size(); ++row)
      if (made->class_of[row] >= 0) ++beliefs.holds[{row, table.tuples()[row][0]}];
  });
  for (auto const& [release, beliefs] : releases) {
    double inside = 1;
    std::vector<SecretTuple> rest(table.tuples());
    for (auto const& [id, bag] : release.second) {
      inside *= Table::orders(bag);
      for (auto const& tuple : bag) rest.erase(std::find(rest.begin(), rest.end(), tuple));
    }
    verdict.all_accepted &= inside * Table::orders(rest) == beliefs.arrangements;
    for (auto const& [key, count] : beliefs.holds)
      if (bounded == kNull ? key.second != kNull : key.second == bounded)
        verdict.excess = std::max(
            verdict.excess, count / beliefs.arrangements - static_cast<double>(max.num) / static_cast<double>(max.den));
  }
}

// Tables of up to eight rows over a tree and a flat column; who may not be shown is found by k and a limit alone.
TEST(Blanked, SimulatableDecisionsKeepTheBoundOfThemToo) {
  auto const [seed, count] = runs(20261103, 400);
  Verdict verdict;
  for (int i = 0; i < count && !HasFailure(); ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    Random random(seed * 1000003 + static_cast<std::uint64_t>(i));
    Table table;
    Case& c = table.c;
    c.add_taxonomy("job", {{"care", "ANY"}, {"nurse", "care"}, {"doctor", "care"}, {"clerk", "ANY"}, {"miner", "ANY"}});
    add_flat(c, "sex", {"F", "M"});
    Rows rows;
    for (int n = 4 + random.below(5); n > 0; --n)
      rows.push_back({random.one_of({"nurse", "nurse", "nurse", "clerk", "clerk", "doctor", "miner"}),
                      random.chance(10) ? "" : random.one_of({"F", "F", "M"}),
                      random.one_of({"HIV", "flu", "none", "none"})});
    c.add_table({"job", "sex", "illness"}, rows);
    c.generalize("job");
    c.generalize("sex");
    std::int64_t const k = 1 + random.below(3);
    KDemands const demands{k, static_cast<std::int64_t>(rows.size()) * (1 + random.below(3)) / 6, {}};
    NoCheckpoint none;
    auto const finest = find_finest_cut(c.problem, demands, none);
    if (!finest.found || finest.left_out.persons == 0) continue;
    limit_to(c.problem, finest.cuts);
    std::vector<Ratio> const bounds{{1, 2}, {2, 3}, {3, 4}};
    Ratio const max = bounds[static_cast<std::size_t>(random.below(3))];
    c.anonymity({"T1.job", "T1.sex"}, {}, {0}, k);
    Code const hiv = c.column(c.at(0, "illness")).values.find("HIV");
    bool const listed = hiv != kNoCode && random.chance(60);
    if (listed)
      c.linkability({"T1.job", "T1.sex"}, {"T1.illness"}, max, {{"HIV"}});
    else
      c.linkability({"T1.job", "T1.sex"}, {"T1.illness"}, max);
    c.problem.simulatable = true;
    table.keep_secret({"illness"});
    judge(table, finest.left_out.rows, k, max, listed ? hiv : kNull, full_grid() ? 1000 : 200, verdict);
    EXPECT_LE(verdict.excess, 1e-9);
    EXPECT_TRUE(verdict.all_accepted);
  }
  std::printf("releases with such persons %zu, beside several classes %zu, with them left out %zu\n", verdict.blanked,
              verdict.several, verdict.left_out);
  EXPECT_GT(verdict.several, 0U);
  EXPECT_GT(verdict.left_out, 0U);
}

// T2 shows classes, and persons without quasi values. A reader knows who these are: they match the classes of T1 that
// one of them could be in. The rule says no less, with all of them and without any.
TEST(Blanked, OfAnEarlierReleaseAreCountedAsHisReaderDoesOrWorse) {
  auto const [seed, count] = runs(20261104, 600);
  int met = 0, only_without = 0, only_with = 0;
  for (int i = 0; i < count && !HasFailure(); ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    Random random(seed * 1000003 + static_cast<std::uint64_t>(i));
    std::vector<std::string> const jobs{"nurse", "doctor", "clerk", "miner"};
    Rows rows, shown, bare;
    std::vector<std::string> known;  // jobs of those without quasi values
    for (int n = 3 + random.below(6); n > 0; --n) {
      std::string const job = random.one_of(jobs), illness = random.one_of({"HIV", "flu", "none"});
      rows.push_back({job, random.one_of({"here", "there"})});
      bool const blank = random.chance(35);
      shown.push_back({blank ? "ANY" : job == "nurse" || job == "doctor" ? "care" : job, illness});
      if (blank)
        known.push_back(job);
      else
        bare.push_back(shown.back());
    }
    if (known.empty() || bare.empty()) continue;
    ++met;
    auto const worst = [&](Rows const& earlier) {
      Case c;
      c.add_taxonomy("job",
                     {{"care", "ANY"}, {"nurse", "care"}, {"doctor", "care"}, {"clerk", "ANY"}, {"miner", "ANY"}});
      c.add_table({"job", "place"}, rows);
      c.add_table({"job", "illness"}, earlier);
      c.generalize("job");
      c.join("job", {0, 1});
      c.linkability({"T1.job"}, {"T2.illness"}, {1, 2});
      c.problem.dangling = Dangling::kOuter;
      auto const level = c.measure({{"nurse", "doctor", "clerk", "miner"}})[0];
      return level.measured() ? static_cast<double>(level.num) / static_cast<double>(level.den) : 0;
    };
    double truth = 0;  // as the reader counts
    for (auto const& job : jobs) {
      if (std::none_of(rows.begin(), rows.end(), [&](Row const& row) { return row[0] == job; })) continue;
      bool const candidates = std::count(known.begin(), known.end(), job) > 0;
      std::map<std::string, int> holds;
      int all = 0;
      for (auto const& row : shown) {
        bool const care = row[0] == "care" && (job == "nurse" || job == "doctor");
        if (row[0] != job && !care && !(row[0] == "ANY" && candidates)) continue;
        ++holds[row[1]], ++all;
      }
      for (auto const& [illness, n] : holds) truth = std::max(truth, static_cast<double>(n) / all);
    }
    double const with = worst(shown), without = worst(bare);
    EXPECT_LE(truth, std::max(with, without) + 1e-12);
    only_without += truth > with + 1e-12;
    only_with += truth > without + 1e-12;
  }
  std::printf("%d tables; the reader is surer than with all of them in %d, than without any in %d\n", met, only_without,
              only_with);
  EXPECT_GT(only_without, 0);
  EXPECT_GT(only_with, 0);
}

// What is counted of T1's own in the join with T2 is the same whatever part of it they match, if y is in T1 and no
// other column is matched.
TEST(Blanked, OfThisReleaseCountTheSameWhateverTheyMatch) {
  auto const [seed, count] = runs(20261105, 300);
  int alike = 0, others = 0, differ = 0;
  for (int i = 0; i < count && !HasFailure(); ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    Random random(seed * 1000003 + static_cast<std::uint64_t>(i));
    Rows rows, shown, part;
    for (int n = 1 + random.below(6); n > 0; --n)
      rows.push_back({random.one_of({"nurse", "clerk"}), random.one_of({"F", "M"}), random.one_of({"HIV", "flu"})});
    for (int n = 1 + random.below(6); n > 0; --n) {
      shown.push_back({random.one_of({"nurse", "clerk", "ANY"}), random.one_of({"F", "M"}), random.one_of({"a", "b"})});
      if (random.chance(60)) part.push_back(shown.back());
    }
    if (part.empty()) continue;
    bool const sex = random.chance(40);
    int const which = random.below(4);
    auto const measure = [&](Rows const& earlier, bool& same) {
      Case c;
      add_flat(c, "job", {"nurse", "clerk"});
      c.add_table({"job", "sex", "illness"}, rows);
      c.add_table({"job", "sex", "race"}, earlier);
      c.generalize("job");
      c.join("job", {0, 1});
      if (sex) c.join("sex", {0, 1});
      c.problem.dangling = Dangling::kOuter;
      if (which == 0) c.anonymity({"T1.job"}, {}, {0}, 2);
      if (which == 1) c.linkability({"T1.job"}, {"T1.illness"}, {1, 2});
      if (which == 2) c.linkability({"T1.job"}, {"T2.race"}, {1, 2});
      if (which == 3) c.anonymity({"T1.job"}, {"T1.illness"}, {1}, 2);
      same = matches_alike(c.problem, c.problem.rules[0]);
      EXPECT_TRUE(tied_by(c.problem, c.problem.rules[0], 0, {0}, false));
      NoCheckpoint none;
      return measure_blanked(c.problem, *c.problem.table, none)[0];
    };
    bool same = false;
    Level const all = measure(shown, same), some = measure(part, same);
    EXPECT_EQ(same, which < 2 && !sex);
    bool const equal = all.num * some.den == some.num * all.den;
    if (same) {
      EXPECT_TRUE(equal) << all.num << "/" << all.den << " and " << some.num << "/" << some.den;
    }
    alike += same, others += !same, differ += !equal;
  }
  std::printf("%d alike, %d others, of which %d differ\n", alike, others, differ);
  EXPECT_GT(alike, 0);
  EXPECT_GT(differ, 0);
}

// Six clerks and two nurses; a miner and a cook show nothing.
TEST(Blanked, LoseEverythingAndAreOneClass) {
  Case c;
  c.add_taxonomy("job", {{"desk", "ANY"}, {"clerk", "desk"}, {"nurse", "ANY"}, {"miner", "ANY"}});
  Rows rows(6, {"clerk", "20"});
  rows.insert(rows.end(), {{"nurse", "20"}, {"nurse", "40"}, {"miner", ""}, {"clerk", "90"}});
  c.add_table({"job", "age"}, rows);
  c.generalize("job");
  c.generalize("age");
  Vector<char> const blank{0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  auto const others = c.problem.table->rows_where(blank, false), blanked = c.problem.table->rows_where(blank, true);
  EXPECT_EQ(others.rows(), 8U);
  EXPECT_EQ(blanked.rows(), 2U);
  c.problem.table = &others;
  c.anonymity({"T1.job", "T1.age"}, {}, {0}, 2);
  auto const outcome = c.run();
  NoCheckpoint none;
  auto const axes = loss_axes(c.problem, outcome.cut);
  auto loss = measure_loss(others, outcome.classes, axes, 2, none);
  auto const before = loss;
  add_blanked(loss, blanked, axes, 8, outcome.classes.count(), 2);
  EXPECT_DOUBLE_EQ(loss.discernibility, before.discernibility + 4);
  EXPECT_DOUBLE_EQ(loss.c_avg, 10.0 / (outcome.classes.count() + 1) / 2);
  EXPECT_DOUBLE_EQ(loss.ncp, (before.ncp * 8 + 2) / 10);
  for (std::size_t a = 0; a < 2; ++a) EXPECT_DOUBLE_EQ(loss.axes[a].ncp, (before.axes[a].ncp * 8 + 2) / 10);
  EXPECT_DOUBLE_EQ(*loss.distortion_categorical, (*before.distortion_categorical * 8 + 1 + 2) / 10);
  EXPECT_DOUBLE_EQ(*loss.distortion_continuous, (*before.distortion_continuous * 8 + 2) / 10);
  EXPECT_DOUBLE_EQ(*loss.blanked, 0.2);
  add_withheld(loss, 10, 10);
  EXPECT_DOUBLE_EQ(*loss.blanked, 0.1);
  EXPECT_DOUBLE_EQ(loss.suppression, 0.5);
}

}  // namespace
}  // namespace anon_seq::testing
