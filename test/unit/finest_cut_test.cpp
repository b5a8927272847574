// Who is left out and the finest cut: against every full-domain recoding, counted another way, and against what nobody
// may look at.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/sequential/cut_classes.h"
#include "core/sequential/detail_limits.h"
#include "core/sequential/finest_cut.h"
#include "core/sequential/loss.h"
#include "runs.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

// Three columns: two trees of two levels and a number, some of them NULL; persons may have several rows.
struct Drawn {
  explicit Drawn(std::uint64_t seed, bool numbers, int far_off = 0) : random(seed) {
    std::vector<std::string> names{"person", "illness", "a", "b"};
    for (std::string name : {"a", "b"}) {
      std::vector<std::pair<std::string, std::string>> edges;
      int const inner = draw(3) + 1;
      for (int i = 0; i < inner; ++i) {
        edges.emplace_back(name + std::to_string(i), "ANY");
        int const leaves = draw(3) + 1;
        for (int j = 0; j < leaves; ++j) {
          edges.emplace_back(name + std::to_string(i) + std::to_string(j), name + std::to_string(i));
          leaves_of[name].push_back(edges.back().first);
        }
      }
      c.add_taxonomy(name, edges);
    }
    if (numbers) names.push_back("age");
    int const n = draw(40) + 2, persons = chance(30) ? n * 2 / 3 + 1 : 0;
    for (int i = 0; i < n; ++i) {
      Row row{std::to_string(persons > 0 ? draw(persons) : i), chance(50) ? "flu" : "HIV"};
      for (std::string name : {"a", "b"}) {
        auto const& leaves = leaves_of[name];
        int const at = chance(60) ? 0 : draw(static_cast<int>(leaves.size()));
        row.push_back(chance(5) ? "" : leaves[static_cast<std::size_t>(at)]);
      }
      bool const far = far_off > 0 && chance(far_off);  // in percent
      if (numbers) row.push_back(chance(5) ? "" : std::to_string(far ? draw(2) * 900 - 100 : 20 + draw(12)));
      rows.push_back(row);
    }
    c.add_table(names, rows);
    for (std::size_t i = 2; i < names.size(); ++i) c.generalize(names[i]);
    if (persons > 0) c.problem.person = 0;
    demands.k = draw(5) + 1;
    demands.most_out = draw(3) * n / 10;
    for (std::size_t i = 2; i < names.size(); ++i) demands.weights.push_back(kLossUnit * (draw(3) + 1));
  }
  int draw(int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return draw(100) < percent; }
  // Floors and ceilings of the two trees, and a start that keeps them.
  void limit() {
    for (std::size_t a = 0; a < 2; ++a) {
      coarsest[a] = draw(3);
      finest[a] = coarsest[a] + draw(3 - coarsest[a]);
      limit_depth(c.problem.attributes[a], {finest[a], coarsest[a]});
    }
  }
  FinestCut find() {
    NoCheckpoint none;
    return find_finest_cut(c.problem, demands, none);
  }

  std::mt19937_64 random;
  Case c;
  std::map<std::string, std::vector<std::string>> leaves_of;
  Rows rows;
  KDemands demands;
  int coarsest[2] = {0, 0}, finest[2] = {2, 2};
};

// What a row shows at a depth of each tree, and what that costs it.
std::pair<std::string, double> shown(Drawn const& drawn, Row const& row, std::vector<int> const& depth) {
  std::string text;
  double cost = 0;
  for (std::size_t a = 0; a < depth.size(); ++a) {
    auto const& tree = *drawn.c.problem.attributes[a].taxonomy;
    auto const& value = row[a + 2];
    auto const weight = static_cast<double>(drawn.demands.weights[a]);
    if (value.empty() && depth[a] > 0) {
      text += "NULL;";
      continue;
    }
    Node node = value.empty() ? kRoot : tree.find(value);
    while (tree.depth(node) > depth[a]) node = tree.parent(node);
    text += std::string(tree.label(node)) + ";";
    if (tree.leaves(node) > 1) cost += weight * tree.leaves(node) / tree.leaves(kRoot);
  }
  return {text, cost};
}

// The persons of each class without those who are out.
std::map<std::string, std::set<std::string>> classes_of(Drawn const& drawn, std::vector<std::string> const& shows,
                                                        std::set<std::string> const& out) {
  std::map<std::string, std::set<std::string>> classes;
  for (std::size_t i = 0; i < drawn.rows.size(); ++i)
    if (!out.contains(drawn.rows[i][0])) classes[shows[i]].insert(drawn.rows[i][0]);
  return classes;
}

