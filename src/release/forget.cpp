#include "release/forget.h"

#include <algorithm>
#include <map>
#include <set>

#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "release/person_key.h"
#include "release/publish.h"
#include "release/version.h"

namespace anon_seq::release {
namespace {

bool owns_release(SpiSession& session, Release const& release) {
  return has_rights_of(session, ledger_owner(session, release.ledger));
}

// Whether a ledger has a table of that name, which is the owner's; it is locked then.
bool has_table(SpiSession& session, Release const& release, std::string const& table) {
  lock_shared(table);
  return session
             .execute(
                 "SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($2) AND c.relkind = 'r'"
                 " AND c.relowner = anon_seq.ledger_owner($1)",
                 {release.ledger, table}, true)
             .count() > 0;
}

// A person of the ledger as an SQL expression over parameter $1.
std::string person_of(SpiSession& session, std::string const& table) {
  auto const rows = session.execute(
      "SELECT pg_catalog.format_type(t.typelem, a.atttypmod) FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
      " WHERE a.attrelid = $1::pg_catalog.regclass AND a.attname = 'persons'",
      {table}, true);
  return "$1::" + rows.get(0, 1);
}

// The key as the ledger has it, if it is one of several columns and the policy lives.
std::optional<std::string> key_in(SpiSession& session, Release const& release, std::string const& key) {
  if (release.version == 0 || !session.exists("SELECT FROM anon_seq.policies AS p WHERE p.name = $1", {release.name}))
    return std::nullopt;
  auto const policy = load_policy(session, release.name, false);
  if (!policy.person || policy.ledger() != release.ledger) return std::nullopt;
  return canonical_key(session, policy, key);
}

bool forget_in_version(SpiSession& session, Release const& release, std::string const& person) {
  auto const table = ledger_table(release.ledger, "person");
  auto const key = person_of(session, table);
  return session
             .execute("UPDATE " + table + " SET persons = pg_catalog.array_replace(persons, " + key +
                          ", NULL) WHERE version = $2 AND persons @> ARRAY[" + key + "]",
                      {person, release.version})
             .count() > 0;
}

// In all versions of an incremental policy; returns those that showed the person.
std::set<std::int32_t> forget_member(SpiSession& session, Release const& release, std::string const& person) {
  auto table = [&](char const* name) { return ledger_table(release.ledger, name); };
  auto const key = person_of(session, table("member"));
  auto const shown = session.execute(
      "SELECT DISTINCT n.version FROM " + table("member") +
          " AS m CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(m.persons), pg_catalog.unnest(m.objects)) AS u (person, object) JOIN " +
          table("note") + " AS n ON n.version >= m.since AND m.region = ANY (n.regions) WHERE m.persons @> ARRAY[" +
          key + "] AND u.person = " + key + " AND NOT EXISTS (SELECT FROM " + table("gone") +
          " AS g WHERE g.object = u.object AND g.region = m.region AND g.since > m.since AND g.since <= n.version)",
      {person}, true);
  std::set<std::int32_t> versions;
  for (std::uint64_t row = 0; row < shown.count(); ++row) versions.insert(shown.int32(row, 1));
  auto const quasi = std::count_if(release.columns.begin(), release.columns.end(),
                                   [](auto const& column) { return column.role == "quasi"; });
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
  std::string const width = std::to_string(4 * quasi);
  session.execute("UPDATE " + table("member") + " AS m SET persons = pg_catalog.array_replace(m.persons, " + key +
                      ", NULL), points = pg_catalog.overlay(m.points, pg_catalog.decode(pg_catalog.repeat('ff', " +
                      width + "), 'hex'), (pg_catalog.array_position(m.persons, " + key + ") - 1) * " + width +
                      " + 1) WHERE m.persons @> ARRAY[" + key + "]",
                  {person});
  session.execute("UPDATE " + table("gone") + " SET persons = pg_catalog.array_replace(persons, " + key +
                      ", NULL) WHERE persons @> ARRAY[" + key + "]",
                  {person});
  return versions;
}

}  // namespace

std::vector<Release> forget(SpiSession& session, std::string const& population, std::string const& person) {
  auto const releases = releases_of(session, population);
  std::size_t owned = 0;
  for (auto const& release : releases) owned += owns_release(session, release);
  if (owned == 0)  // whether others have some is not the caller's to know
    throw Error(Fault::kNoObject, "population " + quoted(population) + " has no releases", "",
                "The view anon_seq.releases lists populations.");
  if (owned < releases.size())
    throw Error(Fault::kPrivilege,
                "population " + quoted(population) + " has releases of roles that you are no member of",
                "Nothing was forgotten.", "Ask a member of the owners' roles, or a superuser.");
  std::map<std::string, std::string> keys;  // of ledgers whose policies name persons by several columns
  for (auto const& release : releases)
    if (auto const of = key_in(session, release, person)) keys[release.ledger] = *of;
  std::vector<Release> shown;
  std::map<std::string, std::set<std::int32_t>> of_ledger;  // incremental ledgers: the versions that showed him
  for (auto const& release : releases) {
    bool const incremental = release.method == "incremental";
    if (!has_table(session, release, ledger_table(release.ledger, incremental ? "member" : "person"))) continue;
    require_not_under_way(release.ledger);
    ActingAs const owner(ledger_owner(session, release.ledger));
    LedgerPen const pen;
    auto const& key = keys.count(release.ledger) > 0 ? keys[release.ledger] : person;
    if (incremental && of_ledger.count(release.ledger) == 0)
      of_ledger[release.ledger] = forget_member(session, release, key);
    if (incremental ? of_ledger[release.ledger].count(release.version) > 0 : forget_in_version(session, release, key))
      shown.push_back(release);
  }
  if (shown.empty())
    notice(
        "no release of population " + quoted(population) + " holds a person with that key",
        "Who waits for others has not been released; a key of several columns is written as their values: {north,17}.");
  return shown;
}

}  // namespace anon_seq::release
