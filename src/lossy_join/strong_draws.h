// Chance that nobody can replay, for the core: the server's strong random numbers.
#pragma once

#include "core/lossy/draws.h"

namespace anon_seq::lossy_join {

// Throws kInternal when the server has none.
Draws strong_draws();

}  // namespace anon_seq::lossy_join
