#include "lossy_join/correlation.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "core/lossy/naive_bayes.h"
#include "core/numbers/decimal.h"
//
#include "lossy_join/listed.h"
#include "lossy_join/read_back.h"
#include "pg/json_object.h"
#include "pg/progress.h"
#include "pg/report.h"
#include "release/publish_run.h"
#include "release/release_audit.h"

namespace anon_seq::lossy_join {
namespace {

constexpr Code kMostBins = 256;
// Of a sample: rows times values of their class, and entries of the model. More takes seconds.
constexpr std::size_t kMostWork = 500000, kMostLearnt = 4000000;
constexpr std::int64_t kFewestRows = 100;  // of fewer a share says little

struct Axes {
  std::deque<Vector<Code>> bins;
  std::vector<QuasiCodes> axes;
};

// Many values of a column are as many bins of neighbours, else there is too little of each to learn from.
Axes axes_of(Release const& release, CodedTable const& table) {
  Axes made;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (!release.columns[i].is_quasi() && release.columns[i].role != Role::kAsIs) continue;
    auto const& column = table.columns[i];
    if (column.distinct() <= kMostBins) {
      made.axes.push_back({column.codes, column.distinct()});
      continue;
    }
    auto& bins = made.bins.emplace_back();
    for (Code const code : column.codes)
      bins.push_back(code == kNull
                         ? kNull
                         : static_cast<Code>(1 + (code - std::int64_t{1}) * (kMostBins - 1) / (column.distinct() - 1)));
    made.axes.push_back({bins, kMostBins});
  }
  return made;
}

bool is_quick(ReadBack const& read, Axes const& axes, ClassCounts const& counts, Code distinct) {
  auto const sizes = read.classes.sizes();
  std::size_t work = 0, learnt = 0;
  for (std::size_t id = 0; id < sizes.size(); ++id)
    work += static_cast<std::size_t>(sizes[id]) * (counts.begins[id + 1] - counts.begins[id]);
  for (auto const& axis : axes.axes)
    learnt += static_cast<std::size_t>(axis.distinct) * static_cast<std::size_t>(distinct);
  return work > 0 && work <= kMostWork && learnt <= kMostLearnt;
}

// Which values are listed.
struct ListedCodes {
  Vector<char> is;     // code -> whether it is; empty: every value is bounded
  Vector<Code> first;  // code -> the first one that is bounded together with it
};

ListedCodes listed_codes(SpiSession& session, PublishedColumn const& column, Column const& values,
                         LossyPolicy const& demands, Checkpoint& checkpoint) {
  ListedCodes listed;
  if (demands.listing(column.column) == Listing::kEvery) return listed;
  std::vector<std::string_view> texts;
  for (Code code = 1; code < values.distinct(); ++code) texts.push_back(values.values[code]);
  TaxonomyPool pool(session, checkpoint);
  auto const found = find_listed(session, column, texts, demands, pool);
  listed.is.push_back(0);  // NULL
  listed.is.insert(listed.is.end(), found.is_listed.begin(), found.is_listed.end());
  listed.first.push_back(kNull);
  for (std::size_t i = 0; i < texts.size(); ++i) listed.first.push_back(static_cast<Code>(found.first(i)) + 1);
  return listed;
}

// Where only listed values are bounded: together, holding any of them is a guess come true.
Guesses listed_guesses(Vector<Code> const& learnt, Vector<Code> const& plain, Vector<Code> const& truth,
                       ListedCodes const& listed, bool each) {
  Guesses of;
  of.listed = true;
  auto const is_listed = [&](Code code) { return code != kNoCode && listed.is[static_cast<std::size_t>(code)] != 0; };
  auto const first = [&](Code code) { return code == kNoCode ? code : listed.first[static_cast<std::size_t>(code)]; };
  auto const count = [&](Vector<Code> const& guesses, std::int64_t& rows, std::int64_t& right) {
    for (std::size_t row = 0; row < truth.size(); ++row) {
      if (!is_listed(guesses[row])) continue;
      ++rows;
      right += each ? first(truth[row]) == first(guesses[row]) : is_listed(truth[row]);
    }
  };
  count(learnt, of.rows, of.right);
  count(plain, of.guessed, of.plainly_right);
  return of;
}

Guesses all_guesses(Vector<Code> const& learnt, Vector<Code> const& plain, Vector<Code> const& truth) {
  Guesses of;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    of.rows += learnt[row] != kNoCode;
    of.right += learnt[row] == truth[row];
    of.plainly_right += plain[row] == truth[row];
  }
  of.guessed = of.rows;
  return of;
}

// The most that any value of a column may have of a class.
Ratio greatest_alpha(LossyPolicy const& demands, std::string const& column) {
  Ratio greatest = demands.alpha;
  if (auto const own = demands.alphas.find(column); own != demands.alphas.end())
    for (auto const& [value, alpha] : own->second)
      if (!at_most(alpha.num, alpha.den, greatest)) greatest = alpha;
  return greatest;
}

