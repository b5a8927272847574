-- Content that was refused and is then published under other parameters: a WARNING, and a failed row of audits.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_refused;
SET search_path = publish_refused, anon_seq, public;
SET client_min_messages = error;
CREATE TABLE t AS SELECT i AS id, 20 + i AS age, CASE WHEN i <= 6 THEN 'HIV' ELSE 'flu' || i % 5 END AS illness FROM generate_series(1, 40) AS i;
-- Seven rows for one: five classes, and six have it.
SELECT create_serial_policy(name, 't', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 4, population => name) FROM unnest('{refused,refused other,refused same}'::text[]) AS name;
SET client_min_messages = warning;
SELECT pg_temp.fails($$SELECT publish('refused')$$);
SELECT pg_temp.fails($$SELECT publish('refused')$$);
-- Looked at, not tried; and what was refused keeps nothing.
SELECT feasible FROM preview('refused');
SELECT count(*) FROM releases WHERE policy LIKE 'refused%';
SELECT alter_policy('refused', '{"horizon": 3}');
SELECT version, published FROM publish('refused');
SELECT check_name, scope, required, observed, ok, offending FROM audit('refused') WHERE NOT ok;
SELECT pg_temp.fails($$SELECT assert_audit('refused')$$);
UPDATE t SET age = age + 1 WHERE id = 30;
SELECT version FROM publish('refused');
SELECT check_name, scope FROM audit('refused') WHERE NOT ok;
-- Other content under other parameters, or the same content under the same ones: nothing to say.
SELECT pg_temp.fails($$SELECT publish('refused other')$$);
SELECT pg_temp.fails($$SELECT publish('refused same')$$);
UPDATE t SET age = age + 1 WHERE id = 31;
SELECT alter_policy('refused other', '{"horizon": 3}');
SELECT version FROM publish('refused other');
SELECT count(*) FROM audit('refused other') WHERE check_name = 'retried';
UPDATE t SET age = age - 1 WHERE id = 31;
SELECT pg_temp.fails($$SELECT publish('refused same')$$);
UPDATE t SET illness = 'flu' WHERE id = 6;
SELECT version FROM publish('refused same');
SELECT count(*) FROM audit('refused same') WHERE check_name = 'retried';
-- Classes for life.
SET client_min_messages = error;
SELECT create_serial_policy('refused life', 't', 'id', '{age}', '{illness}', '{HIV}', 9, 'projections', persistence => 'permanent', population => 'refused life', options => '{"cohort_min": 1}');
SET client_min_messages = warning;
SELECT pg_temp.fails($$SELECT publish('refused life')$$);
SELECT alter_policy('refused life', '{"l": 2}');
SELECT version, published FROM publish('refused life');
SELECT check_name, scope FROM audit('refused life') WHERE NOT ok;

\echo -- values that stayed since a version of another policy of the same people
SET client_min_messages = error;
SELECT create_serial_policy(name, 't', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 9, population => 'refused both') FROM unnest('{stay 1,stay 2}'::text[]) AS name;
UPDATE t SET illness = 'cold' WHERE id BETWEEN 3 AND 6;
SET client_min_messages = notice;
SELECT version FROM publish('stay 1');
SELECT version FROM publish('stay 2');
UPDATE t SET illness = 'new ' || id WHERE id > 20;
SELECT version FROM publish('stay 1');
SET client_min_messages = error;
SELECT drop_policy(name) FROM policies WHERE name LIKE 'refused%' OR name LIKE 'stay%' ORDER BY name;
DROP SCHEMA publish_refused CASCADE;
