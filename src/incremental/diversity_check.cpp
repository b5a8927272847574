#include "incremental/diversity_check.h"

#include "catalog/ledger.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {

void add_diversity(SpiSession& session, Release const& release, Checks& checks) {
  for (auto const& column : release.columns) {
    if (!column.is_plain()) continue;
    auto const sql = sql_text(R"(
WITH value AS (  -- of each region: how many persons have each value
  SELECT c.cell, c.{c}, sum(c.n) AS n
  FROM {cell} AS c
  WHERE c.version = {version}
  GROUP BY c.cell, c.{c}
),
region AS (
  SELECT sum(n) AS persons, max(n) AS most
  FROM value
  GROUP BY cell
)
SELECT coalesce(sum(persons) FILTER (WHERE most = persons), 0)::bigint,
       round(100 * coalesce(sum(persons) FILTER (WHERE most = persons), 0) / greatest(sum(persons), 1), 1),
       round(100 * coalesce(max(most / persons), 0), 1),
       count(*) FILTER (WHERE most = persons)
FROM region)",
                              {{"c", "c" + std::to_string(release.number_of(column))},
                               {"cell", ledger_table(release.ledger, "cell")},
                               {"version", std::to_string(release.version)}});
    auto const rows = session.execute(sql, {}, true);
    checks.push_back({"diversity", release.reference() + " " + quote_name(column.column), "for information",
                      rows.get(0, 2) + " % of persons in regions with one value; up to " + rows.get(0, 3) +
                          " % of a region have one",
                      true, 0, "{\"persons\": " + rows.get(0, 1) + ", \"regions\": " + rows.get(0, 4) + "}"});
  }
}

}  // namespace anon_seq::incremental
