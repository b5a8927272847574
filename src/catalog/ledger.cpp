#include "catalog/ledger.h"

#include "catalog/ledger_maker.h"
#include "catalog/ledger_sums.h"
#include "pg/roles.h"

namespace anon_seq::catalog {

void require_usable_schema(SpiSession& session) {
  if (session.is_true("SELECT pg_catalog.has_schema_privilege('anon_seq_ledger', 'USAGE')")) return;
  throw Error(Fault::kPrivilege, "permission denied for schema anon_seq_ledger",
              "A role that publishes needs USAGE on that schema, as the ledger is kept there.",
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

std::string ledger_table(std::string const& ledger, std::string_view table) {
  return "anon_seq_ledger." + ledger + "_" + std::string(table);
}

std::string shown_cells(std::string const& ledger, std::int32_t version) {
  return ledger_table(ledger, "shown_" + std::to_string(version));
}

std::string shown_cells(std::string const& ledger) { return ledger_table(ledger, "shown"); }

Oid shown_part(SpiSession& session, std::string const& ledger, std::int32_t version) {
  return ledger_part(session, ledger, "shown_" + std::to_string(version), PartKind::kView);
}

Oid shown_part(SpiSession& session, std::string const& ledger) {
  return ledger_part(session, ledger, "shown", PartKind::kView);
}

void keep_rows(SpiSession& session, std::string const& table) {
  for (char const* event : {"INSERT OR UPDATE OR DELETE", "TRUNCATE"})
    session.execute("CREATE TRIGGER " + std::string(event[0] == 'T' ? "keep_rows" : "keep_values") + " BEFORE " +
                    event + " ON " + table + " FOR EACH STATEMENT EXECUTE FUNCTION anon_seq.keep_ledger()");
}

namespace {

// What indexes hold of packed columns is not sampled either.
void leave_out_expressions(SpiSession& session, std::string const& table) {
  auto const rows = session.execute(
      "SELECT a.attrelid::pg_catalog.regclass, a.attnum FROM pg_catalog.pg_index AS i"
      " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indexrelid AND i.indkey[a.attnum - 1] = 0"
      " WHERE i.indrelid = $1::pg_catalog.regclass AND i.indexprs IS NOT NULL",
      {table});
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    session.execute("ALTER INDEX " + rows.get(row, 1) + " ALTER COLUMN " + rows.get(row, 2) + " SET STATISTICS 0");
}

void create_table(SpiSession& session, std::string const& name, LedgerRelation const& relation) {
  Oid const owner = GetUserId();
  {
    LedgerMaker maker(session);
    session.execute("CREATE TABLE " + name + " (" + relation.columns + ")");
    for (auto const& index : relation.indexes) session.execute("CREATE INDEX ON " + name + " " + index);
    maker.hand_over("TABLE", name, owner);
  }
  keep_rows(session, name);
  for (auto const& column : relation.packed)
    session.execute("ALTER TABLE " + name + " ALTER COLUMN " + column + " SET STORAGE EXTERNAL, ALTER COLUMN " +
                    column + " SET STATISTICS 0");
  for (auto const& column : relation.unmeasured)
    session.execute("ALTER TABLE " + name + " ALTER COLUMN " + column + " SET STATISTICS 0");
  leave_out_expressions(session, name);
}

}  // namespace

void create_ledger_view(SpiSession& session, std::string const& name, std::string const& query, bool fenced) {
  Oid const owner = GetUserId();
  LedgerMaker maker(session);
  session.execute("CREATE VIEW " + name + (fenced ? " WITH (security_barrier)" : "") + " AS " + query);
  maker.hand_over("VIEW", name, owner);
}

void create_ledger(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  require_usable_schema(session);
  create_table(session, ledger_table(ledger, "sum"), sum_relation());
  for (auto const& relation : schema.relations) {
    auto const name = ledger_table(ledger, relation.name);
    if (relation.query.empty()) {
      create_table(session, name, relation);
      keep_sums(session, name);
      continue;
    }
    create_ledger_view(session, name, relation.query, relation.fenced);
  }
  record_ledger(session, ledger, schema.format);
}

void drop_relations(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  // All are found before the first is dropped: the owner of the ledger is asked of one of them. Before the first
  // version nothing of ours rests on them; views of others, who cannot read them, must not keep them.
  std::vector<std::string> drops;
  auto relations = schema.relations;
  relations.insert(relations.begin(), sum_relation());
  for (auto relation = relations.rbegin(); relation != relations.rend(); ++relation) {
    // A table may have become a view.
    for (auto const& [kind, drop] :
         {std::pair(PartKind::kTable, "DROP TABLE "), std::pair(PartKind::kView, "DROP VIEW ")})
      if (OidIsValid(ledger_part(session, ledger, relation->name, kind)))
        drops.push_back(drop + ledger_table(ledger, relation->name) + " CASCADE");
  }
  for (auto const& drop : drops) session.execute(drop);
}

void drop_ledger(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  drop_relations(session, ledger, schema);
  forget_ledger(session, ledger);
}

LedgerSchema counted_ledger(std::vector<PublishedColumn> const& columns, std::string const& persons) {
  LedgerSchema schema;
  schema.relations.push_back({.name = "cell",
                              .columns = "version int NOT NULL, cell int NOT NULL, n bigint NOT NULL" +
                                         cell_columns(columns) + ", PRIMARY KEY (version, cell)",
                              .analyzed = true,
                              .counts_by = "version"});
  schema.relations.push_back(
      {.name = "note",
       .columns = "version int PRIMARY KEY, fingerprint text NOT NULL, cut jsonb, trace jsonb, detail jsonb"});
  if (!persons.empty())
    schema.relations.push_back({.name = "person",
                                .columns = "version int NOT NULL, cell int NOT NULL, part int NOT NULL, persons " +
                                           persons + "[] NOT NULL, PRIMARY KEY (version, cell, part)",
                                .keys = {"persons"},
                                .packed = {"persons"},
                                .analyzed = true});
  return schema;
}

std::optional<std::string> key_type(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  for (auto const& relation : schema.relations) {
    if (relation.keys.empty()) continue;
    auto const rows = session.execute(
        "SELECT pg_catalog.format_type(t.typelem, a.atttypmod) FROM pg_catalog.pg_attribute AS a"
        " JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
        " WHERE a.attrelid = $1 AND a.attname = $2",
        {SqlValue::oid(ledger_part(session, ledger, relation.name)), relation.keys.front()}, true);
    if (rows.count() > 0) return rows.text(0, 1);
  }
  return std::nullopt;
}

std::string cell_columns(std::vector<PublishedColumn> const& columns) {
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) list += ", c" + std::to_string(i + 1) + " " + columns[i].type;
  return list;
}

void require_closed(SpiSession& session, std::string const& ledger) {
  // By the name's beginning, so that no table of whatever method can be left out.
  std::string const ours =
      "c.relnamespace = 'anon_seq_ledger'::pg_catalog.regnamespace AND pg_catalog.starts_with(c.relname::pg_catalog.text, $1 || '_')"
      " AND c.relowner = $2 AND a.grantee <> c.relowner";
  auto const rows = session.execute(
      "SELECT c.relname, a.grantee::pg_catalog.regrole FROM pg_catalog.pg_class AS c, pg_catalog.aclexplode(c.relacl) AS a"
      " WHERE " +
          ours +
          " UNION ALL SELECT c.relname, a.grantee::pg_catalog.regrole FROM pg_catalog.pg_class AS c"
          " JOIN pg_catalog.pg_attribute AS t ON t.attrelid = c.oid, pg_catalog.aclexplode(t.attacl) AS a WHERE " +
          ours,
      {ledger, SqlValue::oid(ledger_owner(session, ledger))}, true);
  if (rows.count() == 0) return;
  throw Error(Fault::kPrivilege, "ledger table " + quoted(rows.get(0, 1)) + " is open to others than its owner",
              "It holds who is in which class; a release beside an open ledger protects nobody.",
              "REVOKE ALL ON anon_seq_ledger." + quote_name(rows.get(0, 1)) + " FROM " +
                  (rows.get(0, 2) == "-" ? "PUBLIC" : rows.get(0, 2)) + ".");
}

}  // namespace anon_seq::catalog
