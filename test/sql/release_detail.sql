-- What is lost is told: columns that show one value, less detail than before, what further versions cost; and as numbers, by column.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA release_detail;
SET search_path = release_detail, anon_seq, public;
\set VERBOSITY default
\pset format unaligned
SELECT create_taxonomy('rd job', '{"ANY": {"health": ["nurse", "doctor"], "food": ["cook", "baker"]}}');
CREATE TABLE visit AS SELECT i AS id, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i % 4] AS job, 20 + (i / 4) % 40 AS age, (ARRAY['flu', 'cough'])[1 + i / 4 % 2] AS ill, 'here' AS town FROM generate_series(0, 159) AS i;

-- Every generalizing method tells of columns that show one value, once for all of them; not of one that has one value.
SELECT create_flat_taxonomy('rd town', '{here,there}');
SET client_min_messages = error;
SELECT create_sequential_policy('rd all', 'visit', 'id', '{age,job,town}', k => 100, population => 'rd 1', taxonomies => '{"job": "rd job", "town": "rd town"}');
RESET client_min_messages;
SELECT version, classes FROM publish('rd all');
SET client_min_messages = error;
SELECT create_sequential_policy('rd one', 'visit', 'id', '{age,job}', k => 40, population => 'rd 2', taxonomies => '{"job": "rd job"}');
RESET client_min_messages;
SELECT v.variant, v.feasible, v.classes, v.shown, v.detail_lost FROM preview('rd one', ARRAY['{}', '{"k": 4}', '{"k": 200}', '{"l": 1}']::jsonb[]) AS v;
SELECT version, classes FROM publish('rd one');
SET client_min_messages = error;
SELECT create_incremental_policy('rd inc', 'visit', 'id', '{age,job}', 50, population => 'rd 3', taxonomies => '{"job": "rd job"}');
RESET client_min_messages;
SELECT version, classes FROM publish('rd inc');
SET client_min_messages = error;
SELECT create_lossy_join_policy('rd lossy', 'visit', 'id', '{age,job}', '{ill}', 0.9, 100, 'generalized', population => 'rd 4', taxonomies => '{"job": "rd job"}');
RESET client_min_messages;
SELECT version, classes FROM publish('rd lossy');
SET client_min_messages = error;
SELECT create_lossy_join_policy('rd exact', 'visit', 'id', '{age,job}', '{ill}', 0.9, 2, 'projections', population => 'rd 5');
RESET client_min_messages;
-- The log has what was said.
SELECT policy, said FROM log WHERE policy IN ('rd inc', 'rd lossy') ORDER BY policy;

-- A preview shows it by column, as many values as the release does; above by variant, nothing of what is refused.
SELECT shown, detail_lost FROM preview('rd inc') UNION ALL SELECT shown, detail_lost FROM preview('rd lossy') UNION ALL SELECT shown, detail_lost FROM preview('rd exact');
SELECT count(DISTINCT age) AS age, count(DISTINCT job) AS job FROM "rd one";
SELECT count(DISTINCT age) AS age, count(DISTINCT job) AS job FROM "rd inc";

-- By another route: how much of the reach from 20 to 59, and of four jobs, the rows of a release cover.
SET client_min_messages = error;
SELECT create_sequential_policy('rd fine', 'visit', 'id', '{age,job}', k => 4, population => 'rd 6', taxonomies => '{"job": "rd job"}');
RESET client_min_messages;
SELECT version, classes FROM publish('rd fine');
CREATE VIEW by_hand AS
  SELECT avg((least(coalesce(upper(age), 59), 59) - greatest(coalesce(lower(age), 20), 20)) / 39.0) AS age,
         avg(CASE job WHEN 'ANY' THEN 1 WHEN 'health' THEN 0.5 WHEN 'food' THEN 0.5 ELSE 0 END) AS job FROM "rd fine";
SELECT round(m.value, 8) = round(CASE m.metric WHEN 'ncp:age' THEN b.age ELSE b.job END, 8) AS same, m.metric, m.unit, m.meaning, m.value > 0 AS lost FROM measure('rd fine') AS m, by_hand AS b WHERE m.metric LIKE 'ncp:%';
SELECT round((m.v->>'ncp:age')::numeric + (m.v->>'ncp:job')::numeric, 6) = round(2 * (m.v->>'ncp')::numeric, 6) AS average FROM (SELECT jsonb_object_agg(metric, value) AS v FROM measure('rd fine')) AS m;
SELECT p.measures = m.v AS same_in_preview, p.detail_lost->'age' = m.v->'ncp:age' AS and_by_column FROM preview('rd inc') AS p, (SELECT jsonb_object_agg(metric, value) AS v FROM measure('rd inc')) AS m;

