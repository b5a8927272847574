// Erasure: a person is taken out of the ledger; counts of what was published stay.
#pragma once

#include "catalog/release.h"

namespace anon_seq::release {

// Blanks a person in all ledgers of a population; an incremental ledger also holds exact values, of which nothing stays
// but the region that he was shown in. Returns the releases that the person was in.
// Throws kNoObject if the caller owns no release of the population, kPrivilege if others own some.
std::vector<Release> forget(SpiSession& session, std::string const& population, std::string const& person);

}  // namespace anon_seq::release
