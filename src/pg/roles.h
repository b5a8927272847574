// Roles, and whom to be to read somebody's table. Roles travel as numbers; where SQL asks about the current user, it is
// by kCurrentRole: a name that is cast to regrole is read as a number if it looks like one, and folded to lower case.
#pragma once

#include <string>

#include "pg/spi.h"

namespace anon_seq::pg {

// SQL: the number of the current user.
inline constexpr char kCurrentRole[] = "(SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user)";

// Whether the current user has the rights of a role; never those of InvalidOid.
bool has_rights_of(SpiSession& session, Oid role);

// A role as GRANT writes it, PUBLIC for "public". Of one that is not there: Error kNoObject, or nothing.
std::string role_as_sql(SpiSession& session, std::string const& role, bool must_exist);

// Whom to act as to read a relation of a user's: its owner, since reading a table runs code of his (expressions and
// predicates of its indexes, statistics) even while the query is planned. The current user, where he is the owner, or
// the owner a superuser. InvalidOid where neither will do: the owner would see other rows than the current user (views,
// foreign tables, row-level security) or may be asked for what that one may not read, and in a schema of a third role
// who is no superuser and does not own the database: he could rename it, and put a view in the table's place. All that
// is the owner's to change at any time, so such a relation is refused rather than read as the current user.
Oid reader_or_none(SpiSession& session, Oid relation);

// Throws kPrivilege: the current user has no SELECT on a relation.
[[noreturn]] void throw_denied(SpiSession& session, Oid relation);

// The same; throws kPrivilege where neither will do.
Oid reader_of(SpiSession& session, Oid relation);

}  // namespace anon_seq::pg
