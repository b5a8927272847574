#include "audit/rule_tables.h"

#include <set>

#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

using Counts = RuleShape::Counts;

// Columns of X and of Y, each once.
RuleShape::Columns columns_of(RuleShape const& shape, std::size_t table) {
  std::set<std::size_t> used(shape.x(table).begin(), shape.x(table).end());
  used.insert(shape.y(table).begin(), shape.y(table).end());
  return {used.begin(), used.end()};
}

// Names of the codes that decide what a table's rows match.
std::vector<std::string> codes(RuleShape const& shape, std::size_t table) {
  std::vector<std::string> names;
  auto const& columns = shape.question().plan.columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].table != table) continue;
    auto const n = std::to_string(i);
    if (columns[i].by_text) names.push_back("t" + n);
    if (columns[i].by_component) names.push_back("c" + n);
    if (columns[i].by_span) names.insert(names.end(), {"f" + n, "l" + n});
    if (columns[i].by_group) names.push_back("g" + n);
  }
  return names;
}

// b: rows that agree in all columns that matter, and their person if persons are counted.
std::string base(RuleShape const& shape, std::size_t table) {
  auto const& of = shape.table(table);
  std::vector<std::string> by;
  std::string list;
  std::set<std::string> selected;
  auto select = [&](std::string const& name, std::string const& as) {
    if (!selected.insert(as).second) return;
    by.push_back("q." + quote_name(name));
    list += by.back() + " AS " + as + ", ";
  };
  for (auto const column : columns_of(shape, table)) select(of.columns[column].name, key(column));
  for (auto const& column : shape.question().plan.columns)
    if (column.table == table && !column.is_constant()) {
      auto const& about = of.columns[column.column];
      select(about.match.empty() ? about.name : about.match, shape.match_key(table, column.column));
    }
  std::string from = from_table(of), weight = weight_of(of), person = "NULL";
  if (shape.counts(table) == Counts::kPersons) {
    person = "q." + quote_name(of.person_column);
    if (of.persons == Persons::kArray) {
      from +=
          sql_text(" LEFT JOIN LATERAL unnest({persons}) WITH ORDINALITY AS e (p, o) ON true", {{"persons", person}});
      weight = sql_text("CASE WHEN e.o > 1 THEN 0 ELSE {weight} END", {{"weight", weight}});
      // Keys are grouped by their own type's equality, within an array of one: who was forgotten, NULL, is somebody
      // still; all of them together count as one, which errs on the safe side.
      person = "(CASE WHEN e.o IS NOT NULL THEN ARRAY[e.p] END)";
    }
    by.push_back(person);
  }
  return sql_text(R"(  SELECT {columns}{person} AS p, sum({weight})::bigint AS n
  FROM {table}
  {grouped})",
                  {{"columns", list},
                   {"person", person},
                   {"weight", weight},
                   {"table", from},
                   {"grouped", by.empty() ? "HAVING count(*) > 0" : "GROUP BY " + joined(by, ", ")}});
}

// The codes of b's rows, and the joins with map that find them. NULL has codes of its own; a value that no label stands
// for has 0.
struct CodeColumns {
  std::string list, joins;

  CodeColumns(RuleShape const& shape, std::size_t table) {
    auto const& plan = shape.question().plan;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      auto const& column = plan.columns[i];
      if (column.table != table || column.is_constant()) continue;
      auto const n = std::to_string(i), k = "b." + shape.match_key(table, column.column);
      if (column.by_text)
        list += sql_text(",\n         coalesce(to_jsonb({k}), 'null'::jsonb) AS t{n}", {{"k", k}, {"n", n}});
      if (!column.by_component && !column.by_span && !column.by_group) continue;
      joins += sql_text(R"(
  LEFT JOIN map AS m{n} ON m{n}.col = {n} AND m{n}.key = {k}::text COLLATE "C")",
                        {{"k", k}, {"n", n}});
      LabelCode null{static_cast<std::int32_t>(i), std::nullopt, -1, -1, -1, 0};
      for (auto const& label : plan.labels)
        if (label.column == null.column && !label.key) null = label;
      auto code = [&](char const* what, std::int32_t of_null) {
        list +=
            sql_text(",\n         CASE WHEN {k} IS NULL THEN {of_null} ELSE coalesce(m{n}.{what}, 0) END AS {what}{n}",
                     {{"k", k}, {"of_null", std::to_string(of_null)}, {"n", n}, {"what", what}});
      };
      if (column.by_component) code("c", null.component);
      if (column.by_span) code("f", null.first), code("l", null.last);
      if (column.by_group) code("g", null.group);
    }
  }
};

