#include "audit/relation_sources.h"

#include <algorithm>

#include "audit/audit_tables.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

PublishedSource source_of(SpiSession& session, Oid relation, AuditTable const& table, std::string const& object_id,
                          std::vector<std::string> const& quasi) {
  PublishedSource source;
  source.name = table.name;
  source.object_column = object_id;
  std::string shown;
  std::vector<std::string> columns{object_id};
  for (auto const& attribute : quasi) {
    PublishedSource::Attribute of{static_cast<int>(columns.size()), attribute, "", false};
    for (auto const& column : table.columns)
      if (column.attribute == attribute) {
        of.column = column.name;
        of.taxonomy = column.taxonomy;
        of.interval = column.interval || is_range_type(column.type);
      }
    shown += sql_text(", t.{column} AS c{i}", {{"column", quote_name(of.column)}, {"i", std::to_string(of.number)}});
    columns.push_back(of.column);
    source.attributes.push_back(std::move(of));
  }
  select_columns(session, relation, columns);  // says which one is missing
  source.query =
      sql_text("SELECT t.{object} AS object{columns} FROM {relation} AS t",
               {{"object", quote_name(object_id)}, {"columns", shown}, {"relation", qualified_name(relation)}});
  return source;
}

}  // namespace

std::vector<PublishedSource> relation_sources(SpiSession& session, std::vector<Oid> const& relations,
                                              std::string const& object_id, std::vector<std::string> const& quasi,
                                              JsonValue const* attributes) {
  if (relations.empty()) throw Error(Fault::kParameter, "an audit needs at least one relation");
  if (quasi.empty())
    throw Error(Fault::kParameter, "an inference needs at least one quasi attribute", "",
                "List the columns that others may know of people, such as '{zipcode,age}'.");
  if (attributes != nullptr)
    for (auto const& [attribute, about] : attributes->members())
      if (std::find(quasi.begin(), quasi.end(), attribute) == quasi.end())
        about.refuse("an attribute that \"quasi\" lists");
  auto const tables = relation_tables(session, relations, attributes);
  std::vector<PublishedSource> sources;
  for (std::size_t i = 0; i < relations.size(); ++i)
    sources.push_back(source_of(session, relations[i], tables[i], object_id, quasi));
  return sources;
}

}  // namespace anon_seq::audit
