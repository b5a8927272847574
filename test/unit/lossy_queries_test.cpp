// Counts over a release: the paper's example, enumeration of small tables, and all arrangements that projections leave
// open.
#include "core/lossy/count_queries.h"

#include <cmath>
#include <numeric>

#include "lossy_fixture.h"

namespace anon_seq::testing {
namespace {

using Codes = std::vector<Code>;

// A small table, its classes, and what its release shows of the quasi columns: sets of codes.
struct Published {
  std::vector<Codes> quasi, sensitive;             // column -> row -> code
  std::vector<Code> quasi_sizes, sensitive_sizes;  // codes are below
  std::vector<std::vector<std::set<Code>>> sets;   // quasi column -> published value -> codes
  std::vector<Codes> shown;                        // quasi column -> row -> published value
  std::vector<ClassId> class_of;
  ClassId classes = 0;

  std::size_t rows() const { return class_of.size(); }
};

struct Release {
  explicit Release(Published const& of, bool projected, std::vector<Codes> const& held) : table(of), values(held) {
    for (std::size_t c = 0; c < table.quasi.size(); ++c) {
      auto& column = queried.quasi.emplace_back();
      column.original = table.quasi[c];
      column.distinct = table.quasi_sizes[c];
      column.published = table.shown[c];
      column.begins.push_back(0);
      for (Code code = 1; code < column.distinct; ++code) column.order.insert(column.order.begin(), code);  // backwards
      for (auto const& set : table.sets[c]) {
        for (std::size_t i = 0; i < column.order.size(); ++i) {
          if (!set.contains(column.order[i])) continue;
          if (column.runs.size() > column.begins.back() && column.runs.back().end == i)
            column.runs.back().end = i + 1;
          else
            column.runs.push_back({i, i + 1});
        }
        column.begins.push_back(column.runs.size());
      }
    }
    for (std::size_t c = 0; c < table.sensitive.size(); ++c) {
      auto& column = queried.sensitive.emplace_back();
      column.original = table.sensitive[c];
      column.distinct = table.sensitive_sizes[c];
      column.published = values[c];
      column.begins = {0, 0};
      for (Code code = 1; code < column.distinct; ++code) {
        column.order.push_back(code);
        column.runs.push_back({column.order.size() - 1, column.order.size()});
        column.begins.push_back(column.runs.size());
      }
    }
    queried.counts.assign(table.rows(), 1);
    if (!projected) return;
    queried.class_of.assign(table.class_of.begin(), table.class_of.end());
    queried.classes = table.classes;
  }
  Release(Release const&) = delete;

