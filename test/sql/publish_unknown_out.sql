-- options.unknown_values "suppress": rows with values that a taxonomy does not know are left out, told and counted.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_unknown_out;
SET search_path = publish_unknown_out, anon_seq, public;
SELECT create_taxonomy('ps job', '{"ANY": {"health": ["nurse", "doctor"], "food": ["cook", "baker"]}}');
SELECT create_prefix_taxonomy('ps zip', '{3,1}');
SELECT create_range_taxonomy('ps age', 0, 100, '{10,20}');
CREATE TABLE visit AS SELECT i AS id, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i % 4] AS job, 20 + i / 4 % 40 AS age, (ARRAY['flu', 'cough'])[1 + i / 4 % 2] AS ill FROM generate_series(0, 79) AS i;
CREATE TABLE clean AS TABLE visit;
SET client_min_messages = warning;
SELECT create_sequential_policy('ps clean', 'clean', 'id', '{age,job}', k => 4, max_link => 1, sensitive => '{ill}', population => 'ps clean', taxonomies => '{"job": "ps job"}', options => '{"dangling": "outer"}');
SELECT create_sequential_policy('ps', 'visit', 'id', '{age,job}', k => 4, max_link => 1, sensitive => '{ill}', population => 'ps', taxonomies => '{"job": "ps job"}', options => '{"dangling": "outer"}');
RESET client_min_messages;
INSERT INTO visit VALUES (101, 'nusre', 200, 'flu'), (102, 'astronaut', -7, 'cough'), (103, 'astronaut', 21, 'gout');
SELECT pg_temp.fails($$SELECT publish('ps')$$);
SELECT alter_policy('ps', '{"options": {"unknown_values": "error"}}');
SELECT pg_temp.fails($$SELECT publish('ps')$$);
SELECT alter_policy('ps', '{"options": {"unknown_values": "suppress"}}');
SELECT feasible, published, withheld, classes, measures->'suppression' FROM preview('ps');
\set VERBOSITY default
SELECT version, published, withheld, classes FROM publish('ps');
\set VERBOSITY terse
-- It is the release of the others, bounds included.
SELECT version, published, withheld FROM publish('ps clean');
SELECT count(*) FROM (TABLE ps EXCEPT ALL TABLE "ps clean") AS x;
SELECT count(*) FROM (TABLE "ps clean" EXCEPT ALL TABLE ps) AS x;
SELECT round((p.m->>'discernibility')::numeric - (c.m->>'discernibility')::numeric) = 3 * 83 AS as_alone, round((p.m->>'suppression')::numeric, 6) = round(3 / 83.0, 6) AS share, p.m->'ncp' = c.m->'ncp' AS ncp
  FROM (SELECT jsonb_object_agg(metric, value) AS m FROM measure('ps')) AS p, (SELECT jsonb_object_agg(metric, value) AS m FROM measure('ps clean')) AS c;
SELECT count(*) AS shown FROM ps WHERE ill = 'gout';
SELECT check_name, ok FROM audit('ps') ORDER BY 1, 2;
-- What happens to those left out makes no version, whatever they have; once the taxonomy knows them they come.
UPDATE visit SET ill = 'cough', age = 33 WHERE id > 100;
DELETE FROM visit WHERE id = 101;
SELECT version FROM publish('ps');
SELECT add_to_taxonomy('ps job', 'food', 'astronaut');
SELECT version, published, withheld FROM publish('ps');
SELECT count(*) FROM audit('ps', everything => true) WHERE NOT ok;
-- Later versions hold to it, and it may be taken back.
INSERT INTO visit VALUES (104, 'pilot', 21, 'flu');
SELECT version, published, withheld FROM publish('ps');
SELECT alter_policy('ps', '{"options": {"unknown_values": null}}');
INSERT INTO visit VALUES (105, 'nurse', 21, 'flu');
SELECT pg_temp.fails($$SELECT publish('ps')$$);

-- Open taxonomies, several columns: a row is left out once. NULL is a value. Persons with several rows keep their others.
CREATE TABLE stay AS SELECT i % 20 AS id, (1000 + i % 8 * 100)::text AS zip, 20 + i % 50 AS age FROM generate_series(1, 60) AS i;
INSERT INTO stay VALUES (3, '', 22), (4, '1000', 100), (5, '', -1), (NULL, '1000', 44), (6, NULL, 44), (90, '', 20);
DELETE FROM stay WHERE id IS NULL;
SET client_min_messages = warning;
SELECT create_sequential_policy('ps stay', 'stay', 'id', '{zip,age}', k => 3, population => 'ps stay', taxonomies => '{"zip": "ps zip", "age": "ps age"}', options => '{"unknown_values": "suppress"}');
RESET client_min_messages;
\set VERBOSITY default
SELECT version, published, withheld FROM publish('ps stay');
\set VERBOSITY terse
SELECT count(*) FROM audit('ps stay') WHERE NOT ok;
-- Fewer persons than k are left; nobody is.
CREATE TABLE few AS SELECT i AS id, CASE WHEN i < 3 THEN 'cook' ELSE 'x' END AS job FROM generate_series(1, 9) AS i;
SET client_min_messages = warning;
SELECT create_sequential_policy('ps few', 'few', 'id', '{job}', k => 3, population => 'ps few', taxonomies => '{"job": "ps job"}', options => '{"unknown_values": "suppress"}');
RESET client_min_messages;
SELECT pg_temp.fails($$SELECT publish('ps few')$$);
DELETE FROM few WHERE id < 3;
SELECT pg_temp.fails($$SELECT publish('ps few')$$);
-- A label above others is known, and no value.
UPDATE few SET job = 'food';
SELECT pg_temp.fails($$SELECT publish('ps few')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('ps odd', 'few', 'id', '{job}', k => 3, population => 'ps odd', taxonomies => '{"job": "ps job"}', options => '{"unknown_values": "wait"}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('ps odd', 'few', 'id', '{job}', k => 3, population => 'ps odd', taxonomies => '{"job": "ps job"}', options => '{"unknown_values": 1}')$$);

SET client_min_messages = error;
SELECT drop_policy(name) FROM policies WHERE name LIKE 'ps%' ORDER BY name;
DROP SCHEMA publish_unknown_out CASCADE;
