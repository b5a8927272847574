#include "sequential/problem.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/numbers/cut_point.h"
#include "core/sequential/finest_cut.h"
#include "core/text/some_of.h"
//
#include "pg/reading.h"
#include "release/domain.h"
#include "sequential/blanking.h"
#include "sequential/detail.h"
#include "sequential/linked.h"
#include "sequential/reader.h"

namespace anon_seq::sequential {
namespace {

constexpr std::size_t kNoIndex = SourceTable::kNoIndex;

// The share of n, rounded down.
std::int64_t share_of(Ratio share, std::int64_t n) {
  return static_cast<std::int64_t>(wide_mul(n, share.num) / static_cast<Wide>(share.den));
}

}  // namespace

SequentialProblem::SequentialProblem(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                     std::vector<Release> heeded, SourceTable source, Checkpoint& checkpoint)
    : policy_(policy),
      demands_(demands),
      heeded_(std::move(heeded)),
      releases_(heeded_),
      source_(std::move(source)),
      pool_(session, checkpoint) {
  check_rule_columns(policy, demands);
  require_bounded_label(policy, demands);
  bound_ = bind_rules(policy, demands, releases_);
  read_earlier_tables(session, checkpoint);
  read_populations(session, checkpoint);
  problem_.table = &source_.table;
  if (source_.person != kNoIndex && !source_.one_row_each) problem_.person = source_.person;
  if (!demands.label.empty()) problem_.label = source_.column(demands.label);
  problem_.objective = demands.objective;
  problem_.pruning = demands.pruning;
  problem_.dangling = demands.dangling;
  problem_.valid_split = demands.valid_split;
  problem_.search = demands.search;
  keep_secret();
  tell_values();
  add_readings_of_blanked();
  tell_people();
  add_attributes();
  suppress(checkpoint);
  add_populations();
  add_join_attributes();
  add_inconsistencies(session);
  add_rules();
  require_readable(session, policy_, demands_, problem_, heeded_, shows_blanked_, !blanked_.empty());
  warn();
}

// What simulatable decisions keep from a reader of the code.
void SequentialProblem::keep_secret() {
  if (!demands_.simulatable) return;
  require_simulatable(policy_, demands_);
  require_not_followed(policy_, demands_, heeded_);
  if (problem_.person != kNoColumn)
    throw Error(Fault::kUnsupported, "simulatable decisions are not offered where persons have several rows",
                "Each row would be bounded, and its person be known better by all of them.",
                "Publish a view with one row for each person, or use {\"decisions\": \"paper\"}.");
  problem_.simulatable = true;
  for (auto const& column : policy_.sensitive) problem_.secret.push_back(source_.column(column));
}

void SequentialProblem::add_table(EarlierTable earlier, std::string const& name) {
  earlier_.push_back(std::move(earlier));
  auto const& added = earlier_.back();
  problem_.earlier.push_back(&added.table);
  problem_.names.push_back(name);
  problem_.ways.push_back(way_beside(policy_, demands_, added.release));
}

void SequentialProblem::read_earlier_tables(SpiSession& session, Checkpoint& checkpoint) {
  for (auto const& release : heeded_)
    add_table(read_earlier(session, release, checkpoint), "release " + quoted(release.reference()));
}

void SequentialProblem::add_readings_of_blanked() {
  for (std::size_t r = 0; r < heeded_.size(); ++r) {
    auto const blanked = rows_without_quasi(earlier_[r], pool_);
    shows_blanked_.push_back(!blanked.empty());
    if (blanked.empty()) continue;
    auto const& whole = earlier_[r];
    releases_.push_back(heeded_[r]);
    add_table(EarlierTable{whole.release, whole.table.rows_where(blanked, false), whole.bounds, whole.lines},
              "release " + quoted(heeded_[r].reference()) + " without those who show no quasi values");
  }
  add_readings(bound_, shows_blanked_);
}

// Open taxonomies grow to the values of the source and of every release that shares the attribute.
void SequentialProblem::tell_values() {
  for (auto const& ours : policy_.columns) {
    if (ours.taxonomy.empty()) continue;
    auto const& column = source_.table.columns[source_.column(ours.column)];
    for (Code code = 1; code < column.distinct(); ++code) pool_.expect(ours.taxonomy, column.values[code]);
    if (auto const misfits = pool_.misfits(ours.taxonomy); misfits > 0)
      throw_misfits(ours.column, ours.taxonomy, misfits, "not of the form");
  }
  std::map<std::string, std::set<std::string>> taxonomies;  // of each attribute
  for (auto const& ours : policy_.columns) taxonomies[ours.attribute].insert(ours.taxonomy);
  for (auto const& release : releases_)
    for (auto const& theirs : release.columns) taxonomies[theirs.attribute].insert(theirs.taxonomy);
  auto tell = [&](std::string const& attribute, Column const& column) {
    for (auto const& taxonomy : taxonomies[attribute])
      for (Code code = 1; code < column.distinct() && !taxonomy.empty(); ++code)
        pool_.expect(taxonomy, column.values[code]);
  };
  for (auto const& ours : policy_.columns)
    if (ours.taxonomy.empty()) tell(ours.attribute, source_.table.columns[source_.column(ours.column)]);
  for (auto const& earlier : earlier_)
    for (std::size_t i = 0; i < earlier.release.columns.size(); ++i)
      tell(earlier.release.columns[i].attribute, earlier.table.columns[i]);
}

void SequentialProblem::add_domain(Attribute& attribute, Column const& column) {
  auto const declared = demands_.domains.find(column.name);
  if (declared == demands_.domains.end()) return;
  std::tie(attribute.lower, attribute.upper) = domain_places(column, declared->second);
  for (std::size_t code = 1; code < column.positions.size(); ++code)
    if (column.positions[code] < attribute.lower || column.positions[code] > attribute.upper)
      throw Error(Fault::kData, "column " + quoted(column.name) + " has values outside its declared domain");
}

// Code -> how many persons have it.
Vector<std::int64_t> SequentialProblem::holders_of(Column const& column) const {
  Vector<std::int64_t> holders(static_cast<std::size_t>(column.distinct()), 0);
  if (problem_.person == kNoColumn) {
    for (std::size_t row = 0; row < column.codes.size(); ++row)
      holders[static_cast<std::size_t>(column.codes[row])] += source_.table.weight(row);
  } else {
    auto const& persons = source_.table.columns[problem_.person].codes;
    Vector<std::pair<Code, Code>> met;
    for (std::size_t row = 0; row < column.codes.size(); ++row) met.emplace_back(column.codes[row], persons[row]);
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    for (auto const& [code, person] : met) ++holders[static_cast<std::size_t>(code)];
  }
  return holders;
}

void SequentialProblem::add_attributes() {
  for (auto const& ours : policy_.columns) {
    if (!ours.is_quasi()) continue;
    Attribute attribute;
    attribute.column = source_.column(ours.column);
    auto const& column = source_.table.columns[attribute.column];
    Vector<std::int64_t> holders;
    if (!ours.taxonomy.empty()) {
      attribute.taxonomy = &pool_.tree(ours.taxonomy);
      attribute.leaves = leaves_of(column, *attribute.taxonomy, ours.taxonomy);
    } else {
      add_domain(attribute, column);
      holders = holders_of(column);
      // A bound shows a value only if the k of the policy have it, or at least two persons do.
      attribute.barred = barred_cuts(column, holders, demands_.k.value_or(2));
    }
    limit_detail(policy_, demands_, column, holders, attribute);
    problem_.attributes.push_back(std::move(attribute));
  }
}

// Where steps go by what they save, a search for k says in which order. Boxes lose much less than what it finds.
bool SequentialProblem::searches_for_k() const {
  return demands_.k && !demands_.local && demands_.objective == Objective::kDistortion &&
         demands_.pruning == Pruning::kExact && demands_.valid_split && problem_.person == kNoColumn;
}

bool SequentialProblem::asks_for_k_alone() const {
  return bound_.size() == 1 && demands_.rules.empty() && bound_.front().releases.empty() &&
         bound_.front().spec.anonymity;
}

Vector<std::int64_t> SequentialProblem::weights() const { return search_demands(policy_, demands_, 1, 0).weights; }

Problem SequentialProblem::without_finest_cut() const {
  Problem problem = problem_;
  for (std::size_t a = 0; a < limits_.size(); ++a) {
    problem.attributes[a].barred = limits_[a].barred;
    problem.attributes[a].whole = limits_[a].whole;
    problem.attributes[a].fixed = limits_[a].fixed;
  }
  return problem;
}

// Who is left out, and how fine any cut may be: by quasi columns, k and the limit, whatever the other columns hold.
// Where k is all that is asked for, that cut is the release; with other rules, and nobody left out, it leads the way.
void SequentialProblem::suppress(Checkpoint& checkpoint) {
  bool const searches = searches_for_k();
  if (!demands_.max_suppressed && !searches) return;
  Ratio const share = demands_.max_suppressed.value_or(Ratio{0, 1});
  auto const limits = search_demands(policy_, demands_, *demands_.k, share_of(share, source_.persons));
  auto const finest = find_finest_cut(problem_, limits, checkpoint);
  suppressed_.of = finest.persons;
  if (!finest.found) return;  // k is not to be had: the rules say so
  if (searches && !asks_for_k_alone()) problem_.order = order_towards(problem_, finest, limits, checkpoint);
  if (demands_.max_suppressed || asks_for_k_alone()) {
    for (auto const& attribute : problem_.attributes)
      limits_.push_back({attribute.barred, attribute.whole, attribute.fixed});
    limit_to(problem_, finest.cuts);
  }
  auto const& out = finest.left_out;
  if (out.persons == 0) return;
  for (std::size_t row = 0; row < out.rows.size(); ++row)
    if (out.rows[row] != 0) suppressed_.blanked_rows += source_.table.weight(row);
  suppressed_.blanked = out.persons;
  blanked_ = out.rows;
  if (!demands_.blanks) return leave_blanked_out("", checkpoint);
  if (auto const fewest = fewest_blanked(policy_, bound_); out.persons < fewest)
    return leave_blanked_out("there would have to be " + std::to_string(fewest) + " without quasi values", checkpoint);
  visible_ = source_.table.rows_where(blanked_, false);
  problem_.table = &visible_;
}

void SequentialProblem::leave_blanked_out(std::string const& why, Checkpoint& checkpoint) {
  if (!why.empty()) notices_.push_back("persons who may not be shown are left out, as " + why);
  take_out(source_, blanked_, suppressed_.blanked, checkpoint);
  suppressed_ = {suppressed_.blanked_rows, suppressed_.blanked, suppressed_.of};
  give_back(blanked_);
  visible_ = {};
  problem_.table = &source_.table;
}

void SequentialProblem::rearrange(std::size_t column, Vector<Code> codes) {
  if (!blanked_.empty()) {
    auto& kept = visible_.columns[column].codes;
    kept.clear();
    for (std::size_t row = 0; row < codes.size(); ++row)
      if (blanked_[row] == 0) kept.push_back(codes[row]);
  }
  source_.table.columns[column].codes = std::move(codes);
}

void SequentialProblem::warn() {
  std::vector<std::string> names;
  for (auto const& attribute : problem_.attributes)
    if (auto const& column = source_.table.columns[attribute.column];
        column.distinct() <= 2 && source_.table.rows() > 1)
      names.push_back(quoted(column.name));
  if (!names.empty())
    notices_.push_back((names.size() == 1 ? "quasi column " : "quasi columns ") + some_of(names) +
                       (names.size() == 1 ? " has" : " have") + " one value at most");
  require_not_unique(policy_, source_, demands_.allow_unique);
}

}  // namespace anon_seq::sequential
