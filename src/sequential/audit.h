// Audits of sequential releases.
#pragma once

#include "release/method.h"

namespace anon_seq::sequential {

// All checks of one version against what it had to heed. Nothing of one that was withdrawn: nobody read it.
void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks);

// Whether what was registered is still what was counted.
void audit_all(AuditRun const& run, Checks& checks);

}  // namespace anon_seq::sequential
