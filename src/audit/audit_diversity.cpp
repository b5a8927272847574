#include "audit/audit_diversity.h"

#include "pg/line_type.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

// A column's type, a domain as what it is over.
std::string type_of(SpiSession& session, Oid relation, std::string const& column) {
  auto const rows = session.execute(R"(
SELECT a.atttypid, a.atttypmod
FROM pg_attribute AS a
WHERE a.attrelid = $1 AND a.attname = $2)",
                                    {SqlValue::oid(relation), column}, true);
  return base_type_name(rows.oid(0, 1), rows.int32(0, 2));
}

void require_counts(SpiSession& session, Oid relation, std::string const& counts) {
  auto const type = type_of(session, relation, counts);
  if (type != "smallint" && type != "integer" && type != "bigint")
    throw Error(Fault::kType, "column " + quoted(counts) + " has type " + type + ", which does not count rows",
                "Counts are of type smallint, integer or bigint.");
  auto const wrong = read_rows(session,
                               sql_text("SELECT FROM {relation} WHERE {counts} IS NULL OR {counts} < 1 LIMIT 1",
                                        {{"relation", qualified_name(relation)}, {"counts", quote_name(counts)}}),
                               {}, qualified_name(relation));
  if (wrong.count() > 0) throw Error(Fault::kData, "column " + quoted(counts) + " holds counts that are not positive");
}

// A row for each class and value of it: their numbers, and how many rows have both. Those of a class follow each other.
// Arrays of one compare as GROUP BY does, whatever operators are in sight, and NULLs among them are equal.
std::string cells_sql(Oid relation, std::vector<std::string> const& quasi, std::string const& sensitive,
                      std::optional<std::string> const& counts) {
  std::string keys, of_r, names;
  for (std::size_t i = 0; i < quasi.size(); ++i) {
    auto const name = "k" + std::to_string(i), column = "r." + quote_name(quasi[i]);
    keys += column + " AS " + name + ", ";
    of_r += column + ", ";
    names += (i == 0 ? "" : ", ") + name;
  }
  return sql_text(R"(
WITH cell AS MATERIALIZED (
  SELECT {keys}r.{sensitive} AS s, {count}::bigint AS n
  FROM {relation} AS r
  GROUP BY {of_r}r.{sensitive}
),
numbered AS MATERIALIZED (
  SELECT s, row_number() OVER (ORDER BY s) AS value
  FROM cell
  GROUP BY s
)
SELECT c.class, unnest(c.value) AS value, unnest(c.n) AS n
FROM (
  SELECT row_number() OVER () AS class, array_agg(v.value) AS value, array_agg(c.n) AS n
  FROM cell AS c
  JOIN numbered AS v ON ARRAY[v.s] = ARRAY[c.s] AND (v.s IS NULL) = (c.s IS NULL)
  {grouped}
) AS c)",
                  {{"keys", keys},
                   {"of_r", of_r},
                   {"sensitive", quote_name(sensitive)},
                   {"count", counts ? "sum(r." + quote_name(*counts) + ")" : "count(*)"},
                   {"relation", qualified_name(relation)},
                   {"grouped", names.empty() ? "HAVING count(*) > 0" : "GROUP BY " + names}});
}

ValueCells cells_of(CodedTable const& table) {
  ValueCells cells;
  auto const &classes = table.columns[0].codes, &values = table.columns[1].codes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (row == 0 || classes[row] != classes[row - 1]) cells.begins.push_back(row);
    cells.values.push_back(values[row] - 1);
    cells.counts.push_back(table.weight(row));
  }
  if (table.rows() > 0) cells.begins.push_back(table.rows());
  return cells;
}

}  // namespace

Diversity measure_diversity(SpiSession& session, Oid relation, std::vector<std::string> const& quasi,
                            std::string const& sensitive, std::optional<std::string> const& counts,
                            Checkpoint& checkpoint) {
  auto const planning = Settings::for_counting();
  if (counts) require_counts(session, relation, *counts);
  auto const type = type_of(session, relation, sensitive);
  RowReader reader(session, cells_sql(relation, quasi, sensitive, counts), qualified_name(relation), "n");
  auto const cells = cells_of(reader.finish(checkpoint));
  return diversity_of(cells, line_of(type) != Line::kNone && !is_range_type(type), checkpoint);
}

}  // namespace anon_seq::audit
