// Populations: the people that several releases are about, and who may make releases of them.
//
// A population has an owner, and others whom he lets take part; nobody else declares a policy there, registers a
// release, locks it or looks at what is released of it. The name of a relation, schema.relation, may be used first by
// the owner of that relation only, who owns the population then; any other name belongs to who used it first. Owner and
// grants are those of a marker, the sequence anon_seq_ledger.n<id>_population: they are dumped, restored and reassigned
// with it.
#pragma once

#include <string>

#include "catalog/policy.h"

namespace anon_seq::catalog {

// Makes a population the current user's, or his whose relation it is named after, if nobody has used its name yet.
// Throws kPrivilege unless the current user may take part in it then.
void enter_population(SpiSession& session, std::string const& population);

// For a name that nobody gave, but that of the source: throws kPrivilege unless the population belongs to who owns
// that.
void require_namesake(SpiSession& session, std::string const& population);

// Throws kPrivilege unless a role takes part.
void require_participant(SpiSession& session, std::string const& population, Oid role);
// The same for the owner of a policy; of one that is only being declared, the current user.
void require_owner_takes_part(SpiSession& session, Policy const& policy);
bool is_participant(SpiSession& session, std::string const& population, Oid role);

// Waits for, and keeps off, everybody who makes or registers a release of the population. REQUIRES: a participant.
void lock_population(SpiSession& session, std::string const& population);

// Lets a role, or public, take part, or takes that back. Throws kPrivilege unless the current user has the rights of
// the population's owner, kNoObject for a role or population that is not there.
void grant_population(SpiSession& session, std::string const& population, std::string const& role);
void revoke_population(SpiSession& session, std::string const& population, std::string const& role);

}  // namespace anon_seq::catalog
