-- What publish compares before it trusts what was noted of a watched source, where a little more than a look is needed.
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA watch_trust;
SET search_path = watch_trust, anon_seq, public;

-- What a column is declared to hold is trusted by whoever reads it, so rows are not put past that either.
CREATE TABLE strict (id int);
SELECT watch_source('strict', '{id}');
CREATE FUNCTION noting_under(change text, undo text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE queue text := (SELECT w.queue::regclass FROM anon_seq.watch AS w WHERE w.source_name = 'strict');
BEGIN
  EXECUTE format('ALTER TABLE %s %s', queue, change);
  RETURN QUERY SELECT regexp_replace(f, 'w[0-9]+', 'w', 'g') FROM pg_temp.fails('INSERT INTO watch_trust.strict VALUES (1)') AS f;
  EXECUTE format('ALTER TABLE %s %s', queue, undo);
END $$;
SELECT change, noting_under(change, undo) FROM (VALUES ('ALTER policy SET NOT NULL', 'ALTER policy DROP NOT NULL'), ('ADD CONSTRAINT few CHECK (policy > 0)', 'DROP CONSTRAINT few'),
  ('ALTER missed SET DEFAULT true', 'ALTER missed DROP DEFAULT'), ('ADD note text', 'DROP note')) AS c (change, undo);
SELECT unwatch_source('strict');
-- The same transaction changes a trigger, publishes, and changes it again: its rows are others all the same.
CREATE TABLE twice (id int PRIMARY KEY, age int);
INSERT INTO twice SELECT i, 20 + i % 7 FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('twice a night', 'twice', 'id', '{age}', 4, publish_as => 'twice_out');
SELECT watch_source('twice', '{id}');
SELECT version FROM publish('twice a night');
BEGIN;
ALTER TABLE twice DISABLE TRIGGER anon_seq_watch_delete;
ALTER TABLE twice ENABLE ALWAYS TRIGGER anon_seq_watch_delete;
UPDATE twice SET age = 30 WHERE id = 1;
SELECT version FROM publish('twice a night');
ALTER TABLE twice DISABLE TRIGGER anon_seq_watch_delete;
DELETE FROM twice WHERE id <= 10;
ALTER TABLE twice ENABLE ALWAYS TRIGGER anon_seq_watch_delete;
COMMIT;
SELECT version, published - deferred AS there FROM publish('twice a night');
-- A label of an enum under domains.
CREATE TYPE craft AS ENUM ('nurse', 'cook');
CREATE DOMAIN work AS craft;
CREATE DOMAIN work_at_night AS work;
CREATE TABLE shift (id int PRIMARY KEY, craft work_at_night);
INSERT INTO shift SELECT i, CASE i % 2 WHEN 0 THEN 'cook' ELSE 'nurse' END::craft FROM generate_series(1, 20) AS i;
SELECT create_sequential_policy('shifts', 'shift', 'id', '{craft}', 4, previous => '{}', population => 'shifts');
SELECT watch_source('shift', '{id}');
SELECT version FROM publish('shifts');
ALTER TYPE craft RENAME VALUE 'nurse' TO 'warden';
SELECT version FROM publish('shifts');
SELECT craft, count(*) FROM shifts GROUP BY 1 ORDER BY 1;
-- A watch that cannot be trusted is read as a whole, and its queue does not grow: what nobody follows any more is taken out.
CREATE FUNCTION noted(source text) RETURNS TABLE (of_policy boolean, noted bigint) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT policy IS NOT NULL, count(*) FROM %s GROUP BY 1 ORDER BY 1', (SELECT w.queue::regclass FROM anon_seq.watch AS w WHERE w.source_name = source));
END $$;
CREATE TABLE faulty (id int PRIMARY KEY, age int);
INSERT INTO faulty SELECT i, 20 + i % 7 FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('faulty one', 'faulty', 'id', '{age}', 4, population => 'faulty one', publish_as => 'faulty_one'), create_incremental_policy('faulty two', 'faulty', 'id', '{age}', 4, population => 'faulty two', publish_as => 'faulty_two');
SELECT watch_source('faulty', '{id}');
SELECT version FROM publish('faulty one');
SELECT version FROM publish('faulty two');
UPDATE faulty SET age = age + 1 WHERE id <= 8;
ALTER TABLE faulty DISABLE TRIGGER anon_seq_watch_truncate;
SELECT version FROM publish('faulty one');
SELECT * FROM noted('faulty');
UPDATE faulty SET age = age + 1 WHERE id <= 8;
SELECT version FROM publish('faulty one');
SELECT * FROM noted('faulty');
SELECT version FROM publish('faulty two');
SELECT * FROM noted('faulty');
UPDATE faulty SET age = age - 1 WHERE id <= 8;
SELECT version FROM publish('faulty one');
SELECT * FROM noted('faulty');
-- Trusted again, everything is read once.
UPDATE faulty SET age = age - 1 WHERE id <= 8;
SELECT watch_source('faulty', '{id}');
DELETE FROM faulty WHERE id > 32;
SELECT p, (publish(p)).published FROM unnest('{faulty one,faulty two}'::text[]) AS p ORDER BY p;
SELECT p, bool_and(a.ok) FROM unnest('{faulty one,faulty two}'::text[]) AS p, audit(p) AS a GROUP BY p ORDER BY p;
SELECT unwatch_source('faulty'), drop_policy('faulty one'), drop_policy('faulty two');
SELECT unwatch_source('twice'), unwatch_source('shift'), drop_policy('twice a night'), drop_policy('shifts');
DROP SCHEMA watch_trust CASCADE;
