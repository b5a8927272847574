#include "incremental/nested_check.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/settings.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

// SQL: whether what region i shows of a column lies in what region o shows of it. NULL is the unknown value.
std::string lies_in(PublishedColumn const& column, std::string const& c) {
  if (column.taxonomy.empty())  // a range: unknown lies in (,) only
    return sql_text(R"(
      CASE WHEN i.{c} IS NULL THEN coalesce(lower_inf(o.{c}) AND upper_inf(o.{c}), true)
           ELSE coalesce(i.{c} <@ o.{c}, false) END)",
                    {{"c", c}});
  // Nodes: most are there themselves; of the others some node above must be. Unknown lies below the root only.
  auto const nodes = [&](std::string const& region) {
    return column.type == "text[]" ? region + "." + c : "ARRAY[" + region + "." + c + "]";
  };
  return sql_text(R"(
      ({inner} = {outer} OR NOT EXISTS (
        SELECT
        FROM unnest({inner}) AS x (v)
        LEFT JOIN unnest({outer}) AS y (v) ON y.v = x.v
        WHERE y.v IS NULL
          AND NOT coalesce(
            CASE WHEN x.v IS NULL THEN
                   array_position({outer}, NULL) IS NOT NULL OR anon_seq.generalize({taxonomy}, NULL, 1) = ANY ({outer})
                 ELSE EXISTS (
                   SELECT
                   FROM generate_series(1, 64) AS l
                   WHERE anon_seq.generalize({taxonomy}, x.v, l) = ANY ({outer})) END,
            false))))",
                  {{"inner", nodes("i")}, {"outer", nodes("o")}, {"taxonomy", sql_literal(column.taxonomy)}});
}

std::ptrdiff_t plain_columns(Release const& release) {
  return std::count_if(release.columns.begin(), release.columns.end(),
                       [](auto const& column) { return !column.is_quasi(); });
}

// Common table expression pair: a region of this version, and the one of an earlier version that it was cut from.
std::string cut_from(Release const& release) {
  return sql_text(R"(RECURSIVE up (region, parent) AS (
  SELECT region, parent
  FROM {region}
  WHERE since = {version}
  UNION ALL  -- one publish may cut several times: what stands between was never shown
  SELECT up.region, r.parent
  FROM up
  JOIN {region} AS r ON r.region = up.parent
  WHERE r.since IS NULL OR r.since >= {version}
),
pair AS MATERIALIZED (
  SELECT up.region, up.parent
  FROM up
  JOIN {region} AS r ON r.region = up.parent
  WHERE r.since < {version}
))",
                  {{"region", table(release, "region")}, {"version", std::to_string(release.version)}});
}

// Regions that were cut out of earlier ones, and of these how many show more than the earlier one did, or are shown
// beside it.
struct CutRegions {
  std::int64_t all, outside;
};
CutRegions cut_regions(SpiSession& session, Release const& release) {
  std::vector<std::string> contained;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    if (release.columns[i].is_quasi()) contained.push_back(lies_in(release.columns[i], "c" + std::to_string(i + 1)));
  auto const sql = sql_text(R"(
WITH {cut_from},
wrong AS (
  SELECT p.region
  FROM pair AS p
  JOIN {region} AS i ON i.region = p.region
  JOIN {region} AS o ON o.region = p.parent
  WHERE NOT ({contained})
     OR coalesce(o.until, {version} + 1) > {version}
)
SELECT (SELECT count(*) FROM pair), (SELECT count(*) FROM wrong))",
                            {{"cut_from", cut_from(release)},
                             {"region", table(release, "region")},
                             {"contained", joined(contained, " AND ")},
                             {"version", std::to_string(release.version)}});
  auto const rows = session.execute(sql, {}, true);
  return {rows.integer(0, 1), rows.integer(0, 2)};
}

// How many persons who were in the version before are in a region now that is neither theirs of then nor cut from it.
std::int64_t persons_elsewhere(SpiSession& session, Release const& release) {
  auto const sql = sql_text(R"(
WITH {cut_from},
came AS MATERIALIZED (  -- whom this version wrote into a region: newcomers, and who was there before and arrived earlier
  SELECT u.object, m.region, m.codes[(u.i - 1) * {width} + 1] AS arrived
  FROM {member} AS m
  CROSS JOIN LATERAL unnest(m.objects) WITH ORDINALITY AS u (object, i)
  WHERE m.since = {version}
),
was AS MATERIALIZED (  -- where people were: in regions that ended or were written anew, or gone from one that goes on
  SELECT u.object, m.region
  FROM {member} AS m
  CROSS JOIN LATERAL unnest(m.objects) AS u (object)
  WHERE m.until = {version}
  UNION ALL
  SELECT g.object, g.region
  FROM {gone} AS g
  WHERE g.since = {version}
)
SELECT count(*)
FROM came AS c
WHERE c.arrived < {version}
  AND NOT EXISTS (
    SELECT
    FROM was AS w
    LEFT JOIN pair AS p ON p.parent = w.region
    WHERE w.object = c.object AND c.region IN (w.region, p.region)))",
                            {{"cut_from", cut_from(release)},
                             {"width", std::to_string(plain_columns(release) + 1)},
                             {"member", table(release, "member")},
                             {"gone", table(release, "gone")},
                             {"version", std::to_string(release.version)}});
  return session.execute(sql, {}, true).integer(0, 1);
}

}  // namespace

Check nested_check(SpiSession& session, Release const& release) {
  auto const planning = Settings::for_arrays();  // how many rows are of one version, statistics may not know yet
  auto const cut = cut_regions(session, release);
  auto const elsewhere = persons_elsewhere(session, release);
  Check check{"nested", release.reference(), "regions only refined", "", false, cut.outside + elsewhere, "{}"};
  check.observed = std::to_string(cut.all) + " regions cut out of earlier ones, " + std::to_string(cut.outside) +
                   " not inside, " + std::to_string(elsewhere) + " persons elsewhere";
  check.ok = check.offending == 0;
  return check;
}

}  // namespace anon_seq::incremental
