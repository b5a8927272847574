// Audits of our own releases: what all methods have in common, and the order.
#pragma once

#include "release/publish_run.h"
#include "release/row_match.h"

namespace anon_seq::release {

// Whether the relations hold what the ledger says, row for row: everything else is then counted on cells.
// `visitor`: see row_match.h; nobody may be done.
Check rows_check(SpiSession& session, Release const& release, RowVisitor* visitor = nullptr);

// Whether the ledger is closed to all but its owner.
Check ledger_check(SpiSession& session, Release const& release);

// What a release left out of account: a row that is not ok for each.
void add_left_out(std::string const& what, Release const& release, Checks& checks);
void add_unguarded(Demands const& demands, Release const& release, Checks& checks);

// The checks of a version just written, its method's attack included; throws kBroken, naming the check, unless all
// hold.
void audit_written(PublishRun const& run, Draft const& draft, Release const& release);

// kNewest: the newest version is counted. kUnlessUnchanged: the same, unless everything stands as it did at the last
// good audit, see audit_state.h: then its result does, without details; but one audit in so many is full, see
// catalog/audit_record.h. kEverything: all versions are counted.
enum class AuditWish { kNewest, kUnlessUnchanged, kEverything };

// Versions of a policy, against what was there when each was made; kept in the log. Never empty. Older versions were
// audited when they were new, and their ledger is closed by triggers.
Checks audit_policy(SpiSession& session, std::string const& policy, AuditWish wish);

// The checks that failed, for an error. Empty: all are ok.
std::optional<Error> failed(std::string const& policy, bool everything, Checks const& checks);

// The policy as it was when a version was made.
Policy policy_at(Policy policy, Release const& release);

}  // namespace anon_seq::release
