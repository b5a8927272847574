#include "core/lossy/count_queries.h"

#include <algorithm>
#include <cmath>

namespace anon_seq {
namespace {

// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014. Chance here hides nothing.
Draws seeded(std::uint64_t seed) {
  return Draws([state = seed]() mutable {
    std::uint64_t bits = state += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  });
}

// Puts `count` items, drawn without replacement, first.
template <class T>
void draw_first(Vector<T>& items, std::size_t count, Draws& draws, Checkpoint& checkpoint) {
  for (std::size_t i = 0; i < count; ++i) {
    checkpoint.tick();
    std::swap(items[i], items[i + draws.below(items.size() - i)]);
  }
}

// In the order of the column's type, whatever order the release gives them.
Vector<Code> codes_of(QueriedColumn const& column) {
  Vector<Code> codes;
  for (Code code = 1; code < column.distinct; ++code) codes.push_back(code);
  return codes;
}

// Published value -> the share of what it covers that is wanted.
Vector<double> shares_of(QueriedColumn const& column, Vector<char> const& wanted, Checkpoint& checkpoint) {
  Vector<std::size_t> before(1);  // how many of the first so many codes are wanted
  before.reserve(column.order.size() + 1);
  for (Code const code : column.order) {
    checkpoint.tick();
    before.push_back(before.back() + (wanted[static_cast<std::size_t>(code)] != 0 ? 1 : 0));
  }
  Vector<double> shares(column.published_values());
  for (std::size_t value = 0; value < shares.size(); ++value) {
    std::size_t covered = 0, held = 0;
    for (std::size_t i = column.begins[value]; i < column.begins[value + 1]; ++i) {
      checkpoint.tick();
      auto const run = column.runs[i];
      covered += run.end - run.begin;
      held += before[run.end] - before[run.begin];
    }
    if (covered > 0) shares[value] = static_cast<double>(held) / static_cast<double>(covered);
  }
  return shares;
}

std::int64_t count_original(QueriedRelease const& release, CountQuery const& query, Checkpoint& checkpoint) {
  Vector<char> held(release.sensitive.front().original.size(), 1);
  auto const keep = [&](QueriedColumn const& column, CountQuery::Predicate const& predicate) {
    for (std::size_t row = 0; row < held.size(); ++row) {
      checkpoint.tick();
      held[row] &= predicate.wanted[static_cast<std::size_t>(column.original[row])];
    }
  };
  keep(release.sensitive[query.sensitive.column], query.sensitive);
  for (auto const& predicate : query.quasi) keep(release.quasi[predicate.column], predicate);
  std::int64_t count = 0;
  for (std::size_t row = 0; row < held.size(); ++row)
    if (held[row] != 0) count += release.weights.empty() ? 1 : release.weights[row];
  return count;
}

// How many rows of each cell are estimated to be wanted, by the quasi predicates and by the sensitive one.
struct Estimates {
  Vector<double> people, values;

