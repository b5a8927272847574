#include "audit/rule_general.h"

#include "audit/rule_count.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

using Counts = RuleShape::Counts;

// mm: the tuples of tables that are in X or Y, those of others summed up.
std::string reduced_matches(RuleShape const& shape) {
  std::vector<std::string> codes;
  std::string weight = "1", others;
  for (std::size_t t = 0; t < shape.tables(); ++t) {
    auto const n = number(t);
    if (shape.is_relevant(t)) {
      codes.push_back("m.j" + n);
      continue;
    }
    others += sql_text("\n  LEFT JOIN jx{t} ON jx{t}.j = m.j{t}", {{"t", n}});
    weight += sql_text(" * coalesce(jx{t}.n, 1)::{count}", {{"t", n}, {"count", shape.count_type()}});
  }
  if (shape.is_anonymity())
    return sql_text("mm AS MATERIALIZED (SELECT DISTINCT {codes} FROM m),\n", {{"codes", joined(codes, ", ")}});
  return sql_text(
      R"(mm AS MATERIALIZED (  -- tables that are neither in X nor in Y summed up
  SELECT {codes}, sum({weight})::{count} AS w
  FROM m{others}
  GROUP BY {codes}
),
)",
      {{"codes", joined(codes, ", ")}, {"weight", weight}, {"count", shape.count_type()}, {"others", others}});
}

// The rows of v: x, j, and the token t of weight w, or y and its rows n.
std::string tokens_of(RuleShape const& shape, std::size_t table) {
  auto const t = number(table), count = shape.count_type();
  if (!shape.is_anonymity())
    return sql_text(R"(
  SELECT x, j, y, sum(n)::{count} AS n
  FROM u{t}
  GROUP BY x, j, y)",
                    {{"t", t}, {"count", count}});
  switch (shape.counts(table)) {
    case Counts::kValues: break;
    case Counts::kRows:
      return sql_text(R"(
  SELECT x, j, dense_rank() OVER (ORDER BY j, y) AS t, (CASE WHEN y IS NULL THEN 0 ELSE sum(n) END)::{count} AS w
  FROM u{t}
  GROUP BY x, j, y)",
                      {{"t", t}, {"count", count}});
    case Counts::kPersons:  // the persons of an x with one set of j are one token
      return sql_text(R"(
  SELECT x, unnest(s) AS j, t, w
  FROM (
    SELECT x, s, dense_rank() OVER (ORDER BY s, y, known) AS t,
           (CASE WHEN known AND y IS NOT NULL THEN count(*) ELSE 0 END)::{count} AS w
    FROM (
      SELECT x, y, p IS NOT NULL AS known, array_agg(DISTINCT j ORDER BY j) AS s
      FROM u{t}
      GROUP BY x, y, p, j = 0, p IS NOT NULL
    ) AS s
    GROUP BY x, y, s, known
  ) AS s)",
                      {{"t", t}, {"count", count}});
  }
  return sql_text(R"(
  SELECT DISTINCT x, j, y AS t, (y IS NOT NULL)::int::{count} AS w
  FROM u{t})",
                  {{"t", t}, {"count", count}});
}

// v: one row per x, j and token; of the x with equal rows one, rep, stands for all.
std::string rows_of(RuleShape const& shape, std::size_t table) {
  auto const t = number(table), tokens = tokens_of(shape, table);
  if (shape.x(table).empty()) return sql_text("v{t} AS MATERIALIZED ({tokens}\n),\n", {{"t", t}, {"tokens", tokens}});
  return sql_text(R"(r{t} AS MATERIALIZED ({tokens}
),
rep{t} AS (  -- of the x with equal rows one
  SELECT min(x) AS x
  FROM (
    SELECT x, string_agg(concat_ws(',', {row}), ';' ORDER BY {row}) AS kind
    FROM r{t}
    GROUP BY x
  ) AS k
  GROUP BY kind
),
v{t} AS MATERIALIZED (
  SELECT r.*
  FROM r{t} AS r
  JOIN rep{t} USING (x)
),
)",
                  {{"t", t}, {"tokens", tokens}, {"row", shape.is_anonymity() ? "j, t, w" : "j, y, n"}});
}

// The columns behind o.x<t> or o.y<t>, o being the worst.
std::string example(RuleShape const& shape, std::size_t table, std::string const& part) {
  return sql_text("(SELECT {json} FROM u{t} AS u WHERE u.{part} = o.{part}{t} LIMIT 1)",
                  {{"json", shape.json_expression(table, part == "x" ? shape.x(table) : shape.y(table), "u")},
                   {"t", number(table)},
                   {"part", part}});
}

}  // namespace

std::string general_way(RuleShape const& shape) {
  std::string sql = reduced_matches(shape), order, x, y;
  for (std::size_t t = 0; t < shape.tables(); ++t) {
    if (!shape.is_relevant(t)) continue;
    sql += rows_of(shape, t);
    bool const shows_y = shape.is_singly() && shape.has_y(t);
    if (!shape.x(t).empty()) order += ", x" + number(t);
    if (shows_y) order += ", y" + number(t);
    x += shape.evidence(t, example(shape, t, "x"), !shape.x(t).empty());
    y += shape.evidence(t, example(shape, t, "y"), shows_y);
  }
  std::string worst = "SELECT *, 1 AS den FROM a";
  if (!shape.is_anonymity())  // within rounding of the largest; the order among these is exact
    worst = R"(SELECT *
      FROM a
      WHERE num::float8 / den::float8 >= (SELECT max(num::float8 / den::float8) FROM a) * (1 - 1e-9::float8))";
  sql += shape.is_anonymity() ? count_tokens(shape) : count_rows(shape);
  return sql +
         sql_text(
             R"(worst AS (
  SELECT num::numeric AS num,
         den::numeric AS den,
         '{}'::jsonb{x} AS x,
         '{}'::jsonb{y} AS y
  FROM (
    SELECT *
    FROM (
      {worst}
    ) AS a
    ORDER BY {worst_first}{order}
    LIMIT 1
  ) AS o
))",
             {{"x", x}, {"y", y}, {"worst", worst}, {"worst_first", shape.order_by("num", "den")}, {"order", order}});
}

}  // namespace anon_seq::audit