// The empty partner: all NULL, of the same types.
std::string empty_partner(RuleShape const& shape, std::size_t table) {
  if (!shape.may_be_empty(table)) return "";
  return sql_text(R"(
    UNION ALL
    SELECT c.p{columns}, 1, 0
    FROM (SELECT) AS one
    LEFT JOIN c{t} AS c ON false)",
                  {{"columns", keys(columns_of(shape, table), ", c.")}, {"t", number(table)}});
}

// The general way counts x and y by their numbers.
std::string numbered(RuleShape const& shape, std::size_t table) {
  auto const rank = [&](RuleShape::Columns const& by) {  // the empty partner is no row that shows NULL
    return "dense_rank() OVER (ORDER BY " + (shape.may_be_empty(table) ? "j = 0" + keys(by) : keys(by).substr(2)) + ")";
  };
  std::string const x = shape.x(table).empty() ? "1" : rank(shape.x(table));
  std::string const known = "CASE WHEN " + shape.is_value(table) + " THEN ";
  std::string const y = shape.is_any_of()        ? shape.listed_numbers(table)
                        : !shape.has_y(table)    ? "1"
                        : shape.y(table).empty() ? known + "1 END"
                                                 : known + rank(shape.y(table)) + " END";
  return ",\n         " + x + " AS x,\n         " + y + " AS y";
}

}  // namespace

std::string label_map() {
  return R"(map AS MATERIALIZED (  -- the codes of labels, by column and text
  SELECT *
  FROM unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::int[], $6::int[]) AS map (col, key, c, f, l, g)
))";
}

std::string coded_table(RuleShape const& shape, std::size_t table, bool short_cut) {
  CodeColumns const coded(shape, table);
  auto const names = joined(codes(shape, table), ", ");
  std::string const distinct = names.empty()
                                   ? sql_text(R"(  SELECT 1::bigint AS j, sum(n)::bigint AS n
  FROM c{t}
  HAVING count(*) > 0)",
                                              {{"t", number(table)}})
                                   : sql_text(R"(  SELECT {codes}, row_number() OVER () AS j, sum(n)::bigint AS n
  FROM c{t}
  GROUP BY {codes})",
                                              {{"codes", names}, {"t", number(table)}});
  return sql_text(R"(b{t} AS MATERIALIZED (  -- rows alike in all that matters
{base}
),
c{t} AS MATERIALIZED (  -- with the codes that decide what they match
  SELECT b.*{codes}
  FROM b{t} AS b{labels}
),
jx{t} AS MATERIALIZED (  -- the distinct codes j, and how many rows n have them
{distinct}
),
u{t} AS MATERIALIZED (  -- every row with its j
  SELECT *{numbered}
  FROM (
    SELECT c.p{columns}, c.n, x.j
    FROM c{t} AS c
    JOIN jx{t} AS x {same_codes}{empty_partner}
  ) AS r
))",
                  {{"t", number(table)},
                   {"base", base(shape, table)},
                   {"codes", coded.list},
                   {"labels", coded.joins},
                   {"distinct", distinct},
                   {"numbered", short_cut ? "" : numbered(shape, table)},
                   {"columns", keys(columns_of(shape, table), ", c.")},
                   {"same_codes", names.empty() ? "ON true" : "USING (" + names + ")"},
                   {"empty_partner", empty_partner(shape, table)}});
}

}  // namespace anon_seq::audit
