-- Regions with many changes are written anew: what a version reads stays bounded, and every older version is what it was.
CREATE SCHEMA publish_worn;
SET search_path = publish_worn, anon_seq, public;
SET client_min_messages = warning;
\pset format unaligned
\pset tuples_only on
SELECT setseed(0.5) IS NULL;
-- Two regions of many people, and many of few: who changes, leaves, comes and moves is among all of them.
CREATE TABLE guest AS SELECT i AS id, CASE WHEN i <= 400 THEN i % 2 ELSE 2 + i % 8 END AS ward, 20 + i * 7 % 40 AS age, (ARRAY['flu', 'hiv'])[1 + i % 2] AS ill FROM generate_series(1, 480) AS i;
UPDATE guest SET age = 30 WHERE id <= 400;
SELECT create_incremental_policy('wo', 'guest', 'id', '{ward,age}', 5, publish_as_is => '{ill}', population => 'wo');
CREATE TABLE as_published (version int, line text);
CREATE TABLE written (version int, anew int, of_many int, rows_of_few int);
DO $$
DECLARE
  ledger text; made int; anew int; of_many int; rows_of_few int;
BEGIN
  FOR night IN 1..24 LOOP
    made := (SELECT version FROM anon_seq.publish('wo'));
    EXECUTE format('INSERT INTO as_published SELECT %s, r::text FROM wo_r%1$s AS r', made);
    ledger := (SELECT 'anon_seq_ledger.p' || id FROM anon_seq.policy WHERE name = 'wo');
    EXECUTE format('SELECT count(DISTINCT region) FILTER (WHERE until = %s), count(DISTINCT region) FILTER (WHERE until = %1$s AND n > 100) FROM (SELECT region, until, sum(cardinality(objects)) OVER (PARTITION BY region, until) AS n FROM %s_member) AS m', made, ledger) INTO anew, of_many;
    EXECUTE format('SELECT max(n) FROM (SELECT count(*) AS n FROM %s_member AS m WHERE until IS NULL GROUP BY region HAVING sum(cardinality(objects)) < 60) AS r', ledger) INTO rows_of_few;
    INSERT INTO written VALUES (made, anew, of_many, rows_of_few);
    DELETE FROM guest WHERE id IN (SELECT id FROM guest ORDER BY random() LIMIT 4);
    INSERT INTO guest SELECT 1000 + 100 * night + i, (10 * random())::int, 20 + (40 * random())::int, 'flu' FROM generate_series(1, 6) AS i;
    UPDATE guest SET ill = CASE ill WHEN 'flu' THEN 'hiv' ELSE 'flu' END WHERE id IN (SELECT id FROM guest WHERE ward > 1 ORDER BY random() LIMIT 20);
    UPDATE guest SET age = age + 1 WHERE id IN (SELECT id FROM guest ORDER BY random() LIMIT 3);
    IF night = 12 THEN PERFORM anon_seq.forget('wo', (SELECT min(id)::text FROM guest WHERE id < 1000)); DELETE FROM guest WHERE id = (SELECT min(id) FROM guest); END IF;
  END LOOP;
END $$;
-- Regions of few people were written anew, and have a bounded number of rows; one of many is not, for few changes.
SELECT count(*) > 10, sum(anew) > 20, max(rows_of_few) <= 40 FROM written;
SELECT sum(of_many) < 12 FROM written WHERE version > 1;
-- Every version is what it was: out of the ledger, in its relation, and if that is filled again, as pg_restore does.
CREATE FUNCTION differ(version int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM ((SELECT r::text FROM wo_r%s AS r EXCEPT ALL SELECT line FROM as_published WHERE version = %1$s) UNION ALL (SELECT line FROM as_published WHERE version = %1$s EXCEPT ALL SELECT r::text FROM wo_r%1$s AS r)) AS d', version) INTO n;
  RETURN n;
END $$;
SELECT sum(differ(version)) FROM written;
DO $$ DECLARE v int; BEGIN FOR v IN SELECT version FROM written LOOP EXECUTE format('REFRESH MATERIALIZED VIEW wo_r%s', v); END LOOP; END $$;
SELECT sum(differ(version)) FROM written;
SELECT count(*) FROM written AS w WHERE (SELECT count(*) FROM release_rows('wo/' || w.version)) <> (SELECT count(*) FROM as_published AS a WHERE a.version = w.version);
SELECT check_name, scope, observed FROM audit('wo', everything => true) WHERE NOT ok;
-- Labels of a type that was made anew in another order: said, and not called damage.
CREATE TYPE mood AS ENUM ('a', 'b', 'c', 'd');
CREATE TABLE moody AS SELECT i AS id, (ARRAY['a', 'b', 'c', 'd'])[1 + i % 4]::mood AS m, 1 AS age FROM generate_series(1, 200) AS i;
SELECT create_incremental_policy('mo', 'moody', 'id', '{m,age}', 5, population => 'mo');
SELECT version FROM publish('mo');
ALTER TYPE mood RENAME TO mood_old;
CREATE TYPE mood AS ENUM ('d', 'c', 'b', 'a');
ALTER TABLE moody ALTER m TYPE mood USING m::text::mood;
INSERT INTO moody SELECT 1000 + i, 'a', i % 50 FROM generate_series(1, 400) AS i;
SELECT version FROM publish('mo');
DROP SCHEMA publish_worn CASCADE;
