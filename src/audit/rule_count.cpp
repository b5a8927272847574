#include "audit/rule_count.h"

#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

// The columns of the joined rows of v, table by table: as they are selected, and their names.
struct Joined {
  std::string from, x_of_v, x_names, y_of_v, y_names, product;

  void add(RuleShape const& shape, std::size_t t) {
    auto const n = number(t), v = "v" + n;
    from += sql_text("\n    JOIN v{t} ON v{t}.j = mm.j{t}", {{"t", n}});
    product += " * " + v + (shape.is_anonymity() ? ".w" : ".n");
    if (!shape.x(t).empty()) x_of_v += ", " + v + ".x AS x" + n, x_names += ", x" + n;
    if (!shape.has_y(t)) return;
    y_of_v += ", " + v + (shape.is_anonymity() ? ".t" : ".y") + " AS y" + n;
    y_names += ", y" + n;
  }
};

// a: x1, .. and num of every x, for anonymity: the distinct tuples of tokens.
std::string count_all_tokens(RuleShape const& shape, Joined const& all) {
  return sql_text(R"(a AS (
  SELECT z{x}, sum(p)::{count} AS num
  FROM (
    SELECT DISTINCT 0 AS z{x_of_v}{y_of_v}, {product} AS p
    FROM mm{tables}
  ) AS d
  GROUP BY z{x}
),
)",
                  {{"x", all.x_names},
                   {"count", shape.count_type()},
                   {"x_of_v", all.x_of_v},
                   {"y_of_v", all.y_of_v},
                   {"product", all.product},
                   {"tables", all.from}});
}

// The same if the rows of a table are tokens: a token has one j, so tuples of tokens with different j of that table
// differ: the other tables are counted per j first (o), and then a_Y(x) = sum over j of w(x_i, j) * o(j, x of the
// others), a plain sum without DISTINCT over pairs.
std::string count_tokens_by_row(RuleShape const& shape, Joined const& others, std::size_t pivot) {
  auto const t = number(pivot);
  bool const has_x = !shape.x(pivot).empty();
  return sql_text(R"(o AS MATERIALIZED (
  SELECT j{x}, sum(p)::{count} AS w
  FROM (
    SELECT DISTINCT mm.j{t} AS j{x_of_v}{y_of_v}, {product} AS p
    FROM mm{tables}
  ) AS d
  GROUP BY j{x}
),
a AS (
  SELECT 0 AS z{own_x_of_v}{x}, sum(v.w * o.w)::{count} AS num
  FROM o
  JOIN v{t} AS v USING (j)
  GROUP BY 1{own_x}{x}
),
)",
                  {{"t", t},
                   {"x", others.x_names},
                   {"count", shape.count_type()},
                   {"x_of_v", others.x_of_v},
                   {"y_of_v", others.y_of_v},
                   {"product", others.product},
                   {"tables", others.from},
                   {"own_x_of_v", has_x ? ", v.x AS x" + t : ""},
                   {"own_x", has_x ? ", x" + t : ""}});
}

}  // namespace

std::string count_tokens(RuleShape const& shape) {
  std::optional<std::size_t> pivot;
  for (std::size_t t = 0; t < shape.tables() && !pivot; ++t)
    if (shape.has_y(t) && shape.is_row_token(t)) pivot = t;
  Joined others{"", "", "", "", "", "1::" + shape.count_type()};
  for (std::size_t t = 0; t < shape.tables(); ++t)
    if (shape.is_relevant(t) && t != pivot) others.add(shape, t);
  return pivot ? count_tokens_by_row(shape, others, *pivot) : count_all_tokens(shape, others);
}

// a: x1, .., num and den, and y1, .. where values are measured singly, for linkability. All but the first
// relevant table are summed up per j of that one first: a(x, y) = sum over j of n(x_i, y_i, j) * o(j, the others).
std::string count_rows(RuleShape const& shape) {
  std::size_t first = 0;
  while (!shape.is_relevant(first)) ++first;
  Joined others{"", "", "", "", "", "mm.w"}, mine{"", "", "", "", "", ""};
  mine.add(shape, first);
  std::vector<std::string> listed, all_y;
  for (std::size_t t = 0; t < shape.tables(); ++t) {
    if (shape.is_relevant(t) && t != first) others.add(shape, t);
    if (!shape.has_y(t)) continue;
    listed.push_back("SELECT unnest(y" + number(t) + ")");
    all_y.push_back("y" + number(t) + " IS NOT NULL");
  }
  auto const t = number(first), x = mine.x_names + others.x_names;
  auto const sql = sql_text(R"(o AS MATERIALIZED (
  SELECT mm.j{t} AS j{x_of_v}{y_of_v}, sum({product})::{count} AS w
  FROM mm{tables}
  GROUP BY 1{x}{y}
),
d AS MATERIALIZED (  -- h rows of this x have this y
  SELECT 0 AS z{own_of_v}{x}{y}, sum(v{t}.n * o.w)::{count} AS h
  FROM o
  JOIN v{t} USING (j)
  GROUP BY 1{all_x}{all_y}
),
)",
                            {{"t", t},
                             {"x", others.x_names},
                             {"y", others.y_names},
                             {"x_of_v", others.x_of_v},
                             {"y_of_v", others.y_of_v},
                             {"product", others.product},
                             {"count", shape.count_type()},
                             {"tables", others.from},
                             {"own_of_v", mine.x_of_v + mine.y_of_v},
                             {"all_x", x},
                             {"all_y", mine.y_names + others.y_names}});
  if (shape.is_singly())
    return sql + sql_text(R"(s AS (
  SELECT z{x}, sum(h)::{count} AS den
  FROM d
  GROUP BY z{x}
),
a AS (
  SELECT *, h AS num
  FROM d
  JOIN s USING (z{x})
  WHERE {is_value}
),
)",
                          {{"x", x}, {"count", shape.count_type()}, {"is_value", joined(all_y, " AND ")}});
  return sql + sql_text(R"(a AS (
  SELECT z{x},
         coalesce(sum(h) FILTER (WHERE cardinality(ARRAY({listed})) > 0), 0)::{count} AS num,
         sum(h)::{count} AS den
  FROM d
  GROUP BY z{x}
),
)",
                        {{"x", x}, {"count", shape.count_type()}, {"listed", joined(listed, " INTERSECT ")}});
}

}  // namespace anon_seq::audit
