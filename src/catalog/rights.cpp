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
  if (session.is_true("SELECT pg_catalog.has_schema_privilege('anon_seq_ledger', 'CREATE')")) return;
  throw Error(
      Fault::kPrivilege, "permission denied for schema anon_seq_ledger",
      "Whoever makes taxonomies or publishes needs the right CREATE on that schema.",
      "Ask the owner of the extension: SELECT anon_seq.grant_publish(" + sql_literal(role_name(GetUserId())) + ").");
}

void set_publisher(SpiSession& session, std::string const& role, bool may) {
  if (!session.is_true("SELECT pg_catalog.has_schema_privilege('anon_seq_ledger', 'CREATE WITH GRANT OPTION')"))
    throw Error(Fault::kPrivilege, "must be owner of the extension to say who may publish");
  auto const grantee = role_as_sql(session, role, may);
  if (grantee.empty()) return;
  if (may) {
    ActingAs const owner(ledger_schema_owner(session));
    session.execute("GRANT CREATE ON SCHEMA anon_seq_ledger TO " + grantee);
    return;
  }
  if (session.exists("SELECT FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_roles AS r ON r.oid = e.extowner"
                     " WHERE e.extname = 'anon_seq' AND r.rolname = $1",
                     {role}))
    throw Error(Fault::kParameter, "role " + quoted(role) + " owns the extension, and may publish as its owner");
  // Whoever gave the right takes it back.
  auto const grantors = session.execute(
      "SELECT DISTINCT a.grantor FROM pg_catalog.pg_namespace AS n, pg_catalog.aclexplode(n.nspacl) AS a"
      " WHERE n.nspname = 'anon_seq_ledger' AND a.privilege_type = 'CREATE'"
      " AND a.grantee = coalesce((SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE r.rolname = $1), 0)",
      {role}, true);
  for (std::uint64_t row = 0; row < grantors.count(); ++row) {
    ActingAs const grantor(grantors.oid(row, 1));
    session.execute("REVOKE CREATE ON SCHEMA anon_seq_ledger FROM " + grantee);
  }
}

}  // namespace anon_seq::catalog
