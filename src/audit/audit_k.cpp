#include "audit/audit_k.h"

#include "audit/match.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

std::string class_json(AuditTable const& table) {
  std::string json = "'{}'::jsonb";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    json += sql_text(" || jsonb_build_object({name}::text, k{i})",
                     {{"name", sql_literal(table.columns[i].name)}, {"i", std::to_string(i)}});
  return "(" + json + ")";
}

}  // namespace

std::string class_sizes_sql(AuditTable const& table) {
  std::string named, names;
  std::vector<std::string> columns, keys;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    keys.push_back("k" + std::to_string(i));
    columns.push_back("q." + quote_name(table.columns[i].name));
    named += columns.back() + " AS " + keys.back() + ", ";
    names += keys.back() + ", ";
  }
  auto const group_by = [](std::vector<std::string> const& list) {
    return list.empty() ? std::string("HAVING count(*) > 0") : "GROUP BY " + joined(list, ", ");
  };
  if (table.persons == Persons::kRows)
    return sql_text(R"(
  SELECT {columns}sum({weight})::bigint AS size
  FROM {table}
  {grouped})",
                    {{"columns", named},
                     {"weight", weight_of(table)},
                     {"table", from_table(table)},
                     {"grouped", group_by(columns)}});
  std::string person = "q." + quote_name(table.person_column), from = from_table(table);
  if (table.persons == Persons::kArray) {
    from += sql_text(" LEFT JOIN LATERAL unnest({persons}) AS e (p) ON true", {{"persons", person}});
    person = "e.p";
  }
  return sql_text(
      R"(
  SELECT {keys}count(p) AS size
  FROM (
    SELECT DISTINCT {columns}{person} AS p
    FROM {table}
  ) AS d
  {grouped})",
      {{"keys", names}, {"columns", named}, {"person", person}, {"table", from}, {"grouped", group_by(keys)}});
}

AuditK measure_k(SpiSession& session, AuditTable const& table) {
  auto const planning = Settings::for_counting();
  auto const sql = sql_text(R"(
WITH g AS MATERIALIZED ({classes}
),
s AS MATERIALIZED (
  SELECT size, count(*) AS n
  FROM g
  GROUP BY size
),
b AS (  -- few sizes are shown one by one, many by powers of two
  SELECT min(size) AS a, max(size) AS z, sum(n)::bigint AS n
  FROM s
  GROUP BY CASE WHEN (SELECT count(*) FROM s) <= 32 THEN size ELSE length(ltrim(size::bit(64)::text, '0')) END
)
SELECT (SELECT count(*) FROM g),
       (SELECT coalesce(min(size), 0) FROM s),
       (SELECT coalesce(round(sum(size * n) / nullif(sum(n), 0), 2), 0)::text FROM s),
       (SELECT coalesce(jsonb_agg(jsonb_build_object('from', a, 'to', z, 'classes', n) ORDER BY a), '[]')::text FROM b),
       (SELECT w::text
        FROM (SELECT {class} AS w FROM g WHERE size = (SELECT min(size) FROM s)) AS w
        ORDER BY w::text COLLATE "C"
        LIMIT 1))",
                            {{"classes", class_sizes_sql(table)}, {"class", class_json(table)}});
  auto const rows = read_rows(session, sql, {}, relation_text(table));
  return {rows.integer(0, 1), rows.integer(0, 2), rows.get(0, 3), rows.get(0, 4), rows.text(0, 5)};
}

}  // namespace anon_seq::audit
