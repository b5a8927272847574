// Whether classes for life keep 1/l: counted on what a version shows.
#pragma once

#include "release/method.h"
#include "serial/lives_shown.h"
#include "serial/policy.h"

namespace anon_seq::serial {

// breach: no class has more than 1/l of a value that was listed when the class was made. listed_late: nor of one that
// was listed since; that stops no version, as the class was out before. classes: k rows or more. `shown`: values of the
// release, by the reader.
void add_bound_checks(AuditRun const& run, SerialPolicy const& demands, Release const& release, ShownReader& reader,
                      Vector<ShownValue> const& shown, Checks& checks);

}  // namespace anon_seq::serial
