// What may change of an incremental policy that has releases: what its regions can follow.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::incremental {

// Throws kParameter for what weakens what was promised or cannot be followed: k is raised, the shape or what arrivals
// tell changes. A lower k is followed from the next version on.
void require_followable(SpiSession& session, Policy const& before, Policy const& after);

}  // namespace anon_seq::incremental
