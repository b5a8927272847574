#include "pg/rights.h"

#include "pg/ledger.h"

namespace anon_seq::pg {

bool has_rights_of(SpiSession& session, Oid role) {
  return OidIsValid(role) && session.is_true("SELECT pg_catalog.pg_has_role($1, 'USAGE')", {SqlValue::oid(role)});
}

bool has_rights_of_extension_owner(SpiSession& session) {
  return session.is_true(
      "SELECT pg_catalog.pg_has_role(e.extowner, 'USAGE') FROM pg_catalog.pg_extension AS e WHERE e.extname = 'anon_seq'");
}

std::string role_as_sql(SpiSession& session, std::string const& role, bool must_exist) {
  if (role == "public") return "PUBLIC";
  if (session.exists("SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = $1", {role})) return quote_name(role);
  if (must_exist) throw Error(Fault::kNoObject, "role " + quoted(role) + " does not exist");
  return {};
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
  ActingAs const owner(
      session
          .execute("SELECT n.nspowner FROM pg_catalog.pg_namespace AS n WHERE n.nspname = 'anon_seq_ledger'", {}, true)
          .oid(0, 1));
  session.execute(std::string(may ? "GRANT" : "REVOKE") + " CREATE ON SCHEMA anon_seq_ledger " +
                  (may ? "TO " : "FROM ") + grantee);
}

Oid reader_of(SpiSession& session, Oid relation) {
  auto const rows = session.execute(
      "SELECT c.relowner FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
      " JOIN pg_catalog.pg_database AS d ON d.datname = pg_catalog.current_database()"
      " JOIN pg_catalog.pg_roles AS s ON s.oid = CASE pg_catalog.pg_get_userbyid(n.nspowner) WHEN 'pg_database_owner' THEN d.datdba ELSE n.nspowner END WHERE c.oid = $1 AND c.relkind IN ('r', 'p', 'm')"
      " AND (s.oid = c.relowner OR s.rolsuper)"
      " AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AND NOT EXISTS ("
      "  WITH RECURSIVE part (oid) AS (SELECT $1::pg_catalog.oid UNION"
      "    SELECT i.inhrelid FROM part AS p JOIN pg_catalog.pg_inherits AS i ON i.inhparent = p.oid)"
      "  SELECT FROM part AS p JOIN pg_catalog.pg_class AS x ON x.oid = p.oid WHERE x.relkind = 'f' OR x.relrowsecurity)",
      {SqlValue::oid(relation)}, true);
  return rows.count() == 0 ? GetUserId() : rows.oid(0, 1);
}

}  // namespace anon_seq::pg
