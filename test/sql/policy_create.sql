-- Declaring policies: what create_sequential_policy() keeps, what it warns about, what it refuses, and that a refusal leaves nothing.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA policy_create;
SET search_path = policy_create, anon_seq;
SET client_min_messages = warning;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE DOMAIN years AS int CHECK (VALUE >= 0);
CREATE TABLE visit (id int PRIMARY KEY, job text, age years, born date, smoker bool, mood mood, seen timestamptz, weight numeric(5,1),
  height real, disease text, note text, raw bytea, place point);
INSERT INTO visit SELECT i, (ARRAY['nurse', 'cook'])[1 + i % 2], 20 + i, date '1980-01-01' + i * 100, i % 2 = 0, (ARRAY['low', 'high'])[1 + i % 2]::mood,
  timestamptz '2024-01-01 00:00:00+00' + i * interval '1 day', 50 + i, 1.5, (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3], 'n' || i FROM generate_series(1, 20) AS i;
SELECT create_taxonomy('policy_job', '{"ANY": ["nurse", "cook"]}');

-- What is kept.
SELECT set_config('policy.ledger', (SELECT count(*)::text FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relname !~ '_population$'), false) <> '' AS counted;
SELECT create_sequential_policy('most', 'visit', 'id', '{job,age,born,smoker,mood,seen,weight,height}', k => 3, max_link => 0.5,
  rules => '[{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": {"HIV": 0.4, "flu": 0.9}}]', label => 'disease', objective => 'entropy',
  sensitive => '{disease}', taxonomies => '{"job": "policy_job"}', publish_as => 'policy_create."Most, published"',
  population => 'patients', options => '{"pruning": "paper", "valid_split": true, "overlap": true, "dangling": "outer"}');
SELECT name, method, source, person, quasi, sensitive, publish_as_is, publish_as, population, parameters, options, version, changes FROM policies;
SELECT c->>'column', c->>'type', c->>'taxonomy', c->>'role' FROM policies, jsonb_array_elements(columns) AS c;
SELECT describe_policy('most') - 'created_at' - 'columns' - 'parameters' - 'options';
SELECT substring(c.relname from '_.*'), c.relkind FROM pg_class AS c, policy AS p WHERE p.name = 'most' AND relnamespace = 'anon_seq_ledger'::regnamespace AND c.relname ~ ('^p' || p.id || '_') ORDER BY 1;
-- The short form, with all defaults; no person: every row is another one. A policy's name names its release and, if there is none, its population is the source.
SELECT create_sequential_policy('least', 'visit', NULL, '{age}', 2);
SELECT source, person, quasi, sensitive, publish_as_is, publish_as, population, parameters, options FROM policies WHERE name = 'least';
-- A sensitive column that no rule speaks of.
SELECT create_sequential_policy('warned', 'visit', 'id', '{age}', k => 2, sensitive => '{disease}');
SELECT drop_policy('warned');
SELECT drop_policy('least');
SELECT drop_policy('most');
SELECT count(*) - current_setting('policy.ledger')::int FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relname !~ '_population$';

