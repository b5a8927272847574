// Looking at regions: cut() and trace() of an incremental release.
#include "catalog/ledger.h"
#include "incremental/region_ledger.h"

namespace anon_seq::incremental {

std::string select_cut(Release const& release) {
  std::string const of_version = ledger_table(release.ledger, "note") +
                                 " AS n CROSS JOIN LATERAL pg_catalog.unnest(n.regions) AS u (region) JOIN " +
                                 ledger_table(release.ledger, "region") +
                                 " AS r ON r.region = u.region WHERE n.version = " + std::to_string(release.version);
  std::string all;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (release.columns[i].role != "quasi") continue;
    std::string const c = "r.c" + std::to_string(i + 1);
    all += (all.empty() ? "" : " UNION ALL ") +
           ("SELECT " + std::to_string(i) + " AS i, " + sql_literal(release.columns[i].column) +
            " AS attribute, v.value::text FROM (SELECT DISTINCT " + c + " AS value FROM " + of_version + ") AS v");
  }
  return "SELECT attribute, value FROM (" + all + ") AS s ORDER BY i, value COLLATE \"C\" NULLS FIRST";
}

std::string select_trace(Release const& release) {
  std::string names = "ARRAY[";
  for (auto const& column : release.columns) names += (names.back() == '[' ? "" : ", ") + sql_literal(column.column);
  std::string const region = ledger_table(release.ledger, "region");
  return "SELECT (pg_catalog.row_number() OVER (ORDER BY k.parent))::int, (" + names +
         "])[k.attribute], CASE WHEN p.since IS NULL THEN NULL ELSE pg_catalog.to_jsonb(p)->>('c' || k.attribute) END,"
         " k.children, NULL::double precision, NULL::double precision, NULL::double precision,"
         " pg_catalog.jsonb_build_object('region', k.parent) FROM (SELECT parent, attribute, pg_catalog.array_agg("
         "CASE side WHEN 'below' THEN '< ' || bound WHEN 'from' THEN '>= ' || bound WHEN 'nodes' THEN nodes::text ELSE side END"
         " ORDER BY region) AS children FROM " +
         region + " WHERE made = " + std::to_string(release.version) +
         " AND parent >= 0 GROUP BY parent, attribute) AS k JOIN " + region + " AS p ON p.region = k.parent ORDER BY 1";
}

}  // namespace anon_seq::incremental
