// Rules about policies that are declared, whatever their method.
#pragma once

#include "release/declare.h"

namespace anon_seq::release {

// Declares a policy: checks, the catalog's row, its ledger; NOTICEs of what its declarer should know.
void declare(SpiSession& session, Definition const& definition);

// The policy as changes make it, checked; its ledger made anew if it has no release yet. `changes` is kept.
void alter(SpiSession& session, std::string const& name, std::string const& changes);

// Takes a policy out of the catalog; its releases and their ledger stay.
void drop(SpiSession& session, std::string const& name);

}  // namespace anon_seq::release
