-- What a publish does beyond its own steps has an end that follows from rows and columns: other splits, hints of refusals.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_effort;
SET search_path = publish_effort, anon_seq;
SET client_min_messages = error;
SELECT create_flat_taxonomy('pe job', '{a,b,c}');
CREATE FUNCTION people(n int) RETURNS TABLE (id int, job text, income bigint, illness text, ward text) LANGUAGE sql AS $$
  SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], (i::bigint * 7919) % 100003, CASE WHEN i % 5 = 0 THEN 'HIV' ELSE 'flu' END, (ARRAY['x', 'y'])[1 + i % 2] FROM generate_series(1, n) AS i $$;
CREATE TABLE p3000 AS SELECT * FROM people(3000);
CREATE TABLE old3000 AS SELECT job, ward FROM p3000;
SELECT register_release('pl old', 'old3000', 'pl', '{"job": {"taxonomy": "pe job"}, "ward": {}}');
CREATE FUNCTION linked(name text, quasi text[], most text, options text DEFAULT '{}') RETURNS void LANGUAGE sql AS $$
  SELECT create_sequential_policy(name, 'p3000', 'id', quasi, sensitive => '{illness}', publish_as_is => '{ward}', taxonomies => '{"job": "pe job"}', population => 'pl', options => options::jsonb || '{"unguarded": ["pl splits"]}',
    rules => jsonb_build_array(jsonb_build_object('kind', 'linkability', 'x', to_jsonb(quasi) || '{"release": "pl old", "column": "job"}'::jsonb, 'y', '["illness"]'::jsonb, 'values', '["HIV"]'::jsonb, 'max', most::numeric))) $$;

-- A column with as many values as rows and a join by what no x holds: minutes, when each range was tried again after each step.
SET statement_timeout = '60s';
SELECT linked('pl splits', '{job,income}', '0.21');
SELECT classes FROM publish('pl splits');
-- A refusal looks for a state that keeps the rules, as far as a release would take.
SELECT linked('pl refused', '{job,income}', '0.1', '{"pruning": "paper", "valid_split": false}');
SELECT pg_temp.fails($$SELECT publish('pl refused')$$);
-- A column of which no split keeps the rules is tried again after each step of another one. That has an end, which is told; the other column is cut
-- as if it were alone.
CREATE TABLE sorted AS SELECT id, job, income, id + CASE WHEN illness = 'HIV' THEN 0 ELSE 10000 END AS number, illness, ward FROM p3000;
SELECT create_sequential_policy('pl sorted', 'sorted', 'id', '{job,income,number}', sensitive => '{illness}', publish_as_is => '{ward}', taxonomies => '{"job": "pe job"}', population => 'pl', options => '{"unguarded": ["pl splits"]}',
  rules => '[{"kind": "linkability", "x": ["job", "income", "number", {"release": "pl old", "column": "job"}], "y": ["illness"], "values": ["HIV"], "max": 0.21, "partial_x": true}]');
SET client_min_messages = notice;
SELECT classes FROM publish('pl sorted');
SET client_min_messages = error;
RESET statement_timeout;
DROP SCHEMA publish_effort CASCADE;
