-- Populations have owners: nobody else declares a policy there, registers a release, locks it or looks at what it has.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_seq_first;
CREATE ROLE regress_seq_second;
CREATE ROLE regress_seq_third IN ROLE regress_seq_first;
CREATE ROLE regress_seq_plain;
SELECT anon_seq.grant_publish('regress_seq_first'), anon_seq.grant_publish('regress_seq_second'), anon_seq.grant_publish('regress_seq_third');
CREATE SCHEMA "first" AUTHORIZATION regress_seq_first;
CREATE SCHEMA "second" AUTHORIZATION regress_seq_second;
GRANT USAGE ON SCHEMA "first", "second" TO PUBLIC;
SET search_path = anon_seq;
SET client_min_messages = warning;
SET ROLE regress_seq_first;
CREATE TABLE "first".patients AS SELECT i AS id, 20 + i % 9 AS age, (ARRAY['flu', 'cold'])[1 + i % 2] AS disease FROM generate_series(1, 90) AS i;
GRANT SELECT ON "first".patients TO regress_seq_second;
SET ROLE regress_seq_second;
CREATE TABLE "second".own AS TABLE "first".patients;

-- The default name of a relation is its owner's to use first, also when nobody has; so is a name in his schema.
SELECT pg_temp.fails($$SELECT create_sequential_policy('pr steal', 'first.patients', 'id', '{age}', k => 4, publish_as => 'second.steal')$$);
SELECT pg_temp.fails($$SELECT register_release('pr steal', 'second.own', 'first.patients')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pr steal', 'second.own', 'id', '{age}', 4, population => 'first.coming', publish_as => 'second.steal')$$);
SELECT pg_temp.fails($$SELECT grant_population('first.patients', 'regress_seq_second')$$);
SELECT count(*) FROM policies;
SELECT pg_temp.fails($$SELECT create_sequential_policy('pr early', 'second.own', 'id', '{age}', k => 4, population => 'nowhere.yet', publish_as => 'second.early')$$);
SELECT pg_temp.fails($$SELECT grant_population('missspelt', 'public')$$);
-- Another name for the same source: fine, and his.
SELECT create_sequential_policy('pr other', 'first.patients', 'id', '{age}', k => 4, population => 'other', publish_as => 'second.other');
SELECT version FROM publish('pr other');
SET ROLE regress_seq_first;
SELECT pg_temp.fails($$SELECT create_sequential_policy('pr x', 'first.patients', 'id', '{age}', k => 4, population => 'other', publish_as => 'first.x')$$);
SELECT pg_temp.fails($$SELECT grant_population('other', 'regress_seq_first')$$);

-- Its owner uses it, a member of his role as he; a stranger neither finds nor stops it.
SELECT create_sequential_policy('pr patients', 'first.patients', 'id', '{age}', k => 4, max_link => 0.9, sensitive => '{disease}', publish_as => 'first.out', options => '{"overlap": true}');
SELECT version FROM publish('pr patients');
SELECT rolname FROM pg_roles WHERE oid = (SELECT relowner FROM pg_class WHERE relname = (SELECT 'n' || id || '_population' FROM pg_class, LATERAL (SELECT substring(relname FROM '^n(\d+)_population$') AS id) AS i WHERE i.id IS NOT NULL ORDER BY i.id::int DESC LIMIT 1));
SET ROLE regress_seq_third;
-- The default population of somebody else's table is for whom its owner let in.
BEGIN;
SELECT create_sequential_policy('pr default', 'first.patients', 'id', '{age}', k => 4, publish_as => 'first.by_default');
SELECT population FROM policies WHERE name = 'pr default';
ROLLBACK;
SELECT create_sequential_policy('pr member', 'first.patients', 'id', '{age}', k => 4, max_link => 0.9, sensitive => '{disease}', publish_as => 'first.member', options => '{"overlap": true, "dangling": "outer"}');
SELECT version FROM publish('pr member');
SELECT describe_policy('pr member') -> 'common';
SET ROLE regress_seq_second;
SELECT pg_temp.fails($$SELECT create_sequential_policy('pr kill', 'second.own', 'id', '{age}', k => 4, population => 'first.patients', previous => '{}', publish_as => 'second.kill')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pr kill', 'second.own', 'id', '{age}', 4, population => 'first.patients', publish_as => 'second.kill')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pr other', '{"population": "first.patients"}')$$);
SELECT pg_temp.fails($$SELECT takes_part(0, 'first.patients')$$);
SELECT pg_temp.fails($$SELECT forget('first.patients', '1')$$);
SET ROLE regress_seq_first;
UPDATE "first".patients SET age = 22 WHERE id = 9;
SELECT version FROM publish('pr patients');

