// Older versions of a policy that keeps only some: their relations go, what they showed goes on counting.
#pragma once

#include "incremental/policy.h"
#include "release/publish_run.h"

namespace anon_seq::incremental {

// Drops the relations of all but the newest `keep` versions, some at a time; what is in use stays, with a NOTICE, until
// the next time.
void retire_older(SpiSession& session, Policy const& policy, std::int64_t keep);

// Versions of a policy among the releases of its population, oldest first.
std::vector<Release> versions_of(std::vector<Release> const& population, Policy const& policy);

}  // namespace anon_seq::incremental
