#include "audit/audit_risk.h"

#include <algorithm>

#include "audit/audit_k.h"
#include "audit/match.h"
#include "audit/published_column.h"
#include "core/text/nearest.h"
#include "core/text/some_of.h"
//
#include "pg/acting_as.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

AuditColumn const& column_called(AuditTable const& table, std::string const& name) {
  for (auto const& column : table.columns)
    if (column.name == name) return column;
  std::vector<std::string> known;
  for (auto const& column : table.columns) known.push_back(column.name);
  throw Error(Fault::kNoColumn, "column " + quoted(name) + " of " + relation_text(table) + " does not exist", "",
              perhaps(name, known));
}

// What is known as the attribute there.
AuditColumn const& column_showing(AuditTable const& table, std::string const& attribute) {
  for (auto const& column : table.columns)
    if (column.attribute == attribute) return column;
  throw Error(Fault::kNoColumn, relation_text(table) + " has no column for " + quoted(attribute),
              "Who fits a class is told by all quasi columns.",
              "List those in quasi that the population has, too; or say which column it is: attributes => '{\"age\": "
              "{\"column\": \"years\"}}'.");
}

// The forms of the columns, found without reading a row.
std::vector<ColumnForm> forms_of(SpiSession& session, AuditTable const& table) {
  std::vector<std::string> list;
  for (auto const& column : table.columns) list.push_back("pg_typeof(q." + quote_name(column.name) + ")::oid");
  auto const rows = read_rows(session,
                              sql_text("SELECT {types} FROM (SELECT) AS one LEFT JOIN {table} ON false",
                                       {{"types", joined(list, ", ")}, {"table", from_table(table)}}),
                              {}, relation_text(table));
  std::vector<ColumnForm> forms;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    forms.push_back(form_of(rows.oid(0, static_cast<int>(i) + 1), table.columns[i].name));
  return forms;
}

// Texts of k0, k1, ... of a SELECT with a count called size.
CodedTable read_counted(SpiSession& session, AuditTable const& table, std::string const& sql, Checkpoint& checkpoint) {
  std::string texts;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    texts += sql_text("s.k{i}::text AS k{i}, ", {{"i", std::to_string(i)}});
  RowReader reader(
      session,
      sql_text("SELECT {texts}s.size FROM ({counted}) AS s WHERE s.size > 0", {{"texts", texts}, {"counted", sql}}),
      relation_text(table), "size");
  return reader.finish(checkpoint);
}

}  // namespace

void require_counts(SpiSession& session, AuditTable const& table, std::string const& counts) {
  auto const type = column_called(table, counts).type;
  if (type != "smallint" && type != "integer" && type != "bigint")
    throw Error(Fault::kType, "column " + quoted(counts) + " has type " + type + ", which does not count people",
                "Counts are of type smallint, integer or bigint.");
  auto const wrong = read_rows(session,
                               sql_text("SELECT FROM {table} WHERE q.{counts} IS NULL OR q.{counts} < 1 LIMIT 1",
                                        {{"table", from_table(table)}, {"counts", quote_name(counts)}}),
                               {}, relation_text(table));
  if (wrong.count() > 0) throw Error(Fault::kData, "column " + quoted(counts) + " holds counts that are not positive");
}

