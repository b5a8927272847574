// Which columns decide others: against sets of pairs.
#include "core/table/functional_dependency.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

std::vector<Dependency> found_in(std::vector<std::string> const& names, Rows const& rows,
                                 Vector<std::int64_t> weights) {
  Case c;
  c.add_table(names, rows, std::move(weights));
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back(i);
  NoCheckpoint none;
  return functional_dependencies(*c.problem.table, columns, none);
}

TEST(FunctionalDependency, EachCityHasOneCounty) {
  Rows rows;
  for (int i = 0; i < 60; ++i) {
    std::string const city = std::to_string(i % 6);
    rows.push_back(
        {i % 6 < 3 ? "north" : "south", city, i % 6 < 3 ? "N" : "S", std::to_string(i), "all", i % 7 < 3 ? "a" : "b"});
  }
  std::vector<std::string> const names{"county", "city", "letter", "id", "country", "other"};
  EXPECT_EQ(found_in(names, rows, {}), (std::vector<Dependency>{{0, 2}, {1, 0}, {1, 2}}));
  rows.back()[0] = "";  // one has no county
  EXPECT_EQ(found_in(names, rows, {}), (std::vector<Dependency>{{0, 2}, {1, 2}}));
  rows.resize(49);
  EXPECT_TRUE(found_in(names, rows, {}).empty());
  EXPECT_FALSE(found_in(names, rows, Vector<std::int64_t>(49, 2)).empty());
}

TEST(FunctionalDependency, AgreesWithSetsOfPairs) {
  std::mt19937_64 random(11);
  auto const draw = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  int several = 0;
  for (int seed = 0; seed < 200; ++seed) {
    int const modulus[] = {1 + draw(6), 1 + draw(6), 1 + draw(12)};
    Rows rows;
    for (int i = 0; i < 60; ++i) {
      int const n = draw(12);
      rows.emplace_back();
      for (int m : modulus) rows.back().push_back(n % m == 0 ? "" : std::to_string(n % m));
    }
    std::vector<Dependency> expected;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        std::set<std::string> from, to;
        std::set<std::pair<std::string, std::string>> pairs;
        for (auto const& row : rows) from.insert(row[i]), to.insert(row[j]), pairs.emplace(row[i], row[j]);
        bool const twice = i > j && from.size() == to.size();
        if (i != j && to.size() > 1 && pairs.size() == from.size() && !twice) expected.push_back({i, j});
      }
    ASSERT_EQ(found_in({"a", "b", "c"}, rows, {}), expected) << seed;
    several += expected.size() > 1;
  }
  EXPECT_GT(several, 5);
}

}  // namespace
}  // namespace anon_seq::testing
