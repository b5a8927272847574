// A ledger that was restored may lack what later versions charged: nobody is charged further on it unasked.
//
// Its secret stands beside the place where it was made: cluster, time line, database and table, by their numbers. A
// restored dump, a standby that was promoted, a database that was restored to a point in time are other places.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::serial {

std::string place_of(SpiSession& session, std::string const& ledger);

// Throws kUnsupported, with what to do, if a serial ledger of the population is in another place than where it was
// made.
void require_same_place(PublishRun const& run);

// confirm_ledger(): `last` is the newest version of the policy that was published anywhere, `newest` the newest that
// its ledger has. Later ones are lost: nobody knows what they charged, and audits say so. Throws kParameter if the
// ledger has a newer one.
void confirm_ledger(SpiSession& session, Release const& newest, std::int32_t last);

// How many versions the serial ledgers of a population lack.
std::int32_t lost_versions(SpiSession& session, std::vector<Release> const& population, std::string const& method);

}  // namespace anon_seq::serial
