// What is checked when a serial policy is declared or changed, and what its declarer should know.
#pragma once

#include "release/method.h"

namespace anon_seq::serial {

void check(SpiSession& session, Policy const& policy);
void advise(SpiSession& session, Policy const& policy);

// What may change once there are releases: lists may grow, k too, a horizon may begin again.
void require_followable(SpiSession& session, Policy const& before, Policy const& after);

}  // namespace anon_seq::serial
