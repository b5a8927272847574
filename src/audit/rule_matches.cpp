#include "audit/rule_matches.h"

#include <algorithm>

#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

// Whether row a<s> of jx<s> matches row a<t> of jx<t>; empty: always. REQUIRES: s < t.
std::string match_condition(RuleShape const& shape, std::size_t s, std::size_t t) {
  auto const& plan = shape.question().plan;
  auto const a = "a" + number(s), b = "a" + number(t);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < plan.columns.size(); ++i)
    for (std::size_t j = 0; j < plan.columns.size(); ++j) {
      auto const &left = plan.columns[i], &right = plan.columns[j];
      if (left.table != s || right.table != t || left.attribute != right.attribute) continue;
      auto add = [&](char const* condition) {
        all.push_back(sql_text(condition, {{"a", a}, {"b", b}, {"m", std::to_string(i)}, {"n", std::to_string(j)}}));
      };
      if (left.by_text) add("{a}.t{m} = {b}.t{n}");
      if (left.by_component) add("{a}.c{m} = {b}.c{n}");
      if (left.by_span) add("{a}.f{m} <= {b}.l{n} AND {b}.f{n} <= {a}.l{m}");
    }
  for (auto const& e : plan.exclusions) {
    if (plan.columns[e.a].table != s || plan.columns[e.b].table != t) continue;
    std::vector<std::string> pairs;
    for (auto const& [g, h] : e.groups) pairs.push_back(std::to_string((static_cast<std::int64_t>(g) << 32) + h));
    all.push_back(sql_text(
        "(({a}.g{m}::bigint << 32) + {b}.g{n}) <> ALL ('{{pairs}}'::bigint[])",
        {{"a", a}, {"b", b}, {"m", std::to_string(e.a)}, {"n", std::to_string(e.b)}, {"pairs", joined(pairs, ",")}}));
  }
  return joined(all, " AND ");
}

bool is_linked(RuleShape const& shape, std::size_t table) {  // to another table than the first
  for (std::size_t s = 1; s < shape.tables(); ++s)
    if (s != table && !match_condition(shape, std::min(s, table), std::max(s, table)).empty()) return true;
  return false;
}

// Whether a row a<table> fits all that are in a combination f, whose codes are a1, a2, ...
std::string fits_others(RuleShape const& shape, std::size_t table) {
  std::vector<std::string> all;
  for (std::size_t s = 0; s < shape.tables(); ++s) {
    if (s == table) continue;
    auto const condition = match_condition(shape, std::min(s, table), std::max(s, table));
    if (condition.empty()) continue;
    all.push_back(s == 0 ? condition : "(coalesce(f.j" + number(s) + ", 0) = 0 OR (" + condition + "))");
  }
  return all.empty() ? "true" : joined(all, " AND ");
}

// The same for the tables before it, the first of which has a row in every combination.
std::string fits_earlier(RuleShape const& shape, std::size_t table) {
  std::vector<std::string> all;
  for (std::size_t s = 0; s < table; ++s) {
    auto const condition = match_condition(shape, s, table);
    if (condition.empty()) continue;
    all.push_back(s == 0 ? condition : "(f.j" + number(s) + " = 0 OR (" + condition + "))");
  }
  return all.empty() ? "true" : joined(all, " AND ");
}

// Combinations f of the first `count` tables with the codes of their rows, a<but> aside.
std::string with_codes(std::string const& f, std::size_t count, std::size_t but) {
  std::string text = f + " AS f\n  JOIN jx1 AS a1 ON a1.j = f.j1";
  for (std::size_t s = 1; s < count; ++s)
    if (s != but) text += sql_text("\n  LEFT JOIN jx{s} AS a{s} ON a{s}.j = f.j{s}", {{"s", number(s)}});
  return text;
}

// m0: every table's rows, of which each fits those of the tables before.
std::string full_matches(RuleShape const& shape) {
  std::string list = "a1.j AS j1", joins;
  for (std::size_t t = 1; t < shape.tables(); ++t) {
    std::vector<std::string> conditions;
    for (std::size_t s = 0; s < t; ++s)
      if (auto condition = match_condition(shape, s, t); !condition.empty()) conditions.push_back(std::move(condition));
    auto const on = conditions.empty() ? "true" : joined(conditions, " AND ");
    list += sql_text(", a{t}.j AS j{t}", {{"t", number(t)}});
    joins += sql_text("\n  JOIN jx{t} AS a{t} ON {on}", {{"t", number(t)}, {"on", on}});
  }
  return sql_text(R"(m0 AS MATERIALIZED (  -- the j that match: one row stands for all rows with these codes
  SELECT {codes}
  FROM jx1 AS a1{others}
))",
                  {{"codes", list}, {"others", joins}});
}

// m where rows of the first table may have empty partners: table by table a row or none (f1, f2, ...); where tables
// other than the first are linked, what was left out too early is sorted out at the end.
std::string maximal_matches(RuleShape const& shape) {
  std::string sql = "f1 AS (SELECT j AS j1 FROM jx1),\n", maximal = "true";
  for (std::size_t t = 1; t < shape.tables(); ++t) {
    auto const n = number(t), before = "f" + number(t - 1), fits = fits_earlier(shape, t);
    std::string without = before + " AS f";
    if (is_linked(shape, t))
      maximal += sql_text(R"(
    AND (f.j{t} > 0 OR NOT EXISTS (SELECT FROM jx{t} AS a{t} WHERE {fits})))",
                          {{"t", n}, {"fits", fits_others(shape, t)}});
    else
      without = sql_text(R"({combinations}
  WHERE NOT EXISTS (SELECT FROM jx{t} AS a{t} WHERE {fits}))",
                         {{"combinations", with_codes(before, t, t)}, {"t", n}, {"fits", fits}});
    sql += sql_text(R"(f{t} AS MATERIALIZED (  -- each with a row of this table, or with none
  SELECT f.*, a{t}.j AS j{t}
  FROM {combinations}
  JOIN jx{t} AS a{t} ON {fits}
  UNION ALL
  SELECT f.*, 0
  FROM {without}
),
)",
                    {{"t", n}, {"combinations", with_codes(before, t, t)}, {"fits", fits}, {"without", without}});
  }
  return sql + sql_text(R"(m AS MATERIALIZED (  -- those that no further row fits
  SELECT f.*
  FROM {combinations}
  WHERE {maximal}
))",
                        {{"combinations", with_codes("f" + number(shape.tables() - 1), shape.tables(), 0)},
                         {"maximal", maximal}});
}

}  // namespace

std::string matches(RuleShape const& shape) {
  auto const full = full_matches(shape) + ",\n";
  bool const outer = shape.question().outer;
  if (!outer) return full + "m AS MATERIALIZED (SELECT * FROM m0)";
  if (shape.tables() > 2) return full + maximal_matches(shape);
  return full + sql_text(R"(m AS MATERIALIZED (  -- rows of the first table without a partner have an empty one
  SELECT *
  FROM m0
  UNION ALL
  SELECT a1.j{none}
  FROM jx1 AS a1
  WHERE NOT EXISTS (SELECT FROM m0 WHERE m0.j1 = a1.j)
))",
                         {{"none", shape.tables() == 2 ? ", 0" : ""}});
}

}  // namespace anon_seq::audit
