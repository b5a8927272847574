// Whether rows of ledgers are those that were written.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// For full audits: adds the check `damage` of the policy's ledger, and of those of the registered releases of its
// population that the current user has the rights on. REQUIRES: the owner of the policy acts. Cost: reads these ledgers
// once.
void add_damage(AuditRun const& run, Checks& checks);

}  // namespace anon_seq::release
