#include "incremental/key_ledger.h"

#include <algorithm>

#include "catalog/ledger_sums.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"
#include "release/key_arrays.h"

namespace anon_seq::incremental {
namespace {

std::string table(Policy const& policy, char const* name) { return ledger_table(policy.ledger(), name); }

// Of all who are in a region now; it is as good as the one they were put into first.
void build(SpiSession& session, Policy const& policy) {
  clear_table(session, policy.ledger(), "key");
  session.execute(sql_text(R"(
INSERT INTO {key} (region, since, part, persons)
SELECT m.region, {version}, row_number() OVER (), ARRAY[u.person]
FROM {member} AS m
CROSS JOIN LATERAL ROWS FROM (unnest(m.persons), unnest(m.objects)) AS u (person, object)
WHERE m.until IS NULL
  AND u.person IS NOT NULL
  AND NOT EXISTS (
    SELECT
    FROM {gone} AS g
    WHERE g.until IS NULL AND g.object = u.object AND g.region = m.region AND g.since > m.since))",
                           {{"key", table(policy, "key")},
                            {"version", std::to_string(policy.version)},
                            {"member", table(policy, "member")},
                            {"gone", table(policy, "gone")}}));
}

}  // namespace

bool has_keys(IncrementalState const& state) {
  auto const rows =
      state.run.session.execute("SELECT detail->>'keyed' FROM " + table(*state.policy, "note") + " WHERE version = $1",
                                {state.policy->version - 1}, true);
  return rows.count() == 1 && rows.get(0, 1) == "true";
}

KeyedRegions regions_of(SpiSession& session, Policy const& policy, KeyRows const& keys, PersonKey const& person) {
  KeyedRegions found;
  auto& regions = found.regions;
  auto const planning = KeyRows::planning();
  DatumCursor cursor(session, "SELECT h.region FROM " + keys.looked_up(person, table(policy, "key")) + " AS h");
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      make_room(regions, 1);
      regions.push_back(cursor.integer(row, 0));
    }
  found.persons = static_cast<std::int64_t>(regions.size());
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  return found;
}

void write_keys(SpiSession& session, IncrementalState const& state, Checkpoint& checkpoint) {
  auto const& policy = *state.policy;
  if (!state.keyed) return build(session, policy);
  auto const& person = state.source.table.columns[state.source.person];
  auto const before = [&](std::size_t row) { return state.objects.region[row] != kNoRegion; };
  auto const now = [&](std::size_t row) { return state.refined.region[row] != kNoRegion; };
  KeyRows left(person, state.source.person_value, checkpoint);
  for (std::size_t row = 0; row < state.objects.rows(); ++row)
    if (before(row) && !now(row) && person.codes[row] != kNull) left.add(person.codes[row]);
  auto const key = table(policy, "key");
  if (left.size() > 0) {
    left.publish();
    auto const planning = KeyRows::planning();
    session.execute("DELETE FROM " + key + " WHERE ctid = ANY (ARRAY(SELECT h.ctid FROM " +
                    left.looked_up(state.run.source.key, key, "m.ctid") + " AS h))");
  }
  KeyArrays keys(state.source, checkpoint);
  BulkWriter writer(session, table(policy, "key"), {"region", "since", "part", "persons"});
  std::int64_t parts = 0;
  for (std::size_t row = 0; row < state.objects.rows(); ++row) {
    if (before(row) || !now(row)) continue;
    writer.put(std::int64_t{state.refined.region[row]});
    writer.put(std::int64_t{policy.version});
    writer.put(++parts);
    Code const code = person.codes[row];
    keys.put(writer, {&code, 1}, 0, 1);
    writer.end_row();
  }
  writer.finish();
}

}  // namespace anon_seq::incremental
