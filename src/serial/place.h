// A ledger that was restored may lack what later versions charged: nobody is charged further on it unasked.
//
// Its secret stands beside the place where it was made: cluster, time line, database and table, by their numbers. A
// restored dump, a standby that was promoted, a database that was restored to a point in time are other places.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::serial {

std::string place_of(SpiSession& session, std::string const& ledger);

// Throws kUnsupported, with what to do, if the ledger is in another place than where its last version was made.
void require_same_place(SpiSession& session, Policy const& policy);

// confirm_ledger(): `last` is the newest version of the policy that was published anywhere. Later ones than the ledger
// knows are lost: nobody knows what they charged, and audits say so. Throws kParameter if the ledger has a newer one.
void confirm_ledger(SpiSession& session, Policy const& policy, std::int32_t last);

// How many versions the ledger lacks.
std::int32_t lost_versions(SpiSession& session, std::string const& ledger);

}  // namespace anon_seq::serial