std::set<std::string> brute_out(Drawn const& drawn, std::vector<std::string> const& shows) {
  std::set<std::string> out;
  for (bool more = true; more;) {
    more = false;
    for (auto const& [text, persons] : classes_of(drawn, shows, out))
      if (static_cast<std::int64_t>(persons.size()) < drawn.demands.k)
        for (auto const& person : persons) more |= out.insert(person).second;
  }
  return out;
}

// The least loss of all full-domain recodings within the limit; negative: none.
double best_by_force(Drawn const& drawn) {
  double best = -1, all = 0;
  for (auto weight : drawn.demands.weights) all += static_cast<double>(weight);
  for (int a = drawn.coarsest[0]; a <= drawn.finest[0]; ++a)
    for (int b = drawn.coarsest[1]; b <= drawn.finest[1]; ++b) {
      std::vector<std::string> shows;
      std::vector<double> costs;
      for (auto const& row : drawn.rows) {
        auto const [text, cost] = shown(drawn, row, {a, b});
        shows.push_back(text);
        costs.push_back(cost);
      }
      auto const out = brute_out(drawn, shows);
      if (static_cast<std::int64_t>(out.size()) > drawn.demands.most_out) continue;
      double loss = 0;
      for (std::size_t i = 0; i < shows.size(); ++i) loss += out.contains(drawn.rows[i][0]) ? all : costs[i];
      if (best < 0 || loss < best) best = loss;
    }
  return best;
}

int instances(int by_default) { return full_grid() ? by_default * 20 : by_default; }

// `limited`: within floors and ceilings of detail, too.
void compare_with_full_domains(bool limited) {
  int met = 0;
  for (int seed = 0; seed < instances(400); ++seed) {
    Drawn drawn(static_cast<std::uint64_t>(seed), false);
    if (limited) drawn.limit();
    if (drawn.c.problem.person != kNoColumn) continue;  // losses are then counted per person and combination
    auto const found = drawn.find();
    double const best = best_by_force(drawn);
    ASSERT_EQ(found.found, best >= 0) << seed;
    if (!found.found) continue;
    ++met;
    double const rounding = 1e-4 * static_cast<double>(kLossUnit);
    ASSERT_LE(static_cast<double>(found.loss), best + rounding) << seed;
    NoCheckpoint none;
    std::vector<AttributeCut> root;
    for (std::size_t a = 0; a < drawn.c.problem.attributes.size(); ++a) {
      root.emplace_back(drawn.c.problem, a, none);
      root.back().to_start();
    }
    KTable const table(drawn.c.problem, root, none);
    for (std::size_t a = 0; a < 2; ++a)
      for (ValueId v : found.cuts[a].current()) {
        auto const& tree = *drawn.c.problem.attributes[a].taxonomy;
        auto const& [ranks, node, weight, child, children, gain] = found.cuts[a][v];
        if (node == kNoNode || weight == 0) continue;
        ASSERT_LE(tree.depth(node), drawn.finest[a]) << seed;
        ASSERT_TRUE(tree.depth(node) >= drawn.coarsest[a] || tree.is_leaf(node)) << seed;
      }
    auto const nodes =
        best_full_domain(table, drawn.demands, root, std::numeric_limits<std::int64_t>::max(), 1'000'000, none);
    ASSERT_TRUE(nodes.exhaustive);
    ASSERT_NEAR(static_cast<double>(nodes.loss), best, rounding) << seed;
  }
  EXPECT_GT(met, 100);
}

TEST(FinestCut, NeverLosesMoreThanTheBestFullDomainRecoding) { compare_with_full_domains(false); }

TEST(FinestCut, NeverLosesMoreThanTheBestFullDomainRecodingWithinFloorsAndCeilings) { compare_with_full_domains(true); }

// Whoever is left in is in a class of k persons, and no more are out than may be: counted from labels.
TEST(FinestCut, KHoldsForWhoIsLeftInAndTheLimitForWhoIsOut) {
  int with_out = 0, several = 0;
  for (int seed = 0; seed < instances(600); ++seed) {
    Drawn drawn(static_cast<std::uint64_t>(seed), true);
    auto const found = drawn.find();
    if (!found.found) continue;
    auto const pieces = pieces_of(found.cuts);
    std::vector<std::string> shows;
    for (std::size_t i = 0; i < drawn.rows.size(); ++i) {
      shows.emplace_back();
      for (std::size_t a = 0; a < pieces.size(); ++a) {
        Code const code = drawn.c.problem.table->columns[drawn.c.problem.attributes[a].column].codes[i];
        shows.back() += std::to_string(pieces[a][static_cast<std::size_t>(found.cuts[a].rank_of(code))]) + ";";
      }
    }
    auto const out = brute_out(drawn, shows);
    ASSERT_EQ(static_cast<std::int64_t>(out.size()), found.left_out.persons) << seed;
    ASSERT_LE(found.left_out.persons, drawn.demands.most_out) << seed;
    for (std::size_t i = 0; i < shows.size(); ++i)
      ASSERT_EQ(found.left_out.rows[i] != 0, out.contains(drawn.rows[i][0])) << seed;
    with_out += out.empty() ? 0 : 1;
    several += drawn.c.problem.person != kNoColumn ? 1 : 0;
  }
  EXPECT_GT(with_out, 20);
  EXPECT_GT(several, 20);
}

