// Audits of incremental releases: what was written, counted again in SQL, and the inference attack on all versions.
#pragma once

#include "incremental/policy.h"
#include "incremental/state.h"
#include "release/publish_run.h"

namespace anon_seq::incremental {

// All checks of one version: its rows, its persons, and that every region lies in the one it was cut from.
void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks);

// Those of a version that shows what the last one did by the same rows, of the regions that it changes. The others are
// as they were when they were audited, as rows of the ledger do not change but for being closed.
Checks audit_touched(IncrementalState const& state, Release const& release);

// Where an erasure left regions out: kData if the inference attack on all sets of versions finds anybody.
void attack(PublishRun const& run, Release const& release);

// The attack over all versions, and what arrivals tell.
void audit_all(AuditRun const& run, Checks& checks);

}  // namespace anon_seq::incremental
