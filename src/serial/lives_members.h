// Whether everybody is where he always was.
#pragma once

#include "release/method.h"

namespace anon_seq::serial {

// Who is where in this version's ledger, against where he was put for life: nobody has two places or another one, and
// his row has the values that he came with.
Check members_check(SpiSession& session, Release const& release, Checkpoint& checkpoint);

}  // namespace anon_seq::serial
