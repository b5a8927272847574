// Where the ledger of a policy is at home: the cluster, database, time line and relation where it was made, or for
// which its owner has confirmed it since.
//
// A ledger elsewhere was restored or promoted, and may lack versions that were published after it was saved. Nothing of
// this is dumped, and adopt_restored() does not touch it. A copy of the files on the same time line is the same place:
// nothing inside it can tell.
#pragma once

#include "catalog/catalog_writer.h"
#include "catalog/policy.h"

namespace anon_seq::catalog {

// Whether a ledger is where it was made or confirmed. On a standby the time line does not count: which one its writes
// will be on, nobody knows before it is promoted.
bool is_at_home(SpiSession& session, std::string const& ledger);

// A ledger is at home here. REQUIRES: not in recovery.
void note_home(CatalogWriter& catalog, std::string const& ledger);
void note_home(SpiSession& session, std::string const& ledger);

struct PolicyLedger {
  std::string policy, method, population, ledger;
  std::int32_t version = 0;  // the newest one
  bool lives = true;         // else the policy was dropped, and its releases are left
};

// Of all policies of a population, or of those called so, whose ledger is there, whoever owns them, by their numbers.
std::vector<PolicyLedger> ledgers_of_population(SpiSession& session, std::string const& population);
std::vector<PolicyLedger> ledgers_called(SpiSession& session, std::string const& policy);
// Of policies whose owner's rights the current user has.
std::vector<PolicyLedger> own_ledgers(SpiSession& session);

// How many versions these ledgers are known to lack.
std::int64_t lost_versions(SpiSession& session, std::vector<std::string> const& ledgers);

// The owner of a ledger, whose newest version is `version`, says that `last` is the newest one that was published
// anywhere: the ledger is at home here, and lacks those between. Said twice of one state it counts once. Returns how
// many versions the ledger is known to lack now. REQUIRES: version <= last.
std::int64_t confirm(SpiSession& session, std::string const& ledger, std::int32_t version, std::int32_t last);

}  // namespace anon_seq::catalog
