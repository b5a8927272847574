-- audit_inference and audit_arrivals: versions of policies, person by person; and whose they are to see.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA release_inference;
SET search_path = release_inference, anon_seq, public;
SET client_min_messages = warning;
CREATE TABLE visit (id text PRIMARY KEY, job text, age int, disease text);
INSERT INTO visit SELECT 'p' || i, (ARRAY['nurse', 'teacher', 'baker', NULL])[1 + i % 4], 20 + i * 7 % 43, (ARRAY['flu', 'cold'])[1 + i % 2] FROM generate_series(1, 60) AS i;
UPDATE visit SET age = 2 * age;  -- between two of them there is room for a bound
SELECT create_taxonomy('release_inference_job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
SELECT create_sequential_policy('inferred', 'visit', 'id', '{job,age}', k => 4, publish_as_is => '{disease}', taxonomies => '{"job": "release_inference_job"}', publish_as => 'inferred', previous => '{}', options => '{"unguarded": []}');
SELECT version, published FROM publish('inferred');
\pset format aligned
\pset tuples_only off
SELECT * FROM audit_inference('{inferred}', 4) WHERE object IS NULL OR object IN ('p1', 'p40');
SELECT pg_temp.fails($$SELECT audit_arrivals('{inferred}')$$);
-- The next version forgets what the first one said.
DELETE FROM visit WHERE id IN ('p3', 'p4', 'p9');
INSERT INTO visit SELECT 'q' || i, (ARRAY['nurse', 'miner'])[1 + i % 2], 30 + i, 'flu' FROM generate_series(1, 17) AS i;
SELECT version, published FROM publish('inferred');
DELETE FROM visit WHERE id LIKE 'q1%';
INSERT INTO visit VALUES ('p9', 'nurse', 33, 'flu');
SELECT version, published FROM publish('inferred');
SELECT reading, subsets, inferred, group_size, safe FROM unnest('{equal,contain,cover}'::text[]) AS reading, unnest('{all,full,prefixes}'::text[]) AS subsets,
  audit_inference('{inferred}', 4, reading, jsonb_build_object('subsets', subsets)) WHERE object IS NULL;
-- What SQL finds: I by object over all versions, and how many objects have the same.
DO $$ BEGIN EXECUTE replace('CREATE VIEW shown AS SELECT c.version, u.person, c.c1 AS job, c.c2 AS age FROM anon_seq_ledger.LEDGER_cell AS c JOIN anon_seq_ledger.LEDGER_person AS p USING (version, cell), unnest(p.persons) AS u (person)',
  'LEDGER', 'p' || (SELECT id FROM policy WHERE name = 'inferred')); END $$;
CREATE AGGREGATE meet(int4range) (sfunc = range_intersect, stype = int4range);
SELECT count(*) AS differences FROM audit_inference('{inferred}', 4, options => '{"subsets": "full"}') AS i
  JOIN (SELECT person, meet(age) AS age FROM shown GROUP BY 1) AS s ON s.person = i.object
 WHERE i.inferred -> 'age' <> coalesce(to_jsonb(nullif(s.age, 'empty'::int4range)), '[]') OR i.inferred ->> 'age' IS NULL;
-- Arrivals, and what SQL counts.
SELECT * FROM audit_arrivals('{inferred}');
WITH g AS (SELECT version, person, dense_rank() OVER (ORDER BY version, job, age) AS g, min(version) OVER (PARTITION BY person) AS came FROM shown),
  pair AS (SELECT b.version, a.g AS before, b.g AS after, coalesce(a.came, b.came) AS came FROM g AS b LEFT JOIN g AS a ON a.person = b.person AND a.version = b.version - 1 WHERE b.version > 1),
  gone AS (SELECT a.version + 1 AS version, a.g FROM g AS a WHERE a.version < 3 AND NOT EXISTS (SELECT FROM g AS b WHERE b.person = a.person AND b.version = a.version + 1)),
  counts AS (
    SELECT version, 'newcomers' AS check_name, count(*) AS n FROM pair WHERE before IS NULL GROUP BY version, after
    UNION ALL SELECT version, 'leavers', count(*) FROM gone GROUP BY version, g
    UNION ALL (SELECT version, 'cut', n FROM (SELECT version, before, count(*) AS n, count(*) OVER (PARTITION BY version, before) AS sides FROM pair WHERE before IS NOT NULL GROUP BY version, before, after) AS x WHERE sides > 1)
    UNION ALL SELECT version, 'forward', count(*) FROM pair WHERE before IS NOT NULL GROUP BY version, before, after, came
    UNION ALL SELECT version, 'cross', count(*) FROM pair WHERE came < version GROUP BY version, after, came
    UNION ALL SELECT version, 'backward', count(*) FROM pair WHERE came = version GROUP BY version, after)
SELECT count(*) AS differences FROM audit_arrivals('{inferred}') AS a
  LEFT JOIN (SELECT 'inferred/' || version AS release, check_name, min(n) AS smallest, count(*) AS groups, sum(n) AS persons FROM counts GROUP BY 1, 2) AS c USING (release, check_name)
 WHERE (a.smallest, a.groups, a.persons) IS DISTINCT FROM (c.smallest, coalesce(c.groups, 0), coalesce(c.persons, 0)::bigint);
-- Some versions, in any order, once; a person who was forgotten is left out.
SELECT inferred, group_size, safe FROM audit_inference('{inferred/3,inferred/1,inferred/3}', 4) WHERE object IS NULL;
SELECT release, check_name, smallest, groups, persons FROM audit_arrivals('{inferred/3,inferred/1}');
SELECT count(*) FROM forget((SELECT population FROM releases WHERE policy = 'inferred' LIMIT 1), 'p1');
SELECT count(*) FROM audit_inference('{inferred}', 4) WHERE object = 'p1';

-- Not for others, nor for releases without persons.
\pset format unaligned
\pset tuples_only on
SELECT create_sequential_policy('inferred nobody', 'visit', NULL, '{age}', k => 4, publish_as => 'inferred_nobody', population => 'inferred nobody', previous => '{}');
SELECT version FROM publish('inferred nobody');
CREATE TABLE elsewhere AS SELECT id, age FROM visit;
SELECT register_release('inferred elsewhere', 'elsewhere', 'inferred elsewhere');
CREATE ROLE regress_inference;
SELECT pg_temp.fails('SELECT audit_' || a) FROM unnest(ARRAY[$$inference(NULL, 2)$$, $$inference('{}', 2)$$, $$inference('{not there}', 2)$$, $$inference('{inferred}', 0)$$, $$inference('{inferred}', 2, 'x')$$, $$inference('{inferred}', 2, options => '{"x": 1}')$$,
  $$inference('{inferred nobody}', 2)$$, $$inference('{inferred elsewhere}', 2)$$, $$arrivals(NULL)$$, $$arrivals('{}')$$, $$arrivals('{inferred/1}')$$, $$arrivals('{inferred,inferred nobody}')$$]) AS a;
GRANT USAGE ON SCHEMA release_inference TO regress_inference;
SET ROLE regress_inference;
SELECT pg_temp.fails($$SELECT audit_inference('{inferred}', 2)$$);
SELECT pg_temp.fails($$SELECT audit_arrivals('{inferred}')$$);
RESET ROLE;
REVOKE USAGE ON SCHEMA release_inference FROM regress_inference;
DROP ROLE regress_inference;

-- An incremental policy, by object id: under cover every version and all subsets of them are safe.
SELECT create_incremental_policy('inferred grown', 'visit', 'id', '{job,age}', 4, taxonomies => '{"job": "release_inference_job"}', publish_as => 'inferred_grown', population => 'inferred grown');
SELECT version FROM publish('inferred grown');
INSERT INTO visit SELECT 'r' || i, (ARRAY['nurse', 'baker', 'miner'])[1 + i % 3], 20 + i * 5 % 41, 'flu' FROM generate_series(1, 45) AS i;
DELETE FROM visit WHERE id LIKE 'p2%';
SELECT version FROM publish('inferred grown');
UPDATE visit SET age = age + 9 WHERE id LIKE 'r1%';
SELECT version FROM publish('inferred grown');
SELECT inferred -> 'at_risk', inferred -> 'contradictions', inferred -> 'sampled', group_size, safe FROM audit_inference('{inferred grown}', 4, 'cover') WHERE object IS NULL;
SELECT release, string_agg(check_name, ' ') FROM audit_arrivals('{inferred grown}') GROUP BY 1 ORDER BY 1;
-- Over several policies: 1 to 6 by one, 2 to 7 by another. Object ids are a policy's own, so 4, who is alone in both together, would be called safe.
SET client_min_messages = error;
CREATE TABLE former AS SELECT i AS id, i AS age FROM generate_series(1, 6) AS i;
CREATE TABLE latter AS SELECT i AS id, i AS age FROM generate_series(2, 7) AS i;
SELECT create_incremental_policy(t || ' inc', t, 'id', '{age}', 2, population => 'inferred both', options => '{"unguarded": ["*"]}') FROM unnest('{former,latter}'::text[]) AS t;
SELECT create_sequential_policy(t || ' seq', t, 'id', '{age}', k => 2, population => 'inferred ' || t, previous => '{}') FROM unnest('{former,latter}'::text[]) AS t;
SELECT version FROM unnest('{former,latter}'::text[]) AS t, unnest('{inc,seq}'::text[]) AS m, publish(t || ' ' || m);
SELECT pg_temp.fails($$SELECT audit_inference('{former inc,latter inc}', 2)$$);
SELECT pg_temp.fails($$SELECT audit_inference('{latter seq,former inc}', 2)$$);
SELECT group_size, safe FROM audit_inference('{former inc}', 2, 'cover') WHERE object IS NULL;
-- By keys they are linked. Keys that nobody shares link nobody, which is told.
SET client_min_messages = warning;
SELECT object, group_size FROM audit_inference('{former seq,latter seq}', 2, 'cover') WHERE NOT safe OR object IS NULL;
CREATE TABLE others AS SELECT 'x' || id AS id, age FROM latter;
SELECT create_sequential_policy('others seq', 'others', 'id', '{age}', k => 2, population => 'inferred others', previous => '{}');
SELECT version FROM publish('others seq');
SELECT safe FROM audit_inference('{former seq,others seq}', 2) WHERE object IS NULL;
DROP SCHEMA release_inference CASCADE;
