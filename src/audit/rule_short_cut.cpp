#include "audit/rule_short_cut.h"

#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

using Counts = RuleShape::Counts;

// h: how much of Y is in a group.
std::string measured(RuleShape const& shape, std::size_t table) {
  if (!shape.is_anonymity() || shape.counts(table) == Counts::kRows)
    return sql_text("coalesce(sum(n) FILTER (WHERE {counted}), 0)",
                    {{"counted", shape.is_any_of() ? shape.is_listed(table) : shape.is_value(table)}});
  // With persons the rows of u are distinct in x, y and p: no other column was needed.
  if (shape.counts(table) == Counts::kPersons)
    return sql_text("count(p) FILTER (WHERE {counted})", {{"counted", shape.is_value(table)}});
  return sql_text("count(DISTINCT ({y})) FILTER (WHERE {counted})",
                  {{"y", keys(shape.y(table)).substr(2)}, {"counted", shape.is_value(table)}});
}

// g: one row per j and x, or x and y where each y is measured: h rows of n have the y, or h distinct y are in them.
std::string groups(RuleShape const& shape, std::size_t table) {
  auto const t = number(table), x = keys(shape.x(table));
  if (!shape.is_singly())
    return sql_text(R"(g{t} AS MATERIALIZED (
  SELECT j{x}, {measured} AS h, sum(n) AS n
  FROM u{t}
  GROUP BY j{x}
),
)",
                    {{"t", t}, {"x", x}, {"measured", measured(shape, table)}});
  return sql_text(R"(g{t} AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT j{x}{y}, sum(n) AS h, sum(sum(n)) OVER (PARTITION BY j{x}) AS n
    FROM u{t}
    GROUP BY j{x}{y}
  ) AS s
  WHERE {is_value}
),
)",
                  {{"t", t}, {"x", x}, {"y", keys(shape.y(table))}, {"is_value", shape.is_value(table)}});
}

// e: the worst of g per j, w its evidence; of several that are as bad the first by its text.
std::string worst_groups(RuleShape const& shape, std::size_t table) {
  return sql_text(R"(low{t} AS (  -- of each j the worst x
  SELECT j, {worst}({measure}) AS q
  FROM g{t}
  WHERE j IN (SELECT j{t} FROM m)
  GROUP BY j
),
e{t} AS (  -- and its evidence
  SELECT DISTINCT ON (j) j, h, n, w
  FROM (
    SELECT g.j, g.h, g.n, low.q, jsonb_build_object('x', {x}, 'y', {y}) AS w
    FROM g{t} AS g
    JOIN low{t} AS low USING (j)
  ) AS g
  WHERE {measure} = q
  ORDER BY j, w::text COLLATE "C"
),
)",
                  {{"t", number(table)},
                   {"worst", shape.is_anonymity() ? "min" : "max"},
                   {"measure", shape.is_anonymity() ? "h" : "div(h * " + shape.digits() + ", n)"},
                   {"x", shape.json_expression(table, shape.x(table), "g")},
                   {"y", shape.is_singly() ? shape.json_expression(table, shape.y(table), "g") : "NULL::jsonb"}});
}

// e of a table without Y: some x per j.
std::string any_group(RuleShape const& shape, std::size_t table) {
  return sql_text(
      R"(e{t} AS (  -- of each j some x
  SELECT DISTINCT ON (j) j, w
  FROM (
    SELECT d.j, jsonb_build_object('x', {json}) AS w
    FROM (SELECT DISTINCT j{x} FROM u{t}) AS d
  ) AS d
  ORDER BY j, w::text COLLATE "C"
),
)",
      {{"t", number(table)}, {"x", keys(shape.x(table))}, {"json", shape.json_expression(table, shape.x(table), "d")}});
}

}  // namespace

std::string short_cut(RuleShape const& shape) {
  std::string sql, groups_of_m, texts, x, y;
  std::string num = "1::numeric", den = "1::numeric";
  for (std::size_t t = 0; t < shape.tables(); ++t) {
    if (!shape.is_relevant(t)) continue;
    auto const e = "e" + number(t);
    sql += shape.has_y(t) ? groups(shape, t) + worst_groups(shape, t) : any_group(shape, t);
    groups_of_m += sql_text("\n    JOIN e{t} ON e{t}.j = m.j{t}", {{"t", number(t)}});
    texts += ", " + e + ".w::text COLLATE \"C\"";
    x += shape.evidence(t, e + ".w->'x'", !shape.x(t).empty());
    y += shape.evidence(t, e + ".w->'y'", shape.is_singly() && shape.has_y(t));
    if (!shape.has_y(t)) continue;
    num += " * " + e + ".h";
    if (!shape.is_anonymity()) den += " * " + e + ".n";
  }
  return sql +
         sql_text(
             R"(worst AS (  -- a j goes with every x of another that matches: the worst of each are the worst together
  SELECT num, den, x, y
  FROM (
    SELECT {num} AS num,
           {den} AS den,
           '{}'::jsonb{x} AS x,
           '{}'::jsonb{y} AS y,
           row_number() OVER (ORDER BY {worst_first}{texts}) AS r
    FROM m{groups}
  ) AS o
  WHERE r = 1
))",
             {{"num", num},
              {"den", den},
              {"x", x},
              {"y", y},
              {"worst_first", shape.order_by(num, den)},
              {"texts", texts},
              {"groups", groups_of_m}});
}

}  // namespace anon_seq::audit
