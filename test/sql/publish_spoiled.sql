-- A release that is written wrongly is found out, whatever was wrong, and leaves nothing. Of either method.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = warning;
CREATE SCHEMA publish_spoiled;
SET search_path = publish_spoiled, anon_seq;
CREATE TABLE visit AS SELECT i AS id, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + i % 4] AS job, 20 + i * 7 % 43 AS age, (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3] AS disease FROM generate_series(1, 120) AS i;
SELECT create_taxonomy('spoiled job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
SELECT create_sequential_policy('spoiled', 'visit', 'id', '{job,age}', k => 20, publish_as_is => '{disease}', taxonomies => '{"job": "spoiled job"}', population => 'spoiled');
CREATE FUNCTION spoil(assignment text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_spoil';
SELECT set_config('spoiled.before', (SELECT count(*)::text FROM pg_class), false) <> '' AS counted;
CREATE FUNCTION spoiled(assignment text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN PERFORM spoil(assignment); RETURN QUERY SELECT pg_temp.fails('SELECT publish(''spoiled'')'); END $$;
SELECT assignment, spoiled(assignment) FROM unnest(ARRAY['n = n + 1', 'n = 0', $$c1 = 'somebody'$$, $$c2 = 'empty'$$, 'c3 = NULL, n = n + 1', 'c1 = c3']) AS assignment;
SELECT count(*) - current_setting('spoiled.before')::int FROM pg_class;
SELECT version FROM policies WHERE name = 'spoiled';
SELECT count(*) FROM releases WHERE policy = 'spoiled';
SELECT version, published FROM publish('spoiled');
SELECT create_incremental_policy('spoiled regions', 'visit', 'id', '{job,age}', k => 20, publish_as_is => '{disease}', publish_as => 'regions', taxonomies => '{"job": "spoiled job"}', population => 'spoiled regions');
CREATE FUNCTION spoiled_regions(assignment text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN PERFORM spoil(assignment); RETURN QUERY SELECT pg_temp.fails('SELECT publish(''spoiled regions'')'); END $$;
SELECT assignment, spoiled_regions(assignment) FROM unnest(ARRAY['n = n + 1', 'n = 0', 'since = 2']) AS assignment;
SELECT version, published FROM publish('spoiled regions');
