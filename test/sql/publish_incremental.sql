-- Incremental policies: declaring, publishing, who comes and who goes, and every refusal with its code.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_incremental;
SET search_path = publish_incremental, anon_seq;
SET client_min_messages = warning;
CREATE TYPE mood AS ENUM ('low', 'high');
SELECT create_taxonomy('incremental_job', '{"ANY": {"office": ["clerk", "manager"], "works": ["welder", "smith"]}}');
CREATE TABLE patient (id int, age int, born date, job text, smoker bool, mood mood, seen timestamptz, weight numeric(5,1), ill text, note text);
INSERT INTO patient SELECT i, 20 + i % 40, date '1980-01-01' + i * 10, (ARRAY['clerk', 'manager', 'welder'])[1 + i % 3], i % 2 = 0, (ARRAY['low', 'high'])[1 + i % 2]::mood,
  timestamptz '2024-01-01 00:00:00+00' + i * interval '1 hour', 50 + i % 30, (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3], 'n' FROM generate_series(1, 60) AS i;

-- What is kept, and what it is told.
SELECT create_incremental_policy('growing', 'patient', 'id', '{age,job}', 5, sensitive => '{ill}', taxonomies => '{"job": "incremental_job"}');
SELECT name, method, person, quasi, sensitive, parameters, options FROM policies WHERE name = 'growing';
SELECT c->>'column', c->>'type', c->>'taxonomy' FROM policies, jsonb_array_elements(columns) AS c WHERE name = 'growing';
SELECT describe_policy('growing') -> 'effective_rules';
SELECT substring(c.relname from '_.*') AS ledger, c.relkind FROM pg_class AS c, policy AS p WHERE p.name = 'growing' AND relnamespace = 'anon_seq_ledger'::regnamespace AND c.relname ~ ('^p' || p.id || '_') AND c.relkind IN ('r', 'v') ORDER BY c.relname COLLATE "C";

-- The first version, then persons who come, go, and change.
CREATE FUNCTION next(policy text) RETURNS TABLE (version int, published bigint, withheld bigint, waiting bigint, deferred bigint, classes bigint, smallest bigint)
  LANGUAGE sql AS $$ SELECT p.version, p.published, p.withheld, p.waiting, p.deferred, p.classes, p.smallest_class FROM publish($1) AS p $$;
SELECT * FROM next('growing');
SELECT age, job, count(*) FROM growing GROUP BY 1, 2 ORDER BY 1, 2;
INSERT INTO patient SELECT i, 22 + i % 30, date '1990-01-01', 'clerk', true, 'low', now(), 60, 'flu' FROM generate_series(61, 80) AS i;
SELECT * FROM next('growing');
SELECT age, job, count(*) FROM growing GROUP BY 1, 2 ORDER BY 1, 2;
DELETE FROM patient WHERE id <= 20;
UPDATE patient SET age = age + 20 WHERE id = 30;
UPDATE patient SET ill = 'gout' WHERE id = 40;
SET client_min_messages = notice;
SELECT * FROM next('growing');
SELECT * FROM next('growing');
SET client_min_messages = warning;
SELECT age, job, count(*), count(*) FILTER (WHERE ill = 'gout') AS gout FROM growing GROUP BY 1, 2 ORDER BY 1, 2;
SELECT check_name, scope, required, observed, ok FROM audit('growing', everything => true) WHERE check_name IN ('rows', 'classes', 'anonymity', 'nested');
SELECT bool_and(ok) FROM audit('growing', everything => true);
SELECT metric, value > 0 AS positive FROM measure('growing');
SELECT attribute, value FROM cut('growing/1');
SELECT attribute, value, children FROM trace('growing/2');
SELECT count(*), count(DISTINCT release_row) FROM release_rows('growing/1');

-- A value that the taxonomy does not have stops the publish and names column and count; added to the taxonomy, it waits or joins the others of its parent.
INSERT INTO patient SELECT i, 30, date '1990-01-01', 'smith', true, 'low', now(), 60, 'flu' FROM generate_series(81, 90) AS i;
INSERT INTO patient SELECT i, 30, date '1990-01-01', 'tailor', true, 'low', now(), 60, 'flu' FROM generate_series(91, 93) AS i;
SELECT pg_temp.fails($$SELECT publish('growing')$$);
SELECT add_to_taxonomy('incremental_job', 'works', 'tailor');
SELECT * FROM next('growing');
SELECT bool_and(ok) FROM audit('growing', everything => true);

