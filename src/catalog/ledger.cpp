#include "catalog/ledger.h"

#include "incremental/region_ledger.h"
#include "pg/roles.h"

namespace anon_seq::catalog {
using namespace incremental;  // until a ledger is described as data
namespace {

std::string cell_columns(std::vector<PublishedColumn> const& columns) {
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) list += ", c" + std::to_string(i + 1) + " " + columns[i].type;
  return list;
}

}  // namespace

void require_usable_schema(SpiSession& session) {
  if (session.is_true("SELECT pg_catalog.has_schema_privilege('anon_seq_ledger', 'USAGE')")) return;
  throw Error(Fault::kPrivilege, "permission denied for schema anon_seq_ledger",
              "Whoever publishes needs USAGE on that schema besides CREATE, as the ledger is kept there.",
              "Ask the owner of the extension: GRANT USAGE ON SCHEMA anon_seq_ledger TO " +
                  quote_name(role_name(GetUserId())) + ".");
}

void close_relation(SpiSession& session, char const* kind, std::string const& relation) {
  auto const open_to = session.execute(
      "SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::pg_catalog.regrole::text END"
      " FROM pg_catalog.pg_class AS c, pg_catalog.aclexplode(c.relacl) AS a"
      " WHERE c.oid = $1::pg_catalog.regclass AND a.grantee <> c.relowner",
      {relation});
  for (std::uint64_t row = 0; row < open_to.count(); ++row)
    session.execute("REVOKE ALL ON " + std::string(kind) + " " + relation + " FROM " + open_to.get(row, 1));
}

void close_table(SpiSession& session, std::string const& table) {
  close_relation(session, "TABLE", table);
  for (char const* event : {"INSERT OR UPDATE OR DELETE", "TRUNCATE"})
    session.execute("CREATE TRIGGER " + std::string(event[0] == 'T' ? "keep_rows" : "keep_values") + " BEFORE " +
                    event + " ON " + table + " FOR EACH STATEMENT EXECUTE FUNCTION anon_seq.keep_ledger()");
}

std::string ledger_table(std::string const& ledger, char const* table) {
  return "anon_seq_ledger." + ledger + "_" + table;
}

void create_ledger(SpiSession& session, std::string const& ledger, std::vector<PublishedColumn> const& columns,
                   std::string const& person_type) {
  require_usable_schema(session);
  auto const cell = ledger_table(ledger, "cell"), person = ledger_table(ledger, "person"),
             note = ledger_table(ledger, "note");
  session.execute("CREATE TABLE " + cell + " (version int NOT NULL, cell int NOT NULL, n bigint NOT NULL" +
                  cell_columns(columns) + ", PRIMARY KEY (version, cell))");
  session.execute("CREATE TABLE " + note +
                  " (version int PRIMARY KEY, fingerprint text NOT NULL, cut jsonb, trace jsonb, detail jsonb)");
  close_table(session, cell);
  close_table(session, note);
  record_ledger(session, ledger);
  if (person_type.empty()) return;
  session.execute("CREATE TABLE " + person + " (version int NOT NULL, cell int NOT NULL, persons " + person_type +
                  "[] NOT NULL)");
  // Statistics of the keys would cost much to gather, help nobody and be one more place to find them in.
  session.execute("ALTER TABLE " + person +
                  " ALTER COLUMN persons SET STORAGE EXTERNAL, ALTER COLUMN persons SET STATISTICS 0");
  close_table(session, person);
}

void record_ledger(SpiSession& session, std::string const& name) {
  auto const relation = ledger_table(name, name.front() == 'n' ? "population" : "cell");
  Oid const oid = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {relation}).oid(0, 1);
  CatalogWriter catalog(session);
  catalog.execute(
      "INSERT INTO anon_seq.ledger (name, relation, place) VALUES ($1, $2, anon_seq.place())"
      " ON CONFLICT (name) DO UPDATE SET relation = excluded.relation, place = excluded.place",
      {name, SqlValue::oid(oid)});
}

std::int32_t free_ledger_number(CatalogWriter& catalog, char prefix, char const* draw) {
  InterruptCheckpoint checkpoint;
  for (;;) {
    checkpoint.poll();
    std::int32_t const number = catalog.execute(draw, {}).int32(0, 1);
    auto const taken = catalog.execute(
        // A type of a relation's name is in its way as well.
        "SELECT FROM pg_catalog.pg_namespace AS n WHERE n.nspname OPERATOR(pg_catalog.=) 'anon_seq_ledger' AND (EXISTS"
        " (SELECT FROM pg_catalog.pg_class AS c WHERE c.relnamespace OPERATOR(pg_catalog.=) n.oid"
        "   AND pg_catalog.starts_with(c.relname::pg_catalog.text, $1)) OR EXISTS"
        " (SELECT FROM pg_catalog.pg_type AS t WHERE t.typnamespace OPERATOR(pg_catalog.=) n.oid"
        "   AND pg_catalog.starts_with(t.typname::pg_catalog.text, $1)))",
        {prefix + std::to_string(number) + "_"});
    if (taken.count() == 0) return number;
  }
}

