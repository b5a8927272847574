// What an incremental ledger keeps of who is forgotten: the region that showed him.
#pragma once

#include "release/method.h"

namespace anon_seq::incremental {

// Blanks his exact values, and marks his last region. Returns the versions that showed him.
std::set<std::int32_t> forget(ForgetRequest const& request);

}  // namespace anon_seq::incremental
