// A rule that joins some of the releases sees just these: as if the others had never been.
#include <gtest/gtest.h>

#include <random>

#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

Rows random_rows(std::mt19937& random, std::size_t width) {
  Rows rows(1 + random() % 6);
  for (auto& row : rows)
    for (std::size_t c = 0; c < width; ++c) row.push_back(std::string(1, static_cast<char>('a' + random() % 2)));
  return rows;
}

struct Tables {
  Rows t1, t2, t3;
};

void fill(Case& c, Tables const& tables, bool with_third) {
  c.add_taxonomy("D", {{"a", "ANY"}, {"b", "ANY"}});
  c.add_taxonomy("E", {{"a", "ANY"}, {"b", "ANY"}});
  c.add_table({"D", "E", "S"}, tables.t1);
  c.add_table({"D", "U"}, tables.t2);
  if (with_third) c.add_table({"D", "E", "V"}, tables.t3);
  c.generalize("D");
  c.generalize("E");
  c.join("D", with_third ? std::vector<std::size_t>{0, 1, 2} : std::vector<std::size_t>{0, 1});
  if (with_third) c.join("E", {0, 2});
  c.problem.dangling = Dangling::kOuter;
  c.anonymity({"T1.D"}, {"T2.U"}, {}, 1);
  c.anonymity({"T1.D", "T1.E"}, {}, {0, 1}, 1);
  c.linkability({"T1.D"}, {"T1.S"}, {1, 1}, {});
  for (auto& rule : c.problem.rules) {
    rule.allow_partial_x = true;
    rule.tables = std::vector<std::size_t>{1};
  }
}

TEST(RuleTables, OtherReleasesPlayNoPart) {
  unsigned const seed = 20260901;
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    Tables const tables{random_rows(random, 3), random_rows(random, 2), random_rows(random, 3)};
    Case both, one;
    fill(both, tables, true);
    fill(one, tables, false);
    for (bool general : {false, true}) {
      auto const a = both.measure({}, general), b = one.measure({}, general);
      for (std::size_t rule = 0; rule < a.size(); ++rule) {
        EXPECT_EQ(a[rule].num, b[rule].num) << "seed " << seed << ", instance " << i << ", rule " << rule;
        EXPECT_EQ(a[rule].den, b[rule].den) << "seed " << seed << ", instance " << i << ", rule " << rule;
      }
    }
  }
}

TEST(RuleTables, NoReleaseAtAllIsT1Alone) {
  Case c;
  fill(c, {{{"a", "a", "y"}, {"a", "b", "n"}, {"b", "a", "y"}}, {{"a", "u"}, {"a", "v"}}, {{"b", "b", "w"}}}, true);
  c.problem.rules.clear();
  c.anonymity({"T1.D"}, {}, {0}, 1);
  c.linkability({"T1.D"}, {"T1.S"}, {1, 1}, {{"y"}});
  for (auto& rule : c.problem.rules) rule.tables.emplace();
  auto const levels = c.measure({}, false);
  EXPECT_EQ(levels[0].num, 3);
  EXPECT_EQ(levels[1].num * 3, levels[1].den * 2);
}

TEST(RuleTables, ATableOutsideIsNoTableOfTheRule) {
  Case c;
  fill(c, {{{"a", "a", "y"}}, {{"a", "u"}}, {{"a", "a", "w"}}}, true);
  c.problem.rules.resize(1);
  c.problem.rules[0].tables = std::vector<std::size_t>{2};
  EXPECT_THROW(c.problem.check(), Error);
}

}  // namespace
}  // namespace anon_seq::testing
