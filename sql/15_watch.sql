-- Sources that are watched: triggers note whose rows changed, so that a publish need not read all of them.
--
-- A watch is known by the number of its relation in this database of this cluster; what was restored elsewhere has to be watched again.
-- The queue anon_seq_ledger.w<id>_queue belongs to the source's owner; the trigger function writes into it, and nobody else.

CREATE SEQUENCE anon_seq.watch_id_seq AS integer;

CREATE TABLE anon_seq.watch (
  id            integer     PRIMARY KEY DEFAULT nextval('anon_seq.watch_id_seq') CHECK (id > 0),
  source_schema text        NOT NULL,   -- when it was watched
  source_name   text        NOT NULL,
  place         text        NOT NULL,   -- anon_seq.place() then
  relation      oid         NOT NULL,   -- the source
  queue         oid         NOT NULL,
  relations     oid[]       NOT NULL,   -- the source and its partitions: what has triggers
  keys          text[]      NOT NULL,   -- columns, in the order of the queue's k1, k2, ...
  takings       bigint      NOT NULL DEFAULT 0,  -- how often keys were taken out of the queue
  started_at    timestamptz NOT NULL DEFAULT now()
);
ALTER SEQUENCE anon_seq.watch_id_seq OWNED BY anon_seq.watch.id;
COMMENT ON TABLE anon_seq.watch IS 'catalog: sources whose changes are noted; read the view anon_seq.watches';

CREATE TABLE anon_seq.watch_policy (
  watch  integer NOT NULL,
  policy integer NOT NULL,
  state  jsonb   NOT NULL CHECK (jsonb_typeof(state) = 'object'),  -- of the source and its triggers, when the policy was last published
  runs   integer NOT NULL DEFAULT 0 CHECK (runs >= 0),             -- publishes since all was read
  at     timestamptz NOT NULL DEFAULT now(),                       -- when that was: what was noted since is kept for it
  PRIMARY KEY (watch, policy)
);
COMMENT ON TABLE anon_seq.watch_policy IS 'catalog: which policies follow what a watch notes, and what they compare before they trust it';

-- What policies compare is nobody's to write, and is not dumped: after a restore all is read.
GRANT SELECT, INSERT ON anon_seq.watch TO @extowner@;
GRANT SELECT ON anon_seq.watch_policy TO @extowner@;
GRANT SELECT, UPDATE ON SEQUENCE anon_seq.watch_id_seq TO @extowner@;
SELECT pg_extension_config_dump('anon_seq.watch', 'WHERE place <> anon_seq.place() OR EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = relation)');
SELECT pg_extension_config_dump('anon_seq.watch_id_seq', '');

CREATE FUNCTION anon_seq.watch_source(source regclass, keys text[]) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_watch_source';
COMMENT ON FUNCTION anon_seq.watch_source(regclass, text[]) IS
  'lets triggers note the keys of rows that change, so that publishes need not read the whole table; a short transaction of its own, as it waits for writers and they for it; for the owner of the table';

CREATE FUNCTION anon_seq.unwatch_source(source regclass) RETURNS boolean
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_unwatch_source';
COMMENT ON FUNCTION anon_seq.unwatch_source(regclass) IS
  'takes away what watch_source made, and what was noted; waits for writers and readers, and they for it; whether there was anything; for the owner of the table';

-- Made a trigger by watch_source() alone.
CREATE FUNCTION anon_seq.note_changes() RETURNS trigger
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_note_changes';
REVOKE ALL ON FUNCTION anon_seq.note_changes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION anon_seq.note_changes() TO @extowner@;  -- who may have to restore triggers
COMMENT ON FUNCTION anon_seq.note_changes() IS 'trigger of watched sources: notes the keys of changed rows';

CREATE VIEW anon_seq.watches WITH (security_barrier) AS
  SELECT format('%I.%I', n.nspname, c.relname) AS source, w.keys, w.started_at, cardinality(w.relations) AS relations,
         (SELECT count(*) FROM anon_seq.watch_policy AS p WHERE p.watch = w.id) AS policies,
         pg_relation_size(q.oid) AS queue_bytes,
         (SELECT min(p.at) FROM anon_seq.watch_policy AS p WHERE p.watch = w.id) AS noted_since
    FROM anon_seq.watch AS w
    JOIN pg_class AS c ON c.oid = w.relation
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN pg_class AS q ON q.oid = w.queue AND q.relname = format('w%s_queue', w.id)
   WHERE w.place = anon_seq.place() AND pg_has_role(current_user, c.relowner, 'USAGE');
COMMENT ON VIEW anon_seq.watches IS 'the watched sources whose owner''s rights the current user has: how many policies follow each, how large its queue is (NULL: it has gone), when the one of them that was published longest ago was';
GRANT SELECT ON anon_seq.watches TO PUBLIC;
