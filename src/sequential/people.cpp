#include "sequential/people.h"

#include <algorithm>

#include "audit/match.h"
#include "catalog/population_table.h"
#include "pg/acting_as.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/risk.h"

namespace anon_seq::sequential {
namespace {

AuditColumn const& column_for(AuditTable const& table, RuleSpec const& rule, PublishedColumn const& ours) {
  for (auto const& column : table.columns)
    if (column.attribute == ours.attribute) return column;
  throw Error(Fault::kNoColumn, "population " + quoted(rule.population) + " has no column for " + quoted(ours.column),
              "Who fits a class is told by all columns in x of a rule, which are the quasi columns if it names none.",
              "List those in x of the rule that the population has, too; or say which column it is when registering: "
              "attributes => '{\"" +
                  ours.column + "\": {\"column\": \"...\"}}'.");
}

// Labels are compared as texts; on a line values and ranges of its own type are.
void require_readable(RuleSpec const& rule, PublishedColumn const& ours, AuditColumn const& theirs) {
  if (!theirs.taxonomy.empty() && !ours.taxonomy.empty() && theirs.taxonomy != ours.taxonomy)
    throw Error(Fault::kParameter,
                "attribute " + quoted(ours.attribute) + " has two taxonomies, " + quoted(ours.taxonomy) +
                    " and, in population " + quoted(rule.population) + ", " + quoted(theirs.taxonomy),
                "Labels of different taxonomies cannot be compared.",
                "Register the population under another name, its column without a taxonomy or with the policy's.");
  bool const labels = theirs.type.ends_with("[]"), range = theirs.type.ends_with("range");
  if (!labels && !theirs.interval &&
      (ours.taxonomy.empty() ? line_of(theirs.type) == line_of(ours.type) && line_of(ours.type) != Line::kNone &&
                                   (!range || is_range_type(theirs.type))
                             : !range))
    return;
  throw Error(Fault::kType,
              "column " + quoted(theirs.name) + " of population " + quoted(rule.population) + " has type " +
                  (theirs.interval ? "text, read as intervals" : theirs.type) + ", by which no rule can count for " +
                  quoted(ours.column),
              ours.taxonomy.empty() ? "It is published in ranges of type " + ours.type + "."
                                    : "It is published in labels of taxonomy " + quoted(ours.taxonomy) + ".",
              ours.taxonomy.empty()
                  ? "Offer the population's values, or ranges of them, in a view, and register that."
                  : "Offer the population's values as text, each one label of the taxonomy, in a view, and register "
                    "that.");
}

// Rows with equal values once, with the people that they stand for.
std::string select_people(Policy const& policy, PopulationColumns const& of) {
  auto const& columns = of.columns;
  std::vector<std::string> list, groups, ends;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto const column = "q." + quote_name(columns[i].name), number = std::to_string(i);
    bool const as_text = !policy.columns[of.x[i]].taxonomy.empty() || is_range_type(columns[i].type);
    list.push_back(column + (as_text ? "::pg_catalog.text" : "") + " AS c" + number);
    groups.push_back(std::to_string(i + 1));
    if (!is_range_type(columns[i].type) || !policy.columns[of.x[i]].taxonomy.empty()) continue;
    for (char const* end : {"lower", "upper"})
      ends.push_back("pg_catalog." + std::string(end) + "(" + column + ") AS " + end[0] + number);
  }
  list.insert(list.end(), ends.begin(), ends.end());
  for (std::size_t i = columns.size(); i < list.size(); ++i) groups.push_back(std::to_string(i + 1));
  auto const& counts = of.source.counts;
  return "SELECT " + joined(list, ", ") + ", " +
         (counts ? "pg_catalog.sum(q." + quote_name(*counts) + ")::pg_catalog.int8" : "pg_catalog.count(*)") +
         " AS people FROM " + from_table(of.source.table) + " GROUP BY " + joined(groups, ", ");
}

}  // namespace

bool is_same(PopulationColumns const& a, PopulationColumns const& b) { return a.name == b.name && a.x == b.x; }

std::vector<std::size_t> x_of(Policy const& policy, RuleSpec const& rule) {
  std::vector<std::size_t> x;
  for (std::size_t i = 0; i < policy.quasi.size(); ++i)
    if (rule.x.empty() || std::find(rule.x.begin(), rule.x.end(), RuleColumn{"", policy.quasi[i]}) != rule.x.end())
      x.push_back(i);
  return x;
}

PopulationColumns population_columns(SpiSession& session, Policy const& policy, RuleSpec const& rule) {
  auto const registered = load_population(session, rule.population);
  PopulationColumns of{rule.population,
                       x_of(policy, rule),
                       {},
                       population_source(session, registered),
                       relation_of(session, registered)};
  for (std::size_t const i : of.x) {
    of.columns.push_back(column_for(of.source.table, rule, policy.columns[i]));
    require_readable(rule, policy.columns[i], of.columns.back());
  }
  if (of.source.counts && std::none_of(of.source.table.columns.begin(), of.source.table.columns.end(),
                                       [&](auto const& column) { return column.name == *of.source.counts; }))
    throw Error(Fault::kNoColumn,
                "population " + quoted(rule.population) + " has no column " + quoted(*of.source.counts) + " any more");
  return of;
}

std::vector<PopulationColumns> population_columns(SpiSession& session, Policy const& policy,
                                                  SequentialPolicy const& demands) {
  std::vector<PopulationColumns> all;
  for (auto const& rule : demands.rules) {
    if (rule.population.empty()) continue;
    auto of = population_columns(session, policy, rule);
    if (std::none_of(all.begin(), all.end(), [&](auto const& other) { return is_same(of, other); }))
      all.push_back(std::move(of));
  }
  return all;
}

void lock_populations(SpiSession& session, Policy const& policy) {
  for (auto const& of : population_columns(session, policy, sequential_policy(policy))) {
    std::vector<std::string> columns;
    for (auto const& column : of.columns) columns.push_back(column.name);
    if (of.source.counts && std::find(columns.begin(), columns.end(), *of.source.counts) == columns.end())
      columns.push_back(*of.source.counts);
    lock_source(session, of.relation, columns);
  }
}

PeopleTable read_people(SpiSession& session, Policy const& policy, PopulationColumns of, Checkpoint& checkpoint) {
  PeopleTable people;
  {
    ActingAs const reader(of.source.reader);
    if (of.source.counts) require_counts(session, of.source.table, *of.source.counts);
    RowReader rows(session, select_people(policy, of), "population " + quoted(of.name), "people");
    people.table = rows.finish(checkpoint);
  }
  std::size_t const width = of.columns.size();
  auto& columns = people.table.columns;
  people.bounds.resize(width);
  for (std::size_t i = 0, end = width; i < width; ++i) {
    bool const range = policy.columns[of.x[i]].taxonomy.empty() && is_range_type(of.columns[i].type);
    people.lines.push_back(range ? line_of(of.columns[i].type) : line_of(columns[i].kind));
    columns[i].name = of.columns[i].name;
    if (!range) continue;
    people.bounds[i] = bounds_of(columns[i], std::move(columns[end]), std::move(columns[end + 1]));
    end += 2;
  }
  columns.resize(width);
  people.of = std::move(of);
  return people;
}

}  // namespace anon_seq::sequential
