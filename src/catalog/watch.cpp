#include "catalog/watch.h"

#include "catalog/ledger_identity.h"
#include "pg/array_text.h"
#include "pg/lock_wait.h"

namespace anon_seq::catalog {

std::string queue_name(std::int32_t watch) { return "anon_seq_ledger.w" + std::to_string(watch) + "_queue"; }

Watch watch_of(SpiSession& session, Oid relation) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(
      R"(
SELECT w.id, w.relation, w.queue, w.source_schema, w.source_name, pg_catalog.to_jsonb(w.keys), w.takings,
       w.place OPERATOR(pg_catalog.=) anon_seq.place()
FROM anon_seq.watch AS w
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) $1
JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE (w.place OPERATOR(pg_catalog.=) anon_seq.place() AND w.relation OPERATOR(pg_catalog.=) c.oid)
   OR (w.source_schema OPERATOR(pg_catalog.=) n.nspname AND w.source_name OPERATOR(pg_catalog.=) c.relname)
ORDER BY (w.place OPERATOR(pg_catalog.=) anon_seq.place() AND w.relation OPERATOR(pg_catalog.=) c.oid) DESC, w.id DESC
LIMIT 1)",
      {SqlValue::oid(relation)});
  if (rows.count() == 0) return {};
  Watch watch;
  watch.id = rows.int32(0, 1);
  watch.relation = rows.oid(0, 2);
  watch.queue = rows.oid(0, 3);
  watch.source_schema = rows.get(0, 4);
  watch.source_name = rows.get(0, 5);
  watch.keys = from_catalog("a watched source", [&] { return parse_json(rows.get(0, 6), "keys").strings(); });
  watch.takings = rows.integer(0, 7);
  watch.here = rows.boolean(0, 8);
  return watch;
}

namespace {

Lockable lockable(Watch const& watch) {
  return Lockable::row(
      "watch", watch.id,
      "what was noted of source " + quote_name(watch.source_schema) + "." + quote_name(watch.source_name));
}

}  // namespace

bool refresh_watch(SpiSession& session, Watch& watch) {
  CatalogWriter catalog(session);
  auto const rows =
      catalog.execute("SELECT takings FROM anon_seq.watch WHERE id OPERATOR(pg_catalog.=) $1", {watch.id});
  if (rows.count() == 0) return false;
  watch.takings = rows.integer(0, 1);
  return true;
}

void lock_watch(SpiSession& session, Watch const& watch) { lock(session, lockable(watch)); }

bool try_lock_watch(Watch const& watch) { return try_lock(lockable(watch)); }

std::string watch_holders(SpiSession& session, Watch const& watch) { return holders_of(session, lockable(watch)); }

std::int32_t next_watch(SpiSession& session) {
  CatalogWriter catalog(session);
  return free_ledger_number(catalog, 'w', "SELECT pg_catalog.nextval('anon_seq.watch_id_seq')");
}

void insert_watch(SpiSession& session, Watch const& watch) {
  std::string keys = "{";
  for (auto const& key : watch.keys) append_element(keys, key);
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
INSERT INTO anon_seq.watch (id, source_schema, source_name, place, relation, queue, relations, keys)
VALUES ($1, $2, $3, anon_seq.place(), $4, $5, '{}', $6::pg_catalog.text[]))",
      {watch.id, watch.source_schema, watch.source_name, SqlValue::oid(watch.relation), SqlValue::oid(watch.queue),
       keys + "}"});
}

void set_relations(SpiSession& session, Watch const& watch, std::string const& relations) {
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
UPDATE anon_seq.watch
SET relations = $2::pg_catalog.oid[], source_schema = $3, source_name = $4
WHERE id OPERATOR(pg_catalog.=) $1)",
      {watch.id, relations, watch.source_schema, watch.source_name});
}

void count_taking(SpiSession& session, Watch const& watch) {
  CatalogWriter catalog(session);
  catalog.execute(
      "UPDATE anon_seq.watch SET takings = takings OPERATOR(pg_catalog.+) 1 WHERE id OPERATOR(pg_catalog.=) $1",
      {watch.id});
}

void delete_watch(SpiSession& session, std::int32_t id) {
  CatalogWriter catalog(session);
  catalog.execute("DELETE FROM anon_seq.watch_policy WHERE watch OPERATOR(pg_catalog.=) $1", {id});
  catalog.execute("DELETE FROM anon_seq.watch WHERE id OPERATOR(pg_catalog.=) $1", {id});
}

void delete_lost_watches(SpiSession& session) {
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
WITH lost AS (
  DELETE FROM anon_seq.watch AS w
  WHERE w.place OPERATOR(pg_catalog.=) anon_seq.place()
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid OPERATOR(pg_catalog.=) w.relation)
  RETURNING w.id
)
DELETE FROM anon_seq.watch_policy AS p USING lost AS l WHERE p.watch OPERATOR(pg_catalog.=) l.id)",
      {});
}

Following following(SpiSession& session, std::int32_t watch, std::int32_t policy) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(
      "SELECT state::pg_catalog.text, runs FROM anon_seq.watch_policy"
      " WHERE watch OPERATOR(pg_catalog.=) $1 AND policy OPERATOR(pg_catalog.=) $2",
      {watch, policy});
  if (rows.count() == 0) return {};
  return {true, rows.get(0, 1), rows.int32(0, 2)};
}

void set_following(SpiSession& session, std::int32_t watch, std::int32_t policy, Following const& now) {
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
INSERT INTO anon_seq.watch_policy (watch, policy, state, runs) VALUES ($1, $2, $3::pg_catalog.jsonb, $4)
ON CONFLICT (watch, policy) DO UPDATE SET state = excluded.state, runs = excluded.runs, at = excluded.at)",
      {watch, policy, now.state, now.runs});
}

std::string followers(SpiSession& session, std::int32_t watch) {
  CatalogWriter catalog(session);
  return catalog
      .execute("SELECT ARRAY(SELECT policy FROM anon_seq.watch_policy WHERE watch OPERATOR(pg_catalog.=) $1)", {watch})
      .get(0, 1);
}

void follow_only(SpiSession& session, std::int32_t policy, std::int32_t watch) {
  CatalogWriter catalog(session);
  catalog.execute(
      "DELETE FROM anon_seq.watch_policy WHERE policy OPERATOR(pg_catalog.=) $1 AND watch OPERATOR(pg_catalog.<>) $2",
      {policy, watch});
}

void distrust(SpiSession& session, std::int32_t policy) {
  CatalogWriter catalog(session);
  catalog.execute("UPDATE anon_seq.watch_policy SET state = '{}' WHERE policy OPERATOR(pg_catalog.=) $1", {policy});
}

}  // namespace anon_seq::catalog
