#include "incremental/forget.h"

#include "catalog/ledger.h"
#include "incremental/member_format.h"

namespace anon_seq::incremental {

std::set<std::int32_t> forget(ForgetRequest const& request) {
  auto const& [session, release, person, key] = request;
  auto const table = [&](char const* name) { return ledger_table(request.release.ledger, name); };
  auto const shown = session.execute(
      "SELECT DISTINCT n.version FROM " + table("member") +
          " AS m CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(m.persons), pg_catalog.unnest(m.objects)) AS u (person, object) JOIN " +
          table("note") + " AS n ON n.version >= m.since AND m.region = ANY (n.regions) WHERE m.persons @> ARRAY[" +
          key + "] AND u.person = " + key + " AND NOT EXISTS (SELECT FROM " + table("gone") +
          " AS g WHERE g.object = u.object AND g.region = m.region AND g.since > m.since AND g.since <= n.version)",
      {person}, true);
  std::set<std::int32_t> versions;
  for (std::uint64_t row = 0; row < shown.count(); ++row) versions.insert(shown.int32(row, 1));
  // The region that he was in last stays, as a mark: that of others around him is tested there, as if he could be
  // anywhere in it, and no part of it is closed.
  session.execute(
      "INSERT INTO " + table("gone") +
          " (region, since, object, rejoined, elsewhere, persons)"
          " SELECT DISTINCT ON (u.object) m.region, 0, u.object, false, false, pg_catalog.array_replace(ARRAY[" +
          key + "], " + key + ", NULL) FROM " + table("member") +
          " AS m CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(m.persons), pg_catalog.unnest(m.objects))"
          " AS u (person, object) WHERE m.persons @> ARRAY[" +
          key + "] AND u.person = " + key + " ORDER BY u.object, m.region DESC",
      {person});
  session.execute("UPDATE " + table("member") + " AS m SET points = " +
                      MemberFormat(release.columns).blanked("m", "pg_catalog.array_position(m.persons, " + key + ")") +
                      " WHERE m.persons @> ARRAY[" + key + "]",
                  {person});
  return versions;
}

}  // namespace anon_seq::incremental
