#include "sequential/audit.h"

#include <algorithm>

#include "catalog/cell_source.h"
#include "catalog/ledger.h"
#include "pg/json_object.h"
#include "pg/line_type.h"
#include "pg/lock_wait.h"
#include "pg/progress.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "release/heed.h"
#include "release/registration.h"
#include "release/release_audit.h"
#include "sequential/blanking.h"
#include "sequential/reader.h"
#include "sequential/rule_audit.h"

namespace anon_seq::sequential {
namespace {

// The relation that was registered, if the policy's owner, who acts, may read it without running code of others. It is
// another role's, who may have closed it, or its schema.
Oid registered_relation(SpiSession& session, Release const& other) {
  auto const find = [&] {
    FreshSnapshot const snapshot;
    auto const rows = session.execute(
        "SELECT c.oid FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE pg_catalog.format('%I.%I', n.nspname, c.relname) = $1"
        " AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')",
        {other.registered_relation()}, true);
    return rows.count() == 0 ? InvalidOid : rows.oid(0, 1);
  };
  Oid const relation = find();
  if (!OidIsValid(relation)) return InvalidOid;
  lock(session, Lockable::relation(relation), AccessShareLock);
  return find() == relation && OidIsValid(reader_or_none(session, relation)) ? relation : InvalidOid;
}

// Why it is not as it was; "unchanged" if it is.
std::string changes_of(SpiSession& session, Release const& other) {
  try {
    Oid const relation = registered_relation(session, other);
    if (!OidIsValid(relation)) return "not checked: gone, or not the owner's to read";
    return relation_fingerprint(session, relation) == other.digest ? "unchanged" : "changed";
  } catch (Error const& error) {
    if (error.fault() != Fault::kLocked) throw;
    return "not checked: in use";  // its owner's transaction must not stop the audits of others
  }
}

// A registered table can change under us; what counts is what was registered.
void add_unchanged(SpiSession& session, Release const& other, Checks& checks) {
  if (!other.is_registered()) return;
  Check check{"unchanged", other.reference(), "as it was when registered", "unchanged", true, 0, "{}"};
  check.observed = changes_of(session, other);
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

// What a version noted of those who may not be shown.
struct Noted {
  std::int64_t persons = 0, of = 0;            // who may not be shown, of the source's
  std::int64_t blanked = 0, blanked_rows = 0;  // of them: published without quasi values
};

// nullopt: it is not there, or was altered.
std::optional<Noted> noted_suppressed(SpiSession& session, Release const& release) {
  std::string list;
  for (auto const* const key : {"persons", "of", "blanked", "blanked_rows"})
    list +=
        sql_text(R"({comma}CASE WHEN s->>{key} OPERATOR(pg_catalog.~) '^[0-9]{1,18}$' THEN (s->>{key})::pg_catalog.int8
 WHEN NOT s OPERATOR(pg_catalog.?) {key} THEN 0 END)",
                 {{"comma", list.empty() ? "" : ", "}, {"key", sql_literal(key)}});
  auto const rows = session.execute("SELECT " + list + " FROM (SELECT detail->'suppressed' AS s FROM " +
                                        ledger_table(release.ledger, "note") + " WHERE version = $1) AS n",
                                    {release.version}, true);
  if (rows.count() == 0) return std::nullopt;
  std::int64_t counts[4];
  for (int i = 0; i < 4; ++i) {
    auto const count = rows.integer_or_null(0, i + 1);
    if (!count) return std::nullopt;
    counts[i] = *count;
  }
  return Noted{counts[0], counts[1], counts[2], counts[3]};
}

// Who may not be shown, as noted when the version was made, against the limit. What is not noted, or was altered, is
// not ok.
void add_suppressed(SequentialPolicy const& demands, Release const& release, std::optional<Noted> const& noted,
                    Checks& checks) {
  Ratio const limit = *demands.max_suppressed;
  Check check{
      "suppressed", release.reference(), "at most " + ratio_text(limit) + " of the persons", "not noted", false, 1,
      "{}"};
  if (noted && noted->persons < noted->of && noted->blanked <= noted->persons) {
    auto const [persons, all, blanked, rows] = *noted;
    std::int64_t const out = persons - blanked;
    bool const told = out <= release.withheld && (out > 0 || release.withheld == 0 || demands.suppress_unknown);
    check.ok = at_most(persons, all, limit) && told;
    check.offending = check.ok ? 0 : persons;
    check.observed = std::to_string(persons) + " of " + std::to_string(all);
    check.detail = JsonObject().number("persons", persons).number("of", all).text("limit", ratio_text(limit)).json();
  }
  checks.push_back(check);
}

// The rows of the ledger that show no quasi value, as many as there are such persons by what was noted.
void add_blanked(SpiSession& session, Release const& release, std::optional<Noted> const& noted, Checks& checks) {
  InterruptCheckpoint checkpoint;
  TaxonomyPool pool(session, checkpoint);
  auto const rows = session.execute(
      sql_text(
          "SELECT COALESCE(sum(l.n) FILTER (WHERE {blank}), 0)::pg_catalog.int8 FROM {cell} AS l WHERE l.version = $1",
          {{"blank", blank_condition(release, pool, CellNames::kNumbers)},
           {"cell", ledger_table(release.ledger, "cell")}}),
      {release.version}, true);
  auto const found = rows.integer_or_null(0, 1).value_or(0);
  bool const all = found == release.published;  // nobody shows any: then none of them could be told from others
  Check check{"blanked", release.reference(), "not noted", std::to_string(all ? 0 : found) + " rows", false, 1, "{}"};
  if (noted) {
    check.required = std::to_string(noted->blanked_rows) + " rows without quasi values, a class of their own";
    check.ok = (all ? 0 : found) == noted->blanked_rows && noted->blanked <= noted->blanked_rows &&
               (noted->blanked == 0) == (noted->blanked_rows == 0);
    check.offending = check.ok ? 0 : 1;
    check.detail = JsonObject().number("persons", noted->blanked).number("rows", noted->blanked_rows).json();
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
  auto const rules = audit.rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    Progress::at("rule", static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(rules.size()));
    audit.run(rules[i], checks);
  }
  add_reader(session, then, demands, rules, run.population, release, checks);
  if (demands.max_suppressed) {
    auto const noted = noted_suppressed(session, release);
    add_suppressed(demands, release, noted, checks);
    if (demands.blanks) add_blanked(session, release, noted, checks);
  }
  add_waived(then, demands, heeded, release, checks);
  add_unguarded(demands, release, checks);
  if (demands.unguarded_by_wish()) add_left_out("previous => '{}'", release, checks);
  if (run.heeded == nullptr) add_late(run, demands, release, checks);
}

void audit_all(AuditRun const& run, Checks& checks) {
  for (auto const& release : run.population) add_unchanged(run.session, release, checks);
}

}  // namespace anon_seq::sequential
