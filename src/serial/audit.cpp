#include "serial/audit.h"

#include "lossy_join/audit.h"
#include "lossy_join/correlation.h"
#include "release/release_audit.h"
#include "serial/breach.h"
#include "serial/lives_audit.h"
#include "serial/place.h"
#include "serial/policy.h"

namespace anon_seq::serial {
namespace {

bool is_newest(AuditRun const& run, Release const& release) {
  for (auto const& other : run.population)
    if (other.ledger == release.ledger && other.version > release.version) return false;
  return true;
}

// Other parameters than those of the version before: who knows that these were tried first and refused learns from it.
void add_retried(AuditRun const& run, Release const& release, Checks& checks) {
  Release const* before = nullptr;
  for (auto const& other : run.population)
    if (other.method == release.method && other.id < release.id) before = &other;
  if (before == nullptr || release.id == 0) return;
  Policy then;
  auto const made = [&](Release const& of) {
    then.parameters = of.parameters;
    then.options = of.options;
    then.sensitive.clear();
    for (auto const& column : of.columns)
      if (column.role == Role::kSensitive) then.sensitive.push_back(column.column);
    return serial_policy(then);
  };
  auto const old = made(*before), now = made(release);
  bool const same = old.k == now.k && old.cohorts.by_cut == now.cohorts.by_cut &&
                    old.cohorts.least == now.cohorts.least && old.largest_m == now.largest_m;
  if (!same)
    checks.push_back({"retried", release.reference(), "k, cohorts and withhold_below as in the version before",
                      "changed", false, 1, "{}"});
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  if (release.withdrawn) return;
  auto const demands = serial_policy(then);
  checks.push_back(rows_check(run.session, release));
  checks.push_back(ledger_check(run.session, release));
  if (!demands.generalized) checks.push_back(lossy_join::projections_check(run.session, release));
  if (demands.permanent && (run.everything || is_newest(run, release)))
    add_life_checks(run, then, release, checks);
  else if (!demands.permanent && is_newest(run, release))
    add_breach_checks(run, then, release, checks);
  if (!demands.generalized && release.id != 0) checks.push_back(lossy_join::correlation_check(run.session, release));
  add_retried(run, release, checks);
  // One that is being published is wanted in spite of that.
  if (release.id == 0 || !is_newest(run, release)) return add_unguarded(demands, release, checks);
  if (auto const lost = lost_versions(run.session, run.population, release.method); lost > 0)
    checks.push_back({"lost", release.reference(), "a ledger that knows all versions",
                      std::to_string(lost) + " were published after it was saved", false, lost, "{}"});
  add_unguarded(demands, release, checks);
}

void audit_all(AuditRun const& run, Checks& checks) {
  if (!run.everything) return;
  is_permanent(run.policy.parameters) ? add_life_history(run, checks) : add_history_check(run, checks);
}

}  // namespace anon_seq::serial
