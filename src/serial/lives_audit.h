// Whether classes are for life: counted on what was published, and on who is in it.
#pragma once

#include "release/method.h"

namespace anon_seq::serial {

// Of one version: the same bag as in the one before (life), at most 1/l of each listed value (breach, listed_late), k
// rows (classes), and everybody where he always was (members).
void add_life_checks(AuditRun const& run, Policy const& then, Release const& release, Checks& checks);

// The same bag in all versions that show a class.
void add_life_history(AuditRun const& run, Checks& checks);

}  // namespace anon_seq::serial
