#include "incremental/forget.h"

#include "catalog/ledger.h"
#include "incremental/member_format.h"
#include "pg/sql_text.h"
#include "release/key_digest.h"

namespace anon_seq::incremental {
namespace {

// A digest of the key stays: with it somebody who comes back is known, and counts towards no k. `since`: the newest
// version that knew them by their key.
void keep_digest(ForgetRequest const& request) {
  auto& session = request.session;
  auto const& ledger = request.release.ledger;
  if (!secret_of(session, ledger))
    session.execute("INSERT INTO " + ledger_table(ledger, "secret") + " (secret) VALUES ($1)",
                    {SqlValue::binary(new_secret())});
  auto const type = request.key.substr(request.key.find("::") + 2);
  session.execute(sql_text(R"(
INSERT INTO {forgotten} AS f (digest, since)
SELECT {digest}, (SELECT max(n.version) FROM {note} AS n)
FROM {secret} AS s
ON CONFLICT (digest) DO NOTHING)",
                           {{"forgotten", ledger_table(ledger, "forgotten")},
                            {"note", ledger_table(ledger, "note")},
                            {"secret", ledger_table(ledger, "secret")},
                            {"digest", key_digest_sql("s.secret", canonical_sql(request.key, type))}}),
                  {request.person});
}

}  // namespace

std::set<std::int32_t> forget(ForgetRequest const& request) {
  auto& session = request.session;
  auto const& columns = request.release.columns;
  auto const table = [&](char const* name) { return ledger_table(request.release.ledger, name); };
  auto const shown = session.execute(sql_text(R"(
SELECT DISTINCT n.version
FROM {member} AS m
CROSS JOIN LATERAL ROWS FROM (unnest(m.persons), unnest(m.objects)) AS u (person, object)
JOIN {region} AS r ON r.region = m.region
JOIN {note} AS n ON n.version >= m.since AND (m.until IS NULL OR n.version < m.until)
                AND n.version >= r.since AND (r.until IS NULL OR n.version < r.until)
WHERE m.persons @> ARRAY[{key}]
  AND u.person = {key}
  AND NOT EXISTS (
    SELECT
    FROM {gone} AS g
    WHERE g.object = u.object AND g.region = m.region AND g.since > m.since AND g.since <= n.version))",
                                              {{"member", table("member")},
                                               {"note", table("note")},
                                               {"region", table("region")},
                                               {"gone", table("gone")},
                                               {"key", request.key}}),
                                     {request.person}, true);
  std::set<std::int32_t> versions;
  for (std::uint64_t row = 0; row < shown.count(); ++row) versions.insert(shown.int32(row, 1));
  if (!versions.empty()) keep_digest(request);
  // The region that he was in last stays, as a mark: that of others around him is tested there, as if he could be
  // anywhere in it, and no part of it is closed.
  session.execute(sql_text(R"(
INSERT INTO {gone} (region, since, object, rejoined, elsewhere, persons)
SELECT DISTINCT ON (u.object) m.region, 0, u.object, false, false, array_replace(ARRAY[{key}], {key}, NULL)
FROM {member} AS m
CROSS JOIN LATERAL ROWS FROM (unnest(m.persons), unnest(m.objects)) AS u (person, object)
WHERE m.persons @> ARRAY[{key}]
  AND u.person = {key}
ORDER BY u.object, m.region DESC)",
                           {{"gone", table("gone")}, {"member", table("member")}, {"key", request.key}}),
                  {request.person});
  auto const blanked = MemberFormat(columns).blanked("m", "array_position(m.persons, " + request.key + ")");
  session.execute(sql_text("UPDATE {member} AS m SET points = {blanked} WHERE m.persons @> ARRAY[{key}]",
                           {{"member", table("member")}, {"blanked", blanked}, {"key", request.key}}),
                  {request.person});
  // He may be in the source, and is nobody that is known any more: the next publish reads all of it.
  session.execute("UPDATE " + table("note") + " SET waiting = NULL WHERE waiting IS NOT NULL");
  return versions;
}

}  // namespace anon_seq::incremental