-- Granted: he takes part, sees and is seen.
SELECT pg_temp.fails($$SELECT grant_population('first.patients', 'nobody of that name')$$);
SELECT grant_population('first.patients', 'regress_seq_second');
SET ROLE regress_seq_second;
SELECT pg_temp.fails($$SELECT grant_population('first.patients', 'public')$$);
SELECT create_sequential_policy('pr guest', 'second.own', 'id', '{age}', k => 4, max_link => 0.9, sensitive => '{disease}', population => 'first.patients', publish_as => 'second.guest', options => '{"overlap": true, "dangling": "outer"}');
SELECT version FROM publish('pr guest');
SELECT bool_and(ok) FROM audit('pr guest', everything => true);
SET ROLE regress_seq_first;
UPDATE "first".patients SET age = 23 WHERE id = 9;
SELECT pg_temp.fails($$SELECT alter_policy('pr patients', '{"options": {"dangling": "outer"}}')$$);
SELECT version FROM publish('pr patients');
-- Taken back: what he released goes on counting, but he publishes no more there, nor looks.
SELECT revoke_population('first.patients', 'regress_seq_second');
SET ROLE regress_seq_second;
UPDATE "second".own SET age = 24 WHERE id = 9;
SELECT pg_temp.fails($$SELECT publish('pr guest')$$);
SELECT pg_temp.fails($$SELECT describe_policy('pr guest')$$);
SELECT pg_temp.fails($$SELECT count(*) FROM audit('pr guest', everything => true)$$);
SELECT feasible, reason FROM preview('pr guest');
SET ROLE regress_seq_first;
SELECT scope FROM audit('pr patients', everything => true) WHERE scope ~ 'guest' AND check_name = 'dangling';

-- An incremental policy beside somebody else's release: the hint's own statement helps, once.
SET ROLE regress_seq_first;
CREATE TABLE "first".adm AS TABLE "first".patients;
SELECT create_incremental_policy('pr adm', 'first.adm', 'id', '{age}', 4, publish_as => 'first.adm_out');
SELECT version FROM publish('pr adm');
SELECT grant_population('first.adm', 'regress_seq_second');
SET ROLE regress_seq_second;
SELECT create_sequential_policy('beside adm', 'second.own', 'id', '{age}', k => 4, population => 'first.adm', previous => '{}', publish_as => 'second.beside');
SELECT version FROM publish('beside adm');
SET ROLE regress_seq_first;
UPDATE "first".adm SET age = 24 WHERE id = 9;
SELECT pg_temp.fails($$SELECT publish('pr adm')$$);
SELECT alter_policy('pr adm', '{"options": {"unguarded": ["*"]}}');
SELECT version FROM publish('pr adm');
SELECT check_name, observed FROM audit('pr adm', everything => true) WHERE NOT ok;
-- What another role has released has no name here: "*" leaves it out, in policies of every method, and nothing that is measured.
SET ROLE regress_seq_second;
SELECT pg_temp.fails($$SELECT create_sequential_policy('pr seq', 'second.own', 'id', '{age}', k => 4, population => 'first.adm', publish_as => 'second.pr_seq')$$);
SELECT create_sequential_policy('pr seq', 'second.own', 'id', '{age}', k => 4, population => 'first.adm', publish_as => 'second.pr_seq', options => '{"unguarded": ["*"]}');
SELECT create_lossy_join_policy('pr joined', 'second.own', 'id', '{age}', '{disease}', 0.9, 2, 'projections', population => 'first.adm', publish_as => 'second.pr_joined');
SELECT pg_temp.fails($$SELECT publish('pr joined')$$);
SELECT alter_policy('pr joined', '{"options": {"unguarded": ["*"]}}');
SELECT pg_temp.fails($$SELECT publish('pr seq')$$);
SELECT alter_policy('pr seq', '{"rules": [{"kind": "anonymity", "x": ["age", {"release": "beside adm", "column": "age"}], "y": ["id"], "min": 4, "partial_x": true}]}');
SELECT version FROM publish('pr seq');
SELECT check_name, observed FROM audit('pr seq', everything => true) WHERE NOT ok;
SELECT version FROM publish('pr joined');
SELECT check_name, observed FROM audit('pr joined', everything => true) WHERE NOT ok;
SET ROLE regress_seq_first;

