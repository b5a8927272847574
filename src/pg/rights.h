// Who may what. Roles travel as numbers; where SQL asks about the current user, it is by kCurrentRole: a name that is
// cast to regrole is read as a number if it looks like one, and folded to lower case.
#pragma once

#include <string>

#include "pg/spi.h"

namespace anon_seq::pg {

// SQL: the number of the current user.
inline constexpr char kCurrentRole[] = "(SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user)";

// Whether the current user has the rights of a role; never those of InvalidOid.
bool has_rights_of(SpiSession& session, Oid role);

// Whether he has those of the extension's owner.
bool has_rights_of_extension_owner(SpiSession& session);

// A role as GRANT writes it, PUBLIC for "public". Of one that is not there: Error kNoObject, or nothing.
std::string role_as_sql(SpiSession& session, std::string const& role, bool must_exist);

// Throws kPrivilege unless the current user may publish: CREATE on schema anon_seq_ledger.
void require_publisher(SpiSession& session);

// Gives that right to a role, or public, or takes it back: as the owner of the schema, since whoever restores a dump
// grants in that name. Throws kPrivilege unless the current user could grant it himself.
void set_publisher(SpiSession& session, std::string const& role, bool may);

// Whom to act as to read a relation of a user's: its owner, since reading a table runs code of his (expressions and
// predicates of its indexes, statistics) even while the query is planned. The current user, where the owner would
// see other rows than he does (views, foreign tables, row-level security), or may be asked for what he may not read, and
// where the schema is of somebody else who is no superuser: he could rename it, and put a view of that name in its place.
Oid reader_of(SpiSession& session, Oid relation);

}  // namespace anon_seq::pg
