// Erasure and return: who was forgotten and comes back has the budget that he left with. Of a value that is listed only
// afterwards nobody knows what he met; he is taken for one who was in the worst class of each version until he left.
//
// forget() takes a person's key out of the ledger. A digest of it stays, keyed by a secret of the ledger, with his
// accounts: who holds the ledger can ask about a key, not list who was forgotten.
#pragma once

#include <map>

#include "serial/late.h"

namespace anon_seq::serial {

// The tables of a ledger for it: its secret, and digests with accounts.
LedgerRelation secret_relation();
LedgerRelation forgotten_relation();

// Method::forget of a serial policy.
std::set<std::int32_t> forget(ForgetRequest const& request);

// Persons in the source who were forgotten.
struct Returned {
  std::map<std::int32_t, Vector<Account>> accounts;  // by the version whose state they belong to
  std::vector<std::string> digests;
};

// Their accounts are added to `budget`, with those of values that were listed late.
Returned add_returned(PublishRun const& run, SourceTable const& source, Past const& past, Budget& budget);

// Accounts of who was forgotten by a ledger and has not returned, one for each of them and each bound that they met: of
// the newest state, or over the versions that count. Names are added.
Vector<Account> accounts_of_forgotten(SpiSession& session, CountedLedger const& ledger, bool apart, Budget& names);

// Once these accounts are written: who has returned has them in the ledger's state, and those who have not have
// accounts of values that were listed late. numbers: bounds of the budget as the ledger numbers them.
void keep_forgotten(PublishRun const& run, Returned const& returned, Past const& past,
                    std::vector<std::int32_t> const& numbers);

// Makes the ledger's secret, if it has none.
void make_secret(SpiSession& session, std::string const& ledger);

// Throws kDamaged if a serial ledger of the population that has versions has lost its secret.
void require_secrets(PublishRun const& run);

}  // namespace anon_seq::serial
