// Hints that can be pasted: statements about a policy that is there, which it would take.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::release {

// SELECT anon_seq.alter_policy(...) with these members of its json.
std::string alter_statement(Policy const& policy, std::string const& changes);

// Whether alter_policy would take this: what was promised by a release is not taken back.
bool is_allowed(SpiSession& session, Policy const& policy, std::string const& changes);

// A hint that says `options => '{...}'`, as who declares a policy writes it, in the form for one that is there: a
// statement that adds to its options; or what else can be done, if its releases do not let them change.
std::string followable(SpiSession& session, Policy const& policy, std::string const& hint);

}  // namespace anon_seq::release