// The fewest columns that show one value, in any full-domain recoding within the limit; -1: there is none.
int least_lost(Drawn const& drawn, double most) {
  int least = -1;
  for (int a = 0; a <= 2; ++a)
    for (int b = 0; b <= 2; ++b) {
      std::vector<std::string> shows;
      std::vector<double> costs;
      double loss = 0, all = 0;
      for (auto weight : drawn.demands.weights) all += static_cast<double>(weight);
      for (auto const& row : drawn.rows) {
        auto const [text, cost] = shown(drawn, row, {a, b});
        shows.push_back(text);
        costs.push_back(cost);
      }
      auto const out = brute_out(drawn, shows);
      if (static_cast<std::int64_t>(out.size()) > drawn.demands.most_out) continue;
      for (std::size_t i = 0; i < shows.size(); ++i) loss += out.contains(drawn.rows[i][0]) ? all : costs[i];
      if (loss > most) continue;
      int lost = 0;
      for (std::size_t c = 2; c < 4; ++c) {
        std::set<std::string> values, texts;
        for (std::size_t i = 0; i < shows.size(); ++i) {
          values.insert(drawn.rows[i][c]);
          auto const at = shows[i].find(';');
          if (!out.contains(drawn.rows[i][0])) texts.insert(c == 2 ? shows[i].substr(0, at) : shows[i].substr(at));
        }
        lost += values.size() > 1 && texts.size() <= 1 ? 1 : 0;
      }
      if (least < 0 || lost < least) least = lost;
    }
  return least;
}

// No full-domain recoding that loses as little shows more columns.
TEST(FinestCut, LosesAColumnOnlyWhereEachRecodingDoes) {
  int met = 0, kept = 0;
  for (int seed = 0; seed < instances(400); ++seed) {
    Drawn drawn(static_cast<std::uint64_t>(seed), false);
    if (drawn.c.problem.person != kNoColumn) continue;
    auto const found = drawn.find();
    if (!found.found) continue;
    ++met;
    int const least = least_lost(drawn, static_cast<double>(found.loss) + 1e-4 * static_cast<double>(kLossUnit));
    ASSERT_TRUE(least < 0 || static_cast<int>(found.lost) <= least) << seed;
    kept += found.lost == 0 ? 1 : 0;
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(kept, 50);
}

// A rare value that is set apart first leaves no room to show b and c; where a comes last, they are shown.
TEST(FinestCut, AnAttributeThatComesLastMakesRoomForOthers) {
  Case c;
  for (std::string name : {"a", "b", "c"}) c.add_taxonomy(name, {{name + "0", "ANY"}, {name + "1", "ANY"}});
  Rows rows;
  for (int i = 0; i < 43; ++i)
    rows.push_back({i < 3 ? "a1" : "a0", i % 2 == 0 ? "b0" : "b1", i / 2 % 2 == 0 ? "c0" : "c1"});
  c.add_table({"a", "b", "c"}, rows);
  for (std::string name : {"a", "b", "c"}) c.generalize(name);
  NoCheckpoint none;
  std::vector<AttributeCut> root;
  for (std::size_t a = 0; a < 3; ++a) root.emplace_back(c.problem, a, none);
  KTable const table(c.problem, root, none);
  KDemands const demands{3, 0, Vector<std::int64_t>(3, kLossUnit)};
  auto const lost = [&](Preference preference) {
    KDescent descent(table, demands, root, preference, none);
    descent.run();
    return descent.lost();
  };
  EXPECT_EQ(lost({}), 2U);
  EXPECT_EQ(lost({.every = true}), 2U);
  EXPECT_EQ(lost({.every = true, .last = 0}), 1U);
  EXPECT_EQ(find_finest_cut(c.problem, demands, none).lost, 1U);
}

TEST(FinestCut, ReadsNoOtherColumn) {
  Drawn drawn(7, true);
  auto const before = drawn.find();
  drawn.c.mutable_column({0, 1}).codes = {};  // reading a row of it is an error that the sanitizers see
  drawn.c.problem.label = 1;
  drawn.c.problem.objective = Objective::kEntropy;
  auto const after = drawn.find();
  EXPECT_EQ(before.loss, after.loss);
  EXPECT_EQ(pieces_of(before.cuts), pieces_of(after.cuts));
}

TEST(FinestCut, DoesNotDependOnTheOrderOfRows) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Drawn drawn(seed, true);
    auto const before = drawn.find();
    auto& table = drawn.c.mutable_table(0);
    for (auto& column : table.columns) std::reverse(column.codes.begin(), column.codes.end());
    auto const after = drawn.find();
    ASSERT_EQ(before.found, after.found) << seed;
    ASSERT_EQ(before.loss, after.loss) << seed;
    if (!before.found) continue;
    ASSERT_EQ(pieces_of(before.cuts), pieces_of(after.cuts)) << seed;
  }
}

