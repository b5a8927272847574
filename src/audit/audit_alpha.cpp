#include "audit/audit_alpha.h"

#include "pg/array_text.h"
#include "pg/reading.h"
#include "pg/settings.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

// The type of a column, without a length: a cast to it loses nothing.
std::string type_of(SpiSession& session, Oid relation, std::string const& column) {
  auto const type = session
                        .execute(R"(
SELECT CASE a.atttypid WHEN 'bpchar'::regtype THEN 'bpchar' ELSE format_type(a.atttypid, NULL) END
FROM pg_attribute AS a
WHERE a.attrelid = $1 AND a.attname = $2)",
                                 {SqlValue::oid(relation), column}, true)
                        .get(0, 1);
  return type;
}

struct Condition {
  std::string sql;  // of the rows that are counted together, on s; empty: every value singly
  std::vector<SqlValue> values;
};

Condition condition_of(SpiSession& session, Oid relation, std::string const& sensitive, ListedTexts const& listed) {
  if (!listed) return {};
  std::vector<std::string_view> const texts(listed->begin(), listed->end());
  return {"s = ANY ($1::" + type_of(session, relation, sensitive) + "[])",
          {SqlValue::datum(TEXTARRAYOID, text_array(texts))}};
}

// Of cell (k0, k1, ..., s, n): a row for each class, with its keys, its size and what it holds. NULL is a key as
// others.
std::string classes_sql(std::size_t keys, Condition const& condition) {
  std::string names, groups;
  for (std::size_t i = 0; i < keys; ++i) names += "k" + std::to_string(i) + ", ";
  groups = keys == 0 ? "HAVING count(*) > 0" : "GROUP BY " + names.substr(0, names.size() - 2);
  if (!condition.sql.empty())
    return sql_text(R"(
  SELECT {names}sum(n)::numeric AS size, coalesce(sum(n) FILTER (WHERE {condition}), 0)::numeric AS held
  FROM cell
  {groups})",
                    {{"names", names}, {"condition", condition.sql}, {"groups", groups}});
  return sql_text(R"(
  SELECT {names}sum(n)::numeric AS size, max(n)::numeric AS held
  FROM (SELECT {names}s, sum(n) AS n FROM cell GROUP BY {names}s) AS v
  {groups})",
                  {{"names", names}, {"groups", groups}});
}

// Classes, the smallest, the largest share, and the first class that has it.
std::string measures_sql(std::vector<std::string> const& keys) {
  std::string json = "'{}'::jsonb";
  for (std::size_t i = 0; i < keys.size(); ++i)
    json += " || jsonb_build_object(" + sql_literal(keys[i]) + "::text, k" + std::to_string(i) + ")";
  return sql_text(R"(
       count(*),
       coalesce(min(size), 0)::bigint,
       trim_scale(round(coalesce(max(held / size), 0), 6))::text,
       (SELECT w.shown::text
        FROM (SELECT {json} || jsonb_build_object('rows', size, 'held', held) AS shown, held, size FROM class) AS w
        ORDER BY w.held / w.size DESC, w.size, w.shown::text COLLATE "C"
        LIMIT 1))",
                  {{"json", json}});
}

AuditAlpha measured(Rows const& rows) {
  return {rows.integer(0, 1), rows.integer(0, 2), rows.get(0, 3), rows.text(0, 4)};
}

}  // namespace

AuditAlpha measure_alpha(SpiSession& session, Oid relation, std::vector<std::string> const& quasi,
                         std::string const& sensitive, ListedTexts const& listed) {
  auto const planning = Settings::for_counting();
  auto const condition = condition_of(session, relation, sensitive, listed);
  std::string keys;
  for (std::size_t i = 0; i < quasi.size(); ++i) keys += quote_name(quasi[i]) + " AS k" + std::to_string(i) + ", ";
  auto const sql = sql_text(R"(
WITH cell AS MATERIALIZED (
  SELECT {keys}{sensitive} AS s, 1 AS n
  FROM {relation}
),
class AS MATERIALIZED ({classes}
)
SELECT{measures}
FROM class)",
                            {{"keys", keys},
                             {"sensitive", quote_name(sensitive)},
                             {"relation", qualified_name(relation)},
                             {"classes", classes_sql(quasi.size(), condition)},
                             {"measures", measures_sql(quasi)}});
  return measured(read_rows(session, sql, condition.values, qualified_name(relation)));
}

