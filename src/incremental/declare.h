// What is checked and told when an incremental policy is declared.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::incremental {

void check(SpiSession& session, Policy const& policy);
void advise(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::incremental
