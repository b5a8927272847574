// Ledgers that were restored or promoted: they may lack versions that were published after they were saved, and what is
// published further is promised together with those. So nothing is, until the owner of the policy has said which
// version was the newest that was published anywhere.
//
// Asked of every policy whose method promises something of all its versions together, and of the policies of its
// population that it is promised together with, also of those that were dropped since they were restored. Not of what
// was registered: a registration never grows, so what the ledger has of it is all of it.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// Throws kState, with what to do, if such a ledger is not confirmed here; kDamaged if the ledger of the policy has
// another newest version than `newest`, which is the catalog's. REQUIRES: the owner of the policy acts.
void require_confirmed(SpiSession& session, Policy const& policy, std::int32_t newest);

// publish(..., after => n). Throws kState unless `newest` is n: the witness is outside of the database, which cannot
// know that it is an older copy of itself.
void require_after(Policy const& policy, std::int32_t newest, std::optional<std::int32_t> after);

// What audits tell: a failed row "restored" until it is confirmed, and "lost" for versions that the ledgers lack.
void add_restored(AuditRun const& run, Release const* newest, Checks& checks);

// Whether the ledger of a policy is confirmed here, or needs not be.
bool is_confirmed(SpiSession& session, Policy const& policy);

struct ConfirmedLedger {
  std::string policy;
  std::int32_t version = 0, last = 0;  // the newest one of the ledger, and of all
  std::int64_t lost = 0;
};

// confirm_ledger(): `last` is the newest version of a policy that was published anywhere; nullopt: the newest one that
// its ledger has. Throws kParameter if the ledger has a newer one.
ConfirmedLedger confirm_ledger(SpiSession& session, std::string const& policy, std::optional<std::int32_t> last);

// confirm_ledgers(): all policies of the caller's roles that are not confirmed yet, and those named in `last`, a json
// object of policies and versions. In the order of their names.
std::vector<ConfirmedLedger> confirm_ledgers(SpiSession& session, JsonValue const& last);

}  // namespace anon_seq::release
