// Who may publish: USAGE on the sequence anon_seq.publishers. CREATE on schema anon_seq_ledger is no right of theirs.
#pragma once

#include <string>

#include "pg/roles.h"

namespace anon_seq::catalog {

// Whether he has those of the extension's owner.
bool has_rights_of_extension_owner(SpiSession& session);

// Who owns schema anon_seq_ledger: a superuser, who made the extension or for whom a trusted one was made.
Oid ledger_schema_owner(SpiSession& session);

// Throws kPrivilege unless the current user may publish.
void require_publisher(SpiSession& session);

// Gives that right to a role, or public, or takes it back: as the owner of the sequence, since a restore of a dump
// grants in that name. Throws kPrivilege unless the current user could grant it himself.
void set_publisher(SpiSession& session, std::string const& role, bool may);

}  // namespace anon_seq::catalog