// Without the others, a specialization that is held to the finest cut arrives there, and k is what it was measured by.
TEST(FinestCut, IsReachedByWhoIsLeftIn) {
  int reached = 0;
  for (int seed = 0; seed < instances(200); ++seed) {
    Drawn drawn(static_cast<std::uint64_t>(seed), true);
    auto const found = drawn.find();
    if (!found.found) continue;
    auto& table = drawn.c.mutable_table(0);
    for (auto& column : table.columns) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < found.left_out.rows.size(); ++i)
        if (found.left_out.rows[i] == 0) column.codes[kept++] = column.codes[i];
      column.codes.resize(kept);
    }
    if (table.rows() == 0) continue;
    limit_to(drawn.c.problem, found.cuts);
    drawn.c.problem.valid_split = true;
    drawn.c.anonymity({"T1.a", "T1.b", "T1.age"}, {}, {0}, drawn.demands.k);
    auto const outcome = drawn.c.run();
    ASSERT_TRUE(outcome.feasible) << seed;
    ASSERT_GE(outcome.rules[0].reached.num, drawn.demands.k) << seed;
    for (std::size_t a = 0; a < outcome.cut.size(); ++a)
      for (auto const& value : outcome.cut[a]) {
        if (value.weight == 0) continue;
        bool const there = std::any_of(found.cuts[a].current().begin(), found.cuts[a].current().end(),
                                       [&](ValueId v) { return found.cuts[a][v].ranks == value.ranks; });
        ASSERT_TRUE(there) << seed << " attribute " << a << " " << value.ranks.begin << "-" << value.ranks.end;
      }
    ++reached;
  }
  EXPECT_GT(reached, 50);
}

// What measure() would tell of it: NCP of who is left in, by their own ranges; who is out loses all.
double told(Drawn& drawn, FinestCut const& found) {
  auto& table = drawn.c.mutable_table(0);
  auto const whole = table;
  for (auto& column : table.columns) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found.left_out.rows.size(); ++i)
      if (found.left_out.rows[i] == 0) column.codes[kept++] = column.codes[i];
    column.codes.resize(kept);
  }
  std::vector<Vector<CutValue>> cut(found.cuts.size());
  for (std::size_t a = 0; a < cut.size(); ++a)
    for (ValueId v : found.cuts[a].current()) cut[a].push_back(found.cuts[a][v]);
  NoCheckpoint none;
  auto const& problem = drawn.c.problem;
  auto const loss =
      measure_loss(table, classes_of_cut(problem, cut, none), loss_axes(problem, cut), drawn.demands.k, none);
  auto const kept = static_cast<double>(table.rows()), all = static_cast<double>(whole.rows());
  for (auto const& axis : loss.axes) EXPECT_LE(axis.ncp, 1 + 1e-9);
  table = whole;
  return (loss.ncp * kept + all - kept) / all;
}

// A limit is leave to leave out, no demand.
TEST(FinestCut, IsNeverWorseForALimitByWhatMeasuresTell) {
  int better = 0, several = 0;
  for (int seed = 0; seed < instances(400); ++seed) {
    Drawn drawn(static_cast<std::uint64_t>(seed), true, 6);
    drawn.demands.weights.clear();
    auto const with = drawn.find();
    drawn.demands.most_out = 0;
    auto const without = drawn.find();
    if (!without.found || !with.found) continue;
    double const one = told(drawn, with), other = told(drawn, without);
    ASSERT_TRUE(one <= other + 1e-5 || with.lost < without.lost) << seed << ": " << one << " and " << other;
    auto const whole = static_cast<double>(kLossUnit) * static_cast<double>(with.cuts.size() * drawn.rows.size());
    ASSERT_NEAR(static_cast<double>(with.published) / whole, one, 1e-5) << seed;
    better += one < other - 0.01 ? 1 : 0;
    several += drawn.c.problem.person != kNoColumn ? 1 : 0;
  }
  EXPECT_GT(better, 40);
  EXPECT_GT(several, 20);
}

}  // namespace
}  // namespace anon_seq::testing
