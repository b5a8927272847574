// Erasure and return: who was forgotten and comes back has the budget that he left with.
//
// forget() takes a person's key out of the ledger. A digest of it stays, keyed by a secret of the ledger, with his
// accounts: who holds the ledger can ask about a key, not list who was forgotten.
#pragma once

#include <map>

#include "serial/budget.h"

namespace anon_seq::serial {

std::vector<LedgerRelation> forgotten_relations();

// Method::forget of a serial policy.
std::set<std::int32_t> forget(ForgetRequest const& request);

// Persons in the source who were forgotten.
struct Returned {
  std::map<std::int32_t, Vector<Account>> accounts;  // by the version whose state they belong to
  std::vector<std::string> digests;
};

// Their accounts are added to `budget`.
Returned add_returned(PublishRun const& run, SourceTable const& source, Budget& budget);

// Once these accounts are written: who has returned is none of the forgotten any more.
void drop_returned(PublishRun const& run, Returned const& returned);

// Makes the ledger's secret, if it has none, and notes where it is, see place.h.
void make_secret(SpiSession& session, std::string const& ledger);

}  // namespace anon_seq::serial
