#include "release/release_audit.h"

#include <algorithm>

#include "catalog/population.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/heed.h"
#include "release/ledger_format.h"
#include "release/log.h"

namespace anon_seq::release {
namespace {

void add_withdrawn(SpiSession& session, std::string const& population, Checks& checks) {
  for (auto const& withdrawn : withdrawals_of(session, population))
    checks.push_back({"withdrawn", withdrawn.reference, "for information",
                      "withdrawn by " + withdrawn.by + ": " + withdrawn.reason, true, 0,
                      "{\"at\": " + json_string(withdrawn.at) + "}"});
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
  AuditRun const audit{run.session, run.policy, run.population, draft.heeded()};
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

Checks audit_policy(SpiSession& session, std::string const& name, bool everything) {
  forget_said();
  Policy const policy = load_policy(session, name, false);
  require_owner_takes_part(session, policy);
  OwnLedger const owner(session, policy);  // what he put there must not run as who asks
  auto const& method = method_of(policy);
  auto const population = releases_of(session, policy.population);
  AuditRun const run{session, policy, population, nullptr, everything};
  auto const* const newest = newest_shown(population, name);
  Checks checks;
  for (auto const& release : population)
    if (release.name == name && !release.is_registered()) {
      require_unaltered(release);
      if (everything || &release == newest) method.audit_version(run, policy_at(policy, release), release, checks);
    }
  Check const none{"released", name, "at least one release", "none", false, 0, "{}"};
  bool const any = !checks.empty();
  if (!any) checks.push_back(none);
  method.audit_all(run, checks);
  add_projected(run, newest, checks);
  if (any && newest == nullptr) checks.push_back(none);
  add_withdrawn(session, policy.population, checks);
  log_audit(session, policy, checks);
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
