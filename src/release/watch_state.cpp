#include "release/watch_state.h"

#include "core/text/json_value.h"
//
#include "pg/array_text.h"
#include "pg/distributed.h"

namespace anon_seq::release {
namespace {

// Of each relation of the source's tree: what it is, and whether it has the triggers that it was given, four, and one
// for replicas where it has rows. The
// arguments of a trigger are: number of the watch, place, queue, relation, numbers of the key columns there.
constexpr char kState[] = R"(
WITH RECURSIVE tree (oid, edge) AS (
  SELECT $1, NULL::pg_catalog.text
  UNION
  SELECT i.inhrelid, pg_catalog.concat_ws(':', i.inhparent, i.xmin, i.ctid, i.inhdetachpending)
  FROM tree AS t JOIN pg_catalog.pg_inherits AS i ON i.inhparent = t.oid
), part AS (
  SELECT c.oid, t.edge, c.relname, c.relkind, c.relowner, c.relpersistence, c.relispartition, c.relfilenode,
         pg_catalog.concat_ws('@', c.xmin, c.ctid) AS made,
         (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', a.attnum, a.xmin, a.ctid, (
                   WITH RECURSIVE base (typ) AS (
                     SELECT a.atttypid
                     UNION
                     SELECT d.typbasetype FROM base AS b JOIN pg_catalog.pg_type AS d ON d.oid = b.typ WHERE d.typtype = 'd')
                   SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', e.oid, e.enumlabel), ',' ORDER BY e.oid)
                   FROM base AS b JOIN pg_catalog.pg_enum AS e ON e.enumtypid = b.typ)), ';' ORDER BY a.attnum)
          FROM pg_catalog.pg_attribute AS a
          WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
         (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', g.oid, g.xmin, g.ctid), ';' ORDER BY g.oid)
          FROM pg_catalog.pg_trigger AS g
          WHERE g.tgrelid = c.oid AND g.tgfoid = f.oid) AS triggers,
         (SELECT pg_catalog.count(DISTINCT g.tgtype)
          FROM pg_catalog.pg_trigger AS g
          WHERE g.tgrelid = c.oid AND g.tgfoid = f.oid AND g.tgqual IS NULL
            AND (g.tgenabled, g.tgtype, g.tgoldtable IS NOT NULL, g.tgnewtable IS NOT NULL)
                IN (('A', 4, false, true), ('A', 8, true, false), ('A', 16, true, true), ('A', 32, false, false),
                    ('R', 29, false, false))
            AND pg_catalog.encode(g.tgargs, 'escape') = pg_catalog.concat_ws('\000', $3, anon_seq.place(), $4, c.oid, (
                  SELECT pg_catalog.string_agg(a.attnum::pg_catalog.text, ',' ORDER BY k.place)
                  FROM pg_catalog.unnest($2::pg_catalog.text[]) WITH ORDINALITY AS k (name, place)
                  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attname = k.name AND NOT a.attisdropped),
                '')) AS good
  FROM tree AS t
  JOIN pg_catalog.pg_class AS c ON c.oid = t.oid,
  (SELECT p.oid FROM pg_catalog.pg_proc AS p WHERE p.oid = 'anon_seq.note_changes()'::pg_catalog.regprocedure) AS f
)
SELECT (SELECT pg_catalog.min(p.relname) FROM part AS p WHERE p.good < CASE p.relkind WHEN 'p' THEN 4 ELSE 5 END),
       (SELECT pg_catalog.jsonb_build_object(
                 'tree', pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws('/', p.oid, p.edge), ',' ORDER BY p.oid)),
                 'files', pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(':', p.oid, p.relfilenode), ',' ORDER BY p.oid)),
                 'definition', pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(':', p.oid, p.made, p.columns), ',' ORDER BY p.oid)),
                 'triggers', pg_catalog.md5(pg_catalog.concat(f.xmin, f.ctid, pg_catalog.string_agg(pg_catalog.concat_ws(':', p.oid, p.triggers), ',' ORDER BY p.oid))),
                 'queue', pg_catalog.md5(pg_catalog.concat_ws(':', q.oid, q.xmin, q.ctid, q.relfilenode, (
                   SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', g.oid, g.xmin, g.ctid), ',' ORDER BY g.oid)
                   FROM pg_catalog.pg_trigger AS g WHERE g.tgrelid = q.oid))))
        FROM part AS p)::pg_catalog.text
FROM pg_catalog.pg_class AS r
JOIN pg_catalog.pg_proc AS f ON f.oid = 'anon_seq.note_changes()'::pg_catalog.regprocedure
LEFT JOIN pg_catalog.pg_class AS q ON q.oid = $4
WHERE r.oid = $1)";

std::string keys_text(Watch const& watch) {
  std::string keys = "{";
  for (auto const& key : watch.keys) append_element(keys, key);
  return keys + "}";
}

struct Part {
  char const *name, *what;
};
constexpr Part kParts[] = {
    {"person", "the policy has other persons than before"},
    {"tree", "its partitions are others than before"},
    {"files", "it was emptied or rewritten"},
    {"definition", "its definition was changed"},
    {"triggers", "the triggers that note its changes were changed"},
    {"queue", "the table that its changes are noted in was changed"},
};

}  // namespace

