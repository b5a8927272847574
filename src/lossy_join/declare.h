// What is checked when a lossy join is declared or changed, and what its declarer should know.
#pragma once

#include "release/method.h"

namespace anon_seq::lossy_join {

// Throws kName for a column called as one that the relations add.
void check_names(Policy const& policy);

void check(SpiSession& session, Policy const& policy);
void advise(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::lossy_join