// Nothing where `quick` is asked for, and it is not.
std::optional<std::vector<Guesses>> learn(SpiSession& session, std::span<Release const> versions,
                                          std::int64_t most_cells, bool quick, Checkpoint& checkpoint) {
  auto const& release = versions.back();
  auto policy = policy_at(Policy(), release);
  policy.method = release.method;
  auto const asked = method_of(release).demands(policy);  // a lossy join's, or of what stands on it
  auto const& demands = static_cast<LossyPolicy const&>(*asked);
  auto const read = read_back(session, versions, most_cells, shows_labels(policy), checkpoint);
  auto const axes = axes_of(release, read.source.table);
  std::vector<Guesses> all;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    auto const& column = release.columns[i];
    if (column.role != Role::kSensitive) continue;
    auto const& values = read.source.table.columns[i];
    auto const counts = class_counts(read.classes, values.codes, values.distinct(), checkpoint);
    if (quick && !is_quick(read, axes, counts, values.distinct())) return std::nullopt;
    auto const guess = [&](std::span<QuasiCodes const> from, int iterations) {
      return learn_values(read.classes, from, counts, values.distinct(), iterations, checkpoint);
    };
    auto const learnt = guess(axes.axes, kIterations), plain = guess({}, 0);
    auto const listed = listed_codes(session, column, values, demands, checkpoint);
    auto& of = all.emplace_back(all_guesses(learnt, plain, values.codes));
    of.column = column.column;
    if (listed.is.empty()) {
      of.promised = greatest_alpha(demands, column.column);
      continue;
    }
    all.push_back(listed_guesses(learnt, plain, values.codes, listed, demands.each));
    all.back().column = column.column;
    all.back().promised = greatest_alpha(demands, column.column);
  }
  return all;
}

std::optional<std::vector<Guesses>> learn_sample(SpiSession& session, std::span<Release const> versions) {
  InterruptCheckpoint checkpoint;
  try {
    return learn(session, versions, std::max<std::int64_t>(kSampled / std::ssize(versions), 1), true, checkpoint);
  } catch (Error const& error) {
    if (error.fault() != Fault::kLimit && error.fault() != Fault::kDamaged) throw;  // other checks tell of damage
    return std::nullopt;
  }
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "-" : decimal_text((part * 2000 + whole) / (2 * whole), 1) + " %";
}

std::string subject(Guesses const& of) { return of.column + (of.listed ? ", listed values" : ""); }

// More than one and a half times what is promised, or more than half way from it to certainty; and by more than five
// standard errors, as among few rows, or where little is promised, chance alone is right as often.
bool is_much(Guesses const& of) {
  if (!of.promised || of.rows < kFewestRows) return false;
  double const right = static_cast<double>(of.right) / static_cast<double>(of.rows);
  double const promised = static_cast<double>(of.promised->num) / static_cast<double>(of.promised->den);
  double const error = std::sqrt(promised * (1 - promised) / static_cast<double>(of.rows));
  return right > std::min(1.5 * promised, (1 + promised) / 2) && right > promised + 5 * error;
}

bool has_quasi(Release const& release) {
  return std::any_of(release.columns.begin(), release.columns.end(),
                     [](auto const& column) { return column.is_quasi(); });
}

}  // namespace

std::vector<Release> learnt_from(std::vector<Release> const& population, Release const& release, std::size_t most) {
  std::vector<Release> versions{release};
  for (auto other = population.rbegin(); other != population.rend() && versions.size() < most; ++other)
    if (other->ledger == release.ledger && other->version < release.version && !other->withdrawn &&
        other->published > 0 && columns_json(other->columns) == columns_json(release.columns))
      versions.push_back(*other);
  std::ranges::reverse(versions);
  return versions;
}

std::vector<Guesses> measure_correlation(SpiSession& session, std::span<Release const> versions,
                                         Checkpoint& checkpoint) {
  return *learn(session, versions, kAllCells, false, checkpoint);
}

Check correlation_check(SpiSession& session, std::span<Release const> versions) {
  Progress::at("correlation");
  auto const& release = versions.back();
  auto const scope = versions.size() == 1 ? release.reference()
                                          : release.name + "/" + std::to_string(versions.front().version) + " to " +
                                                std::to_string(release.version);
  Check check{"correlation", scope, "measured, not promised", "", true, 0, "{}"};
  auto const all = learn_sample(session, versions);
  if (!all) {
    check.observed = "not measured, as its classes are large or its values many: audit_correlation() may take long";
    return check;
  }
  JsonObject detail;
  for (auto const& of : *all) {
    check.observed += (check.observed.empty() ? "" : "; ") + subject(of) + ": best guesses right for " +
                      percent(of.right, of.rows) + " of " + std::to_string(of.rows) +
                      (of.promised ? ", classes promise " + percent(of.promised->num, of.promised->den) : "");
    detail.add(subject(of), JsonObject()
                                .number("rows", of.rows)
                                .number("right", of.right)
                                .number("right_without_learning", of.plainly_right)
                                .json());
  }
  check.detail = detail.json();
  return check;
}

void warn_of_correlation(PublishRun const& run, Release const& release) {
  if (!release.is_projected() || !has_quasi(release)) return;
  auto const all = learn_sample(run.session, {&release, 1});
  if (!all) return;
  for (auto const& of : *all)
    if (is_much(of))
      warning(
          "who learns from this release how values of " + quoted(of.column) + " go with what else NSS shows guesses " +
              (of.listed ? "listed ones" : "them") + " right for " + percent(of.right, of.rows) +
              ", and classes promise " + percent(of.promised->num, of.promised->den),
          "No classes prevent that: see audit_correlation(). Coarser or fewer quasi columns, by a view of the source,"
          " teach less.");
}

}  // namespace anon_seq::lossy_join
