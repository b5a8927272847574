#include "audit/audit_tables.h"

#include <algorithm>
#include <map>

#include "audit/match.h"
#include "core/text/nearest.h"
//
#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

constexpr char kWeight[] = "anon_seq rows", kPersonArray[] = "anon_seq persons";

// An audit's table before its query is written.
struct Draft {
  AuditTable table;
  std::string from;                // what it selects from
  std::vector<std::string> names;  // other ways to call it
};

bool is_called(Draft const& draft, std::size_t number, std::string_view name) {
  return std::find(draft.names.begin(), draft.names.end(), name) != draft.names.end() ||
         std::to_string(number + 1) == name;
}

[[noreturn]] void throw_no_column(AuditTable const& table, std::string const& column) {
  std::vector<std::string> known;
  for (auto const& other : table.columns) known.push_back(other.name);
  throw Error(Fault::kNoColumn, "column " + quoted(column) + " of relation " + table.name + " does not exist", "",
              perhaps(column, known));
}

// Applies one spec of an attribute; false if it names no column and the table has none of that name.
bool apply(Draft& draft, std::string const& attribute, JsonValue const& spec, bool required) {
  spec.expect_keys({"column", "taxonomy", "interval"});
  auto const* const named = spec.find("column");
  auto const column = named == nullptr ? attribute : named->string();
  for (std::size_t i = 0; i < draft.table.columns.size(); ++i) {
    auto& of = draft.table.columns[i];
    if (of.name != column) continue;
    if (!of.attribute.empty()) spec.refuse("a column that is no other attribute, as " + quoted(of.attribute));
    of.attribute = attribute;
    if (auto const* const taxonomy = spec.find("taxonomy")) of.taxonomy = taxonomy->string();
    if (auto const* const interval = spec.find("interval"))
      of.interval = interval->boolean() && !is_range_type(of.type);
    return true;
  }
  if (required) throw_no_column(draft.table, column);
  return false;
}

void apply_attributes(std::vector<Draft>& drafts, JsonValue const& attributes) {
  for (auto& draft : drafts)
    for (auto& column : draft.table.columns) column.attribute.clear();
  for (auto const& [attribute, spec] : attributes.members()) {
    bool const per_relation = std::any_of(spec.members().begin(), spec.members().end(), [](auto const& member) {
      return member.second.kind() == JsonValue::Kind::kObject;
    });
    bool found = false;
    for (std::size_t t = 0; t < drafts.size(); ++t) {
      if (!per_relation) {
        found |= apply(drafts[t], attribute, spec, false);
        continue;
      }
      for (auto const& [name, of_one] : spec.members())
        if (is_called(drafts[t], t, name)) found |= apply(drafts[t], attribute, of_one, true);
    }
    if (!found)
      spec.refuse("a column of one of the relations",
                  "Write {\"column\": \"...\"} for attribute " + quoted(attribute) + ".");
  }
}

std::vector<AuditTable> finished(std::vector<Draft> drafts) {
  std::vector<AuditTable> tables;
  for (auto& draft : drafts) {
    std::vector<std::string> columns;
    for (auto const& column : draft.table.columns) columns.push_back("t." + quote_name(column.name));
    if (!draft.table.weight_column.empty()) columns.push_back("t." + quote_name(draft.table.weight_column));
    draft.table.query =
        sql_text("SELECT {columns} FROM {table} AS t", {{"columns", joined(columns, ", ")}, {"table", draft.from}});
    tables.push_back(std::move(draft.table));
  }
  return tables;
}

Draft relation_draft(SpiSession& session, Oid relation) {
  Draft draft;
  draft.from = qualified_name(relation);
  auto const rows = session.execute(R"(
SELECT a.attname, format_type(a.atttypid, NULL), c.relname, n.nspname
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.oid = $1
ORDER BY a.attnum)",
                                    {SqlValue::oid(relation)}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto const name = rows.text(row, 1);
    if (!name) continue;
    draft.table.columns.push_back({*name, *name, "", rows.get(row, 2), false, "", ""});
  }
  draft.table.name = rows.get(0, 3);
  draft.names = {rows.get(0, 3), rows.get(0, 4) + "." + rows.get(0, 3), draft.from};
  return draft;
}

// The newest release of that name, whoever owns it, if the current user may read it.
std::optional<Release> readable_release(SpiSession& session, std::string const& name) {
  auto release = newest_called(session, name);
  if (release && may_read(session, *release)) return release;
  return std::nullopt;
}

Draft release_draft(SpiSession& session, std::string const& name) {
  auto const readable = readable_release(session, name);
  auto const release = readable ? *readable : find_release(session, name);  // says that there is none for the caller
  Draft draft;
  if (release.is_projected())
    throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " is published in several relations",
                "Which of their rows belong together was not published, so there is no join to measure.",
                "anon_seq.audit_projections() measures what they tell.");
  draft.table = release_table(session, release, false);
  draft.from = "(" + draft.table.query + ")";
  draft.table.name = name;
  draft.names = {release.reference(), name};
  return draft;
}

// The columns of a release by their own names, and the weight, out of cells l (c1, c2, ..., n).
std::string named_cells(Release const& release) {
  std::string list;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    list +=
        sql_text("l.c{i} AS {name}, ", {{"i", std::to_string(i + 1)}, {"name", quote_name(release.columns[i].column)}});
  return list + "l.n AS " + quote_name(kWeight);
}

// Cells with the persons in them, who may lie in several rows; each stands for as many rows of the release as it has
// elements.
std::string person_query(Release const& release) {
  std::string list;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) list += "c.c" + std::to_string(i) + ", ";
  return sql_text(R"(
    SELECT {columns}cardinality(p.persons)::bigint AS n, p.persons
    FROM {cell} AS c
    JOIN {person} AS p ON p.version = c.version AND p.cell = c.cell
    WHERE c.version = {version}
  )",
                  {{"columns", list},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"person", ledger_table(release.ledger, "person")},
                   {"version", std::to_string(release.version)}});
}

