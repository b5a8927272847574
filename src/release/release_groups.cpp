#include "release/release_groups.h"

#include <algorithm>

#include "audit/relation_groups.h"
#include "catalog/ledger.h"
#include "pg/sql_text.h"
#include "release/ledger_format.h"
#include "release/release_objects.h"

namespace anon_seq::release {
namespace {

using catalog::Role;

std::string c(Release const& release, PublishedColumn const& column) {
  return "c" + std::to_string(release.number_of(column));
}

std::vector<std::string> sensitive_columns(Release const& release) {
  std::vector<std::string> columns;
  for (auto const& column : release.columns)
    if (column.role == Role::kSensitive) columns.push_back(column.column);
  return columns;
}

void require_comparable(std::vector<Release> const& releases) {
  auto const& first = releases.front();
  auto common = sensitive_columns(first);
  for (auto const& release : releases) {
    if (release.is_registered())
      throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " was registered, not made here",
                  "Nothing is known of who is in it.",
                  "If you have a table with its persons and groups, use audit_breach_relations().");
    if (release.population != first.population)
      throw Error(Fault::kParameter, "releases of several populations are about different people",
                  "Release " + quoted(first.reference()) + " is of population " + quoted(first.population) + ", " +
                      quoted(release.reference()) + " of " + quoted(release.population) + ".",
                  "Audit one population at a time.");
    auto const columns = sensitive_columns(release);
    std::erase_if(common, [&](auto const& column) { return std::ranges::find(columns, column) == columns.end(); });
    if (common.empty())
      throw Error(Fault::kParameter, "releases have no sensitive column in common",
                  "Release " + quoted(release.reference()) +
                      (columns.empty() ? " has none." : " shares none with those before it."));
  }
}

// Whether the ledger tells persons by cell, in _person, or by what each shows, in _object.
bool has_person_cells(SpiSession& session, Release const& release) {
  for (char const* table : {"person", "object"})
    if (OidIsValid(part_of(session, release, table))) return table == std::string_view("person");
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " knows no persons",
              "Its policy has no person column, so every row is another person, who is in no other release.");
}

// A SELECT of person, as text, and group, out of _object.
std::string select_members(SpiSession& session, Release const& release, std::string const& group) {
  require_persons(session, release, "object");
  auto const relation = ledger_table(release.ledger, "object");
  auto const type = session
                        .execute(R"(
SELECT format_type(a.atttypid, NULL)
FROM pg_attribute AS a
WHERE a.attrelid = $1 AND a.attname = 'person')",
                                 {SqlValue::oid(part_of(session, release, "object"))}, true)
                        .get(0, 1);
  return sql_text(
      "SELECT {key} AS person, {group} AS g FROM {relation} AS s WHERE version = {version} AND person IS NOT NULL",
      {{"key", audit::plain_text("person", type)},
       {"group", group},
       {"relation", relation},
       {"version", std::to_string(release.version)}});
}

GroupSource source_of(SpiSession& session, Release const& release) {
  auto const is_class = [](auto const& column) { return column.role == Role::kClass; };
  bool const numbered = std::ranges::any_of(release.columns, is_class);
  std::vector<std::string> shown;
  for (auto const& column : release.columns)
    if (numbered ? is_class(column) : column.role != Role::kSensitive) shown.push_back("s." + c(release, column));
  auto const group = audit::group_text(shown);
  GroupSource source;
  source.name = "release " + quoted(release.reference());
  source.altered = Fault::kDamaged;
  bool const by_cell = has_person_cells(session, release);
  source.people = by_cell ? GroupSource::People::kByCell : GroupSource::People::kByGroup;
  source.members = by_cell ? select_person_cells(session, release) : select_members(session, release, group);
  std::string values;
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    source.attributes.push_back(column.column);
    values += ", " + audit::plain_text("s." + c(release, column), column.type);
  }
  source.rows =
      sql_text("SELECT {head}{group} AS g{values}, s.n::bigint AS n FROM {cell} AS s WHERE s.version = {version}",
               {{"head", by_cell ? "s.cell, " : ""},
                {"group", group},
                {"values", values},
                {"cell", ledger_table(release.ledger, "cell")},
                {"version", std::to_string(release.version)}});
  return source;
}

}  // namespace

GroupHistory read_release_groups(SpiSession& session, std::vector<Release> const& releases, Checkpoint& checkpoint) {
  require_comparable(releases);
  GroupHistory history;
  for (auto const& release : releases) {
    OwnLedger const owner(session, release);
    history.read(session, source_of(session, release), checkpoint);
  }
  history.finish(checkpoint);
  return history;
}

}  // namespace anon_seq::release
