#include "sequential/blanking.h"

#include <algorithm>

#include "core/sequential/blanked.h"
//
#include "catalog/cell_source.h"
#include "pg/sql_text.h"
#include "release/followable.h"

namespace anon_seq::sequential {
namespace {

constexpr char kWhy[] =
    "They match everybody as they are shown; whoever knows the code knows that they are none of those whom the classes"
    " show: what a join counts of them is no promise.";

std::string leave_out_statement(Policy const& policy) {
  return alter_statement(policy, "\"options\": {\"suppress\": \"rows\"}") + " leaves them out.";
}

// The column numbers of a release's quasi columns.
std::vector<std::size_t> quasi_columns(Release const& release) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    if (release.columns[i].is_quasi()) columns.push_back(i);
  return columns;
}

bool may_show_blanked(Release const& release) {
  auto const options = parse_json(release.options, "options");
  auto const* const suppress = given(options, "suppress");
  return suppress != nullptr && suppress->string() == "cells";
}

// How a release is left out of account.
std::string way_without(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                        Release const& shown) {
  auto left_out = demands.unguarded;
  left_out.push_back(shown.name == policy.name ? shown.reference() : shown.name);
  auto const changes = "\"options\": {\"unguarded\": " + json_array(left_out, json_string) + "}";
  auto const alter = alter_statement(policy, changes);
  if (is_allowed(session, policy, changes)) return alter + " leaves it out of account; audits will say so.";
  constexpr std::size_t kSelect = 7;  // one statement of two
  if (!shown.withdrawn && shown.name == policy.name)
    return "SELECT anon_seq.withdraw_release(" + sql_literal(shown.reference()) + ", 'why'), " + alter.substr(kSelect) +
           " takes that version back, if nobody has read it.";
  return "Publish it by a policy of another population, if it is about other people.";
}

}  // namespace

std::string blank_text(PublishedColumn const& column, TaxonomyPool& pool) {
  return column.taxonomy.empty() ? "(,)" : std::string(pool.tree(column.taxonomy).label(kRoot));
}

std::int64_t fewest_blanked(Policy const& policy, std::vector<BoundRule> const& rules) {
  std::int64_t fewest = 1;
  for (auto const& bound : rules)
    if (bound.spec.anonymity && bound.releases.empty() && bound.spec.y.size() == 1 &&
        means_person(policy, bound.spec.y.front()))
      fewest = std::max(fewest, bound.spec.min);
  return fewest;
}

Vector<char> rows_without_quasi(EarlierTable const& earlier, TaxonomyPool& pool) {
  if (!may_show_blanked(earlier.release)) return {};
  std::vector<std::pair<Column const*, Code>> blank;
  for (auto const i : quasi_columns(earlier.release)) {
    auto const& column = earlier.table.columns[i];
    blank.emplace_back(&column, column.values.find(blank_text(earlier.release.columns[i], pool)));
  }
  std::size_t met = 0;
  Vector<char> rows;
  for (std::size_t row = 0; row < earlier.table.rows(); ++row) {
    rows.push_back(
        std::all_of(blank.begin(), blank.end(), [&](auto const& of) { return of.first->codes[row] == of.second; }));
    met += rows.back() != 0;
  }
  if (met == 0 || met == rows.size()) return {};  // all rows: the release shows no quasi value of anybody
  return rows;
}

std::string blank_condition(Release const& release, TaxonomyPool& pool, CellNames names) {
  if (!may_show_blanked(release)) return "";
  std::vector<std::string> each;
  for (auto const i : quasi_columns(release))
    each.push_back(sql_text(
        "l.{column}::pg_catalog.text IS NOT DISTINCT FROM {blank}",
        {{"column", names == CellNames::kColumns ? quote_name(release.columns[i].column) : "c" + std::to_string(i + 1)},
         {"blank", sql_literal(blank_text(release.columns[i], pool))}}));
  return joined(each, " AND ");
}

bool shows_blanked(SpiSession& session, Release const& release, TaxonomyPool& pool) {
  auto const condition = blank_condition(release, pool, CellNames::kNumbers);
  if (condition.empty()) return false;
  CellSource const cells(session, release);
  auto const rows = session.execute("SELECT pg_catalog.bool_or(b) AND NOT pg_catalog.bool_and(b) FROM (SELECT " +
                                        condition + " AS b FROM (" + cells.query() + ") AS l) AS b",
                                    {}, true);
  return rows.text(0, 1) == "t" || rows.text(0, 1) == "true";
}

std::vector<std::size_t> bare_numbers(std::vector<bool> const& shows) {
  std::vector<std::size_t> numbers;
  std::size_t next = shows.size();
  for (bool const blanked : shows) numbers.push_back(blanked ? next++ : kShowsNone);
  return numbers;
}

void add_readings(std::vector<BoundRule>& rules, std::vector<bool> const& shows) {
  constexpr std::size_t kMostReadings = 16;
  auto const bare = bare_numbers(shows);
  std::size_t const written = rules.size();
  for (std::size_t i = 0; i < written; ++i) {
    std::vector<BoundRule> readings{rules[i]};
    for (std::size_t at = 0; at < rules[i].releases.size(); ++at) {
      auto const number = bare[rules[i].releases[at]];
      if (number == kShowsNone) continue;
      if (2 * readings.size() > kMostReadings)
        throw Error(Fault::kUnsupported, "a rule joins too many releases that show persons without quasi values",
                    "The rule is " + rules[i].spec.text() + ".", "Leave some of them out of account by \"unguarded\".");
      for (std::size_t n = readings.size(); n-- > 0;) {
        readings.push_back(readings[n]);
        readings.back().releases[at] = number;
      }
    }
    rules.insert(rules.end(), readings.begin() + 1, readings.end());
  }
}

void require_readable(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                      Problem const& problem, std::vector<Release> const& releases, std::vector<bool> const& shows,
                      bool own) {
  std::vector<std::size_t> ours;
  for (auto const& attribute : problem.attributes) ours.push_back(attribute.column);
  for (auto const& rule : problem.rules) {
    if (own && tied_by(problem, rule, 0, ours, false) && !matches_alike(problem, rule))
      throw Error(Fault::kUnsupported,
                  "rules of policy " + quoted(policy.name) + " join persons who show no quasi values with releases",
                  kWhy, leave_out_statement(policy));
    for (std::size_t r = 0; r < shows.size(); ++r)
      if (shows[r] && tied_by(problem, rule, r + 1, quasi_columns(releases[r]), true))
        throw Error(Fault::kUnsupported,
                    "a rule of policy " + quoted(policy.name) + " joins release " + quoted(releases[r].reference()) +
                        ", which shows persons without quasi values, by more than its x holds",
                    kWhy, way_without(session, policy, demands, releases[r]));
  }
}

}  // namespace anon_seq::sequential
