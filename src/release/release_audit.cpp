#include "release/release_audit.h"

#include <algorithm>

#include "catalog/audit_record.h"
#include "catalog/population.h"
#include "pg/progress.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/audit_state.h"
#include "release/damage.h"
#include "release/heed.h"
#include "release/ledger_format.h"
#include "release/log.h"
#include "release/restored.h"

namespace anon_seq::release {
namespace {

void add_withdrawn(SpiSession& session, std::string const& population, Checks& checks) {
  for (auto const& withdrawn : withdrawals_of(session, population))
    checks.push_back({"withdrawn", withdrawn.reference, "for information",
                      "withdrawn by " + withdrawn.by + ": " + withdrawn.reason, true, 0,
                      "{\"at\": " + json_string(withdrawn.at) + "}"});
}

// Subscribers get what a publication contains, and a ledger has the keys of persons.
void add_publications(SpiSession& session, Policy const& policy, Checks& checks) {
  auto const rows = session.execute(R"(
SELECT p.pubname
FROM pg_publication AS p
WHERE p.puballtables
   OR EXISTS (
     SELECT
     FROM pg_publication_namespace AS s
     WHERE s.pnpubid = p.oid AND s.pnnspid = 'anon_seq_ledger'::regnamespace)
   OR EXISTS (
     SELECT
     FROM pg_publication_rel AS r
     JOIN pg_class AS c ON c.oid = r.prrelid
     WHERE r.prpubid = p.oid AND c.relnamespace = 'anon_seq_ledger'::regnamespace AND starts_with(c.relname::text, $1))
ORDER BY p.pubname COLLATE "C")",
                                    {policy.ledger() + "_"}, true);
  if (rows.count() == 0) return;
  std::string names;
  for (std::uint64_t row = 0; row < rows.count(); ++row) names += (row == 0 ? "" : ", ") + quoted(rows.get(row, 1));
  checks.push_back({"publications", policy.name, "no publication contains the ledger", names, false,
                    static_cast<std::int64_t>(rows.count()), "{}"});
}

// What came out later of the same people, and shows them as they are: no k that was promised before hides anybody now.
void add_projected(AuditRun const& run, Release const* newest, Checks& checks) {
  if (newest == nullptr) return;
  auto const demands = method_of(run.policy).demands(run.policy);
  for (auto const& other : run.population) {
    if (other.is_projected() && other.name != newest->name && other.id > newest->id && !other.withdrawn &&
        owed(run.policy, other) != Owed::kNothing && !demands->leaves_out(other.name, other.reference()))
      checks.push_back({"unguarded", newest->reference(), "no other release shows the same people as they are",
                        other.reference() + " does, and came later", false, 1, "{}"});
  }
}

// What was registered later and cannot be measured: it may have been public long before. Whose method has rules for it
// tells by itself.
void add_registered(AuditRun const& run, Release const* newest, Checks& checks) {
  if (newest == nullptr) return;
  auto const demands = method_of(run.policy).demands(run.policy);
  for (auto const& other : run.population)
    if (other.is_registered() && other.id > newest->id && owed(run.policy, other) == Owed::kRefused &&
        !demands->leaves_out_refused(other.name, other.reference()))
      checks.push_back({"unguarded", newest->reference(),
                        "every release of population " + run.policy.population + " is heeded",
                        other.name + " was registered later", false, 1, "{}"});
}

// What the owner has left out of account stops nothing, and every audit tells.
bool is_by_wish(Check const& check) {
  return check.name == "unguarded" || check.name == "waived" || check.name == "reader";
}

void require_all(Checks const& checks, Release const& release) {
  for (auto const& check : checks)
    if (!check.ok && !is_by_wish(check))
      throw Error(
          Fault::kBroken, "audit of release " + quoted(release.reference()) + " failed: " + check.name,
          check.scope + ": required " + check.required + ", observed " + check.observed + ".",
          "Nothing was published. Please report this with the policy, described by anon_seq.describe_policy().");
}

}  // namespace

void audit_written(PublishRun const& run, Draft const& draft, Release const& release) {
  FreshSnapshot const snapshot;
  Checks checks;
  AuditRun const audit{.session = run.session,
                       .policy = run.policy,
                       .population = run.population,
                       .heeded = draft.heeded(),
                       .since = run.policy.version - 1};
  if (auto of_changes = draft.audit(release))
    checks = std::move(*of_changes);
  else
    run.method.audit_version(audit, run.policy, release, checks);
  require_all(checks, release);
  if (run.method.attack != nullptr) run.method.attack(run, release);
}

Policy policy_at(Policy policy, Release const& release) {
  policy.version = release.version;
  policy.columns = release.columns;
  policy.quasi.clear();
  policy.sensitive.clear();
  policy.publish_as_is.clear();
  for (auto const& column : release.columns) {
    if (column.is_quasi()) policy.quasi.push_back(column.column);
    if (column.role == Role::kSensitive) policy.sensitive.push_back(column.column);
    if (column.role == Role::kAsIs) policy.publish_as_is.push_back(column.column);
  }
  policy.parameters = release.parameters;
  policy.options = release.options;
  return policy;
}

