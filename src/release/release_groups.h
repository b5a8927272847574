// Releases of ours, as sources of a breach audit: their groups out of the ledger.
#pragma once

#include "audit/group_history.h"
#include "catalog/release.h"

namespace anon_seq::release {

// Reads who was in which class of these releases, and what classes hold. A class is the number that the release shows,
// else what it shows beside its sensitive columns. Whom forget() took out counts in his class. Throws kUnsupported for
// a release that knows no persons or was registered, kParameter for releases of several populations, or that have no
// sensitive column in common.
GroupHistory read_release_groups(SpiSession& session, std::vector<Release> const& releases, Checkpoint& checkpoint);

}  // namespace anon_seq::release
