// What may change in a lossy join after its first release.
#pragma once

#include "release/method.h"

namespace anon_seq::lossy_join {

void require_followable(SpiSession& session, Policy const& before, Policy const& after);

}  // namespace anon_seq::lossy_join
