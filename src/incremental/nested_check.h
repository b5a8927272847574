// Whether a version only refined the one before.
#pragma once

#include "release/release_audit.h"

namespace anon_seq::incremental {

// Whoever was in the version before is in the same region now, or in one cut from it that shows no more. REQUIRES: the
// rights of the ledger's owner.
Check nested_check(SpiSession& session, Release const& release);

}  // namespace anon_seq::incremental
