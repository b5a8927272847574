// The checks of a serial policy.
#pragma once

#include "release/method.h"

namespace anon_seq::serial {

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks);
void audit_all(AuditRun const& run, Checks& checks);

}  // namespace anon_seq::serial
