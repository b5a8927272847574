// Ledgers of an older format are brought up to date when they are used: by this code, as their owner, restricted, and
// not by an update script, which would run as a superuser what their owners have put on them.
#pragma once

#include <optional>

#include "catalog/ledger_schema.h"
#include "catalog/release.h"
#include "pg/acting_as.h"
#include "release/method.h"

namespace anon_seq::release {

// The ledger of a policy, as its method describes it; `persons`: the type of the keys.
LedgerSchema ledger_of(Method const& method, Policy const& policy, std::string const& persons);

// The same of a ledger that is there, of a policy or a release.
LedgerSchema schema_of(SpiSession& session, Policy const& policy);
LedgerSchema schema_of(SpiSession& session, Release const& release);

// A part of a release's ledger as its method describes it: InvalidOid if the method has none of that name, or if it is
// not there, see catalog::ledger_part().
Oid part_of(SpiSession& session, Release const& release, std::string_view name);

// Whether all parts of a ledger must be there; they need not where the ledger is about to be dropped.
enum class Parts { kRequired, kAsTheyAre };

// Acts as who owns a ledger, for whatever is done with its tables but _cell; the ledger has this library's format then,
// and its relations are those that the method made. Throws kDamaged for a ledger without an owner or a part,
// kUnsupported for a format that this library does not know, and for an older one in a read-only transaction.
class OwnLedger {
 public:
  OwnLedger(SpiSession& session, Policy const& policy, Parts parts = Parts::kRequired);
  OwnLedger(SpiSession& session, Release const& release);
  OwnLedger(OwnLedger const&) = delete;
  OwnLedger& operator=(OwnLedger const&) = delete;

 private:
  std::optional<ActingAs> owner_;
  std::optional<FreshSnapshot> converted_;  // what was converted is seen
};

}  // namespace anon_seq::release
