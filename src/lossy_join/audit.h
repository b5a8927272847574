// The checks of a lossy join, in SQL on what was written.
#pragma once

#include "lossy_join/class_recount.h"
#include "release/method.h"

namespace anon_seq::lossy_join {

// On the relations alone: the same classes in each, of the same sizes, and no value of SS twice in a class.
Check projections_check(SpiSession& session, Release const& release);
// The same, already counted.
Check projections_check(Release const& release, ClassRecount const& found);

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks);

}  // namespace anon_seq::lossy_join
