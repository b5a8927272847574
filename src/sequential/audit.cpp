#include "sequential/audit.h"

#include <algorithm>

#include "catalog/cell_source.h"
#include "catalog/ledger.h"
#include "pg/json_object.h"
#include "pg/line_type.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "release/heed.h"
#include "release/registration.h"
#include "release/release_audit.h"
#include "sequential/reader.h"
#include "sequential/rule_audit.h"

namespace anon_seq::sequential {
namespace {

// The relation that was registered, if the policy's owner, who acts, may read it without running code of others.
Oid registered_relation(SpiSession& session, Release const& other) {
  lock_shared(other.registered_relation());
  auto const rows = session.execute(
      "SELECT c.oid FROM pg_catalog.pg_class AS c"
      " WHERE c.oid = pg_catalog.to_regclass($1) AND pg_catalog.has_table_privilege(c.oid, 'SELECT')",
      {other.registered_relation()}, true);
  if (rows.count() == 0 || !OidIsValid(reader_or_none(session, rows.oid(0, 1)))) return InvalidOid;
  return rows.oid(0, 1);
}

// A registered table can change under us; what counts is what was registered.
void add_unchanged(SpiSession& session, Release const& other, Checks& checks) {
  if (!other.is_registered()) return;
  Check check{"unchanged", other.reference(), "as it was when registered", "unchanged", true, 0, "{}"};
  Oid const relation = registered_relation(session, other);
  if (!OidIsValid(relation))
    check.observed = "not checked: gone, or not the owner's to read";
  else if (relation_fingerprint(session, relation) != other.digest)
    check.observed = "changed";
  check.ok = check.observed == "unchanged";
  check.offending = !check.ok;
  checks.push_back(check);
}

// What cannot be read any more cannot be measured: that is said, and the rest is.
void drop_unreadable(SpiSession& session, Release const& release, std::vector<Release>& heeded, Checks& checks) {
  std::erase_if(heeded, [&](auto const& other) {
    if (may_read(session, other)) return false;
    checks.push_back({"unguarded", release.reference(),
                      "every release of population " + release.population + " is heeded",
                      other.reference() + " cannot be read", false, 1, "{}"});
    return true;
  });
}

// Attributes that several releases show and that are not compared: an attacker does.
void add_waived(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded,
                Release const& release, Checks& checks) {
  for (auto const& ours : policy.columns) {
    std::string others;
    std::int64_t count = 0;
    for (auto const& other : heeded)
      for (auto const& theirs : other.columns) {
        if (theirs.attribute != ours.attribute) continue;
        bool const waived = std::count(demands.not_common.begin(), demands.not_common.end(), ours.attribute) > 0;
        bool const ranges = is_range_type(ours.type) || is_range_type(theirs.type);
        if (!waived && (demands.overlap || !ranges)) continue;
        others += (others.empty() ? "" : ", ") + other.reference();
        ++count;
      }
    if (count > 0)
      checks.push_back({"waived", release.reference(), "what several releases show is compared",
                        ours.attribute + " is not compared with " + others, false, count, "{}"});
  }
}

// Who was left out, as noted when the version was made, against the limit. What is not noted, or was altered, is not
// ok.
void add_suppressed(SpiSession& session, SequentialPolicy const& demands, Release const& release, Checks& checks) {
  if (!demands.max_suppressed) return;
  Ratio const limit = *demands.max_suppressed;
  Check check{
      "suppressed", release.reference(), "at most " + ratio_text(limit) + " of the persons", "not noted", false, 1,
      "{}"};
  auto const rows = session.execute(
      "SELECT CASE WHEN s.persons OPERATOR(pg_catalog.~) '^[0-9]{1,18}$' THEN s.persons::pg_catalog.int8 END,"
      " CASE WHEN s.whole OPERATOR(pg_catalog.~) '^[0-9]{1,18}$' THEN s.whole::pg_catalog.int8 END"
      " FROM (SELECT detail->'suppressed'->>'persons' AS persons, detail->'suppressed'->>'of' AS whole FROM " +
          ledger_table(release.ledger, "note") + " WHERE version = $1) AS s",
      {release.version}, true);
  auto const noted = rows.count() > 0 ? rows.integer_or_null(0, 1) : std::nullopt;
  if (auto const whole = noted ? rows.integer_or_null(0, 2) : std::nullopt; whole && *noted < *whole) {
    std::int64_t const out = *noted, all = *whole;
    check.ok = at_most(out, all, limit) && (out == 0) == (release.withheld == 0) && out <= release.withheld;
    check.offending = check.ok ? 0 : out;
    check.observed = std::to_string(out) + " of " + std::to_string(all);
    check.detail = JsonObject().number("persons", out).number("of", all).text("limit", ratio_text(limit)).json();
  }
  checks.push_back(check);
}

// What was registered only afterwards may have been public long before; the next version is measured against it.
void add_late(AuditRun const& run, SequentialPolicy const& demands, Release const& release, Checks& checks) {
  auto const* const newest = newest_shown(run.population, run.policy.name);
  if (newest == nullptr || newest->id != release.id || demands.unguarded_by_wish()) return;
  for (auto const& other : run.population)
    if (other.id > release.id && other.is_registered() &&
        std::find(demands.unguarded.begin(), demands.unguarded.end(), other.name) == demands.unguarded.end())
      checks.push_back({"unguarded", release.reference(),
                        "every release of population " + run.policy.population + " is heeded",
                        other.name + " was registered later", false, 1, "{}"});
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  if (release.withdrawn) return;
  auto& session = run.session;
  auto const demands = sequential_policy(then);
  auto population = run.population;  // what came later and cannot be measured was not there to be heeded
  std::erase_if(population,
                [&](auto const& other) { return other.id > release.id && owed(then, other) == Owed::kRefused; });
  auto heeded = run.heeded != nullptr ? *run.heeded : heeded_releases(session, then, demands, std::move(population));
  if (run.heeded == nullptr) {
    std::erase_if(heeded, [&](auto const& other) { return other.id >= release.id; });
    drop_unreadable(session, release, heeded, checks);
  }
  checks.push_back(rows_check(session, release));
  checks.push_back(ledger_check(session, release));
  RuleAudit audit(session, then, demands, heeded, release);
  auto const rules = bind_rules(then, demands, heeded);
  for (auto const& bound : rules) audit.run(bound, checks);
  add_reader(session, then, demands, rules, run.population, release, checks);
  add_suppressed(session, demands, release, checks);
  add_waived(then, demands, heeded, release, checks);
  add_unguarded(demands, release, checks);
  if (demands.unguarded_by_wish()) add_left_out("previous => '{}'", release, checks);
  if (run.heeded == nullptr) add_late(run, demands, release, checks);
}

void audit_all(AuditRun const& run, Checks& checks) {
  for (auto const& release : run.population) add_unchanged(run.session, release, checks);
}

}  // namespace anon_seq::sequential
