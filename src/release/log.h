// What happened to a policy, kept: every publish with what it said, every audit with its results, every failure of a
// job. Views anon_seq.log, audits and status show it to whoever may use the policy.
//
// Nothing is kept in a read-only transaction, as on a standby: audits run there all the same.
#pragma once

#include "catalog/policy.h"
#include "release/check.h"

namespace anon_seq::release {

// Whether anything is kept: not in a read-only transaction.
bool may_log();

// A publish that succeeded, with the NOTICEs and WARNINGs given since it began.
void log_publish(SpiSession& session, Policy const& policy, std::int32_t version);

// A step of a job that failed: "publish" or "audit".
void log_failure(SpiSession& session, Policy const& policy, std::string const& step, std::string const& error);

// counted_at: when they were counted, if not now. Returns the time that is kept; nothing if nothing is.
std::string log_audit(SpiSession& session, Policy const& policy, Checks const& checks,
                      std::string const& counted_at = {});

// What is kept of checks, as json, without details: they show values, and the catalog is not the policy owner's.
std::string json_of(Checks const& checks);
Checks checks_from(std::string const& json);

}  // namespace anon_seq::release
