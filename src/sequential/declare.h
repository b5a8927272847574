// What is checked and told when a sequential policy is declared.
#pragma once

#include "release/method.h"
#include "sequential/policy.h"

namespace anon_seq::sequential {

void check(SpiSession& session, Policy const& policy);

// The part of it that stops: a variant of a preview was never declared.
void require_sound(SpiSession& session, Policy const& policy, SequentialPolicy const& demands);

// What is common with each release that the policy heeds, the rules it comes to, and the releases that no rule speaks
// about.
Description describe(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::sequential
