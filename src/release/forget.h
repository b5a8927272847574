// Erasure: a person is taken out of the ledger; counts of what was published stay.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// Blanks a person in all ledgers of a population; an incremental ledger also holds exact values, of which nothing stays
// but the region that he was shown in. Returns the releases that the person was in.
// Throws kNoObject if the caller owns no release of the population, kPrivilege if others own some.
std::vector<Release> forget(SpiSession& session, std::string const& population, std::string const& person);

// Method::forget of a ledger with a table _person, of which nothing else is kept.
std::set<std::int32_t> versions_with_person(ForgetRequest const& request);

}  // namespace anon_seq::release
