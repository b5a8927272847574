#include "audit/rule_sql.h"

#include <algorithm>

#include "audit/rule_sql_parts.h"

namespace anon_seq::audit {
namespace {

// The way without enumeration: per table of Y the worst x of each j, then the worst tuple of m.
std::string separable_sql(SqlParts const& parts) {
  std::string sql, from = "m", keys, texts, x, y;
  std::string num = "1::numeric", den = "1::numeric";
  for (std::size_t t = 0; t < parts.tables(); ++t) {
    auto const n = parts.number(t);
    if (!parts.has_y(t) && parts.x(t).empty()) continue;
    sql += parts.has_y(t) ? parts.groups(t) + parts.worst_groups(t) : parts.any_group(t);
    from += " JOIN e" + n + " ON e" + n + ".j = m.j" + n;
    texts += ", e" + n + ".w::text COLLATE \"C\"";
    x += parts.evidence(t, "e" + n + ".w->'x'", !parts.x(t).empty());
    y += parts.evidence(t, "e" + n + ".w->'y'", parts.is_singly() && parts.has_y(t));
    if (!parts.has_y(t)) continue;
    num += " * e" + n + ".h";
    if (!parts.is_anonymity()) den += " * e" + n + ".n";
  }
  return sql + ", worst AS (SELECT num, den, x, y FROM (SELECT " + num + " AS num, " + den + " AS den, '{}'::jsonb" +
         x + " AS x, '{}'::jsonb" + y + " AS y, row_number() OVER (ORDER BY " + parts.order_by(num, den) + texts +
         ") AS r FROM " + from + ") AS o WHERE r = 1)";
}

// The columns of the joined rows of v, table by table.
struct Joined {
  std::string from, x_of_v, x_names, y_of_v, y_names, product;