-- Changes after a release.
SELECT sql, pg_temp.fails(format('SELECT alter_policy(''growing'', %L)', sql)) FROM unnest(ARRAY['{"k": 6}', '{"quasi": ["age"]}', '{"options": {"shape": "box"}}',
  '{"options": {"arrivals": "known"}}', '{"options": {"erasure": "immediate"}}', '{"options": {"object_id": true}}', '{"options": {"domains": {"age": [0, 100]}}}',
  '{"person": null}', '{"population": "x"}', '{"publish_as": "x"}', '{"k": 1}', '{"options": {"independent": true}}']) AS sql;
SELECT alter_policy('growing', '{"k": 3, "options": {"keep": 2}}');
SELECT * FROM next('growing');
INSERT INTO patient SELECT i, 20 + i % 9, date '1990-01-01', 'manager', true, 'low', now(), 60, 'flu' FROM generate_series(101, 120) AS i;
SELECT * FROM next('growing');
SELECT version, relations, retired_at IS NOT NULL AS retired FROM releases WHERE policy = 'growing' ORDER BY version;
SELECT bool_and(ok) FROM audit('growing', everything => true);

-- Erasure.
SELECT release, still_shown FROM forget('publish_incremental.patient', '50');
SELECT query_to_xml(format('SELECT count(*) AS known FROM anon_seq_ledger.p%s_member WHERE 50 = ANY (persons)', id), false, true, '') FROM policy WHERE name = 'growing';
DELETE FROM patient WHERE id = 50;
SELECT * FROM next('growing');

