-- options.unknown_values "suppress": rows with values that a taxonomy does not know are left out, told and counted.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_unknown_out;
SET search_path = publish_unknown_out, anon_seq, public;
SELECT create_taxonomy('puo job', '{"ANY": {"health": ["nurse", "doctor"], "food": ["cook", "baker"]}}');
SELECT create_prefix_taxonomy('puo zip', '{3,1}');
SELECT create_range_taxonomy('puo age', 0, 100, '{10,20}');
CREATE TABLE visit AS SELECT i AS id, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i % 4] AS job, 20 + i / 4 % 40 AS age, (ARRAY['flu', 'cough'])[1 + i / 4 % 2] AS ill FROM generate_series(0, 79) AS i;
CREATE TABLE clean AS TABLE visit;
SET client_min_messages = warning;
SELECT create_sequential_policy('puo clean', 'clean', 'id', '{age,job}', k => 4, max_link => 1, sensitive => '{ill}', population => 'puo clean', taxonomies => '{"job": "puo job"}', options => '{"dangling": "outer"}');
SELECT create_sequential_policy('puo', 'visit', 'id', '{age,job}', k => 4, max_link => 1, sensitive => '{ill}', population => 'puo', taxonomies => '{"job": "puo job"}', options => '{"dangling": "outer"}');
RESET client_min_messages;
INSERT INTO visit VALUES (101, 'nusre', 200, 'flu'), (102, 'astronaut', -7, 'cough'), (103, 'astronaut', 21, 'gout');
SELECT pg_temp.fails($$SELECT publish('puo')$$);
SELECT alter_policy('puo', '{"options": {"unknown_values": "error"}}');
SELECT pg_temp.fails($$SELECT publish('puo')$$);
SELECT alter_policy('puo', '{"options": {"unknown_values": "suppress"}}');
SELECT feasible, published, withheld, classes, measures->'suppression' FROM preview('puo');
\set VERBOSITY default
SELECT version, published, withheld, classes FROM publish('puo');
\set VERBOSITY terse
-- It is the release of the others, bounds included.
SELECT version, published, withheld FROM publish('puo clean');
SELECT count(*) FROM (TABLE puo EXCEPT ALL TABLE "puo clean") AS x;
SELECT count(*) FROM (TABLE "puo clean" EXCEPT ALL TABLE puo) AS x;
SELECT round((p.m->>'discernibility')::numeric - (c.m->>'discernibility')::numeric) = 3 * 83 AS as_alone, round((p.m->>'suppression')::numeric, 6) = round(3 / 83.0, 6) AS share, p.m->'ncp' = c.m->'ncp' AS ncp
  FROM (SELECT jsonb_object_agg(metric, value) AS m FROM measure('puo')) AS p, (SELECT jsonb_object_agg(metric, value) AS m FROM measure('puo clean')) AS c;
SELECT count(*) AS shown FROM puo WHERE ill = 'gout';
SELECT check_name, ok FROM audit('puo') ORDER BY 1, 2;
-- What happens to those left out makes no version, whatever they have; once the taxonomy knows them they come.
UPDATE visit SET ill = 'cough', age = 33 WHERE id > 100;
DELETE FROM visit WHERE id = 101;
SELECT version FROM publish('puo');
SELECT add_to_taxonomy('puo job', 'food', 'astronaut');
SELECT version, published, withheld FROM publish('puo');
SELECT count(*) FROM audit('puo', everything => true) WHERE NOT ok;
-- Later versions hold to it, and it may be taken back.
INSERT INTO visit VALUES (104, 'pilot', 21, 'flu');
SELECT version, published, withheld FROM publish('puo');
SELECT alter_policy('puo', '{"options": {"unknown_values": null}}');
INSERT INTO visit VALUES (105, 'nurse', 21, 'flu');
SELECT pg_temp.fails($$SELECT publish('puo')$$);

-- Open taxonomies, several columns: a row is left out once. NULL is a value. Persons with several rows keep their others.
CREATE TABLE stay AS SELECT i % 20 AS id, (1000 + i % 8 * 100)::text AS zip, 20 + i % 50 AS age FROM generate_series(1, 60) AS i;
INSERT INTO stay VALUES (3, '', 22), (4, '1000', 100), (5, '', -1), (NULL, '1000', 44), (6, NULL, 44), (90, '', 20);
DELETE FROM stay WHERE id IS NULL;
SET client_min_messages = warning;
SELECT create_sequential_policy('puo stay', 'stay', 'id', '{zip,age}', k => 3, population => 'puo stay', taxonomies => '{"zip": "puo zip", "age": "puo age"}', options => '{"unknown_values": "suppress"}');
RESET client_min_messages;
\set VERBOSITY default
SELECT version, published, withheld FROM publish('puo stay');
\set VERBOSITY terse
SELECT count(*) FROM audit('puo stay') WHERE NOT ok;
-- Fewer persons than k are left; nobody is.
CREATE TABLE few AS SELECT i AS id, CASE WHEN i < 3 THEN 'cook' ELSE 'x' END AS job FROM generate_series(1, 9) AS i;
SET client_min_messages = warning;
SELECT create_sequential_policy('puo few', 'few', 'id', '{job}', k => 3, population => 'puo few', taxonomies => '{"job": "puo job"}', options => '{"unknown_values": "suppress"}');
RESET client_min_messages;
SELECT pg_temp.fails($$SELECT publish('puo few')$$);
DELETE FROM few WHERE id < 3;
SELECT pg_temp.fails($$SELECT publish('puo few')$$);
-- A label above others is known, and no value.
UPDATE few SET job = 'food';
SELECT pg_temp.fails($$SELECT publish('puo few')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('puo odd', 'few', 'id', '{job}', k => 3, population => 'puo odd', taxonomies => '{"job": "puo job"}', options => '{"unknown_values": "wait"}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('puo odd', 'few', 'id', '{job}', k => 3, population => 'puo odd', taxonomies => '{"job": "puo job"}', options => '{"unknown_values": 1}')$$);

-- Beside a limit that leaves out nobody: the audit tells those who are out by it from these.
SET client_min_messages = error;
TRUNCATE few;
INSERT INTO few SELECT i, CASE i WHEN 1 THEN 'nusre' WHEN 2 THEN 'nurse' ELSE (ARRAY['cook', 'baker'])[1 + i % 2] END FROM generate_series(1, 41) AS i;
SELECT create_sequential_policy('puo limit', 'few', 'id', '{job}', k => 3, population => 'puo limit', publish_as => 'limit_out', taxonomies => '{"job": "puo job"}', max_suppressed => 0, options => '{"unknown_values": "suppress"}');
SELECT variant, feasible, published, withheld FROM preview('puo limit', ARRAY['{"max_suppressed": 0.01}', '{"max_suppressed": 0.03}']::jsonb[]);
SELECT alter_policy('puo limit', '{"max_suppressed": 0.01}');
SELECT published, withheld FROM publish('puo limit');
SELECT observed, ok FROM audit('puo limit') WHERE check_name = 'suppressed';

SELECT drop_policy(name) FROM policies WHERE name LIKE 'puo%' ORDER BY name;
DROP SCHEMA publish_unknown_out CASCADE;
