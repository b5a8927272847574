#include "pg/roles.h"

namespace anon_seq::pg {

bool has_rights_of(SpiSession& session, Oid role) {
  return OidIsValid(role) && session.is_true("SELECT pg_catalog.pg_has_role($1, 'USAGE')", {SqlValue::oid(role)});
}

std::string role_as_sql(SpiSession& session, std::string const& role, bool must_exist) {
  if (role == "public") return "PUBLIC";
  if (session.exists("SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = $1", {role})) return quote_name(role);
  if (must_exist) throw Error(Fault::kNoObject, "role " + quoted(role) + " does not exist");
  return {};
}

Oid reader_or_none(SpiSession& session, Oid relation) {
  auto const rows = session.execute(
      "SELECT c.relowner, o.rolsuper, c.relkind IN ('r', 'p', 'm') AND (s.oid = c.relowner OR s.rolsuper)"
      " AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AND NOT EXISTS ("
      "  WITH RECURSIVE part (oid) AS (SELECT $1::pg_catalog.oid UNION"
      "    SELECT i.inhrelid FROM part AS p JOIN pg_catalog.pg_inherits AS i ON i.inhparent = p.oid)"
      "  SELECT FROM part AS p JOIN pg_catalog.pg_class AS x ON x.oid = p.oid WHERE x.relkind = 'f' OR x.relrowsecurity)"
      " FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_roles AS o ON o.oid = c.relowner"
      " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
      " JOIN pg_catalog.pg_database AS d ON d.datname = pg_catalog.current_database()"
      // The owner of a schema can give its name to another schema while a read waits for the table, and a view of that
      // name would run as the table's owner. pg_database_owner, who owns schema public, is the owner of the database.
      " JOIN pg_catalog.pg_roles AS s ON s.oid ="
      "   CASE pg_catalog.pg_get_userbyid(n.nspowner) WHEN 'pg_database_owner' THEN d.datdba ELSE n.nspowner END"
      " WHERE c.oid = $1",
      {SqlValue::oid(relation)}, true);
  if (rows.count() == 0 || rows.oid(0, 1) == GetUserId() || rows.boolean(0, 2)) return GetUserId();
  return rows.boolean(0, 3) ? rows.oid(0, 1) : InvalidOid;
}

void throw_denied(SpiSession& session, Oid relation) {
  auto const rows = session.execute(
      "SELECT c.relname, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'f' THEN 'foreign table' WHEN 'm' THEN 'materialized view'"
      " ELSE 'table' END FROM pg_catalog.pg_class AS c WHERE c.oid = $1",
      {SqlValue::oid(relation)}, true);
  throw Error(
      Fault::kPrivilege, "permission denied for " + rows.get(0, 2) + " " + rows.get(0, 1),
      "It takes SELECT on what is to be read.",
      "Ask its owner: GRANT SELECT ON " + qualified_name(relation) + " TO " + quote_name(role_name(GetUserId())) + ";");
}

Oid reader_of(SpiSession& session, Oid relation) {
  Oid const reader = reader_or_none(session, relation);
  if (OidIsValid(reader)) return reader;
  if (!session.is_true("SELECT pg_catalog.has_any_column_privilege($1, 'SELECT')", {SqlValue::oid(relation)}))
    throw_denied(session, relation);
  throw Error(
      Fault::kPrivilege, "relation " + qualified_name(relation) + " of another role is not read",
      "Reading it runs code of its owner with your rights. Tables are read as their owner, but not where you have no"
      " SELECT on the whole, with row-level security or foreign partitions, or in a schema of a third role; nor are"
      " views and foreign tables.",
      "Ask its owner to change that, or make a view of your own on it: what that runs is your decision.");
}

}  // namespace anon_seq::pg