-- All kinds of columns, NULLs among them, as regions and as boxes, with object ids.
UPDATE patient SET age = NULL WHERE id % 7 = 0;
UPDATE patient SET smoker = NULL, mood = NULL WHERE id % 11 = 0;
CREATE FUNCTION publish_kinds(name text, options jsonb) RETURNS TABLE (published bigint, waiting bigint, smallest bigint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM create_incremental_policy(name, 'publish_incremental.patient', 'id', '{age,born,smoker,mood,seen,weight}', 4, publish_as_is => '{ill}', population => name, options => options);
  RETURN QUERY SELECT p.published, p.waiting, p.smallest_class FROM publish(name) AS p;
END $$;
SELECT o, p.* FROM unnest(ARRAY['{}', '{"shape": "box"}', '{"object_id": true, "categorical": "order"}', '{"choice": "entropy", "arrivals": "known"}', '{"domains": {"age": [20, 40]}}']::jsonb[]) WITH ORDINALITY AS o (o, i),
  LATERAL publish_kinds('kinds' || i, o) AS p;
SELECT pg_typeof(age), pg_typeof(born), pg_typeof(smoker), pg_typeof(seen), pg_typeof(weight), pg_typeof(object_id) FROM kinds3 LIMIT 1;
SELECT name, bool_and(ok) FROM generate_series(1, 5) AS i, LATERAL (SELECT 'kinds' || i AS name) AS n, LATERAL audit(name, everything => true) GROUP BY 1 ORDER BY 1;
DELETE FROM patient WHERE id % 5 = 0;
INSERT INTO patient SELECT i, nullif(15 + i % 60, 30), date '1970-01-01' + i, 'clerk', i % 3 = 0, 'low', timestamptz '2023-01-01 00:00:00+00' + i * interval '1 day', 40 + i % 50, 'flu' FROM generate_series(200, 260) AS i;
SELECT name, p.smallest_class >= 4 AS k, p.published + p.waiting - p.deferred = (SELECT count(*) FROM patient) AS adds_up FROM generate_series(1, 5) AS i, LATERAL (SELECT 'kinds' || i AS name) AS n, LATERAL publish(name) AS p;
SELECT name, bool_and(ok) FROM generate_series(1, 5) AS i, LATERAL (SELECT 'kinds' || i AS name) AS n, LATERAL audit(name, everything => true) GROUP BY 1 ORDER BY 1;

-- Mondrian from scratch, to look at.
SELECT feasible, published FROM preview('kinds1', ARRAY['{"options": {"independent": true}}', '{}']::jsonb[]);

-- Refused when declared.
SELECT sql, pg_temp.fails('SELECT create_incremental_policy(' || sql || ')') FROM unnest(ARRAY[
  $$'x', 'patient', NULL, '{age}', 5$$, $$'x', 'patient', 'id', '{age}', 1$$, $$'x', 'patient', 'id', '{age}', NULL$$, $$'x', 'patient', 'id', '{note}', 5$$,
  $$'x', 'patient', 'nobody', '{age}', 5$$, $$'x', 'patient', 'id', '{age}', 5, options => '{"shape": "ball"}'$$, $$'x', 'patient', 'id', '{age}', 5, options => '{"colour": 1}'$$,
  $$'x', 'patient', 'id', '{age}', 5, options => '{"keep": 0}'$$, $$'x', 'patient', 'id', '{age}', 5, options => '{"changed_since": "when"}'$$,
  $$'x', 'patient', 'id', '{age}', 5, options => '{"domains": {"job": [1, 2]}}'$$, $$'x', 'patient', 'id', '{age}', 5, options => '{"independent": true}'$$,
  $$'x', 'patient', 'id', '{age}', 5, options => '{"arrivals": "known", "erasure": "immediate"}'$$]) AS sql;

-- Refused when published: duplicate and NULL persons, too few, a domain upside down, a key or a column of another type or gone, other releases of the population.
CREATE TABLE odd (id int, shoe int);
SET client_min_messages = notice;
SELECT create_incremental_policy('odd_policy', 'odd', 'id', '{shoe}', 3);
SET client_min_messages = warning;
SELECT pg_temp.fails($$SELECT publish('odd_policy')$$);
INSERT INTO odd VALUES (1, 1), (2, 2);
SELECT pg_temp.fails($$SELECT publish('odd_policy')$$);
INSERT INTO odd VALUES (2, 3), (3, 4);
SELECT pg_temp.fails($$SELECT publish('odd_policy')$$);
UPDATE odd SET id = NULL WHERE shoe = 3;
SELECT pg_temp.fails($$SELECT publish('odd_policy')$$);
UPDATE odd SET id = 4 WHERE shoe = 3;
SELECT pg_temp.fails($$SELECT alter_policy('odd_policy', '{"options": {"domains": {"shoe": [9, 1]}}}')$$);
SELECT alter_policy('odd_policy', '{"options": {"domains": null}}');
SELECT * FROM next('odd_policy');
ALTER TABLE odd ALTER id TYPE text;
SELECT pg_temp.fails($$SELECT publish('odd_policy')$$);
ALTER TABLE odd RENAME id TO key;
SELECT pg_temp.fails($$SELECT publish('odd_policy')$$);
SELECT create_incremental_policy('second', 'odd', 'key', '{shoe}', 3, population => 'publish_incremental.odd');
SELECT pg_temp.fails($$SELECT publish('second')$$);
SELECT alter_policy('second', '{"options": {"unguarded": ["odd_policy"]}}');
SELECT * FROM next('second');
SELECT check_name, observed, ok FROM audit('second', everything => true) WHERE NOT ok;
SELECT drop_policy('second'), drop_policy('odd_policy');

-- The ledger is closed, and keeps its rows.
SELECT pg_temp.fails(format('DELETE FROM anon_seq_ledger.p%s_member', id)) LIKE '%not changed by hand%' AS kept FROM policy WHERE name = 'growing';
SELECT count(*) FROM pg_class AS c, aclexplode(c.relacl) AS a WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND a.grantee <> c.relowner AND c.relname !~ '^[ot]';

-- Who must go at once: a region left with fewer than k is left out, and the attack on all sets of versions decides whether that may be published.
CREATE TABLE leaver (id int, shoe int);
INSERT INTO leaver VALUES (1, 1), (2, 8);
SELECT create_incremental_policy('leaving', 'leaver', 'id', '{shoe}', 2, options => '{"erasure": "immediate"}');
SELECT * FROM next('leaving');
INSERT INTO leaver VALUES (3, 2), (4, 9);
SELECT * FROM next('leaving');
DELETE FROM leaver WHERE id = 3;
SELECT pg_temp.fails($$SELECT publish('leaving')$$);
INSERT INTO leaver VALUES (5, 2);
SET client_min_messages = notice;
SELECT * FROM next('leaving');
SET client_min_messages = warning;

-- An opened part of a region that was cut earlier, and who leaves in the version that cuts his region: both were wrong once.
SELECT create_taxonomy('incremental_letter', '{"ANY": ["a", "b", "c"]}');
CREATE TABLE late (id int, shoe int, letter text);
SELECT create_incremental_policy('late_policy', 'late', 'id', '{shoe,letter}', 2, taxonomies => '{"letter": "incremental_letter"}');
INSERT INTO late VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 20, 'c');
SELECT * FROM next('late_policy');
DELETE FROM late WHERE id = 3;
INSERT INTO late VALUES (4, 10, 'a'), (5, 10, 'a'), (6, 20, 'b');
SELECT * FROM next('late_policy');
INSERT INTO late VALUES (7, 20, 'a'), (8, 20, 'a');
SELECT * FROM next('late_policy');
INSERT INTO late VALUES (9, 10, 'c'), (10, 10, 'c');
SELECT * FROM next('late_policy');
SELECT shoe, letter, count(*) FROM late_policy GROUP BY 1, 2 ORDER BY 1, 2;
SELECT check_name, observed, ok FROM audit('late_policy', everything => true) WHERE check_name IN ('nested', 'inference', 'arrivals');

