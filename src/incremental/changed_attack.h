// The inference attack on what changed since a version that was found good, place by place: the second route of a
// default audit, beside the checks `anonymity` and `nested`, which look at all regions.
//
// Regions that hold the same persons as then leave as many candidates as their persons who count. Attacked is each
// place of a region that was cut, entered or left since: what the versions in between show around it, and of whom.
// Persons are known by their keys, so that links between objects need not be believed.
#pragma once

#include "catalog/release.h"
#include "core/attack/region_paths.h"
#include "release/check.h"

namespace anon_seq::incremental {

inline constexpr std::size_t kMostVersionsOfPaths = kMostReleasesOfPaths;

// versions: ascending, from the one found good to the newest, unless there is one only, which is attacked as a whole;
// at most kMostVersionsOfPaths. Between them may be some that were withdrawn: no reader has them, but who left what
// shows. REQUIRES: regions are parts of the space, not boxes around data; the rights of the ledger's owner.
Check changed_attack(SpiSession& session, std::vector<Release> const& versions, std::int64_t k);

}  // namespace anon_seq::incremental
