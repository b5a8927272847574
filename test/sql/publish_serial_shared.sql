-- One budget for a population: what would spend it twice.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE SCHEMA publish_serial_shared;
SET search_path = publish_serial_shared, anon_seq, public;
CREATE TABLE w AS SELECT i AS id, i::numeric(10,2) AS num, 20 + i % 60 AS age, CASE WHEN i % 2 = 0 THEN 'HIV' ELSE 'flu' END AS illness, CASE WHEN i % 3 = 0 THEN 'IV' ELSE 'I' END AS stage FROM generate_series(1, 20) AS i;

-- Too tight for a plan from the first version on: it would withhold everybody.
SELECT pg_temp.fails($$SELECT create_serial_policy('tight', 'w', 'id', '{age}', '{illness}', '{HIV}', 1000, 'projections', population => 'tight', options => '{"withhold_below": 0.01}')$$);

-- Forgotten, and shown by another policy, or by one that came after: no fresh budget.
SELECT create_serial_policy('f' || i, 'w', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 1, population => 'forget') FROM generate_series(1, 3) AS i;
SELECT version, published, withheld FROM publish('f1');
SELECT pg_temp.fails($$SELECT publish('f2')$$);
SELECT count(*) FROM w, LATERAL forget('forget', id::text);
SELECT value, persons FROM budget('f1');
SELECT pg_temp.fails($$SELECT publish('f2')$$);
SELECT drop_policy('f1');
SELECT pg_temp.fails($$SELECT publish('f3')$$);

-- Keys are what their type says: 1 is 1.00. Who returns has the budget he left with.
SELECT create_serial_policy('n', 'w', 'num', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 2, population => 'numbers', options => '{"cohort_min": 1}');
SELECT pg_temp.fails($$SELECT publish('n')$$);
UPDATE w SET illness = 'flu' WHERE id > 4;
SELECT version, published, smallest_class FROM publish('n');
SELECT persons AS met FROM budget('n') \gset
SELECT count(*) FROM w, LATERAL forget('numbers', num::text);
SELECT persons = :met AS counted FROM budget('n');
UPDATE w SET age = age + 1;
SELECT version, published FROM publish('n');
SELECT persons >= :met AS remembered, largest > 0.25 AS added_up, spent > 0 AS spent FROM budget('n');
SELECT check_name, ok FROM audit('n') ORDER BY 1;

-- Terms: what is bounded together, taxonomies, roles of columns, keys.
SELECT create_serial_policy('any1', 'w', 'id', '{age}', '{illness,stage}', NULL, 2, 'projections', 'fixed', 2, population => 'terms 2', options => '{"any": true, "sensitive_values": {"illness": ["HIV"], "stage": ["zz"]}}');
SELECT version FROM publish('any1');
SELECT create_serial_policy('any2', 'w', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 2, population => 'terms 2', options => '{"any": true}');
SELECT pg_temp.fails($$SELECT publish('any2')$$);
SELECT create_serial_policy('quasi', 'w', 'id', '{age,illness}', '{stage}', '{zz}', 2, 'projections', 'fixed', 2, population => 'terms 3');
SELECT create_serial_policy('is listed', 'w', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 2, population => 'terms 3');
SELECT version FROM publish('is listed');
SELECT pg_temp.fails($$SELECT publish('quasi')$$);
SELECT create_serial_policy('as is', 'w', 'id', '{age}', '{stage}', '{zz}', 2, 'projections', 'fixed', 2, publish_as_is => '{illness}', population => 'terms 3');
SELECT pg_temp.fails($$SELECT publish('as is')$$);
SELECT create_serial_policy('keys', 'w', 'num', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 2, population => 'terms 3');
SELECT pg_temp.fails($$SELECT publish('keys')$$);
SELECT create_taxonomy('serial ill', '{"ANY": {"sexual": ["HIV"], "other": ["flu"]}}');
SELECT create_serial_policy('tree', 'w', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 2, taxonomies => '{"illness": "serial ill"}', population => 'terms 3');
SELECT pg_temp.fails($$SELECT publish('tree')$$);