-- A relation's name proves nothing later: after a rename the population is still its first owner's.
ALTER TABLE "first".adm RENAME TO adm_old;
RESET ROLE;
CREATE TABLE "first".adm (id int, age int);
ALTER TABLE "first".adm OWNER TO regress_seq_second;
SET ROLE regress_seq_second;
SELECT pg_temp.fails($$SELECT revoke_population('first.adm', 'regress_seq_first')$$);
-- And who gets the relation does not join the population without a word.
SELECT pg_temp.fails($$SELECT create_sequential_policy('pr default', 'first.adm', 'id', '{age}', k => 4, publish_as => 'second.default')$$);
-- The extension's owner may write a row that gives somebody's cells another population; then they are nobody's to read by that.
RESET ROLE;
SELECT grant_publish('regress_seq_second');
SET ROLE regress_seq_second;
SELECT create_sequential_policy('pr spy', 'second.own', 'id', '{age}', k => 4, population => 'pr spy', publish_as => 'second.spy');
RESET ROLE;
INSERT INTO release (name, version, ledger, method, population, relations, published_at, published, classes, parameters, columns, digest)
  SELECT 'pr spy', 1, ledger, method, 'pr spy', '[{"schema": "second", "name": "x"}]', now(), published, classes, parameters, columns, 'x' FROM release WHERE name = 'pr patients' AND version = 1;
SET ROLE regress_seq_second;
SELECT pg_temp.fails($$SELECT audit_join('{pr spy/1}', '["age"]', '["disease"]')$$);
RESET ROLE;
DELETE FROM release WHERE name = 'pr spy';
-- Somebody without the right to publish may nothing of it.
SET ROLE regress_seq_plain;
SELECT pg_temp.fails($$SELECT grant_population('mine', 'public')$$);
SELECT pg_temp.fails($$SELECT grant_publish('regress_seq_plain')$$);
SELECT pg_temp.fails($$SELECT revoke_publish('regress_seq_first')$$);
SELECT pg_temp.fails($$SELECT revoke_population('first.patients', 'public')$$);
SELECT pg_temp.fails($$SELECT create_flat_taxonomy('x', '{a}')$$);
RESET ROLE;
SELECT pg_temp.fails($$SELECT grant_publish(NULL)$$);
SELECT pg_temp.fails($$SELECT grant_publish('nobody of that name')$$);
SELECT pg_temp.fails($$SELECT grant_population('', 'public')$$);
SELECT revoke_publish('regress_seq_second'), revoke_publish('nobody of that name');
SELECT relacl::text ~ 'regress_seq_first=U/', relacl::text ~ 'regress_seq_second' FROM pg_class WHERE oid = 'anon_seq.publishers'::regclass;
-- The owner of a table that a superuser publishes from owns the population.
CREATE TABLE "first".by_super AS TABLE "first".patients;
ALTER TABLE "first".by_super OWNER TO regress_seq_first;
SELECT create_sequential_policy('by super', 'first.by_super', 'id', '{age}', k => 4, publish_as => 'first.by_super_out');
SET ROLE regress_seq_first;
SELECT grant_population('first.by_super', 'regress_seq_third');
RESET ROLE;
SELECT drop_policy('by super');

DROP SCHEMA "first", "second" CASCADE;
DROP OWNED BY regress_seq_first, regress_seq_second, regress_seq_third, regress_seq_plain CASCADE;
DROP ROLE regress_seq_first, regress_seq_second, regress_seq_third, regress_seq_plain;