WatchState watch_state(SpiSession& session, Watch const& watch, Oid source) {
  if (!watch.here) return {"it was restored, and is not watched here"};
  if (watch.relation != source) return {"another table has the name of the one that is watched"};
  if (auto const what = unwatchable(session, source); !what.empty()) return {what, false};
  auto const rows =
      session.execute(kState, {SqlValue::oid(source), keys_text(watch), watch.id, SqlValue::oid(watch.queue)}, true);
  if (!has_sound_queue(session, watch, source))
    return {"the table that its changes are noted in has gone, does not fit it any more, or is another role's"};
  if (auto const bare = rows.text(0, 1))
    return {"triggers that note its changes are missing or disabled on table " + quoted(*bare)};
  return {"", true, rows.get(0, 2)};
}

bool has_sound_queue(SpiSession& session, Watch const& watch, Oid source) {
  auto const rows = session.execute(
      R"(
SELECT q.relowner = r.relowner AND q.relkind = 'r' AND q.relpersistence = 'p' AND NOT q.relispartition
       AND NOT q.relhassubclass AND q.relname = pg_catalog.concat('w', $4, '_queue')
       AND NOT q.relhasrules AND NOT q.relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.conrelid = q.oid)
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger AS g
                       WHERE g.tgrelid = q.oid AND g.tgfoid <> 'anon_seq.keep_ledger()'::pg_catalog.regprocedure)
       AND (SELECT pg_catalog.bool_and(CASE a.attnum WHEN 1 THEN a.atttypid = 'int4'::pg_catalog.regtype
                                                     WHEN 2 THEN a.atttypid = 'bool'::pg_catalog.regtype ELSE true END
                                       AND NOT a.attnotnull AND NOT a.atthasdef AND NOT a.atthasmissing)
            FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = q.oid AND a.attnum > 0 AND NOT a.attisdropped)
       AND (SELECT pg_catalog.array_agg(a.atttypid ORDER BY a.attnum)
            FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = q.oid AND a.attnum > 2 AND NOT a.attisdropped)
           = (SELECT pg_catalog.array_agg(b.typ ORDER BY k.place)
              FROM pg_catalog.unnest($3::pg_catalog.text[]) WITH ORDINALITY AS k (name, place)
              JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid AND a.attname = k.name AND NOT a.attisdropped
              JOIN LATERAL (WITH RECURSIVE base (typ) AS (
                              SELECT a.atttypid
                              UNION
                              SELECT t.typbasetype FROM base AS b JOIN pg_catalog.pg_type AS t ON t.oid = b.typ
                              WHERE t.typtype = 'd')
                            SELECT b.typ FROM base AS b JOIN pg_catalog.pg_type AS t ON t.oid = b.typ
                            WHERE t.typtype <> 'd') AS b ON true)
FROM pg_catalog.pg_class AS r, pg_catalog.pg_class AS q
WHERE r.oid = $1 AND q.oid = $2)",
      {SqlValue::oid(source), SqlValue::oid(watch.queue), keys_text(watch), watch.id}, true);
  return rows.count() > 0 && rows.boolean(0, 1);
}

std::string difference(std::string const& before, std::string const& now) {
  auto const then = parse_json(before, "state"), today = parse_json(now, "state");
  for (auto const& part : kParts) {
    auto const *was = then.find(part.name), *is = today.find(part.name);
    if (was == nullptr || is == nullptr) return "its changes since the last publish were not all noted";
    if (was->string() != is->string()) return part.what;
  }
  return {};
}

std::string unwatchable(SpiSession& session, Oid source) {
  if (!distributed_tables(session, source).empty())
    return "it is distributed: rows are changed on other nodes, unnoticed";
  auto const rows = session.execute(
      R"(
WITH RECURSIVE tree (oid) AS (
  SELECT $1
  UNION
  SELECT i.inhrelid FROM tree AS t JOIN pg_catalog.pg_inherits AS i ON i.inhparent = t.oid
)
SELECT CASE
         WHEN r.relkind = 'v' THEN 'it is a view'
         WHEN r.relkind = 'm' THEN 'it is a materialized view'
         WHEN r.relkind = 'f' THEN 'it is a foreign table'
         WHEN r.relkind NOT IN ('r', 'p') THEN 'it is no table'
         WHEN r.relpersistence = 't' THEN 'it is a temporary table'
         WHEN r.relnamespace = 'pg_catalog'::pg_catalog.regnamespace OR n.nspname = 'pg_toast'
              OR n.nspname IN ('information_schema', 'anon_seq', 'anon_seq_ledger') THEN 'it belongs to a system schema'
         WHEN r.relispartition THEN 'it is a partition: rows come to it by its parent, unnoticed'
         WHEN EXISTS (SELECT FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = r.oid)
           THEN 'it inherits from a table: rows are changed by that, unnoticed'
         WHEN EXISTS (SELECT FROM tree AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid
                      WHERE c.oid <> r.oid AND NOT c.relispartition) THEN 'it has children that are no partitions'
         WHEN EXISTS (SELECT FROM tree AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid WHERE c.relkind = 'f')
           THEN 'it has a partition that is a foreign table'
         WHEN EXISTS (SELECT FROM tree AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid WHERE c.relpersistence <> 'p')
           THEN 'it is unlogged, or has a partition that is: a crash empties that, unnoticed'
         WHEN EXISTS (SELECT FROM tree AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid WHERE c.relowner <> r.relowner)
           THEN 'it has a partition of another owner'
       END
FROM pg_catalog.pg_class AS r
JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
WHERE r.oid = $1)",
      {SqlValue::oid(source)}, true);
  return rows.count() == 0 ? "it does not exist any more" : rows.get(0, 1);
}

}  // namespace anon_seq::release
