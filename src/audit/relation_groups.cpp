#include "audit/relation_groups.h"

#include <algorithm>

#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

// A column's type, a domain as what it is over.
std::string type_of(SpiSession& session, Oid relation, std::string const& column) {
  auto const rows = session.execute(R"(
SELECT a.atttypid, a.atttypmod
FROM pg_attribute AS a
WHERE a.attrelid = $1 AND a.attname = $2)",
                                    {SqlValue::oid(relation), column}, true);
  return base_type_name(rows.oid(0, 1), rows.int32(0, 2));
}

GroupSource source_of(SpiSession& session, Oid relation, std::vector<std::string> const& group,
                      std::string const& person, std::string const& sensitive) {
  auto columns = group;
  columns.push_back(person);
  columns.push_back(sensitive);
  select_columns(session, relation, columns);  // says which one is missing
  auto const named = [&](std::string const& column) { return "t." + quote_name(column); };
  auto const text = [&](std::string const& column) {
    return plain_text(named(column), type_of(session, relation, column));
  };
  std::vector<std::string> shown;
  for (auto const& column : group) shown.push_back(named(column));
  GroupSource source;
  source.name = "relation " + qualified_name(relation);
  source.attributes = {sensitive};
  source.rows = sql_text("SELECT {person} AS person, {group} AS g, {value} AS value FROM {relation} AS t",
                         {{"person", text(person)},
                          {"group", group_text(shown)},
                          {"value", text(sensitive)},
                          {"relation", qualified_name(relation)}});
  return source;
}

}  // namespace

std::string group_text(std::vector<std::string> const& columns) {
  auto const one = columns.size() == 1 ? columns.front() : "ROW(" + joined(columns, ", ") + ")";
  return one + "::text COLLATE \"C\"";
}

std::string plain_text(std::string const& column, std::string const& type) {
  return (type.starts_with("numeric") ? "trim_scale(" + column + ")" : column) + "::text COLLATE \"C\"";
}

std::vector<GroupSource> relation_groups(SpiSession& session, std::vector<Oid> const& relations,
                                         std::vector<std::string> const& group, std::string const& person,
                                         std::string const& sensitive) {
  if (relations.empty()) throw Error(Fault::kParameter, "an audit needs at least one relation");
  std::vector<GroupSource> sources;
  for (auto relation = relations.begin(); relation != relations.end(); ++relation) {
    if (std::find(relations.begin(), relation, *relation) != relation)
      throw Error(Fault::kParameter, "relation " + qualified_name(*relation) + " is named twice",
                  "What is published once is no second release.");
    sources.push_back(source_of(session, *relation, group, person, sensitive));
  }
  return sources;
}

}  // namespace anon_seq::audit
