// Taking back what should not have been released: a registration that nothing rests on, a version that nobody has read.
#pragma once

#include "catalog/release.h"

namespace anon_seq::release {

// For members of the role that registered or published it. A registration counts no more, and its copy is emptied; a
// version of a policy loses its relation and goes on counting, and the stable view shows the one before. Throws kInUse
// for a registration that a version was measured against, a version that others can or could read, one that others
// rest on, or that is not the newest of an incremental policy.
void withdraw_release(SpiSession& session, std::string const& reference, std::string const& reason);

// Whether the caller may take back a registration now: it is his, and nothing rests on it.
bool may_be_withdrawn(SpiSession& session, Release const& registered);

}  // namespace anon_seq::release
