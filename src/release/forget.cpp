#include "release/forget.h"

#include <map>
#include <set>

#include "catalog/audit_record.h"
#include "catalog/ledger.h"
#include "catalog/population.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "release/ledger_format.h"
#include "release/method.h"
#include "release/person_key.h"
#include "release/publish.h"
#include "release/watched.h"

namespace anon_seq::release {
namespace {

bool owns_release(SpiSession& session, Release const& release) {
  return has_rights_of(session, ledger_owner(session, release.ledger));
}

// The policy of a release, if it lives and has persons.
std::optional<Policy> living(SpiSession& session, Release const& release) {
  if (release.is_registered() ||
      !session.exists("SELECT FROM anon_seq.policies AS p WHERE p.name = $1", {release.name}))
    return std::nullopt;
  auto policy = load_policy(session, release.name, false);
  if (!policy.person || policy.ledger() != release.ledger) return std::nullopt;
  return policy;
}

// The key as the ledger has it, if it is one of several columns and the policy lives.
std::optional<std::string> key_in(SpiSession& session, Release const& release, std::string const& key) {
  auto const policy = living(session, release);
  if (!policy) return std::nullopt;
  ActingAs const owner(ledger_owner(session, release.ledger));
  return canonical_key(session, *policy, key);
}

// Whether a ledger knows persons: its tables with keys are there, its owner's and locked then. Nobody is forgotten
// where one of them is missing.
bool knows_persons(SpiSession& session, Release const& release, LedgerSchema const& schema) {
  bool first = true;
  for (auto const& relation : schema.relations) {
    if (relation.keys.empty()) continue;
    Oid const part = ledger_part(session, release.ledger, relation.name);
    if (OidIsValid(part)) lock(session, Lockable::relation(part), AccessShareLock);
    bool const is_there = OidIsValid(ledger_part(session, release.ledger, relation.name));
    if (!is_there && first) return false;  // every row is another person
    if (!is_there)
      throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " was altered",
                  "A table with keys of persons is missing, or another's. Nobody was forgotten.");
    first = false;
  }
  return !first;
}

// Takes a person out of a ledger: what the method has to keep of him first, then his key wherever the ledger has it.
std::set<std::int32_t> forget_in(SpiSession& session, Release const& release, std::string const& person,
                                 bool must_know) {
  OwnLedger const owner(session, release);  // of a format that is known
  auto const schema = schema_of(session, release);
  if (!knows_persons(session, release, schema)) {
    if (must_know)
      throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " was altered",
                  "Its table with keys of persons is missing, or was moved. Nobody was forgotten.");
    return {};
  }
  LedgerPen const pen;
  auto const key = "$1::" + key_type(session, release.ledger, schema).value_or("text");
  auto const versions = method_of(release).forget({session, release, person, key});
  for (auto const& relation : schema.relations)
    for (auto const& column : relation.keys)
      session.execute(
          sql_text("UPDATE {table} SET {column} = pg_catalog.array_replace({column}, {key}, NULL)"
                   " WHERE {column} @> ARRAY[{key}]",
                   {{"table", ledger_table(release.ledger, relation.name)}, {"column", column}, {"key", key}}),
          {person});
  return versions;
}

}  // namespace

namespace {

// The releases that somebody is to be forgotten in: those of the population, which have to be the caller's.
std::vector<Release> own_releases(SpiSession& session, std::string const& population, bool tell) {
  auto releases = releases_of(session, population);
  // What others registered knows no persons, and stops nobody.
  std::erase_if(releases,
                [&](auto const& release) { return release.is_registered() && !owns_release(session, release); });
  // Nor does what has lost its ledger, which knew them: its owner may have dropped it.
  auto const lost =
      std::erase_if(releases, [&](auto const& release) { return !OidIsValid(ledger_owner(session, release.ledger)); });
  std::size_t owned = 0;
  for (auto const& release : releases) owned += owns_release(session, release);
  if (owned == 0)  // whether others have some is not the caller's to know
    throw Error(Fault::kNoObject, "population " + quoted(population) + " has no releases", "",
                "The view anon_seq.releases lists populations.");
  if (owned < releases.size())
    throw Error(Fault::kPrivilege,
                "population " + quoted(population) + " has releases of roles that you are no member of",
                "Nothing was forgotten.", "Ask a member of the owners' roles, or a superuser.");
  if (lost > 0 && tell)
    warning(std::to_string(lost) + (lost == 1 ? " release" : " releases") + " of population " + quoted(population) +
                (lost == 1 ? " has lost its ledger" : " have lost their ledgers"),
            "The person is not looked for there. What is left of a ledger, tables p<number>_... of schema"
            " anon_seq_ledger, may hold the key.");
  return releases;
}

}  // namespace

std::vector<Release> forget(SpiSession& session, std::string const& population, std::string const& person) {
  (void)own_releases(session, population, false);  // before anybody has to wait for us
  lock_population(session, population);
  FreshSnapshot const snapshot;  // somebody may have published while we waited
  auto const releases = own_releases(session, population, true);
  std::map<std::string, std::string> keys;  // of ledgers whose policies name persons by several columns
  for (auto const& release : releases)
    if (auto const of = key_in(session, release, person)) keys[release.ledger] = *of;
  std::vector<Release> shown;
  std::map<std::string, std::set<std::int32_t>> of_ledger;  // versions that showed him
  for (auto const& release : releases) {
    if (release.is_registered()) continue;  // knows no persons
    if (of_ledger.count(release.ledger) == 0) {
      require_not_under_way(release.ledger);
      auto const key = keys.count(release.ledger) > 0 ? keys[release.ledger] : person;
      auto const policy = living(session, release);
      of_ledger[release.ledger] = forget_in(session, release, key, policy.has_value());
      if (policy) forget_noted(session, *policy, key);
    }
    if (of_ledger[release.ledger].count(release.version) > 0) shown.push_back(release);
  }
  want_full_audits(session, population);
  if (shown.empty())
    notice(
        "no release of population " + quoted(population) + " holds a person with that key",
        "Who waits for others has not been released; a key of several columns is written as their values: {north,17}.");
  return shown;
}

std::set<std::int32_t> versions_with_person(ForgetRequest const& request) {
  auto const rows =
      request.session.execute("SELECT DISTINCT version FROM " + ledger_table(request.release.ledger, "person") +
                                  " WHERE persons @> ARRAY[" + request.key + "]",
                              {request.person}, true);
  std::set<std::int32_t> versions;
  for (std::uint64_t row = 0; row < rows.count(); ++row) versions.insert(rows.int32(row, 1));
  return versions;
}

}  // namespace anon_seq::release
