// The checks of a lossy join, in SQL on what was written.
#pragma once

#include "release/method.h"

namespace anon_seq::lossy_join {

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks);

}  // namespace anon_seq::lossy_join