void make_distinct(std::vector<Draft>& drafts) {
  for (auto& draft : drafts) {
    auto const same = std::count_if(drafts.begin(), drafts.end(),
                                    [&](auto const& other) { return other.table.name == draft.names.front(); });
    if (same > 1) draft.table.name = draft.names.back();
  }
}

std::size_t table_called(JsonValue const& json, std::vector<AuditTable> const& tables) {
  if (json.kind() == JsonValue::Kind::kNumber) {
    auto const number = json.integer();
    if (number < 1 || static_cast<std::size_t>(number) > tables.size())
      json.refuse("a position from 1 to " + std::to_string(tables.size()));
    return static_cast<std::size_t>(number) - 1;
  }
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    auto const& names = tables[t].names;
    if (std::find(names.begin(), names.end(), json.string()) != names.end()) found.push_back(t);
  }
  if (found.size() == 1) return found.front();
  throw Error(found.empty() ? Fault::kNoObject : Fault::kParameter,
              quoted(json.string()) + (found.empty() ? " is none of the audited relations"
                                                     : " is the name of several of the audited relations"),
              "", "Write its name as it was given, or its position as a number.");
}

}  // namespace

AuditTable release_table(SpiSession& session, Release const& release, bool with_persons) {
  AuditTable table;
  table.name = release.reference();
  for (auto const& column : release.columns)
    table.columns.push_back({column.column, column.attribute, column.taxonomy, column.type, false, "", ""});
  table.cells = std::make_shared<CellSource const>(session, release);
  std::string const persons = with_persons ? ", l.persons AS " + quote_name(kPersonArray) : "";
  table.query = sql_text("SELECT {columns}{persons} FROM ({cells}) AS l",
                         {{"columns", named_cells(release)},
                          {"persons", persons},
                          {"cells", with_persons ? person_query(release) : table.cells->query()}});
  table.weight_column = kWeight;
  table.persons = with_persons ? Persons::kArray : Persons::kRows;
  table.person_column = with_persons ? kPersonArray : "";
  table.names = {table.name, release.name};
  return table;
}

std::vector<AuditTable> relation_tables(SpiSession& session, std::vector<Oid> const& relations,
                                        JsonValue const* attributes) {
  std::vector<Draft> drafts;
  for (auto const relation : relations) drafts.push_back(relation_draft(session, relation));
  make_distinct(drafts);
  for (auto& draft : drafts) draft.table.names = draft.names;
  if (attributes != nullptr) apply_attributes(drafts, *attributes);
  return finished(std::move(drafts));
}

std::vector<AuditTable> named_releases(SpiSession& session, std::vector<std::string> const& names,
                                       JsonValue const* attributes) {
  std::vector<Draft> drafts;
  for (auto const& name : names) drafts.push_back(release_draft(session, name));
  for (auto& draft : drafts) draft.table.names = draft.names;
  if (attributes != nullptr) {  // what the catalog says stays, unless the caller says otherwise
    std::vector<std::vector<AuditColumn>> before;
    for (auto const& draft : drafts) before.push_back(draft.table.columns);
    apply_attributes(drafts, *attributes);
    for (std::size_t t = 0; t < drafts.size(); ++t)
      for (std::size_t i = 0; i < before[t].size(); ++i)
        if (drafts[t].table.columns[i].attribute.empty()) drafts[t].table.columns[i] = before[t][i];
  }
  return finished(std::move(drafts));
}

namespace {

// {"release": r, "person": c}: column c, or its elements if it is an array, are the keys of persons.
void set_person(SpiSession& session, AuditTable& table, std::string const& column) {
  auto const& columns = table.columns;
  if (std::none_of(columns.begin(), columns.end(), [&](auto const& c) { return c.name == column; }))
    throw_no_column(table, column);
  auto const sql = sql_text(R"(
SELECT pg_typeof(v)::text LIKE '%[]'
FROM (SELECT) AS one
LEFT JOIN (SELECT q.{column} AS v FROM {table}) AS q ON false)",
                            {{"column", quote_name(column)}, {"table", from_table(table)}});
  auto const rows = read_rows(session, sql, {}, relation_text(table));
  table.persons = rows.boolean(0, 1) ? Persons::kArray : Persons::kKey;
  table.person_column = column;
}

}  // namespace

std::vector<AuditTerm> parse_terms(SpiSession& session, JsonValue const& json, std::vector<AuditTable>& tables) {
  if (tables.empty()) throw Error(Fault::kParameter, "an audit needs at least one relation");
  std::vector<AuditTerm> terms;
  for (auto const& element : json.elements()) {
    AuditTerm term;
    std::string column;
    if (element.kind() == JsonValue::Kind::kString) {
      column = element.string();
    } else {
      element.expect_keys({"release", "column", "person"});
      term.table = table_called(element.at("release"), tables);
      if (auto const* const person = element.find("person")) {
        set_person(session, tables[term.table], person->string());
        term.what = AuditTerm::kPersons;
      } else if (auto const* const named = element.find("column")) {
        column = named->string();
      } else {
        term.what = AuditTerm::kRecords;
      }
    }
    if (term.what == AuditTerm::kColumn) {
      auto const& columns = tables[term.table].columns;
      auto const found = std::find_if(columns.begin(), columns.end(), [&](auto const& c) { return c.name == column; });
      if (found == columns.end()) throw_no_column(tables[term.table], column);
      term.column = static_cast<std::size_t>(found - columns.begin());
    }
    terms.push_back(term);
  }
  return terms;
}

}  // namespace anon_seq::audit
