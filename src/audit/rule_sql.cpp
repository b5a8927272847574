#include "audit/rule_sql.h"

#include "audit/rule_general.h"
#include "audit/rule_matches.h"
#include "audit/rule_short_cut.h"
#include "audit/rule_tables.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

std::string match_count(RuleShape const& shape) {
  std::string product = "1::numeric", tables;
  for (std::size_t t = 0; t < shape.tables(); ++t) {
    product += " * jx" + number(t) + ".n";
    tables += sql_text(" JOIN jx{t} ON jx{t}.j = m0.j{t}", {{"t", number(t)}});
  }
  return sql_text("(SELECT coalesce(sum({product}), 0)::text FROM m0{tables})",
                  {{"product", product}, {"tables", tables}});
}

// Rows of each table that no tuple of the join has.
std::string dangling(RuleShape const& shape) {
  std::vector<std::string> counts;
  for (std::size_t t = 0; t < shape.tables(); ++t)
    counts.push_back(sql_text(R"((SELECT coalesce(sum(n), 0)::text
        FROM jx{t} AS a
        WHERE NOT EXISTS (SELECT FROM m0 WHERE m0.j{t} = a.j)))",
                              {{"t", number(t)}}));
  return joined(counts, ",\n       ");
}

std::string worst_json(RuleShape const& shape) {
  return sql_text("CASE WHEN w.num IS NOT NULL THEN (jsonb_build_object('x', w.x, {numbers}){y})::text END",
                  {{"numbers", shape.is_anonymity() ? "'anonymity', w.num" : "'matching', w.num, 'of', w.den"},
                   {"y", shape.is_singly() ? " || jsonb_build_object('y', w.y)" : ""}});
}

std::string holds(RuleShape const& shape) {
  auto const& limit = shape.question().rule.threshold;
  if (!limit) return "true";
  auto const num = std::to_string(limit->num), den = std::to_string(limit->den);
  if (shape.is_anonymity()) return sql_text("coalesce(w.num >= {min}::numeric, true)", {{"min", num}});
  return sql_text("coalesce(w.num * {den}::numeric <= {num}::numeric * w.den, true)", {{"num", num}, {"den", den}});
}

}  // namespace

bool is_separable(JoinQuestion const& question) {
  RuleShape const shape(question);
  std::size_t holders = 0;
  for (std::size_t t = 0; t < shape.tables(); ++t) {
    holders += shape.has_y(t);
    bool const must_decide = shape.has_y(t) || (question.outer && t == 0);
    if (must_decide && !shape.x_decides_match(t)) return false;
  }
  return holders == 1 || question.listed.size() <= 1;  // "any of several tuples" is no product
}

std::string join_sql(JoinQuestion const& question) {
  RuleShape const shape(question);
  bool const shortly = !question.general && is_separable(question);
  std::vector<std::string> parts{label_map()};
  for (std::size_t t = 0; t < shape.tables(); ++t) parts.push_back(coded_table(shape, t, shortly));
  parts.push_back(matches(shape));
  parts.push_back(shortly ? short_cut(shape) : general_way(shape));
  return sql_text(R"(
WITH {parts}
SELECT {match_count},
       {dangling},
       w.num::text,
       w.den::text,
       {worst},
       {holds}
FROM (SELECT) AS one
LEFT JOIN worst AS w ON true)",
                  {{"parts", joined(parts, ",\n")},
                   {"match_count", match_count(shape)},
                   {"dangling", dangling(shape)},
                   {"worst", worst_json(shape)},
                   {"holds", holds(shape)}});
}

}  // namespace anon_seq::audit
