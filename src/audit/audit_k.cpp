#include "audit/audit_k.h"

#include "audit/match.h"
#include "pg/reading.h"

namespace anon_seq::audit {
namespace {

// One row per class: its columns k0, k1, ... and its size.
std::string classes_sql(AuditTable const& table) {
  std::string named, by, names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    auto const key = "k" + std::to_string(i), column = "q." + quote_name(table.columns[i].name);
    named += column + " AS " + key + ", ";
    by += (by.empty() ? " GROUP BY " : ", ") + column;
    names += key + ", ";
  }
  if (table.persons == Persons::kRows)
    return "SELECT " + named + "sum(" + weight_of(table) + ")::bigint AS size FROM " + from_table(table) +
           (by.empty() ? " HAVING count(*) > 0" : by);
  std::string person = "q." + quote_name(table.person_column), from = from_table(table);
  if (table.persons == Persons::kArray) {
    from += " LEFT JOIN LATERAL unnest(" + person + ") AS e (p) ON true";
    person = "e.p";
  }
  std::string const group = by.empty() ? " HAVING count(*) > 0" : " GROUP BY " + names.substr(0, names.size() - 2);
  return "SELECT " + names + "count(p) AS size FROM (SELECT DISTINCT " + named + person + " AS p FROM " + from +
         ") AS d" + group;
}

std::string class_json(AuditTable const& table) {
  std::string json = "'{}'::jsonb";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    json += " || jsonb_build_object(" + sql_literal(table.columns[i].name) + "::text, k" + std::to_string(i) + ")";
  return "(" + json + ")";
}

}  // namespace

AuditK measure_k(SpiSession& session, AuditTable const& table) {
  auto const planning = Settings::for_counting();
  // Few sizes are shown one by one, many by powers of two.
  std::string const sql =
      "WITH g AS MATERIALIZED (" + classes_sql(table) + R"(),
    s AS MATERIALIZED (SELECT size, count(*) AS n FROM g GROUP BY size),
    b AS (SELECT min(size) AS a, max(size) AS z, sum(n)::bigint AS n FROM s
           GROUP BY CASE WHEN (SELECT count(*) FROM s) <= 32 THEN size ELSE length(ltrim(size::bit(64)::text, '0')) END)
    SELECT (SELECT count(*) FROM g), (SELECT coalesce(min(size), 0) FROM s),
           (SELECT coalesce(round(sum(size * n) / nullif(sum(n), 0), 2), 0)::text FROM s),
           (SELECT coalesce(jsonb_agg(jsonb_build_object('from', a, 'to', z, 'classes', n) ORDER BY a), '[]')::text FROM b),
           (SELECT w::text FROM (SELECT )" +
      class_json(table) +
      R"( AS w FROM g WHERE size = (SELECT min(size) FROM s)) AS w ORDER BY w::text COLLATE "C" LIMIT 1))";
  auto const rows = read_rows(session, sql, {}, relation_text(table));
  return {rows.integer(0, 1), rows.integer(0, 2), rows.get(0, 3), rows.get(0, 4), rows.text(0, 5)};
}

}  // namespace anon_seq::audit