AuditProjections measure_projections(SpiSession& session, ProjectionPair const& pair, ListedTexts const& listed) {
  auto const planning = Settings::for_counting();
  auto const condition = condition_of(session, pair.ss, pair.sensitive, listed);
  auto const nss = qualified_name(pair.nss), ss = qualified_name(pair.ss);
  auto const class_id = quote_name(pair.class_id), sensitive = quote_name(pair.sensitive);
  std::string const n = pair.counted ? "n" : "1";
  auto const what = nss + " and " + ss;
  auto const sql = sql_text(R"(
WITH cell AS MATERIALIZED (
  SELECT {class} AS k0, {sensitive} AS s, {n} AS n
  FROM {ss}
),
class AS MATERIALIZED ({classes}
),
place AS (
  SELECT {class} AS k0, count(*) AS size
  FROM {nss}
  GROUP BY {class}
)
SELECT{measures},
       (SELECT count(*)
        FROM (SELECT k0 IS NULL AS no, coalesce(k0::text, '') AS k0, size FROM place) AS p
        FULL JOIN (SELECT k0 IS NULL AS no, coalesce(k0::text, '') AS k0, size FROM class) AS c USING (no, k0)
        WHERE p.size IS DISTINCT FROM c.size)
FROM class)",
                            {{"class", class_id},
                             {"sensitive", sensitive},
                             {"n", n},
                             {"ss", ss},
                             {"nss", nss},
                             {"classes", classes_sql(1, condition)},
                             {"measures", measures_sql({pair.class_id})}});
  auto const rows = read_rows(session, sql, condition.values, what);
  AuditProjections found{measured(rows), rows.integer(0, 5), std::nullopt};
  if (!OidIsValid(pair.original)) return found;
  std::string keys, of_p, shared;
  for (std::size_t i = 0; i < pair.shared.size(); ++i) {
    auto const q = "q" + std::to_string(i);
    keys += quote_name(pair.shared[i]) + " AS " + q + ", ";
    of_p += "p." + q + ", ";
    shared += quote_name(pair.shared[i]) + ", ";
  }
  // Rows are numbered as they are read, which is how they are stored; a sort by class alone would mix them.
  Settings const as_stored({{"max_parallel_workers_per_gather", "0"}, {"synchronize_seqscans", "off"}});
  auto const aligned = sql_text(R"(
WITH p AS (SELECT *, row_number() OVER (PARTITION BY k0 ORDER BY i) AS place
           FROM (SELECT {class} AS k0, {keys}row_number() OVER () AS i FROM {nss}) AS r),
     s AS (SELECT *, row_number() OVER (PARTITION BY k0 ORDER BY i) AS place
           FROM (SELECT k0, s, row_number() OVER () AS i
                 FROM (SELECT {class} AS k0, {sensitive} AS s, generate_series(1, {n}) FROM {ss}) AS e) AS r)
SELECT count(*)
FROM (SELECT {of_p}s.s
      FROM p
      JOIN s USING (k0, place)
      INTERSECT ALL
      SELECT {shared}{sensitive}
      FROM {original}) AS x)",
                                {{"class", class_id},
                                 {"keys", keys},
                                 {"nss", nss},
                                 {"ss", ss},
                                 {"sensitive", sensitive},
                                 {"n", n},
                                 {"of_p", of_p},
                                 {"shared", shared},
                                 {"original", qualified_name(pair.original)}});
  found.recovered = read_rows(session, aligned, {}, what + " and " + qualified_name(pair.original)).integer(0, 1);
  return found;
}

}  // namespace anon_seq::audit
