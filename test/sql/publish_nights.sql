-- Bad nights: a source that lost or doubled its rows is refused, and one mistyped code stops nobody but who has it.
\getenv dir PG_ABS_SRCDIR
CREATE SCHEMA publish_nights;
SET search_path = publish_nights, anon_seq, public;
SET client_min_messages = warning;
\i :dir/data/fails.sql
CREATE TABLE visit AS SELECT i AS id, 20 + i % 30 AS years, (ARRAY['north', 'south', 'east'])[1 + i % 3] AS quarter, 'flu'::text AS ill FROM generate_series(1, 200) AS i;
SELECT create_taxonomy('pn_region', '{"*": ["north", "south", "east", "west"]}');
SELECT create_incremental_policy('pn', 'visit', 'id', '{years,quarter}', 5, publish_as_is => '{ill}', population => 'pn', taxonomies => '{"quarter": "pn_region"}', options => '{"max_leavers": 0.1, "max_newcomers": 0.25}');
SELECT published FROM publish('pn');
-- Twenty leave: that is what is allowed. One more is not.
DELETE FROM visit WHERE id <= 20;
SELECT feasible FROM preview('pn');
DELETE FROM visit WHERE id = 21;
SELECT pg_temp.fails($$SELECT publish('pn')$$);
SELECT feasible, reason FROM preview('pn');
SELECT version, waiting, left_or_waits FROM publish('pn', force => true) AS p, LATERAL (SELECT p.deferred > 0) AS x (left_or_waits);
-- Who is still shown has left once, and is not counted again.
UPDATE visit SET ill = 'cold' WHERE id = 30;
SELECT version FROM publish('pn');
-- Newcomers: a fourth of those who were there. Who waits does not come every night.
INSERT INTO visit SELECT 1000 + i, 20 + i % 30, 'north', 'flu' FROM generate_series(1, 44) AS i;
SELECT feasible FROM preview('pn');
INSERT INTO visit SELECT 1100 + i, 20 + i % 30, 'north', 'flu' FROM generate_series(1, 2) AS i;
SELECT pg_temp.fails($$SELECT publish('pn')$$);
DELETE FROM visit WHERE id > 1100;
SELECT version FROM publish('pn');
-- Who has other values neither leaves nor comes.
UPDATE visit SET years = years + 1;
SELECT version, published > 200 AS all_there FROM publish('pn');
-- A mistyped code.
INSERT INTO visit VALUES (2001, 25, 'nroth', 'flu'), (2002, 26, 'north', 'flu');
SELECT pg_temp.fails($$SELECT publish('pn')$$);
SELECT alter_policy('pn', '{"options": {"max_leavers": 0.1, "max_newcomers": 0.25, "unknown_values": "wait"}}');
SET client_min_messages = notice;
SELECT version, waiting > 0 AS waits FROM publish('pn');
SET client_min_messages = warning;
SELECT count(*) FROM pn WHERE quarter::text LIKE '%nroth%';
-- Of somebody who was shown before: his old row stays as long as his new one cannot be shown.
UPDATE visit SET quarter = 'suoth' WHERE id = 100;
SELECT version FROM publish('pn');
SELECT check_name, observed FROM audit('pn') WHERE NOT ok;
-- Mended, all are shown.
UPDATE visit SET quarter = 'north' WHERE id = 2001;
UPDATE visit SET quarter = 'south' WHERE id = 100;
SELECT version FROM publish('pn');
SELECT check_name, observed FROM audit('pn') WHERE NOT ok;
-- A column that is coded in another way overnight is no typing mistake, also where it looks like people leaving.
BEGIN;
UPDATE visit SET quarter = 'NORTH' WHERE quarter = 'north';
SELECT pg_temp.fails($$SELECT publish('pn')$$);
SELECT alter_policy('pn', '{"options": {"max_leavers": 1, "max_newcomers": 1}}');
SELECT pg_temp.fails($$SELECT publish('pn')$$);
ROLLBACK;
SELECT create_taxonomy('pn_other', '{"*": ["n", "s", "e"]}');
SELECT create_incremental_policy('pn3', 'visit', 'id', '{quarter}', 5, population => 'pn3', taxonomies => '{"quarter": "pn_other"}', options => '{"unknown_values": "wait"}');
SELECT pg_temp.fails($$SELECT publish('pn3')$$);
-- What is told of them is what a refusal says of them: the form of an open taxonomy, a node that is no leaf; the query of each lists the values.
CREATE TABLE coded AS SELECT i AS id, (10 + i % 40)::text AS code, (ARRAY['south', 'west'])[1 + i % 2] AS part FROM generate_series(1, 100) AS i;
SELECT create_range_taxonomy('pn_code', 0, 100, '{20}'), create_taxonomy('pn_part', '{"*": {"cold": ["north", "east"], "warm": ["south", "west"]}}');
SELECT create_incremental_policy('pn4', 'coded', 'id', '{code,part}', 5, population => 'pn4', taxonomies => '{"code": "pn_code", "part": "pn_part"}', options => '{"unknown_values": "wait"}');
SELECT version, published FROM publish('pn4');
INSERT INTO coded VALUES (101, '250', 'south'), (102, '300', 'warm'), (103, '20', 'warm');
SET client_min_messages = notice;
\set VERBOSITY default
SELECT version, waiting FROM publish('pn4');
INSERT INTO coded VALUES (104, '20', 'nowhere');
SELECT version, waiting FROM publish('pn4');
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT DISTINCT code FROM publish_nights.coded WHERE code::numeric < 0 OR code::numeric >= 100 ORDER BY code;
SELECT DISTINCT part FROM publish_nights.coded WHERE part::text IN (SELECT parent FROM anon_seq.taxonomy_tree('pn_part'));
-- An audit looks at the newest version and what it changed, unless it is to look at everything.
SELECT check_name, scope, ok FROM audit('pn');
SELECT count(DISTINCT substring(scope from 'pn/[0-9]+')) AS versions, bool_and(ok) AS ok FROM audit('pn', everything => true);
SELECT assert_audit('pn'), assert_audit('pn', everything => true);
SELECT pg_temp.fails($$SELECT assert_audit('pn', NULL)$$);
-- An inner node and a value of a taxonomy that is open are as unknown.
UPDATE visit SET quarter = '*' WHERE id = 2001;
SELECT version FROM publish('pn');
SELECT create_range_taxonomy('pn_age', 0, 100, '{10}');
SELECT create_incremental_policy('pn2', 'visit', 'id', '{years}', 5, population => 'pn2', taxonomies => '{"years": "pn_age"}', options => '{"unknown_values": "wait"}');
UPDATE visit SET years = 150 WHERE id = 150;
SET client_min_messages = notice;
SELECT version, published, waiting FROM publish('pn2');
SET client_min_messages = warning;
-- Options that make no sense.
SELECT pg_temp.fails($$SELECT alter_policy('pn', '{"options": {"max_leavers": 0}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pn', '{"options": {"max_newcomers": 1.5}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pn', '{"options": {"unknown_values": "skip"}}')$$);
SELECT pg_temp.fails($$SELECT publish('pn', force => NULL)$$);
DROP SCHEMA publish_nights CASCADE;
