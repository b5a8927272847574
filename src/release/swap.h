// The stable names, <target><suffix>, on top of the relations of a version.
//
// CREATE OR REPLACE VIEW needs the view alone: it waits for whoever reads through it, and new readers wait behind it.
// So this is the last that a publish does, with little patience: a few tries of anon_seq.swap_timeout each. Where
// readers stay, the version is published and the names go on showing the older one, until the next publish or point().
// A policy whose versions are stored once has names that are made once, and show what its ledger says is current
// (shared_rows.h): they are swapped only where it was stored otherwise before.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// Lets all stable names of a policy show its version, or none of them; a name that is not there yet is made. Whether
// they do; if not, a NOTICE was given.
bool swap_names(SpiSession& session, Policy const& policy);

// The same for its newest version. Throws kNoObject if it has none.
bool point(SpiSession& session, std::string const& policy);

// Drops a stable name, and the companion that stands on it. Throws kInUse if anything else does.
void drop_stable(SpiSession& session, std::string const& view);

// The stable view on top of a relation, if it is there and its owner's: "" if not.
std::string stable_view(SpiSession& session, Release const& release, ReleaseRelation const& relation);

// Lets a stable name show a relation of another version, its companion too, with all patience. REQUIRES: the owner
// acts.
void show_again(SpiSession& session, std::string const& view, Release const& release, ReleaseRelation const& relation);

// Whether a view reads a relation.
bool reads(SpiSession& session, std::string const& view, std::string const& relation);
bool reads(SpiSession& session, std::string const& view, Oid relation);

}  // namespace anon_seq::release
