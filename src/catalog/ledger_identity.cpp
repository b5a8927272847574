#include "catalog/ledger_identity.h"

#include "catalog/ledger_home.h"
#include "catalog/ledger_sums.h"
#include "pg/array_text.h"

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

namespace {

// What the owner of a ledger could have put on it that runs code of his: $1 tables and views, of whom a superuser's are
// trusted; $2 names of columns that hold keys. A list of what may be there, since one of what may not would stay short:
// constraints, defaults, indexes, statistics, rules, triggers and types that a method gives its tables, views that read
// nothing but the ledger by functions of the server's that are immutable.
constexpr char kAdded[] = R"(
WITH part AS (
  SELECT c.oid, c.relname, c.relkind, c.relowner, c.relrowsecurity
  FROM pg_catalog.pg_class AS c
  JOIN pg_catalog.pg_roles AS o ON o.oid OPERATOR(pg_catalog.=) c.relowner AND NOT o.rolsuper
  WHERE c.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[])
), view_rule AS (
  SELECT p.relname, w.oid, w.ev_action::pg_catalog.text AS action
  FROM part AS p
  JOIN pg_catalog.pg_rewrite AS w ON w.ev_class OPERATOR(pg_catalog.=) p.oid
  WHERE p.relkind OPERATOR(pg_catalog.=) 'v'
)
SELECT p.relname, pg_catalog.concat('trigger ', t.tgname) AS what
FROM part AS p
JOIN pg_catalog.pg_trigger AS t ON t.tgrelid OPERATOR(pg_catalog.=) p.oid
WHERE t.tgfoid OPERATOR(pg_catalog.<>) 'anon_seq.keep_ledger()'::pg_catalog.regprocedure
  AND t.tgfoid OPERATOR(pg_catalog.<>) 'anon_seq.sum_rows()'::pg_catalog.regprocedure
UNION ALL
SELECT p.relname, pg_catalog.concat('rule ', w.rulename)
FROM part AS p
JOIN pg_catalog.pg_rewrite AS w ON w.ev_class OPERATOR(pg_catalog.=) p.oid
WHERE p.relkind OPERATOR(pg_catalog.<>) 'v' OR w.rulename OPERATOR(pg_catalog.<>) '_RETURN'
UNION ALL
SELECT p.relname, 'row-level security' FROM part AS p WHERE p.relrowsecurity
UNION ALL
SELECT p.relname, 'a parent or a child'
FROM part AS p
JOIN pg_catalog.pg_inherits AS h
  ON h.inhrelid OPERATOR(pg_catalog.=) p.oid OR h.inhparent OPERATOR(pg_catalog.=) p.oid
UNION ALL
SELECT p.relname, pg_catalog.concat('constraint ', k.conname)
FROM part AS p
JOIN pg_catalog.pg_constraint AS k
  ON k.conrelid OPERATOR(pg_catalog.=) p.oid OR k.confrelid OPERATOR(pg_catalog.=) p.oid
WHERE k.contype OPERATOR(pg_catalog.<>) 'p'
  AND k.contype OPERATOR(pg_catalog.<>) 'n'
  AND pg_catalog.pg_get_constraintdef(k.oid) OPERATOR(pg_catalog.<>) 'CHECK (one)'
UNION ALL
SELECT p.relname, pg_catalog.concat('default of column ', a.attname)
FROM part AS p
JOIN pg_catalog.pg_attrdef AS d ON d.adrelid OPERATOR(pg_catalog.=) p.oid
JOIN pg_catalog.pg_attribute AS a
  ON a.attrelid OPERATOR(pg_catalog.=) d.adrelid AND a.attnum OPERATOR(pg_catalog.=) d.adnum
WHERE NOT pg_catalog.starts_with(d.adbin::pg_catalog.text, '{CONST ')
UNION ALL
SELECT p.relname, pg_catalog.concat('statistics ', x.stxname)
FROM part AS p
JOIN pg_catalog.pg_statistic_ext AS x ON x.stxrelid OPERATOR(pg_catalog.=) p.oid
WHERE x.stxexprs IS NOT NULL
UNION ALL
SELECT p.relname, pg_catalog.concat('index ', c.relname)
FROM part AS p
JOIN pg_catalog.pg_index AS i ON i.indrelid OPERATOR(pg_catalog.=) p.oid
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) i.indexrelid
WHERE (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)
  AND EXISTS (
    SELECT
    FROM pg_catalog.pg_depend AS d
    WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
      AND d.objid OPERATOR(pg_catalog.=) i.indexrelid
      AND d.refclassid OPERATOR(pg_catalog.<>) 'pg_catalog.pg_class'::pg_catalog.regclass
      AND d.refobjid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
      AND NOT EXISTS (
        SELECT
        FROM pg_catalog.pg_type AS t
        WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass
          AND d.refobjid OPERATOR(pg_catalog.=) t.oid
          AND t.typtype OPERATOR(pg_catalog.=) 'e'))
