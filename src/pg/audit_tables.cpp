#include "pg/audit_tables.h"

#include <algorithm>
#include <map>

#include "pg/audit_read.h"
#include "pg/catalog.h"

namespace anon_seq::pg {
namespace {

constexpr char kWeight[] = "anon_seq rows", kPersonArray[] = "anon_seq persons";

// An audit's table before its query is written.
struct Draft {
  AuditTable table;
  std::string from;                 // what it selects from
  std::vector<std::string> types;   // of each column, as SQL
  std::vector<std::string> inputs;  // of each column, an expression
  std::vector<std::string> names;   // other ways to call it
};

bool is_range_type(std::string const& type) {
  return type == "int4range" || type == "int8range" || type == "numrange" || type == "daterange" || type == "tsrange" ||
         type == "tstzrange";
}

std::string range_of(std::string const& type) {
  if (type == "smallint" || type == "integer") return "int4range";
  if (type == "bigint") return "int8range";
  if (type == "date") return "daterange";
  if (type.rfind("timestamp", 0) == 0)
    return type.find("with time zone") == std::string::npos ? "tsrange" : "tstzrange";
  return "numrange";
}

// The text of an interval, in anybody's spelling, as a numrange.
std::string interval_expression(std::string const& column) {
  std::string const t = "btrim(" + column + "::text)", bounds = "translate(" + t + ", '[]()', '')";
  auto bound = [&](char const* which) {
    return "nullif(btrim(split_part(" + bounds + ", ',', " + which + ")), '')::numeric";
  };
  return "CASE WHEN " + t + " IN ('*', 'ANY') THEN '(,)'::numrange WHEN " + t + " LIKE '%,%' THEN numrange(" +
         bound("1") + ", " + bound("2") + ", CASE left(" + t + ", 1) WHEN '[' THEN '[' ELSE '(' END || CASE right(" +
         t + ", 1) WHEN ']' THEN ']' ELSE ')' END) WHEN " + column + " IS NOT NULL THEN numrange(" + t + "::numeric, " +
         t + "::numeric, '[]') END";
}

bool is_called(Draft const& draft, std::size_t number, std::string_view name) {
  return std::find(draft.names.begin(), draft.names.end(), name) != draft.names.end() ||
         std::to_string(number + 1) == name;
}

[[noreturn]] void throw_no_column(AuditTable const& table, std::string const& column) {
  throw Error(Fault::kNoColumn, "column " + quoted(column) + " of relation " + table.name + " does not exist");
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
    if (auto const* const interval = spec.find("interval");
        interval != nullptr && interval->boolean() && !of.is_range) {
      draft.inputs[i] = interval_expression(draft.inputs[i]);
      draft.types[i] = "numrange";
      of.is_range = true;
    }
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

// Where an attribute is a range in one table and a number or date in another, that is a range of one point.
void widen_points(std::vector<Draft>& drafts) {
  std::map<std::string, std::string> ranges;
  for (auto const& draft : drafts)
    for (std::size_t i = 0; i < draft.types.size(); ++i)
      if (draft.table.columns[i].is_range) {
        auto& range = ranges.try_emplace(draft.table.columns[i].attribute, draft.types[i]).first->second;
        if (range != draft.types[i]) range = "numrange";
      }
  for (auto& draft : drafts)
    for (std::size_t i = 0; i < draft.types.size(); ++i) {
      auto& column = draft.table.columns[i];
      auto const range = ranges.find(column.attribute);
      if (column.attribute.empty() || range == ranges.end() || range->second == draft.types[i]) continue;
      auto& e = draft.inputs[i];
      if (column.is_range) {  // int4range, int8range -> numrange
        e = "CASE WHEN isempty(" + e + ") THEN 'empty'::numrange WHEN " + e + " IS NOT NULL THEN numrange(lower(" + e +
            "), upper(" + e + "), '[)') END";
        continue;
      }
      if (range_of(draft.types[i]) != range->second && range->second != "numrange" && range->second != "int8range")
        continue;  // refused later
      std::string const cast = range->second == "numrange"    ? "::numeric"
                               : range->second == "int8range" ? "::bigint"
                                                              : "";
      e = "CASE WHEN " + e + " IS NOT NULL THEN " + range->second + "(" + e + cast + ", " + e + cast + ", '[]') END";
      column.is_range = true;
    }
}

std::vector<AuditTable> finished(std::vector<Draft> drafts, JsonValue const* attributes) {
  if (attributes != nullptr) apply_attributes(drafts, *attributes);
  widen_points(drafts);
  std::vector<AuditTable> tables;
  for (auto& draft : drafts) {
    std::string list;
    for (std::size_t i = 0; i < draft.inputs.size(); ++i)
      list += (i == 0 ? "" : ", ") + draft.inputs[i] + " AS " + quote_name(draft.table.columns[i].name);
    if (!draft.table.weight_column.empty())
      list += (list.empty() ? "t." : ", t.") + quote_name(draft.table.weight_column);
    draft.table.query = "SELECT " + list + " FROM " + draft.from + " AS t";
    tables.push_back(std::move(draft.table));
  }
  return tables;
}

Draft relation_draft(SpiSession& session, Oid relation) {
  Draft draft;
  draft.from = qualified_name(relation);
  auto const rows = session.execute(
      "SELECT a.attname, pg_catalog.format_type(a.atttypid, NULL), c.relname, n.nspname FROM pg_catalog.pg_class AS c"
      " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_attribute AS a"
      " ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.oid = $1 ORDER BY a.attnum",
      {SqlValue::oid(relation)}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto const name = rows.text(row, 1);
    if (!name) continue;
    draft.types.push_back(rows.get(row, 2));
    draft.inputs.push_back("t." + quote_name(*name));
    draft.table.columns.push_back({*name, *name, "", is_range_type(draft.types.back())});
  }
  draft.table.name = rows.get(0, 3);
  draft.names = {rows.get(0, 3), rows.get(0, 4) + "." + rows.get(0, 3), draft.from};
  return draft;
}

// The columns of a release keep what the catalog says of them.
void describe(Draft& draft, std::vector<PublishedColumn> const& columns) {
  for (auto const& column : columns)
    for (auto& known : draft.table.columns)
      if (known.name == column.column) known.attribute = column.attribute, known.taxonomy = column.taxonomy;
}

Draft release_draft(SpiSession& session, std::string const& name) {
  Draft draft;
  auto const reference = [&]() {
    CatalogWriter catalog(session);
    auto const rows = catalog.read(
        "SELECT r.relations[1], r.columns, anon_seq.owns_ledger($2, r.ledger) FROM anon_seq.release AS r WHERE r.name OPERATOR(pg_catalog.=) $1"
        " OR pg_catalog.concat(r.name, '/', r.version) OPERATOR(pg_catalog.=) $1"
        " ORDER BY r.name OPERATOR(pg_catalog.=) $1 DESC, r.version DESC LIMIT 1",
        {name, catalog.caller_value()});
    if (rows.count() == 0 || rows.get(0, 3) == "t") return std::pair(std::string(), std::string());
    return std::pair(rows.get(0, 1), rows.get(0, 2));
  }();
  Oid relation = InvalidOid;
  if (!reference.first.empty()) {  // of others: what everybody could do with the relation
    auto const rows = session.execute(
        "SELECT o FROM pg_catalog.to_regclass($1) AS o WHERE pg_catalog.has_table_privilege(o, 'SELECT')",
        {reference.first}, true);
    if (rows.count() == 1) {
      auto const oid =
          session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {reference.first}, true).get(0, 1);
      relation = static_cast<Oid>(std::stoul(oid));
    }
  }
  if (relation != InvalidOid) {
    draft = relation_draft(session, relation);
    describe(draft, columns_from(parse_json(reference.second, "columns")));
  } else {
    auto const release = find_release(session, name);  // throws if there is none for the caller
    draft.table = release_table(release, false);
    draft.from = "(" + draft.table.query + ")";
    for (auto const& column : release.columns) {
      draft.types.push_back(column.type);
      draft.inputs.push_back("t." + quote_name(column.column));
    }
    draft.names.push_back(release.reference());
  }
  draft.table.name = name;
  draft.names.push_back(name);
  return draft;
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

std::string named_cells(Release const& release) {
  std::string list;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    list += "l.c" + std::to_string(i + 1) + " AS " + quote_name(release.columns[i].column) + ", ";
  return list + "l.n AS " + quote_name(kWeight);
}

AuditTable release_table(Release const& release, bool with_persons) {
  AuditTable table;
  table.name = release.reference();
  for (auto const& column : release.columns)
    table.columns.push_back({column.column, column.attribute, column.taxonomy, is_range_type(column.type)});
  std::string const persons = with_persons ? ", l.persons AS " + quote_name(kPersonArray) : "";
  table.query = "SELECT " + named_cells(release) + persons + " FROM (" +
                ledger_query(release.ledger, release.version, release.columns.size(), with_persons) + ") AS l";
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
  return finished(std::move(drafts), attributes);
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
  return finished(std::move(drafts), nullptr);
}

namespace {

// {"release": r, "person": c}: column c, or its elements if it is an array, are the keys of persons.
void set_person(SpiSession& session, AuditTable& table, std::string const& column) {
  auto const& columns = table.columns;
  if (std::none_of(columns.begin(), columns.end(), [&](auto const& c) { return c.name == column; }))
    throw_no_column(table, column);
  auto const rows = read_source(session,
                                "SELECT pg_typeof(v)::text LIKE '%[]' FROM (SELECT) AS one LEFT JOIN (SELECT q." +
                                    quote_name(column) + " AS v FROM " + "(" + table.query + ") AS q) AS q ON false",
                                {}, "relation " + table.name);
  table.persons = rows.get(0, 1) == "t" ? Persons::kArray : Persons::kKey;
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

}  // namespace anon_seq::pg
