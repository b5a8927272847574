#include "incremental/points.h"

#include "catalog/ledger.h"
#include "incremental/member_format.h"
#include "pg/line_type.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

std::string numbers_of(std::vector<Release> const& versions) {
  std::vector<std::string> numbers;
  for (auto const& version : versions) numbers.push_back(std::to_string(version.version));
  return joined(numbers, ", ");
}

// Whether a value p.c<i> of a taxonomy lies below one of an array of its nodes. NULL is a node of its own there.
std::string lies_below(std::string const& value, std::string const& taxonomy, std::string const& nodes) {
  return sql_text(R"(
      CASE WHEN {value} IS NULL THEN array_position({nodes}, NULL) IS NOT NULL
           ELSE EXISTS (
             SELECT
             FROM generate_series(0, 64) AS l
             WHERE anon_seq.generalize({taxonomy}, {value}, l) = ANY ({nodes})) END)",
                  {{"value", value}, {"taxonomy", sql_literal(taxonomy)}, {"nodes", nodes}});
}

// Whether the values of p are on the side of the cut by column i that made region k.
std::string on_side(PublishedColumn const& column, Release const& release, std::string const& i) {
  auto const value = "p.c" + i;
  if (column.taxonomy.empty())
    return sql_text(R"(
    CASE k.side WHEN 'unknown' THEN {value} IS NULL
                WHEN 'known' THEN {value} IS NOT NULL
                WHEN 'below' THEN {value} IS NULL OR {value} < k.bound::{type}
                WHEN 'from' THEN {value} >= k.bound::{type} END)",
                    {{"value", value}, {"type", element_of(column.type)}});
  return sql_text(R"(
    CASE k.side WHEN 'nodes' THEN {below}
                WHEN 'others' THEN NOT EXISTS (
                  SELECT
                  FROM {region} AS s
                  WHERE s.parent = k.parent AND s.side = 'nodes' AND {sister}) END)",
                  {{"below", lies_below(value, column.taxonomy, "k.nodes")},
                   {"region", ledger_table(release.ledger, "region")},
                   {"sister", lies_below(value, column.taxonomy, "s.nodes")}});
}

// The exact quasi values of the objects in some versions of an incremental policy, and where those lie: from a region
// that somebody was in, down its later cuts.
std::string select_values(std::vector<Release> const& versions) {
  auto const& release = versions.front();
  MemberFormat const format(release.columns);
  std::string columns, values, sides, kept;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (!release.columns[i].is_quasi()) continue;
    auto const number = std::to_string(i + 1);
    kept += ", p.c" + number;
    sides += "\n    WHEN " + number + " THEN " + on_side(release.columns[i], release, number);
    columns += sql_text(
        ", v{i}.value::{type} AS c{i}",
        {{"i", number}, {"type", release.columns[i].taxonomy.empty() ? element_of(release.columns[i].type) : "text"}});
    values += sql_text(
        R"(
LEFT JOIN {value} AS v{i}
       ON v{i}.attribute = {i}
      AND v{i}.code = {code})",
        {{"value", ledger_table(release.ledger, "value")}, {"i", number}, {"code", format.quasi_code(i, "m", "u.i")}});
  }
  return sql_text(R"(
WITH RECURSIVE p AS (
SELECT DISTINCT ON (u.object) u.object::text AS object{columns}, m.region
FROM (
  SELECT m.region, m.objects, m.persons, {points} AS points
  FROM {member} AS m
  WHERE m.since <= {newest} AND (m.until IS NULL OR m.until > {oldest})
  OFFSET 0
) AS m
CROSS JOIN LATERAL ROWS FROM (unnest(m.objects), unnest(m.persons)) WITH ORDINALITY AS u (object, person, i){values}
WHERE u.person IS NOT NULL
  AND u.object IN (SELECT o.object FROM {object} AS o WHERE o.version IN ({versions}))
ORDER BY u.object, m.region DESC
),
down AS (
  SELECT * FROM p
  UNION ALL
  SELECT p.object{kept}, k.region
  FROM down AS p
  JOIN {region} AS k ON k.parent = p.region
  WHERE CASE k.attribute{sides} END
)
SELECT d.*
FROM down AS d
WHERE NOT EXISTS (SELECT FROM {region} AS k WHERE k.parent = d.region))",
                  {{"columns", columns},
                   {"points", MemberFormat::points_once("m")},
                   {"kept", kept},
                   {"sides", sides},
                   {"region", ledger_table(release.ledger, "region")},
                   {"member", ledger_table(release.ledger, "member")},
                   {"values", values},
                   {"object", ledger_table(release.ledger, "object")},
                   {"versions", numbers_of(versions)},
                   {"oldest", std::to_string(versions.front().version)},
                   {"newest", std::to_string(versions.back().version)}});
}

// Of those who were forgotten it is known where they were: object, and what the region shows, c1, c2, ... What shows
// (,) may be unknown only where the region was not cut off from that.
std::string select_places(std::vector<Release> const& versions) {
  auto const& release = versions.front();
  std::string columns;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (release.columns[i].is_plain()) continue;
    auto const number = std::to_string(i + 1),
               least = is_range_type(release.columns[i].type) ? least_of(release.columns[i].type) : "";
    columns += least.empty() ? ",\n       r.c" + number
                             : sql_text(R"(,
       CASE WHEN lower_inf(r.c{i}) AND upper_inf(r.c{i})
             AND EXISTS (SELECT FROM known AS k WHERE k.region = r.region AND k.attribute = {i})
            THEN '[{least},)'::{type}
            ELSE r.c{i} END AS c{i})",
                                        {{"i", number}, {"least", least}, {"type", release.columns[i].type}});
  }
  return sql_text(R"(
WITH RECURSIVE up AS (  -- every cut above a region
  SELECT a.region, a.parent, a.attribute, a.side
  FROM {region} AS a
  UNION
  SELECT up.region, p.parent, p.attribute, p.side
  FROM up
  JOIN {region} AS p ON p.region = up.parent
),
known AS (
  SELECT DISTINCT up.region, up.attribute
  FROM up
  WHERE up.side IN ('known', 'from')
)
SELECT DISTINCT ON (g.object) g.object::text AS object{columns}, g.region
FROM {gone} AS g
JOIN {region} AS r ON r.region = g.region
WHERE g.since = 0
  AND g.object IN (SELECT o.object FROM {object} AS o WHERE o.version IN ({versions}))
ORDER BY g.object, g.region DESC)",
                  {{"region", ledger_table(release.ledger, "region")},
                   {"columns", columns},
                   {"gone", ledger_table(release.ledger, "gone")},
                   {"object", ledger_table(release.ledger, "object")},
                   {"versions", numbers_of(versions)}});
}

}  // namespace

release::PlaceQueries select_points(std::vector<Release> const& versions) {
  return {select_values(versions), select_places(versions),
          "SELECT region, parent FROM " + ledger_table(versions.front().ledger, "region") + " ORDER BY region"};
}

}  // namespace anon_seq::incremental
