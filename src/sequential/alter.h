// What may change of a sequential policy that has releases: what asks for more.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::sequential {

// Throws kParameter for what asks for less than the newest release did (a lower k, a higher max_link, a rule that is
// gone or laxer), and for any other columns, persons, population or name. A release that cannot be heeded (not read, or
// of a method without a joint guarantee) may be left out of account later too: nothing else would let the policy go on.
void require_followable(SpiSession& session, Policy const& before, Policy const& after);

}  // namespace anon_seq::sequential