  void add(SqlParts const& parts, std::size_t t) {
    auto const n = parts.number(t), v = "v" + n;
    from += " JOIN " + v + " ON " + v + ".j = mm.j" + n;
    product += " * " + v + (parts.is_anonymity() ? ".w" : ".n");
    if (!parts.x(t).empty()) x_of_v += ", " + v + ".x AS x" + n, x_names += ", x" + n;
    if (!parts.has_y(t)) return;
    y_of_v += ", " + v + (parts.is_anonymity() ? ".t" : ".y") + " AS y" + n;
    y_names += ", y" + n;
  }
};

// a: x1, .. and num of every x, for anonymity. If a table's rows are tokens, a token has one j, so tuples of
// tokens with different j of that table differ: the other tables are counted per j first (o), and then
// a_Y(x) = sum over j of w(x_i, j) * o(j, x of the others), a plain sum without DISTINCT over pairs.
std::string count_tokens(SqlParts const& parts) {
  std::optional<std::size_t> pivot;
  for (std::size_t t = 0; t < parts.tables() && !pivot; ++t)
    if (parts.has_y(t) && parts.is_row_token(t)) pivot = t;
  Joined others{"mm", "", "", "", "", "1::" + parts.count_type()};
  for (std::size_t t = 0; t < parts.tables(); ++t)
    if (parts.is_relevant(t) && t != pivot) others.add(parts, t);
  auto const cast = "::" + parts.count_type();
  if (!pivot)
    return ", a AS (SELECT z" + others.x_names + ", sum(p)" + cast + " AS num FROM (SELECT DISTINCT 0 AS z" +
           others.x_of_v + others.y_of_v + ", " + others.product + " AS p FROM " + others.from + ") AS d GROUP BY z" +
           others.x_names + ")";
  auto const n = parts.number(*pivot);
  std::string const mine = parts.x(*pivot).empty() ? "" : ", x" + n;
  return ", o AS MATERIALIZED (SELECT j" + others.x_names + ", sum(p)" + cast + " AS w FROM (SELECT DISTINCT mm.j" + n +
         " AS j" + others.x_of_v + others.y_of_v + ", " + others.product + " AS p FROM " + others.from +
         ") AS d GROUP BY j" + others.x_names + "), a AS (SELECT 0 AS z" + (mine.empty() ? "" : ", v.x AS x" + n) +
         others.x_names + ", sum(v.w * o.w)" + cast + " AS num FROM o JOIN v" + n + " AS v USING (j) GROUP BY 1" +
         mine + others.x_names + ")";
}

// a: x1, .., num and den, and y1, .. where values are measured singly, for linkability. All but the first
// relevant table are summed up per j of that one first: a(x, y) = sum over j of n(x_i, y_i, j) * o(j, the others).
std::string count_rows(SqlParts const& parts) {
  std::size_t first = 0;
  while (!parts.is_relevant(first)) ++first;
  Joined others{"mm", "", "", "", "", "mm.w"}, mine{"", "", "", "", "", ""};
  mine.add(parts, first);
  std::string listed, all_y;
  for (std::size_t t = 0; t < parts.tables(); ++t) {
    if (parts.is_relevant(t) && t != first) others.add(parts, t);
    if (!parts.has_y(t)) continue;
    listed += (listed.empty() ? "SELECT unnest(y" : " INTERSECT SELECT unnest(y") + parts.number(t) + ")";
    all_y += (all_y.empty() ? "y" : " AND y") + parts.number(t) + " IS NOT NULL";
  }
  auto const n = parts.number(first), cast = "::" + parts.count_type();
  auto const x = mine.x_names + others.x_names, y = mine.y_names + others.y_names;
  std::string const sql = ", o AS MATERIALIZED (SELECT mm.j" + n + " AS j" + others.x_of_v + others.y_of_v + ", sum(" +
                          others.product + ")" + cast + " AS w FROM " + others.from + " GROUP BY 1" + others.x_names +
                          others.y_names + "), d AS MATERIALIZED (SELECT 0 AS z" + mine.x_of_v + mine.y_of_v +
                          others.x_names + others.y_names + ", sum(v" + n + ".n * o.w)" + cast + " AS h FROM o JOIN v" +
                          n + " USING (j) GROUP BY 1" + x + y + ")";
  if (parts.is_singly())
    return sql + ", s AS (SELECT z" + x + ", sum(h)" + cast + " AS den FROM d GROUP BY z" + x +
           "), a AS (SELECT *, h AS num FROM d JOIN s USING (z" + x + ") WHERE " + all_y + ")";
  return sql + ", a AS (SELECT z" + x + ", coalesce(sum(h) FILTER (WHERE cardinality(ARRAY(" + listed + ")) > 0), 0)" +
         cast + " AS num, sum(h)" + cast + " AS den FROM d GROUP BY z" + x + ")";
}

// The honest way.
std::string general_sql(SqlParts const& parts) {
  std::string sql = parts.reduced_matches(), order, x, y;
  for (std::size_t t = 0; t < parts.tables(); ++t) {
    if (!parts.is_relevant(t)) continue;
    sql += parts.rows_of(t);
    bool const shows_y = parts.is_singly() && parts.has_y(t);
    if (!parts.x(t).empty()) order += ", x" + parts.number(t);
    if (shows_y) order += ", y" + parts.number(t);
    x += parts.evidence(t, parts.example(t, "x"), !parts.x(t).empty());
    y += parts.evidence(t, parts.example(t, "y"), shows_y);
  }
  std::string worst = "SELECT *, 1 AS den FROM a";
  if (!parts.is_anonymity())  // within rounding of the largest; the order among these is exact
    worst =
        "SELECT * FROM a WHERE num::float8 / den::float8 >= (SELECT max(num::float8 / den::float8) FROM a) * (1 - 1e-9::float8)";
  return sql + (parts.is_anonymity() ? count_tokens(parts) : count_rows(parts)) +
         ", worst AS (SELECT num::numeric AS num, den::numeric AS den, '{}'::jsonb" + x + " AS x, '{}'::jsonb" + y +
         " AS y FROM (SELECT * FROM (" + worst + ") AS a ORDER BY " + parts.order_by("num", "den") + order +
         " LIMIT 1) AS o)";
}

}  // namespace

bool is_separable(JoinQuestion const& question) {
  SqlParts const parts(question);
  std::size_t holders = 0;
  for (std::size_t t = 0; t < parts.tables(); ++t) {
    holders += parts.has_y(t);
    bool const must_decide = parts.has_y(t) || (question.outer && t == 0);
    if (must_decide && !parts.x_decides_match(t)) return false;
  }
  return holders == 1 || question.listed.size() <= 1;  // "any of several tuples" is no product
}

std::string join_sql(JoinQuestion const& question) {
  SqlParts const parts(question);
  bool const short_cut = !question.general && is_separable(question);
  std::string sql = parts.head();
  for (std::size_t t = 0; t < parts.tables(); ++t) sql += parts.coded(t, short_cut);
  sql += parts.matches();
  sql += short_cut ? separable_sql(parts) : general_sql(parts);
  return sql + " SELECT " + parts.match_count() + ", " + parts.dangling() + ", w.num::text, w.den::text, " +
         parts.worst_json() + ", " + parts.holds() + " FROM (SELECT) AS one LEFT JOIN worst AS w ON true";
}

}  // namespace anon_seq::audit