  Published table;
  std::vector<Codes> values;
  QueriedRelease queried;
};

CountQuery::Predicate wanted(std::size_t column, Code distinct, std::set<Code> const& codes) {
  CountQuery::Predicate made{column, Vector<char>(static_cast<std::size_t>(distinct))};
  for (Code const code : codes) made.wanted[static_cast<std::size_t>(code)] = 1;
  return made;
}

// Codes of jobs: clerk, manager, factory worker, technical supporter; of illnesses: HIV, flu, fever.
Published paper(bool generalized) {
  Published table;
  table.quasi = {{1, 2, 1, 3, 3, 4}};
  table.sensitive = {{1, 2, 2, 3, 2, 3}};
  table.quasi_sizes = {5};
  table.sensitive_sizes = {4};
  table.class_of = {0, 0, 1, 1, 2, 2};
  table.classes = 3;
  if (generalized) {  // white-collar, anything, blue-collar
    table.sets = {{{1, 2}, {1, 2, 3, 4}, {3, 4}}};
    table.shown = {{0, 0, 1, 1, 2, 2}};
  } else {
    table.sets = {{{}, {1}, {2}, {3}, {4}}};
    table.shown = table.quasi;
  }
  return table;
}

TEST(CountQueries, OfThePapersExample) {
  NoCheckpoint checkpoint;
  auto const table = paper(false);
  Release const release(table, true, table.sensitive);
  CountQuery const query{{wanted(0, 5, {1})}, wanted(0, 4, {1, 2})};  // clerks with HIV or flu
  auto const counts = count_query(release.queried, query, checkpoint);
  EXPECT_EQ(counts.actual, 2);
  EXPECT_DOUBLE_EQ(counts.paper, 3);
  EXPECT_DOUBLE_EQ(counts.unbiased, 1.5);
  auto const local = paper(true);
  Release const one(local, false, local.sensitive);
  // Both white-collar rows are clerks with a half each, and the flu of the middle with a quarter.
  EXPECT_DOUBLE_EQ(count_query(one.queried, query, checkpoint).uniform, 1.25);
}

Published random_table(std::mt19937_64& random, std::size_t most_rows) {
  auto const below = [&](std::size_t n) { return static_cast<Code>(random() % n); };
  Published table;
  std::size_t const rows = 1 + random() % most_rows;
  table.classes = 1 + below(3);
  for (std::size_t row = 0; row < rows; ++row) table.class_of.push_back(below(static_cast<std::size_t>(table.classes)));
  for (std::size_t c = 0; c < 1 + random() % 3; ++c) {
    Code const distinct = 2 + below(4);
    table.quasi_sizes.push_back(distinct);
    table.quasi.emplace_back();
    table.shown.emplace_back();
    table.sets.emplace_back();
    for (std::size_t value = 0; value < 1 + random() % 4; ++value) {
      auto& set = table.sets.back().emplace_back();
      for (Code code = 1; code < distinct; ++code)
        if (random() % 2 == 0) set.insert(code);
    }
    for (std::size_t row = 0; row < rows; ++row) {
      table.quasi.back().push_back(below(static_cast<std::size_t>(distinct)));
      table.shown.back().push_back(below(table.sets.back().size()));
    }
  }
  for (std::size_t c = 0; c < 1 + random() % 2; ++c) {
    table.sensitive_sizes.push_back(2 + below(4));
    auto& codes = table.sensitive.emplace_back();
    for (std::size_t row = 0; row < rows; ++row)
      codes.push_back(below(static_cast<std::size_t>(table.sensitive_sizes.back())));
  }
  return table;
}

bool asked(CountQuery::Predicate const& predicate, Code code) {
  return predicate.wanted[static_cast<std::size_t>(code)] != 0;
}

// The same, from the definitions.
QueryCounts expected(Published const& table, CountQuery const& query) {
  QueryCounts counts;
  std::map<ClassId, double> people, values, sizes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    bool held = true;
    double share = 1;
    for (auto const& predicate : query.quasi) {
      held = held && asked(predicate, table.quasi[predicate.column][row]);
      auto const& set = table.sets[predicate.column][static_cast<std::size_t>(table.shown[predicate.column][row])];
      double const inside =
          static_cast<double>(std::ranges::count_if(set, [&](Code code) { return asked(predicate, code); }));
      share *= set.empty() ? 0 : inside / static_cast<double>(set.size());
    }
    bool const value = asked(query.sensitive, table.sensitive[query.sensitive.column][row]);
    counts.actual += held && value;
    counts.uniform += value ? share : 0;
    people[table.class_of[row]] += share;
    values[table.class_of[row]] += value;
    sizes[table.class_of[row]] += 1;
  }
  for (auto const& [id, size] : sizes) {
    if (people[id] > 0) counts.paper += values[id];
    counts.unbiased += people[id] * values[id] / size;
  }
  return counts;
}

TEST(CountQueries, AreWhatTheDefinitionsSay) {
  NoCheckpoint checkpoint;
  auto const [seed, instances] = runs(43, 2000);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(i));
    auto const table = random_table(random, 12);
    Release const projections(table, true, table.sensitive), one(table, false, table.sensitive);
    WorkloadDemands const demands{1, 1 + random() % table.quasi.size(), 0.3, random()};
    Workload workload(projections.queried, demands);
    CountQuery query;
    for (int q = 0; q < 5; ++q) {
      workload.next(query, checkpoint);
      auto const ours = count_query(projections.queried, query, checkpoint), truth = expected(table, query);
      EXPECT_EQ(ours.actual, truth.actual);
      EXPECT_NEAR(ours.paper, truth.paper, 1e-9);
      EXPECT_NEAR(ours.unbiased, truth.unbiased, 1e-9);
      EXPECT_NEAR(count_query(one.queried, query, checkpoint).uniform, truth.uniform, 1e-9);
    }
  }
}

// Quasi values as they are: the mean of the truths of all arrangements of the values within the classes, which all have
// the same NSS and SS, is the estimate.
TEST(CountQueries, UnbiasedOverAllArrangements) {
  NoCheckpoint checkpoint;
  auto const [seed, instances] = runs(47, 300);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(i));
    auto table = random_table(random, 6);
    for (std::size_t c = 0; c < table.quasi.size(); ++c) {
      table.sets[c].assign(1, {});
      for (Code code = 1; code < table.quasi_sizes[c]; ++code) table.sets[c].push_back({code});
      table.shown[c] = table.quasi[c];
    }
    Release const release(table, true, table.sensitive);
    WorkloadDemands const demands{1, 1 + random() % table.quasi.size(), 0.4, random()};
    Workload workload(release.queried, demands);
    CountQuery query;
    workload.next(query, checkpoint);
    double const estimate = count_query(release.queried, query, checkpoint).unbiased;
    std::vector<std::size_t> order(table.rows());
    std::iota(order.begin(), order.end(), 0);
    double sum = 0, arrangements = 0;
    do {
      bool within = true;
      for (std::size_t row = 0; row < order.size(); ++row)
        within = within && table.class_of[row] == table.class_of[order[row]];
      if (!within) continue;
      auto other = table;
      for (std::size_t c = 0; c < table.sensitive.size(); ++c)
        for (std::size_t row = 0; row < order.size(); ++row) other.sensitive[c][row] = table.sensitive[c][order[row]];
      Release const world(other, true, other.sensitive);
      auto const counts = count_query(world.queried, query, checkpoint);
      EXPECT_NEAR(counts.unbiased, estimate, 1e-9);
      EXPECT_GE(counts.paper + 1e-9, static_cast<double>(counts.actual));
      sum += static_cast<double>(counts.actual);
      ++arrangements;
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_NEAR(sum / arrangements, estimate, 1e-9);
  }
}

