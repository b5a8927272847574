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

// A SELECT of the exact quasi values of the objects in some versions of an incremental policy: object, c1, c2, ...
std::string select_values(std::vector<Release> const& versions) {
  auto const& release = versions.front();
  MemberFormat const format(release.columns);
  std::string columns, values;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (!release.columns[i].is_quasi()) continue;
    auto const number = std::to_string(i + 1);
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
SELECT DISTINCT ON (u.object) u.object::text AS object{columns}
FROM {member} AS m
CROSS JOIN LATERAL ROWS FROM (unnest(m.objects), unnest(m.persons)) WITH ORDINALITY AS u (object, person, i){values}
WHERE u.person IS NOT NULL
  AND m.since <= {newest} AND (m.until IS NULL OR m.until > {oldest})
  AND u.object IN (SELECT o.object FROM {object} AS o WHERE o.version IN ({versions})))",
                  {{"columns", columns},
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
SELECT DISTINCT ON (g.object) g.object::text AS object{columns}
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

std::vector<std::string> select_points(std::vector<Release> const& versions) {
  return {select_values(versions), select_places(versions)};
}

}  // namespace anon_seq::incremental