-- A source that is read in part: who moves away and back while his old object is kept, and what a reader of an old version cannot stop.
CREATE TABLE mover (id int, shoe int, stamp int);
INSERT INTO mover VALUES (1, 1, 1), (2, 2, 1), (3, 101, 1), (4, 102, 1);
SELECT create_incremental_policy('moving', 'mover', 'id', '{shoe}', 2, options => '{"changed_since": "stamp", "keep": 1}');
SELECT * FROM next('moving');
CREATE VIEW reader AS SELECT * FROM moving_r1;
UPDATE mover SET shoe = 103, stamp = 2 WHERE id = 1;
DELETE FROM mover WHERE id IN (3, 4);
SET client_min_messages = notice;
SELECT * FROM next('moving');
SET client_min_messages = warning;
DROP VIEW reader;
UPDATE mover SET shoe = 1, stamp = 3 WHERE id = 1;
SELECT * FROM next('moving');
INSERT INTO mover VALUES (5, 3, 4), (6, 104, 4), (7, 105, 4);
SELECT * FROM next('moving');
INSERT INTO mover VALUES (8, 4, 5), (9, 106, 5), (10, 107, 5);
SELECT * FROM next('moving');
SELECT o.person, o.c1 @> m.shoe AS true_to_life FROM mover AS m JOIN (SELECT (xpath('//person/text()', x))[1]::text::int AS person, (xpath('//c1/text()', x))[1]::text::int4range AS c1
  FROM policy AS p, LATERAL unnest(xpath('/table/row', query_to_xml(format('SELECT person, c1 FROM anon_seq_ledger.p%s_object WHERE version = 5', p.id), false, false, ''))) AS x WHERE p.name = 'moving') AS o ON o.person = m.id ORDER BY 1;
SELECT version, retired_at IS NOT NULL AS retired FROM releases WHERE policy = 'moving' ORDER BY 1;
-- Numbers at the ends of their types, infinite dates, and floats that are next to each other, as boxes.
CREATE TABLE edge (id int, a int, b bigint, c smallint, d date, e real, f float8, g numeric);
INSERT INTO edge SELECT i, CASE WHEN i % 2 = 0 THEN 2147483647 - i % 3 ELSE -2147483648 + i % 3 END, CASE WHEN i % 2 = 0 THEN 9223372036854775807 - i % 3 ELSE -9223372036854775808 + i % 3 END,
  CASE WHEN i % 2 = 0 THEN 32767 - i % 3 ELSE -32768 + i % 3 END, CASE i % 3 WHEN 0 THEN 'infinity' WHEN 1 THEN '-infinity' ELSE '2024-02-29' END::date,
  CASE WHEN i % 2 = 0 THEN 0.3 ELSE 0.30000001 END + (i % 3) * 0.00000003, 0.1 + (i % 4) * 1e-16, 1e-20 * (i % 5) FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('edges' || i, 'edge', 'id', '{a,b,c,d,e,f,g}', 3, population => 'edges' || i, options => o) FROM unnest(ARRAY['{}', '{"shape": "box"}']::jsonb[]) WITH ORDINALITY AS u (o, i);
SELECT i, (publish('edges' || i)).published FROM generate_series(1, 2) AS i;
INSERT INTO edge SELECT i, i, i, i, date '2024-01-01' + i, 0.3, 0.1, 1 FROM generate_series(41, 60) AS i;
SELECT i, p.published + p.waiting FROM generate_series(1, 2) AS i, LATERAL publish('edges' || i) AS p;
SELECT i, bool_and(ok) FROM generate_series(1, 2) AS i, LATERAL audit('edges' || i, everything => true) GROUP BY 1 ORDER BY 1;
SELECT count(*) FILTER (WHERE isempty(a) OR isempty(b) OR isempty(c) OR isempty(d) OR isempty(e) OR isempty(f) OR isempty(g)) FROM edges2;
-- What names persons is not published as it is.
CREATE TABLE namely (id int, shoe int, email text);
INSERT INTO namely SELECT i, i, 'e' || i FROM generate_series(1, 60) AS i;
SELECT create_incremental_policy('names', 'namely', 'id', '{shoe}', 3, publish_as_is => '{email}');
SELECT pg_temp.fails($$SELECT publish('names')$$);
