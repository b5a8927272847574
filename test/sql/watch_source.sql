-- Watched sources: what triggers note, what they miss and publishes notice all the same, and who may what.
\getenv dir PG_ABS_SRCDIR
SET client_min_messages = warning;
CREATE ROLE regress_watch_owner;
CREATE ROLE regress_watch_other;
CREATE SCHEMA watch_source;
GRANT ALL ON SCHEMA watch_source TO PUBLIC;
SET search_path = watch_source, anon_seq, public;
SELECT grant_publish('regress_watch_owner'), grant_publish('regress_watch_other');
\i :dir/data/fails.sql
-- One policy reads the watched table, the other the same rows by a view, as a whole: a night is right if both show the same.
CREATE TABLE visit (id int PRIMARY KEY, age int, job text);
INSERT INTO visit SELECT i, 20 + i % 7, (ARRAY['nurse', 'cook'])[1 + i % 2] FROM generate_series(1, 60) AS i;
CREATE VIEW visits AS SELECT id, age, job FROM visit;
SELECT create_flat_taxonomy('watch job', '{nurse,cook}');
SELECT create_sequential_policy('watched', 'visit', 'id', '{age,job}', 4, previous => '{}', publish_as => 'watched', population => 'watched', taxonomies => '{"job": "watch job"}');
SELECT create_sequential_policy('plain', 'visits', 'id', '{age,job}', 4, previous => '{}', publish_as => 'plain', population => 'plain', taxonomies => '{"job": "watch job"}');
CREATE FUNCTION noted(source regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
  IF NOT EXISTS (SELECT FROM anon_seq.watch AS w WHERE w.relation = source) THEN RETURN 'nowhere'; END IF;
  EXECUTE (SELECT format('SELECT concat_ws('' '', count(*) FILTER (WHERE missed IS NULL), nullif(count(*) FILTER (WHERE missed), 0)) FROM %s', w.queue::regclass) FROM anon_seq.watch AS w WHERE w.relation = source) INTO found;
  RETURN found;
END $$;
CREATE FUNCTION night(what text, watched text DEFAULT 'watched', plain text DEFAULT 'plain') RETURNS text LANGUAGE plpgsql AS $$
DECLARE before int; noted text; a record; b record; said text;
BEGIN
  SELECT p.version, noted(to_regclass(p.source)) INTO before, noted FROM anon_seq.policies AS p WHERE p.name = watched;
  SELECT * INTO a FROM anon_seq.publish(watched);
  SELECT * INTO b FROM anon_seq.publish(plain);
  SELECT l.said[1] INTO said FROM anon_seq.log AS l WHERE l.policy = watched AND l.step = 'publish' ORDER BY l.at DESC LIMIT 1;
  IF a.digest <> b.digest THEN RAISE 'night "%": version % of what is watched differs', what, a.version; END IF;
  RETURN format('%s | noted %s | %s | %s', what, noted, CASE WHEN a.version = before THEN 'same version' ELSE 'new version' END,
    substring(said FROM 'read as a whole: (.*?)(?: Let its owner.*)?$'));
END $$;
SELECT night('not watched');
SELECT watch_source('visit', '{id}');
SELECT source, keys, relations, policies, queue_bytes FROM watches;
SELECT night('first');
SELECT night('nothing');
-- What triggers note.
INSERT INTO visit SELECT i, 20 + i % 7, 'cook' FROM generate_series(61, 66) AS i;
SELECT night('INSERT');
COPY visit FROM stdin;
67	21	cook
68	22	nurse
\.
SELECT night('COPY');
UPDATE visit SET age = 26 WHERE id IN (3, 4);
SELECT night('UPDATE');
UPDATE visit SET id = 1003 WHERE id = 3;
SELECT night('UPDATE of a key');
DELETE FROM visit WHERE id = 4;
SELECT night('DELETE');
INSERT INTO visit VALUES (5, 20, 'nurse'), (69, 20, 'nurse') ON CONFLICT (id) DO UPDATE SET age = 26;
SELECT night('ON CONFLICT');
MERGE INTO visit AS v USING (VALUES (6, 'x'), (7, 'y'), (70, 'z')) AS n (id, what) ON n.id = v.id
  WHEN MATCHED AND n.id = 6 THEN DELETE WHEN MATCHED THEN UPDATE SET age = 26 WHEN NOT MATCHED THEN INSERT VALUES (n.id, 25, 'cook');
SELECT night('MERGE');
BEGIN;
SAVEPOINT s;
DELETE FROM visit WHERE id < 30;
ROLLBACK TO s;
UPDATE visit SET age = 20 WHERE id = 9;
COMMIT;
SELECT night('savepoint');
BEGIN;
UPDATE visit SET age = 26 WHERE id = 10;
PREPARE TRANSACTION 'watched';
SELECT night('prepared');
COMMIT PREPARED 'watched';
SELECT night('commit prepared');
SET session_replication_role = replica;
UPDATE visit SET age = 26 WHERE id = 11;
RESET session_replication_role;
SELECT night('replica');
WITH gone AS (DELETE FROM visit WHERE id = 12 RETURNING *) INSERT INTO visit SELECT id + 2000, age, job FROM gone;
SELECT night('WITH');
UPDATE visit SET age = age WHERE id = 13;
SELECT night('nothing new');
SELECT night('nothing at all');
CREATE TABLE ward (name text PRIMARY KEY);
INSERT INTO ward SELECT DISTINCT job FROM visit;
ALTER TABLE visit ADD FOREIGN KEY (job) REFERENCES ward ON UPDATE CASCADE ON DELETE CASCADE;
CREATE INDEX ON visit (age);
ANALYZE visit;
SELECT night('foreign key, index, ANALYZE');
SELECT add_to_taxonomy('watch job', 'ANY', 'chef');
UPDATE ward SET name = 'chef' WHERE name = 'cook';
SELECT night('cascaded');
-- What they do not note, or not by keys.
CREATE TABLE kept AS TABLE visit;
TRUNCATE ward CASCADE;
INSERT INTO ward SELECT DISTINCT job FROM kept;
INSERT INTO visit SELECT * FROM kept WHERE id <> 14;
SELECT night('TRUNCATE CASCADE');
SELECT night('after it');
DROP VIEW visits;
ALTER TABLE visit ALTER age TYPE int USING 46 - age;
CREATE VIEW visits AS SELECT id, age, job FROM visit;
SELECT night('rewritten');
ALTER TABLE visit DISABLE TRIGGER anon_seq_watch_update;
UPDATE visit SET age = 20 WHERE id = 15;
ALTER TABLE visit ENABLE ALWAYS TRIGGER anon_seq_watch_update;
SELECT night('disabled meanwhile');
ALTER TABLE visit DISABLE TRIGGER ALL;
UPDATE visit SET age = 21 WHERE id = 15;
SELECT night('disabled');
ALTER TABLE visit ENABLE TRIGGER ALL;
UPDATE visit SET age = 22 WHERE id = 15;
SELECT night('enabled, but not always');
ALTER TABLE visit ENABLE ALWAYS TRIGGER anon_seq_watch_insert, ENABLE ALWAYS TRIGGER anon_seq_watch_update, ENABLE ALWAYS TRIGGER anon_seq_watch_delete, ENABLE ALWAYS TRIGGER anon_seq_watch_truncate, ENABLE REPLICA TRIGGER anon_seq_watch_applied;
SELECT night('always again');
DROP TRIGGER anon_seq_watch_delete ON visit;
DELETE FROM visit WHERE id = 16;
SELECT night('a trigger has gone');
SELECT watch_source('visit', '{id}');
SELECT night('watched again');
SELECT night('which goes on');
BEGIN;
ALTER TABLE visit DROP COLUMN age CASCADE, ADD COLUMN age int DEFAULT 23;
CREATE VIEW visits AS SELECT id, age, job FROM visit;
SELECT night('a column that is not what it was');
ROLLBACK;
SELECT night('and is again');
ALTER TABLE visit RENAME TO visit_before;
CREATE TABLE visit AS SELECT * FROM visit_before WHERE id > 20;
CREATE OR REPLACE VIEW visits AS SELECT id, age, job FROM visit;
SELECT night('swapped');
SELECT unwatch_source('visit');
SELECT source FROM watches;
CREATE OR REPLACE VIEW visits AS SELECT id, age, job FROM visit_before;
DROP TABLE visit;
ALTER TABLE visit_before RENAME TO visit;
SELECT night('and back');
SELECT night('and goes on');
UPDATE visit SET age = 20 WHERE id = 21;
BEGIN;
SELECT version > 1 FROM publish('watched');
ROLLBACK;
SELECT feasible FROM preview('watched');
SELECT night('after one that was rolled back, and a preview');
-- The owner may do with the queue what he likes, but not unnoticed.
UPDATE visit SET age = 21 WHERE id = 22;
DO $$
DECLARE queue text := (SELECT w.queue::regclass FROM anon_seq.watch AS w WHERE w.source_name = 'visit');
BEGIN
  EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', queue);
  EXECUTE format('DELETE FROM %s', queue);
  EXECUTE format('ALTER TABLE %s ENABLE TRIGGER ALL', queue);
END $$;
SELECT night('emptied by hand');
-- Twice in a transaction.
BEGIN;
UPDATE visit SET age = 22 WHERE id = 22;
SELECT night('once');
UPDATE visit SET age = 23 WHERE id = 22;
SELECT night('again');
SELECT night('once more');
COMMIT;
-- Every so many publishes all is read.
SELECT alter_policy('watched', '{"options": {"full_read_every": 3}}'), alter_policy('plain', '{"options": {"full_read_every": 3}}');
SELECT night('options are part of what is demanded');
SELECT night('second');
SELECT night('third');
SELECT night('fourth');
SELECT pg_temp.fails($$SELECT alter_policy('watched', '{"options": {"full_read_every": 0}}')$$);
-- Keys are for who owns the source: the queue is his, and closed to others whatever default privileges say.
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
SET ROLE regress_watch_owner;
CREATE TABLE patient (hospital text, number numeric(8, 1), age int, PRIMARY KEY (hospital, number));
INSERT INTO patient SELECT (ARRAY['north', 'south'])[1 + i % 2], i / 2, 30 + i % 5 FROM generate_series(1, 40) AS i;
GRANT ALL ON patient TO PUBLIC;
SELECT watch_source('patient', '{hospital,number}');
RESET ROLE;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM PUBLIC;
SELECT c.relowner::regrole, c.relacl, c.reloptions FROM pg_class AS c JOIN anon_seq.watch AS w ON w.queue = c.oid WHERE w.source_name = 'patient';
SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute AS a JOIN anon_seq.watch AS w ON w.queue = a.attrelid WHERE w.source_name = 'patient' AND a.attnum > 0 ORDER BY a.attnum;
-- Who publishes is another; he reads neither the queue, nor what he may not of the source.
SELECT set_config('watch.queue', w.queue::regclass::text, false) ~ '^anon_seq_ledger.w[0-9]+_queue$' FROM anon_seq.watch AS w WHERE w.source_name = 'patient';
SET ROLE regress_watch_other;
SELECT create_incremental_policy('watched 2', 'patient', '{hospital,number}', '{age}', 4, publish_as => 'watched_2', population => 'watched 2');
SELECT version, published FROM publish('watched 2');
INSERT INTO patient VALUES ('east', 1.50, 31), ('east', 2, 32);
SELECT regexp_replace(pg_temp.fails('SELECT count(*) FROM ' || current_setting('watch.queue')), 'w[0-9]+', 'w');
SELECT version, published FROM publish('watched 2');
SELECT version FROM publish('watched 2');
SELECT source FROM watches;
SELECT pg_temp.fails($$SELECT watch_source('patient', '{hospital}')$$);
SELECT pg_temp.fails($$SELECT unwatch_source('patient')$$);
RESET ROLE;
SELECT pg_temp.fails('DELETE FROM ' || current_setting('watch.queue'));
SELECT pg_temp.fails('TRUNCATE ' || current_setting('watch.queue'));
-- Whose key is taken out of the ledger is taken out of the queue.
INSERT INTO patient VALUES ('west', 7, 33);
UPDATE patient SET age = 34 WHERE hospital = 'east';
SELECT noted('patient');
SELECT count(*) FROM forget('watched 2', '{east,1.50}');
SELECT noted('patient');
SET client_min_messages = notice;
SELECT version FROM publish('watched 2');
SET client_min_messages = warning;
-- Also where what is noted is not trusted at the moment.
UPDATE patient SET age = 36 WHERE hospital = 'east';
SELECT noted('patient');
ALTER TABLE patient DISABLE TRIGGER anon_seq_watch_delete;
SELECT count(*) FROM forget('watched 2', '{east,1.50}');
ALTER TABLE patient ENABLE ALWAYS TRIGGER anon_seq_watch_delete;
SELECT noted('patient');
-- A trigger that somebody made himself writes nowhere.
GRANT EXECUTE ON FUNCTION note_changes() TO regress_watch_other;
SET ROLE regress_watch_other;
CREATE TABLE e (hospital text, number numeric(8, 1));
CREATE FUNCTION forge(arguments text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'CREATE OR REPLACE TRIGGER t AFTER INSERT ON e REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION anon_seq.note_changes(' || arguments || ')';
  RETURN QUERY SELECT * FROM pg_temp.fails('INSERT INTO e VALUES (''fake'', 666)');
END $$;
SELECT forge('');
SELECT forge(format('%L, %L, %L, %L, %L', substring(q FROM 'w([0-9]+)_'), p, q::regclass::oid, o::regclass::oid, '1,2'))
  FROM current_setting('watch.queue') AS q, (VALUES (1, place(), 'patient'), (2, place(), 'e'), (3, 'elsewhere', 'e')) AS x (i, p, o) ORDER BY i;
DROP TRIGGER t ON e;
CREATE TRIGGER r BEFORE INSERT ON e FOR EACH ROW EXECUTE FUNCTION anon_seq.note_changes(1, 2, 3, 4, 5);
SELECT pg_temp.fails('INSERT INTO e VALUES (''fake'', 666)');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION note_changes() FROM regress_watch_other;
SELECT noted('patient');
-- The source changes hands: keys are not for who had it before.
ALTER TABLE patient OWNER TO regress_watch_other;
UPDATE patient SET age = 30 WHERE hospital = 'east';
SELECT noted('patient');
SET client_min_messages = notice;
SELECT version FROM publish('watched 2');
ALTER TABLE patient OWNER TO regress_watch_owner;
SELECT version FROM publish('watched 2');
SELECT version FROM publish('watched 2');
REASSIGN OWNED BY regress_watch_owner TO regress_watch_other;
UPDATE patient SET age = 31 WHERE hospital = 'east';
SELECT noted('patient');
SELECT version FROM publish('watched 2');
SET client_min_messages = warning;
-- A key's type changes: writers go on.
ALTER TABLE patient ALTER number TYPE numeric;
INSERT INTO patient VALUES ('west', 8, 33);
SELECT noted('patient');
ALTER TABLE patient ALTER number TYPE text;
INSERT INTO patient VALUES ('west', 9, 33);
SELECT noted('patient');
SELECT pg_temp.fails($$SELECT publish('watched 2')$$);
-- A queue that was altered, and one that has gone.
DO $$ BEGIN EXECUTE 'CREATE INDEX ON ' || current_setting('watch.queue') || ' (k1)'; END $$;
SELECT regexp_replace(pg_temp.fails($$INSERT INTO patient VALUES ('west', 10, 33)$$), 'w[0-9]+', 'w');
DO $$ BEGIN EXECUTE 'DROP TABLE ' || current_setting('watch.queue'); END $$;
INSERT INTO patient VALUES ('west', 10, 33);
SELECT watch_source('patient', '{hospital,number}');
SELECT policies, queue_bytes FROM watches WHERE source LIKE '%patient';
SELECT unwatch_source('patient'), unwatch_source('patient');
SELECT count(*) FROM pg_trigger WHERE tgrelid = 'patient'::regclass AND NOT tgisinternal;
-- What is left of a source that was dropped.
CREATE TABLE short (id int);
SELECT watch_source('short', '{id}');
SELECT set_config('watch.queue', w.queue::regclass::text, false) <> '' FROM anon_seq.watch AS w WHERE w.source_name = 'short';
DROP TABLE short;
SELECT to_regclass(current_setting('watch.queue')) IS NULL, (SELECT count(*) FROM watches WHERE source LIKE '%short');
-- Partitions: each has triggers of its own.
CREATE TABLE stay (day date NOT NULL, id int, age int) PARTITION BY RANGE (day);
CREATE TABLE stay_1 PARTITION OF stay FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE stay_2 (age int, gone text, id int, day date NOT NULL);
ALTER TABLE stay_2 DROP COLUMN gone;
ALTER TABLE stay ATTACH PARTITION stay_2 FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE TABLE stay_3 PARTITION OF stay FOR VALUES FROM ('2026-03-01') TO ('2026-06-01') PARTITION BY RANGE (day);
CREATE TABLE stay_3a PARTITION OF stay_3 FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
INSERT INTO stay SELECT '2026-01-01'::date + i % 80, i, 40 + i % 5 FROM generate_series(1, 60) AS i;
CREATE VIEW stays AS SELECT day, id, age FROM stay;
SELECT create_sequential_policy('watched stay', 'stay', 'id', '{age}', 4, previous => '{}', publish_as => 'watched_stay', population => 'watched stay');
SELECT create_sequential_policy('plain stay', 'stays', 'id', '{age}', 4, previous => '{}', publish_as => 'plain_stay', population => 'plain stay');
SELECT watch_source('stay', '{id}');
CREATE FUNCTION stay(what text) RETURNS text LANGUAGE sql AS $$ SELECT night(what, 'watched stay', 'plain stay') $$;
SELECT stay('first');
SELECT stay('nothing');
INSERT INTO stay VALUES ('2026-01-03', 101, 41), ('2026-03-03', 102, 41);
SELECT stay('by the root');
UPDATE stay SET day = day + 30, age = 44 WHERE id = 101;
SELECT stay('across partitions');
UPDATE stay_2 SET age = 40 WHERE id = 101;
SELECT stay('a partition by its name');
DELETE FROM stay_3 WHERE id = 102;
SELECT stay('one of partitions');
UPDATE stay_3a SET age = 43 WHERE id = (SELECT min(id) FROM stay_3a);
SELECT stay('one below');
TRUNCATE stay_3a;
SELECT stay('TRUNCATE of one');
SELECT stay('after it');
CREATE TABLE stay_3b PARTITION OF stay_3 FOR VALUES FROM ('2026-04-01') TO ('2026-05-01');
INSERT INTO stay SELECT '2026-04-02', 200 + i, 40 FROM generate_series(1, 9) AS i;
SELECT stay('a new partition');
INSERT INTO stay_3b VALUES ('2026-04-03', 300, 41);
SELECT stay('and by its name');
SELECT watch_source('stay', '{id}');
SELECT stay('mended');
UPDATE stay_3b SET age = 42 WHERE id = 300;
SELECT stay('and by its name');
ALTER TABLE stay DETACH PARTITION stay_1;
SELECT stay('detached');
UPDATE stay_1 SET age = 40 WHERE id % 2 = 0;
SELECT stay('without it');
ALTER TABLE stay ATTACH PARTITION stay_1 FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
SELECT stay('attached');
ALTER TABLE stay DETACH PARTITION stay_1;
DELETE FROM stay_1 WHERE id % 3 = 0;
ALTER TABLE stay ATTACH PARTITION stay_1 FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
SELECT stay('detached meanwhile');
SELECT stay('nothing');
BEGIN;
CREATE FOREIGN DATA WRAPPER watch_wrapper;
CREATE SERVER watch_server FOREIGN DATA WRAPPER watch_wrapper;
CREATE FOREIGN TABLE stay_f PARTITION OF stay FOR VALUES FROM ('2027-01-01') TO ('2027-02-01') SERVER watch_server;
SELECT pg_temp.fails($$SELECT watch_source('stay', '{id}')$$);
CREATE FOREIGN TABLE afar (id int) SERVER watch_server;
SELECT pg_temp.fails($$SELECT watch_source('afar', '{id}')$$);
ROLLBACK;
ALTER TABLE stay_2 SET UNLOGGED;
SELECT stay('unlogged');
SELECT pg_temp.fails($$SELECT watch_source('stay', '{id}')$$);
ALTER TABLE stay_2 SET LOGGED;
SELECT stay('logged again');
-- Where all tables are published, rows have to have an identity.
BEGIN;
SET LOCAL client_min_messages = error;  -- of wal_level
CREATE PUBLICATION regress_watch_all FOR ALL TABLES;
ALTER TABLE stay REPLICA IDENTITY FULL;
INSERT INTO stay VALUES ('2026-02-03', 400, 41);
SELECT stay('published');
ROLLBACK;
ALTER TABLE stay_2 OWNER TO regress_watch_other;
SELECT pg_temp.fails($$SELECT watch_source('stay', '{id}')$$);
ALTER TABLE stay_2 OWNER TO CURRENT_USER;

-- What cannot be watched.
CREATE TABLE parent (id int);
CREATE TABLE child () INHERITS (parent);
CREATE TEMP TABLE temporary (id int);
CREATE UNLOGGED TABLE unlogged (id int);
CREATE MATERIALIZED VIEW stored AS SELECT 1 AS id;
CREATE TABLE odd (id int, place point);
CREATE TRIGGER anon_seq_watch_insert BEFORE UPDATE ON odd FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
SELECT s, regexp_replace(pg_temp.fails(format('SELECT watch_source(%L, ''{id}'')', s)), 'pg_temp_[0-9]+', 'pg_temp') FROM unnest('{visits,stored,stay_1,stay_3,parent,child,temporary,unlogged,pg_class,anon_seq.policy,odd}'::text[]) AS s;
SELECT k, pg_temp.fails(format('SELECT watch_source(''odd'', %L)', k)) FROM unnest('{"{}","{nobody}","{id,id}","{place}","{NULL}",NULL}'::text[]) AS k;
SELECT pg_temp.fails('SELECT watch_source(NULL, ''{id}'')');
SELECT pg_temp.fails('SELECT unwatch_source(NULL)');
SELECT pg_temp.fails('SELECT watch_source(0::regclass, ''{id}'')');
SELECT pg_temp.fails('SELECT unwatch_source(0::regclass)');
SELECT unwatch_source('visits'), unwatch_source('pg_class'), unwatch_source('child');

-- Names and persons: a key of an odd name, one that is not noted, rows that are nobody's.
CREATE TABLE "Odd ""one""" ("the ""id""" text, "select" int, age int);
INSERT INTO "Odd ""one""" SELECT 'a' || i, i, i % 4 FROM generate_series(1, 40) AS i;
CREATE VIEW odds AS SELECT * FROM "Odd ""one""";
SELECT watch_source('"Odd ""one"""', ARRAY['select', 'the "id"']);
SELECT create_sequential_policy('watched odd', '"Odd ""one"""', 'the "id"', '{age}', 4, previous => '{}', publish_as => 'watched_odd', population => 'watched odd');
SELECT create_sequential_policy('plain odd', 'odds', 'the "id"', '{age}', 4, previous => '{}', publish_as => 'plain_odd', population => 'plain odd');
SELECT create_sequential_policy('rows', '"Odd ""one"""', NULL, '{age}', 4, previous => '{}', publish_as => 'rows', population => 'rows');
CREATE FUNCTION odd(what text) RETURNS text LANGUAGE sql AS $$ SELECT night(what, 'watched odd', 'plain odd') $$;
SELECT odd('first');
SELECT version FROM publish('rows');
UPDATE "Odd ""one""" SET age = 1 WHERE "select" < 7;
SELECT odd('odd names');
SELECT noted('"Odd ""one"""');
SET client_min_messages = notice;
SELECT version FROM publish('rows');
SELECT noted('"Odd ""one"""');
SELECT version FROM publish('rows');
SET client_min_messages = warning;
ALTER TABLE "Odd ""one""" RENAME COLUMN "select" TO "where";
SELECT odd('renamed');
INSERT INTO "Odd ""one""" VALUES (NULL, 99, 1);
SELECT pg_temp.fails($$SELECT publish('watched odd')$$);
DELETE FROM "Odd ""one""" WHERE "where" = 99;
SELECT watch_source('"Odd ""one"""', ARRAY['the "id"']);
SELECT odd('other keys');
INSERT INTO "Odd ""one""" VALUES (NULL, 99, 1);
DELETE FROM "Odd ""one""" WHERE "where" = 99;
SELECT odd('was nobody''s');
-- Another source, and back: what was noted in between was not all.
SELECT alter_policy('watched odd', '{"source": "watch_source.odds"}');
SELECT odd('another source');
SELECT alter_policy('watched odd', '{"source": "watch_source.\"Odd \"\"one\"\"\""}');
SELECT odd('and back');
SELECT count(*) FROM anon_seq.watch_policy AS p JOIN anon_seq.policy AS o ON o.id = p.policy WHERE o.name = 'watched odd';
SELECT drop_policy('watched odd');
SELECT policies FROM watches WHERE source LIKE '%Odd%';

SELECT unwatch_source('stay'), unwatch_source('visit'), unwatch_source('"Odd ""one"""');
SELECT (SELECT count(*) FROM anon_seq.watch), (SELECT count(*) FROM anon_seq.watch_policy);
SELECT drop_policy('watched 2');
DROP OWNED BY regress_watch_owner, regress_watch_other CASCADE;
DROP ROLE regress_watch_owner, regress_watch_other;
