#include "incremental/diversity_check.h"

#include "catalog/ledger.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {

void add_diversity(SpiSession& session, Release const& release, Checks& checks) {
  std::vector<std::string> of_columns, names;
  std::vector<PublishedColumn const*> columns;
  for (auto const& column : release.columns) {
    if (!column.is_plain()) continue;
    names.push_back("c" + std::to_string(release.number_of(column)));
    of_columns.push_back(sql_text("SELECT {i} AS i, cell, sum(n) AS n FROM cell GROUP BY cell, {c}",
                                  {{"i", std::to_string(columns.size())}, {"c", names.back()}}));
    columns.push_back(&column);
  }
  if (columns.empty()) return;
  auto const sql = sql_text(R"(
WITH cell AS MATERIALIZED (
  SELECT cell, n, {columns}
  FROM {cell}
  WHERE version = {version}
),
value AS (  -- of each column and region: how many persons have each value
  {of_columns}
),
region AS (
  SELECT i, sum(n) AS persons, max(n) AS most
  FROM value
  GROUP BY i, cell
)
SELECT coalesce(sum(persons) FILTER (WHERE most = persons), 0)::bigint,
       round(100 * coalesce(sum(persons) FILTER (WHERE most = persons), 0) / sum(persons), 1),
       round(100 * max(most / persons), 1),
       count(*) FILTER (WHERE most = persons)
FROM region
GROUP BY i
ORDER BY i)",
                            {{"columns", joined(names, ", ")},
                             {"cell", ledger_table(release.ledger, "cell")},
                             {"version", std::to_string(release.version)},
                             {"of_columns", joined(of_columns, " UNION ALL\n  ")}});
  auto const rows = session.execute(sql, {}, true);
  for (std::size_t i = 0; i < columns.size() && i < rows.count(); ++i)
    checks.push_back({"diversity", release.reference() + " " + quote_name(columns[i]->column), "for information",
                      rows.get(i, 2) + " % of persons in regions with one value; up to " + rows.get(i, 3) +
                          " % of a region have one",
                      true, 0, "{\"persons\": " + rows.get(i, 1) + ", \"regions\": " + rows.get(i, 4) + "}"});
}

}  // namespace anon_seq::incremental
