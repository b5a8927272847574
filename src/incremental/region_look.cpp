// Looking at regions: cut() and trace() of an incremental release.
#include "catalog/ledger.h"
#include "incremental/region_ledger.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {

std::string select_cut(Release const& release) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    if (release.columns[i].is_quasi())
      all.push_back(sql_text(R"(
  SELECT {i} AS i, {name} AS attribute, v.value::text
  FROM (
    SELECT DISTINCT c.c{number} AS value
    FROM shown AS c
  ) AS v)",
                             {{"i", std::to_string(i)},
                              {"name", sql_literal(release.columns[i].column)},
                              {"number", std::to_string(i + 1)}}));
  return sql_text(R"(
WITH shown AS MATERIALIZED (
  SELECT *
  FROM {cell}
  WHERE version = {version}
)
SELECT attribute, value
FROM ({columns}
) AS s
ORDER BY i, value COLLATE "C" NULLS FIRST)",
                  {{"columns", joined(all, "\n  UNION ALL")},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"version", std::to_string(release.version)}});
}

std::string select_trace(Release const& release) {
  std::vector<std::string> names;
  for (auto const& column : release.columns) names.push_back(sql_literal(column.column));
  return sql_text(R"(
SELECT (row_number() OVER (ORDER BY k.parent))::int,
       (ARRAY[{names}])[k.attribute],
       CASE WHEN p.since IS NULL THEN NULL ELSE to_jsonb(p)->>('c' || k.attribute) END,
       k.children,
       NULL::double precision,
       NULL::double precision,
       NULL::double precision,
       jsonb_build_object('region', k.parent)
FROM (
  SELECT parent, attribute,
         array_agg(CASE side WHEN 'below' THEN '< ' || bound
                             WHEN 'from' THEN '>= ' || bound
                             WHEN 'nodes' THEN nodes::text
                             ELSE side END
                   ORDER BY region) AS children
  FROM {region}
  WHERE made = {version} AND parent >= 0
  GROUP BY parent, attribute
) AS k
JOIN {region} AS p ON p.region = k.parent
ORDER BY 1)",
                  {{"names", joined(names, ", ")},
                   {"region", ledger_table(release.ledger, "region")},
                   {"version", std::to_string(release.version)}});
}

}  // namespace anon_seq::incremental