-- Less than half of the detail of the version before.
CREATE TABLE thing AS SELECT i AS id, CASE WHEN i < 40 THEN 'b' ELSE 'a' || i % 9 END AS kind FROM generate_series(0, 99) AS i;
SELECT create_taxonomy('rd kind', '{"ANY": {"many": ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"], "b": []}}');
SET client_min_messages = error;
SELECT create_sequential_policy('rd series', 'thing', 'id', '{kind}', k => 5, population => 'rd 7', taxonomies => '{"kind": "rd kind"}', previous => '{}');
RESET client_min_messages;
SELECT version, classes FROM publish('rd series');
SELECT alter_policy('rd series', '{"k": 40}');
SELECT version, classes FROM publish('rd series');
SELECT value FROM measure('rd series/2') WHERE metric = 'ncp:kind';
-- Then it is as much as before; and a column that shows one value is told of as that.
DELETE FROM thing WHERE id = 99;
SELECT version, classes FROM publish('rd series');
DELETE FROM thing WHERE id = 0;
SELECT version, classes FROM publish('rd series');

-- What a further version of a series costs.
SET client_min_messages = error;
SELECT create_sequential_policy('rd cost', 'visit', 'id', '{age,job}', k => 4, max_link => 1, sensitive => '{ill}', population => 'rd 8', taxonomies => '{"job": "rd job"}', options => '{"dangling": "outer"}');
RESET client_min_messages;
SELECT version, classes FROM publish('rd cost');
UPDATE visit SET age = 30 WHERE id = 0;
SELECT version, classes FROM publish('rd cost');
UPDATE visit SET age = 31 WHERE id = 1;
SELECT version, classes FROM publish('rd cost');

-- A name as odd as a column can have.
CREATE TABLE "odd t" AS SELECT i AS id, i % 2 AS "a ""b"" 'c'" FROM generate_series(1, 8) AS i;
SET client_min_messages = error;
SELECT create_sequential_policy('rd ''odd', '"odd t"', 'id', ARRAY['a "b" ''c'''], k => 8, publish_as => 'rd_odd');
RESET client_min_messages;
SELECT version FROM publish('rd ''odd');
SELECT metric, value FROM measure('rd ''odd') WHERE metric LIKE 'ncp:%';
SELECT count(*) FROM preview('rd ''odd', ARRAY['{}', '{"k": 4}']::jsonb[]);

-- A ledger that was altered is no number; one written before columns were measured is compared with nothing.
SELECT 'p' || id || '_note' AS note FROM policy WHERE name = 'rd series' \gset
SET session_replication_role = replica;
UPDATE anon_seq_ledger.:note SET detail = jsonb_set(detail, '{measures,ncp:kind}', '"many"') WHERE version = 4;
RESET session_replication_role;
SELECT pg_temp.fails($$SELECT measure('rd series')$$);
INSERT INTO thing SELECT 200 + i, 'b' FROM generate_series(1, 9) AS i;
SELECT pg_temp.fails($$SELECT publish('rd series')$$);
SET session_replication_role = replica;
UPDATE anon_seq_ledger.:note SET detail = jsonb_set(detail, '{was}', detail->'measures') || '{"measures": 7}' WHERE version = 4;
RESET session_replication_role;
SELECT pg_temp.fails($$SELECT measure('rd series')$$);
SELECT pg_temp.fails($$SELECT publish('rd series')$$);
SET session_replication_role = replica;
UPDATE anon_seq_ledger.:note SET detail = jsonb_set(detail, '{measures}', detail->'was') - 'was' WHERE version = 4;
RESET session_replication_role;
SELECT pg_temp.fails($$SELECT publish('rd series')$$);
SET session_replication_role = replica;
UPDATE anon_seq_ledger.:note SET detail = detail #- '{measures,ncp:kind}' WHERE version = 4;
RESET session_replication_role;
SELECT count(*) FROM measure('rd series') WHERE metric LIKE 'ncp:%';
SELECT count(*) FROM measure('rd series/3') WHERE metric LIKE 'ncp:%';
SELECT version FROM publish('rd series');

SET client_min_messages = error;
SELECT drop_policy(name) FROM policies WHERE name LIKE 'rd %';
DROP SCHEMA release_detail CASCADE;