namespace {

// Of the versions before the newest one that still bind, the newest that was found good; 0: none. `missing`: there are
// some, and none was.
std::int32_t last_good(AuditRecord const& record, std::vector<Release> const& population, Release const* newest,
                       bool& missing) {
  std::int32_t last = 0;
  bool any = false;
  for (auto const& release : population) {
    if (newest == nullptr || release.name != newest->name || release.withdrawn || release.is_registered() ||
        release.version >= newest->version)
      continue;
    any = true;
    if (std::ranges::binary_search(record.versions, release.version)) last = std::max(last, release.version);
  }
  missing = any && last == 0;
  return last;
}

// Stores what an audit found, and as what everything stood when it began, for the next one.
void keep(AuditRun const& run, AuditRecord record, std::string const& state, Release const* newest,
          Checks const& checks) {
  record.at = log_audit(run.session, run.policy, checks);
  if (record.at.empty()) return;  // nothing is kept
  record.good = newest != nullptr &&
                std::ranges::all_of(checks, [](Check const& check) { return check.ok || is_by_wish(check); });
  if (record.good) {
    record.state = state;
    record.checks = json_of(checks);
    constexpr std::size_t kMost = 100;  // versions to fall back on, should newer ones be withdrawn
    auto& versions = record.versions;
    if (!std::ranges::binary_search(versions, newest->version))
      versions.insert(std::ranges::upper_bound(versions, newest->version), newest->version);
    if (versions.size() > kMost) versions.erase(versions.begin());
    if (run.full) record.heeded = record.wanted;
  }
  if (!run.full)
    ++record.runs;
  else if (record.good)
    record.runs = 0;
  store_audit(run.session, run.policy.id, record);
}

}  // namespace

Checks audit_policy(SpiSession& session, std::string const& name, AuditWish wish) {
  remember_said(name);
  Policy const policy = load_policy(session, name, false);
  require_owner_takes_part(session, policy);
  OwnLedger const owner(session, policy);  // what he put there must not run as who asks
  auto const& method = method_of(policy);
  auto const population = releases_of(session, policy.population);
  auto const record = audit_record(session, policy.id);
  auto const state = audit_state(session, policy, population);  // before anything is counted
  auto const* const newest = newest_shown(population, name);
  bool missing = false;
  auto const since = last_good(record, population, newest, missing);
  auto const demands = method.demands(policy);
  bool const everything = wish == AuditWish::kEverything;
  AuditRun const run{
      .session = session,
      .policy = policy,
      .population = population,
      .everything = everything,
      .full = everything || missing || record.full_due(demands->full_audit_every) || !demands_same(record.state, state),
      .since = since};
  if (wish == AuditWish::kUnlessUnchanged && !run.full && record.good && record.state == state &&
      !demands->reads_others()) {
    AuditRecord next = record;
    ++next.runs;
    if (may_log() && store_audit(session, policy.id, next)) {  // else nobody would count the nights
      auto checks = checks_from(record.checks);
      log_audit(session, policy, checks, record.at);
      return checks;
    }
  }
  Checks checks;
  auto const is_version = [&](Release const& release) { return release.name == name && !release.is_registered(); };
  auto const is_audited = [&](Release const& release) {
    return is_version(release) && (everything || &release == newest);
  };
  Progress progress("audit", name, static_cast<std::size_t>(std::ranges::count_if(population, is_audited)) + 1);
  for (auto const& release : population) {
    if (is_version(release)) require_unaltered(release);
    if (!is_audited(release)) continue;
    progress.step("version " + std::to_string(release.version));
    method.audit_version(run, policy_at(policy, release), release, checks);
  }
  Check const none{"released", name, "at least one release", "none", false, 0, "{}"};
  bool const any = !checks.empty();
  if (!any) checks.push_back(none);
  progress.step("versions together");
  method.audit_all(run, checks);
  add_restored(run, newest, checks);
  if (run.full) add_damage(run, checks);
  add_projected(run, newest, checks);
  add_registered(run, newest, checks);
  if (any && newest == nullptr) checks.push_back(none);
  add_publications(session, policy, checks);
  add_withdrawn(session, policy.population, checks);
  keep(run, record, state, newest, checks);
  return checks;
}

std::optional<Error> failed(std::string const& policy, bool everything, Checks const& checks) {
  std::vector<std::string> lines;
  for (auto const& check : checks)
    if (!check.ok)
      lines.push_back(check.name + ", " + check.scope + ": required " + check.required + ", observed " +
                      check.observed);
  if (lines.empty()) return std::nullopt;
  return Error(Fault::kData,
               "audit of policy " + quoted(policy) + ": " + std::to_string(lines.size()) +
                   (lines.size() == 1 ? " check fails" : " checks fail"),
               joined(lines, "\n"),
               "SELECT * FROM anon_seq.audit(" + sql_literal(policy) + (everything ? ", everything => true" : "") +
                   ") WHERE NOT ok;");
}

}  // namespace anon_seq::release