UNION ALL
SELECT v.relname, pg_catalog.concat('a query that reads ', c.relname)
FROM view_rule AS v
JOIN pg_catalog.pg_depend AS d
  ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
     AND d.objid OPERATOR(pg_catalog.=) v.oid
     AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) d.refobjid
WHERE c.oid OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.oid[])
UNION ALL
SELECT v.relname, pg_catalog.concat('a query that calls ', f.proname)
FROM view_rule AS v
CROSS JOIN LATERAL pg_catalog.regexp_matches(v.action, ':(?:funcid|opfuncid|aggfnoid|winfnoid) ([0-9]+)', 'g') AS m (id)
JOIN pg_catalog.pg_proc AS f ON f.oid OPERATOR(pg_catalog.=) m.id[1]::pg_catalog.oid
WHERE f.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid OR f.provolatile OPERATOR(pg_catalog.<>) 'i'
UNION ALL
-- An operator whose own function is the server's can have a negator that is not.
SELECT v.relname, pg_catalog.concat('a query with operator ', o.oprname)
FROM view_rule AS v
JOIN pg_catalog.pg_depend AS d
  ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
     AND d.objid OPERATOR(pg_catalog.=) v.oid
     AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_operator'::pg_catalog.regclass
JOIN pg_catalog.pg_operator AS o ON o.oid OPERATOR(pg_catalog.=) d.refobjid
WHERE o.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
UNION ALL
SELECT p.relname, pg_catalog.concat('column ', a.attname, ' of type ', pg_catalog.format_type(a.atttypid, NULL))
FROM part AS p
JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) p.oid
JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
JOIN pg_catalog.pg_type AS e
  ON e.oid OPERATOR(pg_catalog.=)
     CASE WHEN t.typelem OPERATOR(pg_catalog.=) 0::pg_catalog.oid THEN t.oid ELSE t.typelem END
WHERE p.relkind OPERATOR(pg_catalog.<>) 'v'
  AND a.attnum OPERATOR(pg_catalog.>) 0
  AND NOT a.attisdropped
  AND e.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
  AND (e.typtype OPERATOR(pg_catalog.<>) 'e'
       OR a.attname OPERATOR(pg_catalog.<>) ALL ($2::pg_catalog.name[])
          AND NOT (pg_catalog.starts_with(a.attname::pg_catalog.text, 'c')
                   AND pg_catalog.btrim(a.attname::pg_catalog.text, '0123456789') OPERATOR(pg_catalog.=) 'c'))
ORDER BY 1, 2)";

void require_no_code(SpiSession& session, Oid owner, std::vector<Oid> const& parts,
                     std::vector<std::string> const& keys) {
  std::string numbers = "{", names = "{";
  for (Oid const part : parts) numbers += (numbers.size() == 1 ? "" : ",") + std::to_string(part);
  for (auto const& key : keys) append_element(names, key);
  auto const added = session.execute(kAdded, {numbers + "}", names + "}"}, true);
  if (added.count() == 0) return;
  throw Error(Fault::kDamaged, "ledger relation " + quoted(added.get(0, 1)) + " was altered",
              "It has something that anon_seq did not give it: " + added.get(0, 2) + ". Its owner is role " +
                  quoted(role_name(owner)) + ".",
              "Take that away: it could run code of the ledger's owner whenever the ledger is read or written.");
}

}  // namespace

void require_parts(SpiSession& session, std::string const& ledger, LedgerSchema const& schema, bool all) {
  Oid const owner = ledger_owner(session, ledger);
  auto relations = schema.relations;
  relations.push_back(sum_relation());
  std::vector<Oid> parts;
  std::vector<std::string> keys;
  for (auto const& relation : relations) {
    auto const name = ledger + "_" + relation.name;
    Oid const part = part_of(owner, name, kind_of(relation));
    if (!OidIsValid(part) && !all) continue;
    if (!OidIsValid(part))
      throw Error(Fault::kDamaged, "ledger relation " + quoted(name) + " is missing",
                  "It was dropped, or another relation has its name.");
    parts.push_back(part);
    keys.insert(keys.end(), relation.keys.begin(), relation.keys.end());
  }
  require_no_code(session, owner, parts, keys);
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
