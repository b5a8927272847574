// Relations of a version that somebody dropped by hand. The ledger still has what they show, so they can be made again,
// row for row.
//
// Nobody makes them again unasked: dropping a relation may have been meant. A publish that finds nothing new says what
// is missing, point() makes it again.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// Names of the relations of a version that are not there, or another relation's by now; none of a version that was
// retired, as that has none.
std::vector<std::string> missing_relations(SpiSession& session, Release const& release);

// Makes the missing ones again, with indexes and comments, and tells of it. `then` is the policy as it was at that
// version. Throws kDamaged if they do not show what was published. Rights on them are not known any more. REQUIRES: the
// owner acts.
void make_again(SpiSession& session, Policy const& then, Release const& release);

// A version as its publish finds it again: without relations that are not there, of which a WARNING tells.
Release without_missing(SpiSession& session, Release release);

}  // namespace anon_seq::release
