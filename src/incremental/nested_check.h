// Whether a version only refined an earlier one: the one before, or the one since which members are looked at.
#pragma once

#include "incremental/member_recount.h"
#include "release/release_audit.h"

namespace anon_seq::incremental {

// Whoever was in that version is in the same region now, or in one cut from it that shows no more. REQUIRES: the
// rights of the ledger's owner; the members of this version, or of the regions that it wrote into or took somebody
// from.
Check nested_check(SpiSession& session, Release const& release, MemberRecount const& members);

}  // namespace anon_seq::incremental