TEST(CountQueries, PredicatesHaveTheSizeOfThePaper) {
  EXPECT_EQ(values_of_predicate(8, 2, 0.125), 4);
  EXPECT_EQ(values_of_predicate(9, 2, 0.125), 5);
  EXPECT_EQ(values_of_predicate(1000, 2, 0.001), 100);
  EXPECT_EQ(values_of_predicate(74, 4, 0.05), 41);  // 40.65: ages of Adult, at the paper's defaults
  EXPECT_EQ(values_of_predicate(7, 3, 1), 7);
  EXPECT_EQ(values_of_predicate(1, 1, 0.5), 1);
  EXPECT_EQ(values_of_predicate(5, 1, 0), 1);
}

TEST(CountQueries, WorkloadIsThatOfItsSeed) {
  NoCheckpoint checkpoint;
  std::mt19937_64 random(5);
  Published table = random_table(random, 10);
  while (table.quasi.size() < 3) table = random_table(random, 10);
  Release const release(table, true, table.sensitive);
  WorkloadDemands demands{1, 2, 0.3, 7};
  std::map<std::size_t, int> columns;
  Workload one(release.queried, demands), again(release.queried, demands);
  CountQuery query, same;
  for (int i = 0; i < 3000; ++i) {
    one.next(query, checkpoint);
    again.next(same, checkpoint);
    ASSERT_EQ(query.quasi.size(), 2u);
    EXPECT_NE(query.quasi[0].column, query.quasi[1].column);
    EXPECT_EQ(query.sensitive.wanted, same.sensitive.wanted);
    for (std::size_t d = 0; d < 2; ++d) {
      auto const& of = query.quasi[d];
      EXPECT_EQ(of.column, same.quasi[d].column);
      EXPECT_EQ(of.wanted, same.quasi[d].wanted);
      EXPECT_EQ(of.wanted[kNull], 0);
      EXPECT_EQ(std::ranges::count(of.wanted, 1),
                values_of_predicate(table.quasi_sizes[of.column] - 1, 2, demands.selectivity));
      ++columns[of.column];
    }
  }
  for (auto const& [column, drawn] : columns) EXPECT_NEAR(drawn, 2000, 200) << column;  // six standard deviations
  demands.seed = 8;
  Workload other(release.queried, demands);
  bool differs = false;
  for (int i = 0; i < 50; ++i) {
    one.next(query, checkpoint);
    other.next(same, checkpoint);
    differs = differs || query.quasi[0].wanted != same.quasi[0].wanted;
  }
  EXPECT_TRUE(differs);
}

TEST(CountQueries, ErrorsAreSummedUp) {
  NoCheckpoint checkpoint;
  auto const table = paper(false);
  Release const release(table, true, table.sensitive);
  WorkloadDemands const demands{200, 1, 0.01, 3};
  auto const found = query_errors(release.queried, demands, checkpoint);
  EXPECT_EQ(found.answered + found.skipped, 200);
  EXPECT_GT(found.skipped, 0);
  Workload workload(release.queried, demands);
  std::vector<double> errors;
  for (int i = 0; i < 200; ++i) {
    CountQuery query;
    workload.next(query, checkpoint);
    auto const counts = expected(table, query);
    auto const actual = static_cast<double>(counts.actual);
    if (counts.actual > 0) errors.push_back(std::abs(actual - counts.unbiased) / actual);
  }
  ASSERT_EQ(static_cast<std::int64_t>(errors.size()), found.answered);
  std::ranges::sort(errors);
  auto const n = static_cast<double>(errors.size());
  double const mean = std::accumulate(errors.begin(), errors.end(), 0.0) / n;
  double variance = 0;
  for (double const error : errors) variance += (error - mean) * (error - mean) / (n - 1);
  auto const& unbiased = found.estimators[1];
  EXPECT_STREQ(unbiased.estimator, "unbiased");
  EXPECT_NEAR(*unbiased.mean, mean, 1e-9);
  EXPECT_NEAR(*unbiased.median, (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2, 1e-9);
  EXPECT_EQ(*unbiased.max, errors.back());
  EXPECT_NEAR(*unbiased.high - mean, 1.96 * std::sqrt(variance / n), 1e-9);
  EXPECT_NEAR(mean - *unbiased.low, 1.96 * std::sqrt(variance / n), 1e-9);
}

}  // namespace
}  // namespace anon_seq::testing
