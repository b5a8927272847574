// How far counts over a release are off: random COUNT queries, answered from the original and estimated from what was
// published.
//
// The workload of Xiao, Tao (VLDB 2006) and of Wong et al. (lossy join, section 7): some quasi columns, chosen at
// random, and a sensitive one, each with b = ceil(|A| s^(1/(qd+1))) of its |A| values, which are those of the original.
// NULL is none of them: A = x is not true of it.
//
// Of projections, which say who is in a class and what the class has, the paper counts all wanted rows of SS in classes
// that have a wanted row in NSS; that is biased upwards. Over all arrangements that projections leave open, the sum
// over classes of m s / n is unbiased: m wanted rows of NSS, s of SS, n in the class. In one generalized table a row
// counts with the share of each published set that is wanted.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/checkpoint.h"
#include "core/lossy/draws.h"
#include "core/table/classes.h"
#include "core/table/table.h"

namespace anon_seq {

// A column as the original has it and as it was published. Codes are those of the original.
struct QueriedColumn {
  struct Run {
    std::size_t begin = 0, end = 0;  // of `order`, half-open
  };
  std::span<Code const> original;           // row -> code
  Code distinct = 1;                        // codes are below it; 1 .. distinct - 1 all occur
  std::span<std::int32_t const> published;  // cell -> which published value it shows
  Vector<Code> order;                       // codes but kNull, each once, so that a published value covers few runs
  Vector<std::size_t> begins;               // published value v covers runs [begins[v], begins[v + 1]), none twice
  Vector<Run> runs;

  std::size_t published_values() const { return begins.size() - 1; }
};

// Cells are counted rows of a release. Of projections their quasi values are taken class by class only as NSS shows
// them, their sensitive values as SS does.
struct QueriedRelease {
  std::vector<QueriedColumn> quasi, sensitive;  // of the latter at least one
  std::span<std::int64_t const> weights;        // row of the original -> rows that it stands for; empty: one each
  Vector<std::int64_t> counts;                  // cell -> rows
  Vector<ClassId> class_of;                     // cell -> class; empty: one generalized table
  ClassId classes = 0;

  bool is_projected() const { return !class_of.empty(); }
};

struct CountQuery {
  struct Predicate {
    std::size_t column = 0;
    Vector<char> wanted;  // code -> 1 if it is asked for, else 0
  };
  std::vector<Predicate> quasi;
  Predicate sensitive;
};

struct QueryCounts {
  std::int64_t actual = 0;
  double paper = 0, unbiased = 0;  // of projections
  double uniform = 0;              // of a table
};

struct WorkloadDemands {
  std::int64_t queries = 1000;
  std::size_t dimensions = 2;  // quasi columns of a query
  double selectivity = 0.1;
  std::uint64_t seed = 1;
};

// Draws queries, the same for the same original and seed. REQUIRES: 1 <= dimensions <= quasi columns, each column has a
// value; the release outlives it.
class Workload {
 public:
  Workload(QueriedRelease const& release, WorkloadDemands const& demands);
  void next(CountQuery& query, Checkpoint& checkpoint);

 private:
  void choose(CountQuery::Predicate& into, QueriedColumn const& column, Vector<Code>& codes, Checkpoint& checkpoint);

  QueriedRelease const& release_;
  WorkloadDemands const& demands_;
  Draws draws_;
  Vector<std::size_t> columns_;                              // quasi columns, in the order that was drawn last
  std::vector<Vector<Code>> quasi_codes_, sensitive_codes_;  // likewise
};

// The least b with (b / values)^(dimensions + 1) >= selectivity. REQUIRES: 0 < selectivity <= 1, values >= 1.
std::int64_t values_of_predicate(std::int64_t values, std::size_t dimensions, double selectivity);

// Cost: linear in rows, cells, and values and runs of the query's columns.
QueryCounts count_query(QueriedRelease const& release, CountQuery const& query, Checkpoint& checkpoint);

// Relative errors |actual - estimate| / actual of an estimator.
struct EstimatorErrors {
  char const* estimator;
  std::optional<double> mean, median, max;  // none without a query that counts
  std::optional<double> low, high;          // the mean -+ 1.96 standard errors; none without two
};

struct QueryErrors {
  std::int64_t answered = 0, skipped = 0;   // skipped: nothing to count in the original
  std::vector<EstimatorErrors> estimators;  // "paper" and "unbiased", or "uniform"
};

QueryErrors query_errors(QueriedRelease const& release, WorkloadDemands const& demands, Checkpoint& checkpoint);

}  // namespace anon_seq
