-- Publishing: preview, publish, what it makes and returns, unchanged content, trace, cut, measure, digest, and what it refuses.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish;
SET search_path = publish, anon_seq;
CREATE TABLE visit (id int PRIMARY KEY, job text, age int, disease text, city text);
INSERT INTO visit SELECT i, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + i % 4], 20 + i * 7 % 43, (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3], (ARRAY['Ulm', 'Jena'])[1 + i % 2]
  FROM generate_series(1, 120) AS i;
SELECT create_taxonomy('publish_job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
SET client_min_messages = warning;
SELECT create_sequential_policy('visits', 'visit', 'id', '{job,age}', k => 8, sensitive => '{disease}', publish_as_is => '{city}', max_link => 0.8, taxonomies => '{"job": "publish_job"}', options => '{"overlap": true, "valid_split": true}');
SET client_min_messages = notice;
\i :dir/data/recomputed.sql

-- Preview: as it stands, and variants; nothing is written.
SELECT set_config('publish.before', (SELECT count(*)::text FROM pg_class), false) <> '' AS counted;
SELECT variant, changes, feasible, reason, published, withheld, classes, smallest_class, measures FROM preview('visits');
SELECT variant, changes, feasible, reason, published, classes, smallest_class FROM preview('visits', ARRAY['{}', '{"k": 1}', '{"k": 40}', '{"k": 121}', '{"max_link": 0.2}', '{"quasi": ["job"]}', '{"label": "city"}', '{"k": 0}', '{"nonsense": 1}', '{"source": "nowhere"}', '[]']::jsonb[]);
SELECT count(*) FROM preview('visits', '{}'::jsonb[]);
SELECT pg_temp.fails($$SELECT preview('visits', ARRAY['{}', NULL]::jsonb[])$$);
SELECT version FROM policies WHERE name = 'visits';
SELECT count(*) - current_setting('publish.before')::int FROM pg_class;
SELECT count(*) FROM releases WHERE policy = 'visits';
SELECT check_name, scope, ok FROM audit('visits', everything => true);

-- Publish, and what it makes.
SELECT policy, version, relations, published, withheld, waiting, deferred, classes, smallest_class, digest = recomputed(relations[1]::regclass) AS digest FROM publish('visits');
SELECT relname, relkind, pg_get_userbyid(relowner) = current_user AS mine FROM pg_class WHERE relnamespace = 'publish'::regnamespace AND relname ~ '^visits' ORDER BY 1;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'visits'::regclass AND attnum > 0 ORDER BY attnum;
SELECT job, age, disease, city, count(*) FROM visits GROUP BY 1, 2, 3, 4 ORDER BY job COLLATE "C", age, disease COLLATE "C", city COLLATE "C";
SELECT classes, smallest FROM audit_k('visits', '{job,age}');
SELECT policy, version, relations, published, withheld, parameters, digest = recomputed('visits_r1') AS digest, retired_at FROM releases WHERE policy = 'visits';
-- Rows are in an order of their released values; every source row is in the range and under the node that is published.
SELECT count(*) FROM visit AS v WHERE NOT EXISTS (SELECT FROM visits AS r WHERE v.age <@ r.age AND r.job IN (SELECT generalize('publish_job', v.job, l) FROM generate_series(0, 2) AS l) AND r.disease = v.disease AND r.city = v.city);
SELECT count(*) FROM (SELECT lag(disease || city) OVER w > disease || city COLLATE "C" AS turned FROM visits_r1 WINDOW w AS (PARTITION BY job, age ORDER BY ctid)) AS x WHERE turned;
SELECT count(DISTINCT (job, age)), count(*) FILTER (WHERE begins) FROM (SELECT job, age, (job, age) IS DISTINCT FROM lag((job, age)) OVER (ORDER BY ctid) AS begins FROM visits_r1) AS x;
-- Bounds are rounder than the values of persons.
SELECT DISTINCT lower(age), upper(age) FROM visits ORDER BY 1 NULLS FIRST;
SELECT * FROM cut('visits');
SELECT step, attribute, value, children, round(info_gain::numeric, 3) AS info_gain, round(priv_loss::numeric, 3) AS priv_loss, round(score::numeric, 3) AS score, privacy_after FROM trace('visits/1');
SELECT * FROM measure('visits');
SELECT count(*), min(release_row::text COLLATE "C") FROM release_rows('visits/1');
SELECT count(*) FROM ((SELECT release_row FROM release_rows('visits')) EXCEPT ALL (SELECT to_jsonb(r) FROM visits AS r)) AS x;
SELECT check_name, scope, required, observed, ok, offending FROM audit('visits', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
SELECT assert_audit('visits', everything => true);

-- The same content, in another order or written anew, makes no version; nor does it after a failed attempt.
SELECT version, digest = recomputed(relations[1]::regclass) AS digest FROM publish('visits');
CREATE TABLE again AS SELECT * FROM visit ORDER BY id DESC;
TRUNCATE visit;
INSERT INTO visit SELECT * FROM again;
SELECT version FROM publish('visits');
SELECT version FROM policies WHERE name = 'visits';
SELECT relname FROM pg_class WHERE relnamespace = 'publish'::regnamespace AND relname ~ '^visits' ORDER BY 1;
-- A column that is not used may change; one that is makes the next version, and the stable name follows.
ALTER TABLE visit ADD comment text;
UPDATE visit SET comment = id;
SELECT version FROM publish('visits');
DELETE FROM visit WHERE id IN (7, 11);
INSERT INTO visit VALUES (121, 'nurse', 25, 'flu', 'Ulm'), (122, 'baker', 33, NULL, NULL);
SELECT pg_temp.fails($$SELECT publish('visits')$$);
SELECT version FROM policies WHERE name = 'visits';
SELECT alter_policy('visits', '{"options": {"dangling": "outer"}}');
SELECT version, relations, published FROM publish('visits');
SELECT count(*) FROM visits;
SELECT count(*) FROM visits_r1;
SELECT digest = recomputed('visits_r2') AS digest FROM releases WHERE policy = 'visits' AND version = 2;
SELECT check_name, scope, required, observed, ok FROM audit('visits', everything => true) WHERE scope LIKE 'visits/2%' ORDER BY check_name COLLATE "C", scope COLLATE "C";

-- Not without data, nor with too little, nor with values that the taxonomy does not know, nor with NULL persons; nothing is left.
ALTER TABLE visit DROP CONSTRAINT visit_pkey;
SELECT set_config('publish.before', (SELECT count(*)::text FROM pg_class WHERE relnamespace IN ('publish'::regnamespace, 'anon_seq_ledger'::regnamespace)), false) <> '' AS counted;
CREATE TEMP TABLE kept AS TABLE visit;
UPDATE visit SET job = 'secret job of id 9' WHERE id = 9;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
UPDATE visit SET job = 'Service' WHERE id = 9;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
DELETE FROM visit WHERE id > 5 OR id = 9;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
TRUNCATE visit;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
INSERT INTO visit SELECT * FROM kept;
ALTER TABLE visit ALTER id DROP NOT NULL;
UPDATE visit SET id = NULL WHERE id = 9;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
UPDATE visit SET id = 9 WHERE id IS NULL;
ALTER TABLE visit RENAME TO visits_of_2024;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
SELECT pg_temp.fails($$SELECT preview('visits')$$);
ALTER TABLE visits_of_2024 RENAME TO visit;
ALTER TABLE visit RENAME age TO years;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
ALTER TABLE visit RENAME years TO age;
ALTER TABLE visit ALTER age TYPE numeric USING age + 0.25;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
ALTER TABLE visit ALTER age TYPE int USING floor(age);
ALTER TABLE visit ALTER id TYPE text;
SELECT pg_temp.fails($$SELECT publish('visits')$$);
ALTER TABLE visit ALTER id TYPE int USING id::int;
ALTER TABLE visit ALTER city TYPE varchar(4);
SELECT pg_temp.fails($$SELECT publish('visits')$$);
ALTER TABLE visit ALTER city TYPE text;
-- An infeasible rule says how far it got.
SELECT alter_policy('visits', '{"max_link": 0.1}');
SELECT pg_temp.fails($$SELECT publish('visits')$$);
SELECT count(*) - current_setting('publish.before')::int FROM pg_class WHERE relnamespace IN ('publish'::regnamespace, 'anon_seq_ledger'::regnamespace);
SELECT version FROM policies WHERE name = 'visits';
SELECT count(*) FROM releases WHERE policy = 'visits';

-- A policy more.
SELECT alter_policy('visits', '{"k": 9}');
SET client_min_messages = warning;
SELECT create_sequential_policy('visits_again', 'visit', 'id', '{job,age}', k => 20, publish_as_is => '{disease}', taxonomies => '{"job": "publish_job"}', population => 'visits_again');
SELECT version, published FROM publish('visits_again');

-- In a transaction that is rolled back, or a savepoint, nothing stays; in a read-only one nothing happens.
INSERT INTO visit SELECT id + 1000, job, age, disease, city FROM visit WHERE id < 20;
BEGIN;
SELECT alter_policy('visits_again', '{"rules": [{"kind": "anonymity", "x": ["job", "age", {"release": "visits_again", "column": "job"}, {"release": "visits_again", "column": "age"}], "y": ["person"], "min": 5}], "options": {"dangling": "outer"}}');
SELECT version FROM publish('visits_again');
SAVEPOINT s;
UPDATE visit SET age = age + 3;
SELECT version FROM publish('visits_again');
ROLLBACK TO s;
SELECT version FROM publish('visits_again');
SELECT to_regclass('visits_again_r2'), to_regclass('visits_again_r3');
ROLLBACK;
SELECT to_regclass('visits_again_r2');
BEGIN READ ONLY;
SELECT pg_temp.fails($$SELECT publish('visits_again')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('x', 'visit', 'id', '{age}', 2)$$);
SELECT check_name, ok FROM audit('visits_again', everything => true) ORDER BY check_name COLLATE "C";
ROLLBACK;
SELECT version FROM policies WHERE name = 'visits_again';

SELECT drop_policy('visits_again');
SELECT drop_policy('visits');
SET client_min_messages = warning;
DROP SCHEMA publish CASCADE;