namespace {

struct Side {
  AuditTable table;
  std::vector<ColumnForm> forms;
  CodedTable rows;
};

Side read_side(SpiSession& session, AuditTable table, Checkpoint& checkpoint) {
  Side side{std::move(table), {}, {}};
  side.forms = forms_of(session, side.table);
  side.rows = read_counted(session, side.table, class_sizes_sql(side.table), checkpoint);
  return side;
}

Side read_population(SpiSession& session, PopulationSource const& population, AuditTable const& sample,
                     Checkpoint& checkpoint) {
  std::optional<ActingAs> acting;
  if (OidIsValid(population.reader)) acting.emplace(population.reader);
  AuditTable table = population.table;
  if (population.counts) {
    require_counts(session, table, *population.counts);
    table.weight_column = *population.counts;
  }
  std::vector<AuditColumn> columns;
  for (auto const& column : sample.columns) columns.push_back(column_showing(population.table, column.attribute));
  table.columns = std::move(columns);
  return read_side(session, std::move(table), checkpoint);
}

PublishedValues values_of(Side const& side, std::size_t a) {
  auto const& column = side.table.columns[a];
  return {&side.rows.columns[a], side.forms[a],   side.table.name, column.name,
          column.interval,       column.taxonomy, InvalidOid,      false};
}

Fitting fitting_of(SpiSession& session, Side const& sample, Side const& people, Checkpoint& checkpoint) {
  std::size_t const width = sample.table.columns.size();
  std::vector<ValueSets> sets(width);
  std::vector<Vector<SetId>> of_class(width), of_person(width);
  std::vector<RiskAxis> axes;
  std::size_t unknown = 0;  // values of the population, of the columns that are strange
  std::vector<std::string> strange;
  for (std::size_t a = 0; a < width; ++a) {
    auto const& attribute = sample.table.columns[a].attribute;
    auto population = values_of(people, a);
    population.is_open = true;  // a town has people that no release has
    auto const read = read_attribute(session, attribute, {values_of(sample, a), population}, sets[a]);
    if (read.unknown > 0) {
      unknown += read.unknown;
      strange.push_back(quoted(population.column));
    }
    auto const by_row = [&](std::size_t side, Column const& column, Vector<SetId>& into) {
      for (Code const code : column.codes) into.push_back(read.of[side][static_cast<std::size_t>(code)]);
    };
    by_row(0, sample.rows.columns[a], of_class[a]);
    by_row(1, people.rows.columns[a], of_person[a]);
    axes.push_back({&sets[a], of_class[a], of_person[a]});
  }
  if (unknown > 0)
    notice(std::to_string(unknown) + (unknown == 1 ? " value" : " values") +
               (strange.size() == 1 ? " of column " : " of columns ") + some_of(strange) + " of " +
               relation_text(people.table) + (unknown == 1 ? " is" : " are") +
               " not in the taxonomy: people who have " + (unknown == 1 ? "it" : "them") + " fit no class",
           "The risk may be less. A taxonomy that knows all of the population says by how much.");
  return people_fitting(axes, sample.rows.rows(), people.rows.weights, checkpoint);
}

AuditTable of_columns(AuditTable sample, std::vector<std::string> const& quasi) {
  if (quasi.empty()) throw Error(Fault::kParameter, "risk needs at least one quasi column");
  std::vector<AuditColumn> columns;
  for (auto const& name : quasi) columns.push_back(column_called(sample, name));
  sample.columns = std::move(columns);
  return sample;
}

}  // namespace

FittedClasses fit_classes(SpiSession& session, AuditTable sample, std::vector<std::string> const& quasi,
                          PopulationSource const& population, Checkpoint& checkpoint) {
  auto const planning = Settings::for_counting();
  auto side = read_side(session, of_columns(std::move(sample), quasi), checkpoint);
  auto const people = read_population(session, population, side.table, checkpoint);
  FittedClasses fitted;
  fitted.fitting = fitting_of(session, side, people, checkpoint);
  for (auto const count : people.rows.weights) {
    fitted.people += count;
    fitted.unique_people += count == 1;
  }
  fitted.columns = std::move(side.table.columns);
  fitted.classes = std::move(side.rows);
  return fitted;
}

MeasuredRisk measure_risk(SpiSession& session, AuditTable sample, std::vector<std::string> const& quasi,
                          PopulationSource const* population, Checkpoint& checkpoint) {
  if (population == nullptr) {
    auto const planning = Settings::for_counting();
    auto const side = read_side(session, of_columns(std::move(sample), quasi), checkpoint);
    return {disclosure_risk(side.rows.weights, nullptr)};
  }
  auto const fitted = fit_classes(session, std::move(sample), quasi, *population, checkpoint);
  return {disclosure_risk(fitted.classes.weights, &fitted.fitting), fitted.people, fitted.unique_people};
}

}  // namespace anon_seq::audit
