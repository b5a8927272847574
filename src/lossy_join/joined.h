// The join of NSS and SS, for analysts: a view of each version for each sensitive column, <target>_r<n>_joined.
//
// Every row of NSS stands with each value of its class, and with the value's share there as its weight: sums of weights
// are unbiased estimates over all arrangements of the values in the classes. It tells nothing that NSS and SS do not.
#pragma once

#include "release/method.h"

namespace anon_seq::lossy_join {

// The relations of a version, of which some are joins; these come after what they join.
std::string create_relation(SpiSession& session, Policy const& policy, RelationShape const& relation);

}  // namespace anon_seq::lossy_join
