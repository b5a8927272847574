-- A release of several relations, made by a method for tests that publishes two projections joined by the number of a class: whatever is done
-- with releases loops over their relations.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE ROLE regress_rp_owner;
CREATE ROLE regress_rp_reader;
SELECT anon_seq.grant_publish('regress_rp_owner');
CREATE SCHEMA release_projections AUTHORIZATION regress_rp_owner;
GRANT USAGE ON SCHEMA release_projections TO PUBLIC;
CREATE FUNCTION release_projections.create_projections_policy(name text, source regclass, person text, quasi text[], size int, sensitive text[] DEFAULT NULL,
    publish_as_is text[] DEFAULT NULL, taxonomies jsonb DEFAULT NULL, publish_as text DEFAULT NULL, population text DEFAULT NULL, options jsonb DEFAULT NULL)
  RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_create_projections_policy';
SET search_path = release_projections, anon_seq;
SET ROLE regress_rp_owner;
CREATE TABLE visit AS SELECT i AS id, (ARRAY['nurse', 'teacher', 'baker'])[1 + i % 3] AS job, (ARRAY['here', 'there'])[1 + i % 2] AS place, (ARRAY['flu', 'cough', NULL])[1 + i % 3] AS disease FROM generate_series(1, 13) AS i;
SELECT create_flat_taxonomy('rp job', '{nurse,teacher,baker}'), create_flat_taxonomy('rp place', '{here,there}');
SELECT create_projections_policy('rp', 'visit', 'id', '{job,place}', 4, '{disease}', taxonomies => '{"job": "rp job", "place": "rp place"}', publish_as => 'out');
SELECT c->>'column', c->>'role', c->>'type' FROM policies, jsonb_array_elements(columns) AS c WHERE name = 'rp';
SELECT feasible, reason, published, withheld, classes, smallest_class FROM preview('rp');

-- Two relations, two stable names, one digest; rows of each in an order of its own.
SELECT version, relations, published, classes, smallest_class FROM publish('rp');
SELECT * FROM out_people;
SELECT * FROM out_values;
\d+ out_values
SELECT sum(n) FROM out_values;
SELECT check_name, observed, ok FROM audit('rp', everything => true);
SELECT assert_audit('rp', everything => true);
SELECT count(*), count(DISTINCT r) FROM release_rows('rp/1') AS r;

-- Nothing new, no new version; something new, and both names show it.
SELECT version FROM publish('rp');
INSERT INTO visit VALUES (14, 'baker', 'here', 'mumps'), (15, 'baker', 'here', 'mumps'), (16, 'nurse', 'there', 'flu');
SELECT version, relations, published, classes FROM publish('rp');
SELECT count(*) FROM out_people UNION ALL SELECT sum(n) FROM out_values;
SELECT count(DISTINCT digest) FROM releases WHERE policy = 'rp';
SELECT scope, check_name, observed, ok FROM audit('rp', everything => true);

-- A relation that is not what was written; and one that is gone.
BEGIN;
DROP MATERIALIZED VIEW out_r1_values CASCADE;
SELECT scope, check_name, observed, ok FROM audit('rp', everything => true) WHERE NOT ok;
-- A view may show others something else, and other rows tomorrow.
CREATE VIEW out_r1_values AS SELECT class_id, disease, n FROM (VALUES (1, 'flu', 13::bigint)) AS v (class_id, disease, n);
SELECT scope, check_name, observed, ok FROM audit('rp', everything => true) WHERE NOT ok;
ROLLBACK;

-- Erasure, retirement, a version that nobody read.
SELECT * FROM forget('visit', '3');
SELECT * FROM forget('release_projections.visit', '3');
SELECT retire_release('rp/1');
SELECT to_regclass('out_r1_people'), to_regclass('out_r1_values'), to_regclass('out_r2_people') IS NOT NULL;
UPDATE visit SET disease = 'cold' WHERE id = 5;
SELECT version FROM publish('rp');
SELECT withdraw_release('rp/3', 'a test');
SELECT to_regclass('out_r3_people'), to_regclass('out_r3_values'), (SELECT sum(n) FROM out_values), pg_get_viewdef('out_values'::regclass) ~ 'out_r2_values';
UPDATE visit SET disease = 'cold' WHERE id = 6;
SELECT version FROM publish('rp');
GRANT SELECT ON out_values TO regress_rp_reader;
SELECT pg_temp.fails($$SELECT withdraw_release('rp/4', 'too late')$$);

-- Of several relations the cells cannot be read by who may read these: nobody but the ledger knows what belongs together.
GRANT SELECT ON out_people, out_values, out_r4_people, out_r4_values TO regress_rp_reader;
SET ROLE regress_rp_reader;
SELECT pg_temp.fails($$SELECT * FROM audit_join('{rp/4}', '["job"]', '["disease"]')$$);
RESET ROLE;

