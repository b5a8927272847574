#include "release/damage.h"

#include <optional>
#include <set>

#include "catalog/ledger_sums.h"
#include "pg/roles.h"
#include "release/ledger_format.h"

namespace anon_seq::release {
namespace {

// What is as it should be is told where everything is asked for.
void add_check(AuditRun const& run, std::string const& scope, std::vector<std::string> const& changed, Checks& checks) {
  if (changed.empty() && !run.everything) return;
  std::string names, observed;
  for (auto const& table : changed) {
    names += (names.empty() ? "" : ", ") + json_string(table);
    observed += (observed.empty() ? "not so in _" : ", _") + table;
  }
  auto const count = static_cast<std::int64_t>(changed.size());
  checks.push_back({"damage", scope, "rows of the ledger as they were written",
                    count == 0 ? "as they were written" : observed, count == 0, count,
                    "{\"tables\": [" + names + "]}"});
}

}  // namespace

void add_damage(AuditRun const& run, Checks& checks) {
  auto& session = run.session;
  auto const ledger = run.policy.ledger();
  add_check(run, run.policy.name, changed_tables(session, ledger, schema_of(session, run.policy)), checks);
  std::set<std::string> seen;
  for (auto const& release : run.population) {
    if (!release.is_registered() || !seen.insert(release.ledger).second) continue;
    if (!has_rights_of(session, ledger_owner(session, release.ledger))) continue;
    auto const schema = schema_of(session, release);
    OwnLedger const owner(session, release);
    add_check(run, release.reference(), changed_tables(session, release.ledger, schema), checks);
  }
}

}  // namespace anon_seq::release
