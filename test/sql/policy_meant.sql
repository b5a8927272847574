-- A name that is not there: which one may have been meant. An unknown key among the options that is a parameter. Notices: one of a kind, with five names at most.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_seq_meant;
SELECT anon_seq.grant_publish('regress_seq_meant');
CREATE ROLE regress_anon_meant;
CREATE SCHEMA policy_meant AUTHORIZATION regress_seq_meant;
SET ROLE regress_seq_meant;
SET search_path = policy_meant, anon_seq, public;
SET client_min_messages = warning;
CREATE TABLE patient AS SELECT i AS id, 20 + i % 50 AS age, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i % 4] AS job, (ARRAY['flu', 'asthma', 'gout'])[1 + i % 3] AS ill FROM generate_series(1, 200) AS i;
SELECT create_flat_taxonomy('pm_job', '{nurse,clerk,baker,miner}');

-- Columns.
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{agee,job}', k => 5)$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'ID', '{age}', k => 5)$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, sensitive => '{diagnosis}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, taxonomies => '{"aeg": "pm_job"}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, options => '{"weights": {"agee": 2}}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, options => '{"indexes": ["agee"]}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, options => '{"domains": {"agee": [0, 100]}}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', sensitive => '{ill}', rules => '[{"kind": "linkability", "x": ["agee"], "y": ["ill"], "max": 0.5}]')$$);
SELECT pg_temp.fails($$SELECT * FROM audit_k('patient', '{agee}')$$);
SELECT pg_temp.fails($$SELECT * FROM audit_join_relations('{patient}', '["agee"]', '[{"release": "patient", "person": "id"}]', '{"age": {}}')$$);
SELECT pg_temp.fails($$SELECT watch_source('patient', '{idd}')$$);
SELECT pg_temp.fails($$SELECT suggest_taxonomy('patient', 'jobs')$$);

-- Options and parameters.
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, options => '{"supress": "rows"}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{age}', k => 5, options => '{"max_suppressed": 0.1}')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pm', 'patient', 'id', '{age}', 5, options => '{"max_suppressed": 0.1}')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pm', 'patient', 'id', '{age}', 5, options => '{"sensitive": ["ill"]}')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pm', 'patient', 'id', '{age}', 5, options => '{"nothing_like_it": 1}')$$);

-- Policies, releases and taxonomies, of those that the caller may see.
SELECT create_sequential_policy('pm_first', 'patient', 'id', '{age,job}', k => 5, taxonomies => '{"job": "pm_job"}', publish_as => 'pm_out');
SELECT pg_temp.fails($$SELECT alter_policy('pm_frist', '{"kk": 6}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pm_first', '{"max_lnk": 0.6}')$$);
SELECT published FROM publish('pm_first');
SELECT pg_temp.fails($$SELECT publish('pm_fist')$$);
SELECT pg_temp.fails($$SELECT * FROM measure('pm_fisrt/1')$$);
SELECT pg_temp.fails($$SELECT * FROM measure('pm_first/2')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm', 'patient', 'id', '{job}', k => 5, taxonomies => '{"job": "pm_jobs"}')$$);
GRANT USAGE ON SCHEMA policy_meant TO regress_anon_meant;
RESET ROLE;
SET ROLE regress_anon_meant;
SELECT pg_temp.fails($$SELECT publish('pm_fist')$$);
SELECT pg_temp.fails($$SELECT * FROM measure('pm_fisrt/1')$$);
SELECT pg_temp.fails($$SELECT * FROM taxonomy_tree('pm_jobs')$$);
RESET ROLE;
DROP OWNED BY regress_anon_meant;
DROP ROLE regress_anon_meant;
SET ROLE regress_seq_meant;

-- A column that was renamed since: what to do about that, not what is like it.
ALTER TABLE patient RENAME job TO jobs;
SELECT pg_temp.fails($$SELECT publish('pm_first')$$);
ALTER TABLE patient RENAME jobs TO job;
-- A column whose type was changed since: said before anything that a new policy would need, wherever it is met.
ALTER TABLE patient ALTER age TYPE text;
SELECT pg_temp.fails($$SELECT publish('pm_first')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pm_first', '{"k": 4}')$$);
SELECT reason FROM preview('pm_first', ARRAY['{}', '{"k": 4}']::jsonb[]);
ALTER TABLE patient ALTER age TYPE int USING age::int;
ALTER TABLE patient DROP job;
SELECT reason FROM preview('pm_first', ARRAY['{"k": 4}']::jsonb[]);
ALTER TABLE patient ADD job text;
UPDATE patient SET job = (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + id % 4];

-- max_link that bounds nothing.
SELECT create_sequential_policy('pm_link', 'patient', 'id', '{age,job}', k => 5, max_link => 0.5, taxonomies => '{"job": "pm_job"}', population => 'pm_link');
SELECT published FROM publish('pm_link');
SELECT create_sequential_policy('pm_linked', 'patient', 'id', '{age}', k => 5, sensitive => '{ill}', max_link => 0.9, population => 'pm_linked');

-- Sixty-four columns, each of which decides others, of which nothing is shown.
SET client_min_messages = notice;
\set VERBOSITY terse
\set ECHO none
SELECT 'CREATE TABLE wide AS SELECT i AS id, ' || string_agg(format('i %% %s AS c%s', 1 + n % 5, n), ', ') || ' FROM generate_series(1, 60) AS i' FROM generate_series(1, 64) AS n \gexec
\set ECHO all
SELECT count(create_sequential_policy('pm_wide_' || n, 'wide', 'id', array_agg.c, k => 2, population => 'pm_wide_' || n)) FROM generate_series(1, 7) AS n, (SELECT array_agg('c' || i ORDER BY i) AS c FROM generate_series(1, 64) AS i) AS array_agg;
SELECT published FROM publish('pm_wide_1');
SET client_min_messages = warning;
SELECT count(p.published) FROM generate_series(2, 7) AS n, publish('pm_wide_' || n) AS p;
SET client_min_messages = notice;
SELECT create_sequential_policy('pm_wide_8', 'wide', 'id', '{c1,c2}', k => 2, population => 'pm_wide_8');
SELECT create_incremental_policy('pm_wide_plain', 'wide', 'id', '{c1}', 2, publish_as_is => (SELECT array_agg('c' || i ORDER BY i) FROM generate_series(2, 64) AS i), population => 'pm_wide_plain');
SET client_min_messages = error;
RESET ROLE;
DROP SCHEMA policy_meant CASCADE;
SELECT anon_seq.revoke_publish('regress_seq_meant');
DROP OWNED BY regress_seq_meant;
DROP ROLE regress_seq_meant;
