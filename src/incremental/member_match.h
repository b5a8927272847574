// Who is who between two versions: members of the ledger are found again in the source by their keys.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// Fills all of objects but the points, ids, earlier and changed; appends to the table the objects that are not in the
// source any more, or that are there with other quasi values: those become new objects.
void match_members(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
