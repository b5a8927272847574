// Changing a policy: before its first release anything, afterwards only what weakens no promise.
#pragma once

#include "release/declare.h"

namespace anon_seq::pg {

// Throws kParameter, saying which change is refused and why, if `after` asks for less than `before`, which
// has releases already: a lower k, a higher max_link, a rule that is gone or laxer, other columns, another
// source of persons or population.
void require_no_weaker(Policy const& before, Policy const& after);

}  // namespace anon_seq::pg
