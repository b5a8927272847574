#include "catalog/rights.h"

#include "pg/acting_as.h"

namespace anon_seq::catalog {

bool has_rights_of_extension_owner(SpiSession& session) {
  return session.is_true(
      "SELECT pg_catalog.pg_has_role(e.extowner, 'USAGE') FROM pg_catalog.pg_extension AS e WHERE e.extname = 'anon_seq'");
}

Oid ledger_schema_owner(SpiSession& session) {
  return session
      .execute("SELECT n.nspowner FROM pg_catalog.pg_namespace AS n WHERE n.nspname = 'anon_seq_ledger'", {}, true)
      .oid(0, 1);
}

void require_publisher(SpiSession& session) {
  if (session.is_true("SELECT pg_catalog.has_sequence_privilege('anon_seq.publishers', 'USAGE')")) return;
  throw Error(
      Fault::kPrivilege, "permission denied to publish",
      "Making taxonomies, policies and releases takes USAGE on sequence anon_seq.publishers.",
      "Ask the owner of the extension: SELECT anon_seq.grant_publish(" + sql_literal(role_name(GetUserId())) + ").");
}

namespace {

Oid owner_of_publishers(SpiSession& session) {
  return session
      .execute(
          "SELECT c.relowner FROM pg_catalog.pg_class AS c WHERE c.oid = 'anon_seq.publishers'::pg_catalog.regclass",
          {}, true)
      .oid(0, 1);
}

}  // namespace

void set_publisher(SpiSession& session, std::string const& role, bool may) {
  if (!session.is_true("SELECT pg_catalog.has_sequence_privilege('anon_seq.publishers', 'USAGE WITH GRANT OPTION')"))
    throw Error(Fault::kPrivilege, "must be owner of the extension to say who may publish");
  auto const grantee = role_as_sql(session, role, may);
  if (grantee.empty()) return;
  if (may) {
    ActingAs const owner(owner_of_publishers(session));
    session.execute("GRANT USAGE ON SEQUENCE anon_seq.publishers TO " + grantee);
    return;
  }
  if (session.exists("SELECT FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_roles AS r ON r.oid = e.extowner"
                     " WHERE e.extname = 'anon_seq' AND r.rolname = $1",
                     {role}))
    throw Error(Fault::kParameter, "role " + quoted(role) + " owns the extension, and may publish as its owner");
  // Who gave the right takes it back, and from those whom it was handed on to.
  auto const grantors = session.execute(
      "SELECT DISTINCT a.grantor FROM pg_catalog.pg_class AS c, pg_catalog.aclexplode(c.relacl) AS a"
      " WHERE c.oid = 'anon_seq.publishers'::pg_catalog.regclass AND a.privilege_type = 'USAGE'"
      " AND pg_catalog.pg_has_role(a.grantor, 'USAGE')"
      " AND a.grantee = coalesce((SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE r.rolname = $1), 0)",
      {role}, true);
  for (std::uint64_t row = 0; row < grantors.count(); ++row) {
    ActingAs const grantor(grantors.oid(row, 1));
    session.execute("REVOKE USAGE ON SEQUENCE anon_seq.publishers FROM " + grantee + " CASCADE");
  }
}

}  // namespace anon_seq::catalog
