#include "serial/audit.h"

#include "lossy_join/audit.h"
#include "lossy_join/correlation.h"
#include "release/release_audit.h"
#include "serial/breach.h"
#include "serial/lives_audit.h"
#include "serial/policy.h"
#include "serial/refused.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

bool is_newest(AuditRun const& run, Release const& release) {
  for (auto const& other : run.population)
    if (other.ledger == release.ledger && other.version > release.version) return false;
  return true;
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  if (release.withdrawn) return;
  auto const demands = serial_policy(then);
  lossy_join::ClassReader seen;
  bool const sees_all = !demands.generalized && then.sensitive.size() == 1;
  checks.push_back(rows_check(run.session, release, sees_all ? &seen : nullptr));
  checks.push_back(ledger_check(run.session, release));
  auto written = seen.take();
  if (written)
    checks.push_back(
        lossy_join::projections_check(release, lossy_join::recount_classes(run.session, release, demands, *written)));
  else if (!demands.generalized)
    checks.push_back(lossy_join::projections_check(run.session, release));
  if (demands.permanent && (run.everything || is_newest(run, release)))
    add_life_checks(run, then, release, checks);
  else if (!demands.permanent && is_newest(run, release))
    add_breach_checks(run, then, release, written ? &*written : nullptr, checks);
  if (!demands.generalized && release.id != 0)
    checks.push_back(lossy_join::correlation_check(run.session, {&release, 1}));
  add_retried(run, release, checks);
  add_unguarded(demands, release, checks);
}

namespace {

// All versions together teach more than the newest one.
void add_correlation(AuditRun const& run, Checks& checks) {
  for (auto release = run.population.rbegin(); release != run.population.rend(); ++release) {
    if (release->ledger != run.policy.ledger() || release->withdrawn || terms_of(*release).generalized) continue;
    auto const versions = lossy_join::learnt_from(run.population, *release, run.population.size());
    if (versions.size() > 1) checks.push_back(lossy_join::correlation_check(run.session, versions));
    return;
  }
}

}  // namespace

void audit_all(AuditRun const& run, Checks& checks) {
  if (!run.full) return;
  if (run.everything) add_correlation(run, checks);
  is_permanent(run.policy.parameters) ? add_life_history(run, checks) : add_history_check(run, checks);
}

}  // namespace anon_seq::serial
