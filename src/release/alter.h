// Changing a policy: before its first release anything, afterwards only what weakens no promise.
#pragma once

#include "release/declare.h"

namespace anon_seq::release {

// Throws kParameter, saying which change is refused and why, for a policy that has releases already: of a
// sequential one what asks for less than the newest release did (a lower k, a higher max_link, a rule that is gone or
// laxer), of an incremental one what its regions cannot follow (see require_followable), of any other columns, persons,
// population or name. A release that cannot be heeded (not read, or of a method without a joint guarantee) may be left
// out of account later too: nothing else would let the policy go on.
void require_allowed_change(SpiSession& session, Policy const& before, Policy const& after);

}  // namespace anon_seq::release