-- Whose values stayed since a version of somebody else is not told: it would tell what they are.
CREATE ROLE regress_serial_brief;
SELECT grant_publish('regress_serial_brief');
GRANT USAGE, CREATE ON SCHEMA publish_serial_shared TO regress_serial_brief;
SELECT create_serial_policy('bob', 'w', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 6, population => 'brief');
SELECT version FROM publish('bob');
SELECT grant_population('brief', 'regress_serial_brief');
SET ROLE regress_serial_brief;
CREATE TABLE guess AS SELECT CASE WHEN i = 1 THEN 7 ELSE 1000 + i END AS id, 20 + i AS age, CASE WHEN i = 1 THEN 'flu' ELSE 'x' END AS illness FROM generate_series(1, 50) AS i;
SELECT create_serial_policy('alice', 'guess', 'id', '{age}', '{illness}', '{HIV}', 2, 'projections', 'fixed', 6, population => 'brief');
SET client_min_messages = notice;
SELECT version FROM publish('alice');
SET client_min_messages = error;
SELECT drop_policy('alice');
RESET ROLE;

-- A label that grows: each policy's past is charged, of versions of the other one too.
CREATE TABLE g AS SELECT i AS id, 20 + i % 60 AS age, CASE WHEN i % 100 = 0 THEN 'HIV' WHEN i % 100 = 50 THEN 'syph' ELSE 'flu' END AS illness FROM generate_series(1, 400) AS i;
SELECT create_serial_policy(name, 'g', 'id', '{age}', '{illness}', '{sexual}', 2, 'projections', 'harmonic', taxonomies => '{"illness": "serial ill"}', population => 'labels') FROM unnest('{te1,te2}'::text[]) AS name;
SELECT version FROM publish('te1');
SELECT version FROM publish('te2');
SELECT add_to_taxonomy('serial ill', 'sexual', 'syph');
UPDATE g SET age = age + 1 WHERE id = 7;
SELECT version FROM publish('te1');
SELECT version FROM publish('te2');
UPDATE g SET age = age + 1 WHERE id = 7;
SELECT version FROM publish('te1');
SELECT max(p) <= 0.5 AS holds FROM audit_breach('{te1,te2}', '{HIV,syph}');
SELECT (SELECT largest FROM budget('te1') WHERE value = 'sexual') >= round(max(p), 6) AS charged FROM unnest('{HIV,syph}'::text[]) AS v, audit_breach('{te1,te2}', ARRAY[v]);
SELECT check_name, ok FROM audit('te1', true) WHERE check_name IN ('history', 'breach', 'budget') ORDER BY 1;

-- A ledger in another place stops all policies of its population; what it lacks is in all their audits.
SELECT 'anon_seq_ledger.p' || id || '_secret' AS te1_secret, 'anon_seq_ledger.p' || id || '_pair' AS te1_pair FROM policy WHERE name = 'te1' \gset
BEGIN;
ALTER TABLE :te1_secret DISABLE TRIGGER USER;
UPDATE ledger_home SET place = 'elsewhere' WHERE ledger = (SELECT 'p' || id FROM policy WHERE name = 'te1');
SELECT pg_temp.fails($$SELECT publish('te2')$$);
SELECT confirm_ledger('te1', 5);
SELECT check_name, observed FROM audit('te2') WHERE NOT ok;
DELETE FROM :te1_secret;
SELECT pg_temp.fails($$SELECT publish('te2')$$);
ROLLBACK;
-- Accounts that are gone are noticed.
BEGIN;
ALTER TABLE :te1_pair DISABLE TRIGGER USER;
DELETE FROM :te1_pair;
UPDATE g SET age = age + 1 WHERE id = 7;
SELECT pg_temp.fails($$SELECT publish('te1')$$);
SELECT pg_temp.fails($$SELECT publish('te2')$$);
ROLLBACK;
DROP SCHEMA publish_serial_shared CASCADE;
DROP OWNED BY regress_serial_brief CASCADE;
DROP ROLE regress_serial_brief;