  Estimates(QueriedRelease const& release, CountQuery const& query, Checkpoint& checkpoint) {
    for (auto const count : release.counts) people.push_back(static_cast<double>(count));
    values = people;
    auto const take = [&](Vector<double>& into, QueriedColumn const& column, CountQuery::Predicate const& predicate) {
      auto const shares = shares_of(column, predicate.wanted, checkpoint);
      for (std::size_t cell = 0; cell < into.size(); ++cell) {
        checkpoint.tick();
        into[cell] *= shares[static_cast<std::size_t>(column.published[cell])];
      }
    };
    for (auto const& predicate : query.quasi) take(people, release.quasi[predicate.column], predicate);
    take(values, release.sensitive[query.sensitive.column], query.sensitive);
  }
};

void estimate_table(QueriedRelease const& release, Estimates const& cells, QueryCounts& counts) {
  for (std::size_t cell = 0; cell < release.counts.size(); ++cell)
    counts.uniform += cells.people[cell] * cells.values[cell] / static_cast<double>(release.counts[cell]);
}

void estimate_projections(QueriedRelease const& release, Estimates const& cells, QueryCounts& counts) {
  struct Class {
    double people = 0, values = 0, rows = 0;  // m, s, n
  };
  Vector<Class> classes(static_cast<std::size_t>(release.classes));
  for (std::size_t cell = 0; cell < release.counts.size(); ++cell) {
    auto& of = classes[static_cast<std::size_t>(release.class_of[cell])];
    of.people += cells.people[cell];
    of.values += cells.values[cell];
    of.rows += static_cast<double>(release.counts[cell]);
  }
  for (auto const& of : classes) {
    if (of.people <= 0) continue;
    counts.paper += of.values;
    counts.unbiased += of.people * of.values / of.rows;
  }
}

EstimatorErrors summed_up(char const* estimator, Vector<double>& errors) {
  EstimatorErrors found{estimator, {}, {}, {}, {}, {}};
  if (errors.empty()) return found;
  std::sort(errors.begin(), errors.end());
  auto const n = static_cast<double>(errors.size());
  double sum = 0, squares = 0;
  for (double const error : errors) sum += error;
  for (double const error : errors) squares += (error - sum / n) * (error - sum / n);
  std::size_t const middle = errors.size() / 2;
  found.mean = sum / n;
  found.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  found.max = errors.back();
  if (errors.size() < 2) return found;
  double const wide = 1.96 * std::sqrt(squares / (n - 1) / n);
  found.low = *found.mean - wide;
  found.high = *found.mean + wide;
  return found;
}

}  // namespace

std::int64_t values_of_predicate(std::int64_t values, std::size_t dimensions, double selectivity) {
  double const share = std::pow(selectivity, 1.0 / (static_cast<double>(dimensions) + 1));
  double const wanted = static_cast<double>(values) * share;
  // A whole number may come out a little too high.
  auto const b = static_cast<std::int64_t>(std::ceil(wanted - 1e-9 * std::max(wanted, 1.0)));
  return std::clamp<std::int64_t>(b, 1, values);
}

Workload::Workload(QueriedRelease const& release, WorkloadDemands const& demands)
    : release_(release), demands_(demands), draws_(seeded(demands.seed)) {
  for (std::size_t i = 0; i < release.quasi.size(); ++i) columns_.push_back(i);
  for (auto const& column : release.quasi) quasi_codes_.push_back(codes_of(column));
  for (auto const& column : release.sensitive) sensitive_codes_.push_back(codes_of(column));
}

void Workload::choose(CountQuery::Predicate& into, QueriedColumn const& column, Vector<Code>& codes,
                      Checkpoint& checkpoint) {
  auto const b = static_cast<std::size_t>(
      values_of_predicate(static_cast<std::int64_t>(codes.size()), demands_.dimensions, demands_.selectivity));
  draw_first(codes, b, draws_, checkpoint);
  into.wanted.assign(static_cast<std::size_t>(column.distinct), 0);
  for (std::size_t i = 0; i < b; ++i) into.wanted[static_cast<std::size_t>(codes[i])] = 1;
}

void Workload::next(CountQuery& query, Checkpoint& checkpoint) {
  draw_first(columns_, demands_.dimensions, draws_, checkpoint);
  query.quasi.resize(demands_.dimensions);
  for (std::size_t i = 0; i < query.quasi.size(); ++i) {
    auto& predicate = query.quasi[i];
    predicate.column = columns_[i];
    choose(predicate, release_.quasi[predicate.column], quasi_codes_[predicate.column], checkpoint);
  }
  query.sensitive.column = draws_.below(release_.sensitive.size());
  choose(query.sensitive, release_.sensitive[query.sensitive.column], sensitive_codes_[query.sensitive.column],
         checkpoint);
}

QueryCounts count_query(QueriedRelease const& release, CountQuery const& query, Checkpoint& checkpoint) {
  QueryCounts counts;
  counts.actual = count_original(release, query, checkpoint);
  Estimates const estimates(release, query, checkpoint);
  if (release.is_projected())
    estimate_projections(release, estimates, counts);
  else
    estimate_table(release, estimates, counts);
  return counts;
}

QueryErrors query_errors(QueriedRelease const& release, WorkloadDemands const& demands, Checkpoint& checkpoint) {
  Workload workload(release, demands);
  CountQuery query;
  QueryErrors found;
  Vector<double> paper, unbiased, uniform;
  for (std::int64_t i = 0; i < demands.queries; ++i) {
    workload.next(query, checkpoint);
    auto const counts = count_query(release, query, checkpoint);
    if (counts.actual == 0) {
      ++found.skipped;
      continue;
    }
    auto const actual = static_cast<double>(counts.actual);
    auto const off = [&](double estimate) { return std::abs(actual - estimate) / actual; };
    ++found.answered;
    paper.push_back(off(counts.paper));
    unbiased.push_back(off(counts.unbiased));
    uniform.push_back(off(counts.uniform));
  }
  if (release.is_projected())
    found.estimators = {summed_up("paper", paper), summed_up("unbiased", unbiased)};
  else
    found.estimators = {summed_up("uniform", uniform)};
  return found;
}

}  // namespace anon_seq
