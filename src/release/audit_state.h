// As what everything stands that an audit looks at, but for the rows of ledgers and releases: what is compared before
// the result of the last good audit is taken for today's.
//
// A row of the system's catalogs, or of ours, that was changed and changed back is another row (xmin and ctid), as in
// release/watch_state.h. A row of a ledger or of a relation that was changed past its triggers leaves no trace here:
// that is what full audits are for.
#pragma once

#include "catalog/policy.h"
#include "catalog/release.h"

namespace anon_seq::release {

// json: part -> digest. population: all releases of it. REQUIRES: nothing was looked at yet that is to be compared.
std::string audit_state(SpiSession& session, Policy const& policy, std::vector<Release> const& population);

// Whether two states have the same demands: parameters and options, columns and persons of the policy.
bool demands_same(std::string const& before, std::string const& now);

}  // namespace anon_seq::release
