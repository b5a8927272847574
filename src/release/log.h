// What happened to a policy, kept: every publish with what it said, every audit with its results, every failure of a
// job. Views anon_seq.log, audits and status show it to whoever may use the policy.
//
// Nothing is kept in a read-only transaction, as on a standby: audits run there all the same.
#pragma once

#include "catalog/policy.h"
#include "release/check.h"

namespace anon_seq::release {

// A publish that succeeded, with the NOTICEs and WARNINGs given since it began.
void log_publish(SpiSession& session, Policy const& policy, std::int32_t version);

// A step of a job that failed: "publish" or "audit".
void log_failure(SpiSession& session, Policy const& policy, std::string const& step, std::string const& error);

void log_audit(SpiSession& session, Policy const& policy, Checks const& checks);

}  // namespace anon_seq::release