namespace {

Rows adopt(SpiSession& session, bool here) {
  CatalogWriter catalog(session);
  return catalog.execute(
      "WITH adopted AS (UPDATE anon_seq.ledger AS l SET place = anon_seq.place(), relation = coalesce((SELECT c.oid FROM pg_catalog.pg_class AS c"
      "   JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace"
      "   WHERE n.nspname OPERATOR(pg_catalog.=) 'anon_seq_ledger' AND c.relname OPERATOR(pg_catalog.=) pg_catalog.concat(l.name,"
      "     CASE WHEN pg_catalog.starts_with(l.name, 'n') THEN '_population' ELSE '_cell' END)), 0::pg_catalog.oid)"
      // What somebody else is adopting just now is read by its name until he has.
      " WHERE l.name OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT k.name FROM anon_seq.ledger AS k"
      "   WHERE k.place OPERATOR(pg_catalog.<>) (SELECT anon_seq.place()) OR ($1 OPERATOR(pg_catalog.=) 1 AND NOT EXISTS"
      "   (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid OPERATOR(pg_catalog.=) k.relation)) FOR UPDATE SKIP LOCKED))"
      " RETURNING l.name, l.relation)"
      " SELECT a.name, c.relname, pg_catalog.pg_get_userbyid(c.relowner) FROM adopted AS a JOIN pg_catalog.pg_class AS c"
      " ON c.oid OPERATOR(pg_catalog.=) a.relation ORDER BY 2",
      {static_cast<std::int32_t>(here)});
}

}  // namespace

void adopt_restored(SpiSession& session) { adopt(session, false); }

Rows adopt_ledgers(SpiSession& session) { return adopt(session, true); }

void create_ledger(SpiSession& session, Policy const& policy, std::string const& person_type) {
  if (policy.method != "incremental") return create_ledger(session, policy.ledger(), policy.columns, person_type);
  require_usable_schema(session);
  create_region_ledger(session, policy, person_type);
  record_ledger(session, policy.ledger());
}

void require_closed(SpiSession& session, std::string const& ledger) {
  std::string names;
  for (char const* relation : kLedgerRelations) names += (names.empty() ? "'" : ", '") + ledger + "_" + relation + "'";
  std::string const ours = "c.relnamespace = 'anon_seq_ledger'::pg_catalog.regnamespace AND c.relname IN (" + names +
                           ") AND c.relowner = anon_seq.ledger_owner($1) AND a.grantee <> c.relowner";
  auto const rows = session.execute(
      "SELECT c.relname, a.grantee::pg_catalog.regrole FROM pg_catalog.pg_class AS c, pg_catalog.aclexplode(c.relacl) AS a"
      " WHERE " +
          ours +
          " UNION ALL SELECT c.relname, a.grantee::pg_catalog.regrole FROM pg_catalog.pg_class AS c"
          " JOIN pg_catalog.pg_attribute AS t ON t.attrelid = c.oid, pg_catalog.aclexplode(t.attacl) AS a WHERE " +
          ours,
      {ledger}, true);
  if (rows.count() == 0) return;
  throw Error(Fault::kPrivilege, "ledger table " + quoted(rows.get(0, 1)) + " is open to others than its owner",
              "It holds who is in which class; a release beside an open ledger protects nobody.",
              "REVOKE ALL ON anon_seq_ledger." + quote_name(rows.get(0, 1)) + " FROM " +
                  (rows.get(0, 2) == "-" ? "PUBLIC" : rows.get(0, 2)) + ".");
}

void drop_ledger(SpiSession& session, std::string const& ledger) {
  for (char const* relation : kLedgerRelations) {
    auto const name = ledger_table(ledger, relation);
    auto const found = session.execute(
        "SELECT c.relkind FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1)"
        " AND c.relowner = " +
            std::string(kCurrentRole),
        {name});
    if (found.count() > 0) session.execute((found.get(0, 1) == "v" ? "DROP VIEW " : "DROP TABLE ") + name);
  }
  CatalogWriter catalog(session);
  catalog.execute("DELETE FROM anon_seq.ledger WHERE name OPERATOR(pg_catalog.=) $1", {ledger});
}

std::string release_relation(Policy const& policy, std::int32_t version) {
  return quote_name(policy.target_schema) + "." + quote_name(policy.target_name + "_r" + std::to_string(version));
}

std::string create_expanded(SpiSession& session, Policy const& policy, std::string const& shown,
                            std::string const& cells) {
  auto const relation = release_relation(policy, policy.version);
  std::string names, copy = "copy";
  for (auto const& column : policy.columns)
    if (column.column == copy) copy += "_";
  for (auto const& column : policy.columns) names += (names.empty() ? "s." : ", s.") + quote_name(column.column);
  // A function in the list of columns repeats a row at less than half the cost of a lateral join with it. Rows are
  // sorted before they are repeated.
  session.execute("CREATE MATERIALIZED VIEW " + relation + " AS SELECT " + names + " FROM (SELECT " + shown +
                  ", pg_catalog.generate_series(1::bigint, c.n) AS " + quote_name(copy) + " FROM " + cells + ") AS s");
  return relation;
}

std::string create_release_view(SpiSession& session, Policy const& policy) {
  std::string shown;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    shown += (i == 0 ? "" : ", ") + ("c.c" + std::to_string(i + 1)) + " AS " + quote_name(policy.columns[i].column);
  return create_expanded(session, policy, shown,
                         ledger_table(policy.ledger(), "cell") +
                             " AS c WHERE c.version = " + std::to_string(policy.version) + " ORDER BY c.cell");
}

void point_target(SpiSession& session, Policy const& policy, char const* more) {
  std::string shown;
  for (auto const& column : policy.columns) shown += (shown.empty() ? "" : ", ") + quote_name(column.column);
  if (more != nullptr) shown += ", " + quote_name(more);
  session.execute("CREATE OR REPLACE VIEW " + quote_name(policy.target_schema) + "." + quote_name(policy.target_name) +
                  " AS SELECT " + shown + " FROM " + release_relation(policy, policy.version));
}

}  // namespace anon_seq::catalog