-- What no method has promised together is refused, though the method does not ask.
SET ROLE regress_rp_owner;
CREATE TABLE twice AS SELECT * FROM visit;
SELECT create_incremental_policy('rp regions', 'twice', 'id', '{job}', k => 2, taxonomies => '{"job": "rp job"}', population => 'rp mixed', publish_as => 'regions');
SELECT create_projections_policy('rp beside', 'twice', 'id', '{job}', 4, '{disease}', taxonomies => '{"job": "rp job"}', publish_as => 'beside', population => 'rp mixed');
SELECT version FROM publish('rp regions');
SELECT pg_temp.fails($$SELECT publish('rp beside')$$);
SELECT alter_policy('rp beside', '{"options": {"unguarded": ["rp regions"]}}');
SELECT version FROM publish('rp beside');
-- Names of relations are taken with what is added to them.
CREATE VIEW other_values AS SELECT 1 AS class_id;
SELECT pg_temp.fails(format($$SELECT create_projections_policy('rp other', 'twice', 'id', '{job}', 4, '{disease}', taxonomies => '{"job": "rp job"}', publish_as => %L)$$, name)) FROM unnest(ARRAY['other', repeat('x', 46)]) AS name;
-- Whom a ledger knows is forgotten in all of it, or not at all.
CREATE FUNCTION without_gone() RETURNS void LANGUAGE plpgsql AS $do$ DECLARE ledger text := (SELECT r.ledger FROM anon_seq.release AS r WHERE r.name = 'rp regions'); BEGIN
  EXECUTE format('ALTER TABLE anon_seq_ledger.%s_gone RENAME TO elsewhere', ledger); SET LOCAL ROLE regress_rp_owner; PERFORM anon_seq.forget('rp mixed', '3'); END $do$;
RESET ROLE;
SELECT regexp_replace(said, '"p\d+', '"p') FROM pg_temp.fails('SELECT without_gone()') AS said;
SET ROLE regress_rp_owner;
SELECT release FROM forget('rp mixed', '3');
RESET ROLE;

-- The policy goes, its releases stay; what the catalog says of their relations is checked.
SET ROLE regress_rp_owner;
SELECT drop_policy('rp');
SELECT retire_release('rp/4');
SELECT to_regclass('out_people'), to_regclass('out_values'), to_regclass('out_r4_people');
RESET ROLE;
UPDATE anon_seq.release SET relations = '[{"schema": "release_projections", "name": "out_r2_people", "columns": [9]}]', retired_at = NULL WHERE name = 'rp' AND version = 2;
SELECT pg_temp.fails($$SELECT * FROM anon_seq.release_rows('rp/2')$$);
UPDATE anon_seq.release SET relations = '[{"schema": "release_projections", "name": "elsewhere"}]' WHERE name = 'rp' AND version = 2;
SELECT pg_temp.fails($$SELECT anon_seq.retire_release('rp/2')$$);

-- A source as counted rows gives the same release as row by row: digest, persons, measures, whichever method.
CREATE FUNCTION read_counted(counted boolean) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_counted';
SET search_path = release_projections, anon_seq, public;
CREATE TABLE often AS SELECT i % 40 AS id, (ARRAY['nurse', 'teacher', 'baker'])[1 + i % 3] AS job, 20 + i % 20 AS age, (ARRAY['flu', 'cough', NULL])[1 + i % 3] AS disease FROM generate_series(1, 300) AS i;
CREATE TABLE once AS SELECT DISTINCT ON (id) * FROM often ORDER BY id, age;
SELECT create_sequential_policy('rp rows', 'often', NULL, '{job,age}', k => 7, max_link => 0.9, sensitive => '{disease}', taxonomies => '{"job": "rp job"}', population => 'rp rows');
SELECT create_sequential_policy('rp persons', 'often', 'id', '{job,age}', k => 7, max_link => 0.9, sensitive => '{disease}', taxonomies => '{"job": "rp job"}', population => 'rp persons');
SELECT create_incremental_policy('rp once', 'once', 'id', '{job,age}', k => 3, sensitive => '{disease}', taxonomies => '{"job": "rp job"}', population => 'rp once');
CREATE TABLE told AS SELECT p, (publish(p)).* FROM unnest('{rp rows,rp persons,rp once}'::text[]) AS p;
SELECT read_counted(true);
SELECT p, (SELECT r.version FROM publish(p) AS r) FROM unnest('{rp rows,rp persons,rp once}'::text[]) AS p;  -- nothing new
SELECT t.p, (v).published = t.published AND (v).withheld = t.withheld + t.waiting AND (v).classes = t.classes AND (v).smallest_class = t.smallest_class AS same,
       (v).measures = (SELECT jsonb_object_agg(metric, value) FROM measure(t.p)) AS measures
  FROM told AS t, preview(t.p) AS v WHERE t.p <> 'rp once';
DELETE FROM often WHERE id = 1;
CREATE TABLE counted AS SELECT p, (publish(p)).* FROM unnest('{rp rows,rp persons}'::text[]) AS p;
SELECT count(*) FROM audit('rp persons', everything => true) WHERE NOT ok;
DELETE FROM once WHERE id % 9 = 0;
INSERT INTO once SELECT 100 + i, 'nurse', 25 + i % 5, 'flu' FROM generate_series(1, 9) AS i;
CREATE TABLE counted_once AS SELECT * FROM publish('rp once');
SELECT count(*) FROM audit('rp once', everything => true) WHERE NOT ok;
SELECT read_counted(false);
SELECT p, (SELECT r.version FROM publish(p) AS r) FROM unnest('{rp rows,rp persons}'::text[]) AS p;
SELECT version FROM publish('rp once');

SET client_min_messages = error;
DROP SCHEMA release_projections CASCADE;
DROP OWNED BY regress_rp_owner, regress_rp_reader CASCADE;
DROP ROLE regress_rp_owner, regress_rp_reader;