-- Refused, every time without a trace.
SELECT create_sequential_policy('taken', 'visit', 'id', '{age}', 2, publish_as => 'taken_table');
CREATE TABLE occupied ();
CREATE TEMP TABLE fleeting (id int, age int);
SELECT set_config('policy.before', (SELECT count(*)::text FROM pg_class), false) <> '' AS counted;
SELECT sql, pg_temp.fails('SELECT create_sequential_policy(' || sql || ')') FROM unnest(ARRAY[
  -- NULLs and names
  $$NULL, 'visit', 'id', '{age}', 2$$, $$'x', NULL, 'id', '{age}', 2$$, $$'x', 'visit', 'id', NULL, 2$$, $$'x', 'visit', 'id', '{age,NULL}', 2$$, $$'x', 'visit', 'id', '{}', 2$$,
  $$'', 'visit', 'id', '{age}', 2$$, $$repeat('x', 64), 'visit', 'id', '{age}', 2$$, $$repeat('ä', 24), 'visit', 'id', '{age}', 2$$, $$'a/1', 'visit', 'id', '{age}', 2$$,
  $$'taken', 'visit', 'id', '{age}', 2$$, $$'x', 'visit', 'id', '{age}', 2, publish_as => 'taken_table'$$, $$'occupied', 'visit', 'id', '{age}', 2$$,
  $$'x', 'visit', 'id', '{age}', 2, publish_as => 'nowhere.x'$$, $$'x', 'visit', 'id', '{age}', 2, publish_as => 'a.b.c.d'$$, $$'x', 'visit', 'id', '{age}', 2, publish_as => 'pg_temp.x'$$,
  $$'x', 'fleeting', 'id', '{age}', 2$$, $$'x', 'nothing', 'id', '{age}', 2$$,
  -- columns and roles
  $$'x', 'visit', 'nobody', '{age}', 2$$, $$'x', 'visit', 'id', '{age,Age}', 2$$, $$'x', 'visit', 'id', '{age,age}', 2$$, $$'x', 'visit', 'id', '{age,id}', 2$$,
  $$'x', 'visit', 'id', '{age}', 2, sensitive => '{age}'$$, $$'x', 'visit', 'id', '{age}', 2, publish_as_is => '{id}'$$, $$'x', 'visit', 'id', '{age}', 2, sensitive => '{gone}'$$,
  $$'x', 'visit', 'id', '{job}', 2$$, $$'x', 'visit', 'id', '{job}', 2, taxonomies => '{"job": "unknown"}'$$, $$'x', 'visit', 'id', '{age}', 2, taxonomies => '{"job": "policy_job"}'$$,
  $$'x', 'visit', 'id', '{age}', 2, taxonomies => '["policy_job"]'$$, $$'x', 'visit', 'id', '{raw}', 2$$, $$'x', 'visit', 'id', '{age}', 2, publish_as_is => '{place}'$$,
  $$'x', 'visit', 'id', '{age}', 2, label => 'gone'$$,
  -- demands
  $$'x', 'visit', 'id', '{age}'$$, $$'x', 'visit', 'id', '{age}', 0$$, $$'x', 'visit', 'id', '{age}', -5$$, $$'x', 'visit', 'id', '{age}', max_link => 0$$, $$'x', 'visit', 'id', '{age}', max_link => 1.5$$,
  $$'x', 'visit', 'id', '{age}', max_link => 'NaN'$$, $$'x', 'visit', 'id', '{age}', 2, objective => 'entropy'$$, $$'x', 'visit', 'id', '{age}', 2, objective => 'beauty'$$,
  $$'x', 'visit', 'id', '{age}', 2, previous => '{nothing}'$$, $$'x', 'visit', 'id', '{age}', rules => '[]'$$, $$'x', 'visit', 'id', '{age}', rules => '{}'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "secrecy"}]'$$, $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity"}]'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["age"], "y": ["person"]}]'$$, $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["age"], "y": ["person"], "min": 0}]'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["age"], "y": ["person"], "min": 1.5}]'$$, $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["age"], "y": ["person"], "mim": 2}]'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["job"], "y": ["person"], "min": 2}]'$$, $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["age", "age"], "y": ["person"], "min": 2}]'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": ["age"], "y": ["age"], "min": 2}]'$$, $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "anonymity", "x": [{"release": "imm", "column": "age"}], "y": ["person"], "min": 2}]'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "linkability", "x": ["age"], "y": ["disease"], "max": 2}]', sensitive => '{disease}'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "linkability", "x": ["age"], "y": ["disease"]}]', sensitive => '{disease}'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "linkability", "x": ["age"], "y": ["disease"], "values": [], "max": 0.5}]', sensitive => '{disease}'$$,
  $$'x', 'visit', 'id', '{age}', rules => '[{"kind": "linkability", "x": ["age"], "y": ["person"], "max": 0.5}]'$$,
  $$'x', 'visit', 'id', '{age}', 2, options => '{"unknown": 1}'$$, $$'x', 'visit', 'id', '{age}', 2, options => '{"pruning": "none"}'$$, $$'x', 'visit', 'id', '{age}', 2, options => '{"overlap": "yes"}'$$,
  $$'x', 'visit', 'id', '{age}', 2, options => '[]'$$, $$'x', 'visit', 'id', '{age}', 2, options => '{"domains": {"age": [0]}}'$$]) AS sql;
SELECT count(*) - current_setting('policy.before')::int FROM pg_class;
SELECT name FROM policies;

-- A name in the ready-made hint may be anything.
CREATE TABLE "it's ""odd""" (id int, "what's ""this""" text);
SELECT pg_temp.fails($$SELECT create_sequential_policy('x', '"it''s ""odd"""', 'id', ARRAY['what''s "this"'], 2)$$);
SELECT suggest_taxonomy('policy_create."it''s ""odd"""', 'what''s "this"');

-- describe, drop, declare_inconsistent, preview and publish of what is not there.
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT describe_policy('nothing')$$, $$SELECT describe_policy(NULL)$$, $$SELECT drop_policy('nothing')$$, $$SELECT drop_policy(NULL)$$,
  $$SELECT preview('nothing')$$, $$SELECT publish('nothing')$$, $$SELECT publish(NULL)$$, $$SELECT publish('taken', NULL)$$, $$SELECT audit('nothing', everything => true)$$, $$SELECT assert_audit('nothing', everything => true)$$, $$SELECT alter_policy('nothing', '{}')$$,
  $$SELECT alter_policy('taken', NULL)$$, $$SELECT declare_inconsistent('sex', 'M', 'sex', 'F')$$, $$SELECT declare_inconsistent('sex', NULL, 'cond', 'x')$$]) AS sql;
SELECT declare_inconsistent('policy sex', 'M', 'policy cond', 'pregnant');
SELECT declare_inconsistent('policy sex', 'M', 'policy cond', 'pregnant');
SELECT attribute_a, value_a, attribute_b, value_b FROM inconsistency WHERE attribute_a = 'policy sex';
DELETE FROM inconsistency WHERE attribute_a = 'policy sex';

SELECT drop_policy('taken');
SELECT drop_taxonomy('policy_job');
DROP TABLE fleeting;
SET client_min_messages = warning;
DROP SCHEMA policy_create CASCADE;
