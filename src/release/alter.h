// Changing a policy: before its first release anything, afterwards only what weakens no promise.
#pragma once

#include "release/declare.h"
#include "release/demands.h"

namespace anon_seq::release {

// Throws kParameter, saying which change is refused and why, for a policy that has releases already.
void require_allowed_change(SpiSession& session, Policy const& before, Policy const& after);

[[noreturn]] void refuse_change(Policy const& policy, std::string const& what, std::string const& why,
                                std::string const& hint);

// What no method can change: columns, taxonomies, names, persons, population. The two texts say why names and persons
// stay.
void require_same_frame(Policy const& before, Policy const& after, std::string const& about_names,
                        std::string const& about_persons, std::string const& hint);

// No column is allowed to be unique later.
void require_no_more_unique(Policy const& policy, Demands const& before, Demands const& after, std::string const& hint);

}  // namespace anon_seq::release
