#include "serial/lives_audit.h"

#include "catalog/ledger.h"
#include "pg/json_object.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "serial/lives_breach.h"
#include "serial/policy.h"

namespace anon_seq::serial {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// SELECTs of what a version shows of its sensitive columns: version, attribute, class_id, value, n. Of one without
// relations what its ledger has.
std::vector<std::string> select_bags(SpiSession& session, Release const& release) {
  bool const from_relations = !release.retired && has_own_relations(session, release);
  std::vector<std::string> selects;
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const number = release.number_of(column);
    auto value = c(number);
    auto from = ledger_table(release.ledger, "value") + " WHERE version = " + std::to_string(release.version) +
                " AND attribute = " + std::to_string(number);
    for (auto const& relation : release.relations)
      if (from_relations && relation.counted && relation.columns.back() == number) {
        value = quote_name(column.column);
        from = relation.name;
      }
    selects.push_back(sql_text(
        R"(SELECT {version} AS version, {number} AS attribute, class_id, ({value})::text COLLATE "C" AS value, n FROM {from})",
        {{"version", std::to_string(release.version)},
         {"number", std::to_string(number)},
         {"value", value},
         {"from", from}}));
  }
  return selects;
}

// Whether a class has the same bag in all of these versions that show it: every value is in each of them, as often.
Check life_check(SpiSession& session, std::vector<Release const*> const& versions, std::string const& scope) {
  std::vector<std::string> selects;
  for (auto const* const release : versions)
    for (auto& select : select_bags(session, *release)) selects.push_back(std::move(select));
  auto const planning = Settings::for_counting();
  auto const rows = session.execute(sql_text(R"(
WITH shown AS MATERIALIZED ({shown}),
class AS (
  SELECT class_id, count(DISTINCT version) AS versions
  FROM shown
  GROUP BY class_id
),
held AS (
  SELECT class_id, attribute, value, count(*) AS times, min(n) AS least, max(n) AS most
  FROM shown
  GROUP BY class_id, attribute, value
)
SELECT count(DISTINCT class_id) FILTER (WHERE times <> versions OR least <> most),
       count(DISTINCT class_id) FILTER (WHERE versions > 1)
FROM held
JOIN class USING (class_id))",
                                             {{"shown", joined(selects, "\nUNION ALL ")}}),
                                    {}, true);
  auto const differing = rows.integer(0, 1);
  return {"life",
          scope,
          "every class has the same values in all versions that show it",
          std::to_string(differing) + " of " + rows.get(0, 2) + " classes of several versions differ",
          differing == 0,
          differing,
          "{}"};
}

// Who is where in this version's ledger, and where he was put for life: nobody has two places or another one, and his
// row has the values that he came with.
Check members_check(SpiSession& session, Release const& release) {
  std::string columns, differ;
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const value = c(release.number_of(column));
    columns += ", max(" + value + "::text COLLATE \"C\") AS " + value;
    differ += " OR m." + value + " IS DISTINCT FROM l." + value;
  }
  auto const planning = Settings::for_counting();
  auto const rows = session.execute(sql_text(R"(
WITH m AS (
  SELECT p.persons[1] AS person, count(*) AS places, min({class}) AS class_id{columns}
  FROM {person} AS p
  JOIN {cell} AS c USING (version, cell)
  WHERE version = {version}
    AND p.persons[1] IS NOT NULL
  GROUP BY 1
),
l AS (
  SELECT persons[1] AS person, count(*) AS places, min(class_id) AS class_id{columns}
  FROM {life}
  WHERE persons[1] IS NOT NULL
  GROUP BY 1
)
SELECT count(*) FILTER (WHERE l.places > 1
                           OR m.places > 1
                           OR m.person IS NOT NULL AND (m.class_id IS DISTINCT FROM l.class_id{differ})),
       count(m.person)
FROM m
FULL JOIN l USING (person))",
                                             {{"class", c(release.columns.size())},
                                              {"columns", columns},
                                              {"differ", differ},
                                              {"person", ledger_table(release.ledger, "person")},
                                              {"cell", ledger_table(release.ledger, "cell")},
                                              {"version", std::to_string(release.version)},
                                              {"life", ledger_table(release.ledger, "life")}}),
                                    {}, true);
  auto const moved = rows.integer(0, 1);
  return {"members",
          release.reference(),
          "everybody is in the class that he first was in, with the values that he had then",
          std::to_string(moved) + " of " + rows.get(0, 2) + " persons are not",
          moved == 0,
          moved,
          "{}"};
}

Release const* version_before(AuditRun const& run, Release const& release) {
  Release const* before = nullptr;
  for (auto const& other : run.population)
    if (other.ledger == release.ledger && other.version < release.version) before = &other;
  return before;
}

}  // namespace

void add_life_checks(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  if (auto const* const before = version_before(run, release))
    checks.push_back(life_check(run.session, {before, &release}, release.reference()));
  checks.push_back(members_check(run.session, release));
  add_bound_checks(run, serial_policy(then), release, checks);
}

void add_life_history(AuditRun const& run, Checks& checks) {
  std::vector<Release const*> versions;
  for (auto const& release : run.population)
    if (release.ledger == run.policy.ledger()) versions.push_back(&release);
  if (versions.size() > 1) checks.push_back(life_check(run.session, versions, run.policy.name));
}

}  // namespace anon_seq::serial
