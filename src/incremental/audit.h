// Audits of incremental releases: what was written, counted again in SQL, and the inference attack on all versions.
#pragma once

#include "incremental/policy.h"
#include "release/release_audit.h"

namespace anon_seq::incremental {

// Throws kUnsupported if the population has releases of other policies that the policy does not leave out of account:
// no joint guarantee is known with them.
void require_alone(SpiSession& session, Policy const& policy);

// All checks of one version: its rows, its persons, and that every region lies in the one it was cut from.
std::vector<Check> audit_version(SpiSession& session, Policy const& policy, IncrementalPolicy const& demands,
                                 Release const& release);

// The same for a version just written; throws kBroken, naming the check, unless all hold. Where an erasure left
// regions out, also kData if the inference attack on all subsets of versions finds anybody.
void audit_written(SpiSession& session, Policy const& policy, IncrementalPolicy const& demands, Release const& release);

// All versions, and the attack over all of them. Never empty.
std::vector<Check> audit_incremental(SpiSession& session, Policy const& policy);

// Drops the relations of all but the newest versions.
void retire_older(SpiSession& session, Policy const& policy, std::int64_t keep);

}  // namespace anon_seq::incremental
