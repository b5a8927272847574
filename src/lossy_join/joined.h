// The join of NSS and SS, for analysts: a view for each sensitive column, <target>_joined, on the stable names.
//
// Every row of NSS stands with each value of its class, and with the value's share there as its weight: sums of weights
// are unbiased estimates over all arrangements of the values in the classes. It tells nothing that NSS and SS do not.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::lossy_join {

// Throws kExists for a name that is taken, kName for one that is too long. REQUIRES: the policy's columns are checked.
void check_joined(SpiSession& session, Policy const& policy);

// Makes the views that are not there.
void make_joined(PublishRun const& run);

}  // namespace anon_seq::lossy_join
