#include "catalog/ledger_identity.h"

#include "catalog/ledger_home.h"
#include "catalog/ledger_sums.h"

namespace anon_seq::catalog {

namespace {

Oid relation_called(std::string const& name) {
  Oid oid = InvalidOid;
  call_pg([&]() noexcept { oid = get_relname_relid(name.c_str(), get_namespace_oid("anon_seq_ledger", false)); });
  return oid;
}

Oid part_of(Oid owner, std::string const& name, PartKind kind) {
  Oid const oid = relation_called(name);
  bool is_part = false;
  call_pg([&]() noexcept {
    HeapTuple const tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(oid));
    if (!HeapTupleIsValid(tuple)) return;
    auto const* const form = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple));
    is_part = OidIsValid(owner) && form->relowner == owner && form->relkind == static_cast<char>(kind);
    ReleaseSysCache(tuple);
  });
  return is_part ? oid : InvalidOid;
}

}  // namespace

PartKind kind_of(LedgerRelation const& relation) { return relation.query.empty() ? PartKind::kTable : PartKind::kView; }

Oid ledger_part(SpiSession& session, std::string const& ledger, std::string_view part, PartKind kind) {
  return part_of(ledger_owner(session, ledger), ledger + "_" + std::string(part), kind);
}

void require_parts(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  Oid const owner = ledger_owner(session, ledger);
  auto relations = schema.relations;
  relations.push_back(sum_relation());
  for (auto const& relation : relations) {
    auto const name = ledger + "_" + relation.name;
    if (!OidIsValid(part_of(owner, name, kind_of(relation))))
      throw Error(Fault::kDamaged, "ledger relation " + quoted(name) + " is missing",
                  "It was dropped, or another relation has its name.");
  }
}

void record_ledger(SpiSession& session, std::string const& name, std::int32_t format) {
  auto const suffix = name.front() == 'n'   ? "_population"
                      : name.front() == 'o' ? "_owner"
                      : name.front() == 't' ? "_readers"
                                            : "_cell";
  Oid const oid = relation_called(name + suffix);
  CatalogWriter catalog(session);
  auto const known = catalog.execute("SELECT FROM anon_seq.ledger WHERE name OPERATOR(pg_catalog.=) $1", {name});
  catalog.execute(
      R"(
INSERT INTO anon_seq.ledger (name, relation, place, format) VALUES ($1, $2, anon_seq.place(), $3)
ON CONFLICT (name) DO UPDATE SET relation = excluded.relation, place = excluded.place, format = excluded.format)",
      {name, SqlValue::oid(oid), format});
  if (name.front() == 'p' && known.count() == 0) note_home(catalog, name);
}

std::int32_t ledger_format(SpiSession& session, std::string const& name, bool lock) {
  CatalogWriter catalog(session);
  auto const rows =
      lock ? catalog.execute("SELECT format FROM anon_seq.ledger WHERE name OPERATOR(pg_catalog.=) $1 FOR UPDATE",
                             {name})
           : catalog.execute("SELECT format FROM anon_seq.ledger WHERE name OPERATOR(pg_catalog.=) $1", {name});
  if (rows.count() == 0) throw Error(Fault::kDamaged, "the catalog has no row of ledger " + name);
  return rows.int32(0, 1);
}

void set_ledger_format(SpiSession& session, std::string const& name, std::int32_t format) {
  CatalogWriter catalog(session);
  catalog.execute("UPDATE anon_seq.ledger SET format = $2 WHERE name OPERATOR(pg_catalog.=) $1", {name, format});
}

void forget_ledger(SpiSession& session, std::string const& name) {
  CatalogWriter catalog(session);
  catalog.execute("DELETE FROM anon_seq.ledger WHERE name OPERATOR(pg_catalog.=) $1", {name});
  catalog.execute("DELETE FROM anon_seq.ledger_home WHERE ledger OPERATOR(pg_catalog.=) $1", {name});
}

std::int32_t free_ledger_number(CatalogWriter& catalog, char prefix, char const* draw) {
  InterruptCheckpoint checkpoint;
  for (;;) {
    checkpoint.poll();
    std::int32_t const number = catalog.execute(draw, {}).int32(0, 1);
    auto const taken = catalog.execute(
        R"(
SELECT
FROM pg_catalog.pg_namespace AS n
WHERE n.nspname OPERATOR(pg_catalog.=) 'anon_seq_ledger'
  AND (EXISTS (SELECT FROM pg_catalog.pg_class AS c
               WHERE c.relnamespace OPERATOR(pg_catalog.=) n.oid
                 AND pg_catalog.starts_with(c.relname::pg_catalog.text, $1))
       -- A type of a relation's name is in its way as well.
       OR EXISTS (SELECT FROM pg_catalog.pg_type AS t
                  WHERE t.typnamespace OPERATOR(pg_catalog.=) n.oid
                    AND pg_catalog.starts_with(t.typname::pg_catalog.text, $1))))",
        {prefix + std::to_string(number) + "_"});
    if (taken.count() == 0) return number;
  }
}

namespace {

// $1: 1 for all, also those here; 0 for those from elsewhere whose owner $2 is, or has the rights of without being a
// superuser: rows stay locked until the transaction ends, and who owns them must not wait for others.
Rows adopt(SpiSession& session, bool here) {
  CatalogWriter catalog(session);
  return catalog.execute(
      R"(
WITH adopted AS (
  UPDATE anon_seq.ledger AS l
  SET place = anon_seq.place(),
      relation = coalesce(
        (SELECT c.oid
         FROM pg_catalog.pg_class AS c
         JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
         WHERE n.nspname OPERATOR(pg_catalog.=) 'anon_seq_ledger'
           AND c.relname OPERATOR(pg_catalog.=) pg_catalog.concat(
                 l.name, CASE WHEN pg_catalog.starts_with(l.name, 'n') THEN '_population'
                               WHEN pg_catalog.starts_with(l.name, 'o') THEN '_owner'
                               WHEN pg_catalog.starts_with(l.name, 't') THEN '_readers' ELSE '_cell' END)),
        0::pg_catalog.oid)
  -- What somebody else is adopting just now is read by its name until he has.
  WHERE l.name OPERATOR(pg_catalog.=) ANY (ARRAY(
    SELECT k.name
    FROM anon_seq.ledger AS k
    WHERE CASE WHEN k.place OPERATOR(pg_catalog.=) (SELECT anon_seq.place())
            THEN $1 OPERATOR(pg_catalog.=) 1
                 AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid OPERATOR(pg_catalog.=) k.relation)
            ELSE $1 OPERATOR(pg_catalog.=) 1
                 OR (SELECT CASE WHEN r.rolsuper THEN r.oid OPERATOR(pg_catalog.=) anon_seq.ledger_owner(k.name)
                                 ELSE anon_seq.owns_ledger(r.oid, k.name) END
                     FROM pg_catalog.pg_roles AS r
                     WHERE r.oid OPERATOR(pg_catalog.=) $2)
          END
    FOR UPDATE SKIP LOCKED))
  RETURNING l.name, l.relation
)
SELECT a.name, c.relname, pg_catalog.pg_get_userbyid(c.relowner)
FROM adopted AS a
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) a.relation
ORDER BY 2)",
      {static_cast<std::int32_t>(here), catalog.caller_value()});
}

}  // namespace

void adopt_restored(SpiSession& session) { adopt(session, false); }

Rows adopt_ledgers(SpiSession& session) { return adopt(session, true); }

}  // namespace anon_seq::catalog
