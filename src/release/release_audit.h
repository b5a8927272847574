// Audits of our own releases: every rule of a version, measured again in SQL on the rows that were written.
#pragma once

#include "audit/audit_join.h"
#include "sequential/rule_scope.h"

namespace anon_seq::release {

struct Check {
  std::string name;   // rows, anonymity, linkability, dangling, unguarded, ledger, unchanged
  std::string scope;  // release, and the rule
  std::string required, observed;
  bool ok = false;
  std::int64_t offending = 0;
  std::string detail = "{}";  // json
};

// Whether a release's relation is there and its owner's; it is locked then. REQUIRES: not retired.
bool is_own_relation(SpiSession& session, Release const& release);

// Whether the relation holds what the ledger says, row for row: everything else is then counted on cells.
Check rows_check(SpiSession& session, Release const& release);

// Whether the ledger is closed to all but its owner.
Check ledger_check(SpiSession& session, Release const& release);

// What was withdrawn of a population, for information: a row each.
void add_withdrawn(SpiSession& session, std::string const& population, std::vector<Check>& checks);

// Throws kBroken, naming the check, unless all hold.
void require_all(std::vector<Check> const& checks, Release const& release);

// All checks of one version. `policy` is the policy as it was then, `heeded` what it had to heed.
std::vector<Check> audit_release(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                 std::vector<Release> const& heeded, Release const& release);

// The same for a release just written; throws kBroken, naming the check, unless all hold.
void audit_written(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                   std::vector<Release> const& heeded, Release const& release);

// All versions of a policy against what was there when each was made. Never empty.
std::vector<Check> audit_policy(SpiSession& session, std::string const& policy);

// The policy as it was when a version was made.
Policy policy_at(Policy policy, Release const& release);

}  // namespace anon_seq::release
