// What classes leave open, and how far counts over them are off: against enumeration.
#include "core/lossy/diversity.h"

#include <cmath>
#include <limits>

#include "lossy_fixture.h"

namespace anon_seq::testing {
namespace {

using Bags = std::vector<std::vector<std::int64_t>>;  // class -> value -> count

Diversity measured(Bags const& bags, bool on_a_line) {
  NoCheckpoint checkpoint;
  ValueCells cells;
  cells.begins.push_back(0);
  for (auto const& bag : bags) {
    for (std::size_t value = bag.size(); value-- > 0;) {
      if (bag[value] == 0) continue;
      cells.values.push_back(static_cast<Code>(value));
      cells.counts.push_back(bag[value]);
    }
    cells.begins.push_back(cells.values.size());
  }
  return diversity_of(cells, on_a_line, checkpoint);
}

// As the definitions have it, value by value.
Diversity expected(Bags const& bags, bool on_a_line) {
  auto const sum = [](std::vector<std::int64_t> const& bag) {
    return static_cast<double>(std::accumulate(bag.begin(), bag.end(), std::int64_t{0}));
  };
  std::size_t const values = bags.front().size();
  std::vector<std::int64_t> all(values);
  for (auto const& bag : bags)
    for (std::size_t v = 0; v < values; ++v) all[v] += bag[v];
  Diversity d;
  d.classes = static_cast<std::int64_t>(bags.size());
  d.values = static_cast<std::int64_t>(values);
  d.smallest = std::numeric_limits<std::int64_t>::max();
  d.fewest = d.smallest;
  d.entropy_l = std::numeric_limits<double>::infinity();
  for (auto const& bag : bags) {
    d.smallest = std::min(d.smallest, static_cast<std::int64_t>(sum(bag)));
    d.fewest = std::min<std::int64_t>(d.fewest, std::ranges::count_if(bag, [](auto n) { return n > 0; }));
    double logs = 0, apart = 0, carried = 0, moved = 0;
    for (std::size_t v = 0; v < values; ++v) {
      double const q = static_cast<double>(bag[v]) / sum(bag), p = static_cast<double>(all[v]) / sum(all);
      if (bag[v] > 0) logs += q * std::log(1 / q);
      if (bag[v] > 0) d.delta = std::max(d.delta, std::abs(std::log(q) - std::log(p)));
      d.alpha = std::max(d.alpha, q);
      d.beta = std::max(d.beta, (q - p) / p);
      if ((q - p) / p > std::log(1 / p)) d.enhanced_beta = std::numeric_limits<double>::infinity();
      apart += std::abs(q - p) / 2;
      carried += q - p;
      if (v + 1 < values) moved += std::abs(carried) / static_cast<double>(values - 1);
    }
    d.entropy_l = std::min(d.entropy_l, std::exp(logs));
    d.t = std::max(d.t, on_a_line ? moved : apart);
  }
  d.enhanced_beta = std::max(d.enhanced_beta, d.beta);
  for (std::int64_t c = 1; d.fewest > 1 && !d.recursive_c; ++c) {
    bool const holds = std::ranges::all_of(bags, [&](std::vector<std::int64_t> bag) {
      std::ranges::sort(bag, std::greater());
      return bag[0] < c * std::accumulate(bag.begin() + d.fewest - 1, bag.end(), std::int64_t{0});
    });
    if (holds) d.recursive_c = c;
  }
  return d;
}

void expect_same(Diversity const& a, Diversity const& b) {
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.smallest, b.smallest);
  EXPECT_EQ(a.fewest, b.fewest);
  EXPECT_EQ(a.recursive_c, b.recursive_c);
  EXPECT_NEAR(a.entropy_l, b.entropy_l, 1e-9);
  EXPECT_NEAR(a.t, b.t, 1e-9);
  EXPECT_NEAR(a.alpha, b.alpha, 1e-9);
  EXPECT_NEAR(a.beta, b.beta, 1e-9);
  EXPECT_EQ(std::isinf(a.enhanced_beta), std::isinf(b.enhanced_beta));
  if (!std::isinf(a.enhanced_beta)) {
    EXPECT_NEAR(a.enhanced_beta, b.enhanced_beta, 1e-9);
  }
  EXPECT_NEAR(a.delta, b.delta, 1e-9);
}

TEST(Diversity, IsWhatTheDefinitionsSay) {
  auto const [seed, instances] = runs(41, 2000);
  for (int i = 0; i < instances; ++i) {
    std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(i));
    Bags bags(1 + random() % 5, std::vector<std::int64_t>(1 + random() % 6));
    for (std::size_t v = 0; v < bags[0].size(); ++v) {
      for (auto& bag : bags) bag[v] = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 5);
      bags[random() % bags.size()][v] += 1;  // each value occurs
    }
    for (auto& bag : bags) bag[random() % bag.size()] += 1;  // and each class has a row
    for (bool const on_a_line : {false, true}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
      expect_same(measured(bags, on_a_line), expected(bags, on_a_line));
    }
  }
}

// The three salaries of each class of Li et al., ICDE 2007, table 3: 0.375 is their D[P1, Q], 0.167 their D[P2, Q].
TEST(Diversity, IsTheDistanceOfThePapersSalaries) {
  auto const low = [](int a, int b, int c) {
    std::vector<std::int64_t> bag(9);
    for (int const salary : {a, b, c}) bag[static_cast<std::size_t>(salary - 3)] = 1;
    return bag;
  };
  Bags const all{low(3, 4, 5), low(6, 11, 8), low(7, 9, 10)};
  EXPECT_NEAR(measured(all, true).t, 0.375, 1e-9);
  EXPECT_NEAR(measured(all, false).t, 2.0 / 3, 1e-9);
}

TEST(Diversity, OfNothingAndOfOneValue) {
  EXPECT_EQ(measured({}, false).classes, 0);
  for (bool const on_a_line : {false, true}) {
    auto const one = measured({{3}, {5}}, on_a_line);
    expect_same(one, {2, 1, 3, 1, std::nullopt, 1, 0, 1, 0, 0, 0});
  }
}

}  // namespace
}  // namespace anon_seq::testing
