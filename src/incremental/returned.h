// Who was forgotten and is back, by the digests that forget() left.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// Nobody knows where they were shown before, so they count towards no k, wherever they are now: sets state.returned and
// objects.before. Where arrivals are known they wait, as who left for good. REQUIRES: members are matched.
void find_returned(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
