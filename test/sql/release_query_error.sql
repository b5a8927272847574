-- query_error: how far counts over a release are off.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_qe_reader;
CREATE SCHEMA query_error;
GRANT USAGE ON SCHEMA query_error TO regress_qe_reader;
SET search_path = query_error, anon_seq, public;
SET client_min_messages = error;
SET jit = off;

CREATE TABLE patient AS
SELECT i AS id, 20 + i * 7 % 40 AS age, (ARRAY['clerk', 'manager', 'cook', 'miner'])[1 + i * 5 % 4] AS "the job", NULLIF(i % 11, 0)::numeric(6, 2) AS score, '2024-01-01'::date + i % 30 AS seen, (ARRAY['HIV', 'flu', 'fever', 'none', 'cold', NULL])[1 + (i * i / 7) % 6] AS illness
FROM generate_series(1, 480) AS i;
SELECT create_taxonomy('qe job', '{"ANY": {"office": ["clerk", "manager"], "manual": ["cook", "miner"]}}');

-- Projections: two estimators.
SELECT create_lossy_join_policy('qe nss', 'patient', 'id', '{age,"the job",score,seen}', '{illness}', 0.5, 4, 'projections', taxonomies => '{"the job": "qe job"}', publish_as => 'qe_nss', population => 'qe nss');
SELECT published FROM publish('qe nss');
SELECT estimator, answered, skipped, mean_error >= 0 AND mean_low <= mean_error AND mean_error <= mean_high AND median_error <= max_error AS in_order FROM query_error('qe nss', 'patient', 300, 2, 0.1, 1);
-- The paper counts whole classes.
SELECT p.mean_error > 2 * u.mean_error AS paper_is_worse FROM query_error('qe nss/1', 'patient') AS p, query_error('qe nss/1', 'patient') AS u WHERE p.estimator = 'paper' AND u.estimator = 'unbiased';
-- The same seed asks the same queries, in whatever order rows stand; another one asks others.
CREATE TABLE shuffled AS SELECT illness, seen, score, "the job", age, NULL::int AS more FROM patient ORDER BY md5(id::text);
SELECT count(*) FROM (SELECT * FROM query_error('qe nss', 'patient', 200, 3, 0.2, 5) EXCEPT SELECT * FROM query_error('qe nss', 'shuffled', 200, 3, 0.2, 5)) AS d;
SELECT count(*) FROM (SELECT * FROM query_error('qe nss', 'patient', 200, 3, 0.2, 5) EXCEPT SELECT * FROM query_error('qe nss', 'patient', 200, 3, 0.2, 6)) AS d;
-- Against plain SQL: one value each (b = 1), so that a query is one of all combinations of an age and an illness, and with many queries each is asked
-- about as often as any other.
CREATE VIEW by_age AS SELECT id, age, illness FROM patient;
CREATE VIEW pair AS SELECT a.age, i.illness, (SELECT count(*) FROM patient AS p WHERE p.age = a.age AND p.illness = i.illness) AS actual
FROM (SELECT DISTINCT age FROM patient) AS a, (SELECT DISTINCT illness FROM patient WHERE illness IS NOT NULL) AS i;
SELECT create_lossy_join_policy('qe age', 'by_age', 'id', '{age}', '{illness}', 0.5, 4, 'projections', publish_as => 'qe_age', population => 'qe age');
SELECT published FROM publish('qe age');
CREATE TABLE estimate AS
SELECT 'paper' AS estimator, actual, (SELECT coalesce(sum(s.n), 0) FROM qe_age_ss AS s WHERE s.illness = c.illness AND s.class_id IN (SELECT n.class_id FROM qe_age_nss AS n WHERE n.age = c.age))::float AS estimate FROM pair AS c
UNION ALL
SELECT 'unbiased', actual, (SELECT coalesce(sum(j.weight), 0) FROM qe_age_joined AS j WHERE j.age = c.age AND j.illness = c.illness) FROM pair AS c;
-- One table of whatever method: a row counts with one part of the distinct ages that its range covers.
SELECT create_sequential_policy('qe age seq', 'by_age', 'id', '{age}', k => 30, sensitive => '{illness}', max_link => 1, publish_as => 'qe_age_seq', population => 'qe age seq');
SELECT published FROM publish('qe age seq');
INSERT INTO estimate
SELECT 'uniform', actual, (SELECT coalesce(sum(1.0 / (SELECT count(DISTINCT p.age) FROM patient AS p WHERE s.age @> p.age)), 0) FROM qe_age_seq AS s WHERE s.age @> c.age AND s.illness = c.illness) FROM pair AS c;
SELECT q.estimator, q.answered + q.skipped AS ran, abs(q.mean_error - e.mean) < (q.mean_high - q.mean_low) AS mean, abs(q.max_error - e.max::numeric) < 0.00001 AS max, abs(q.skipped - 20000 * e.skipped) < 400 AS skipped
FROM (SELECT * FROM query_error('qe age', 'patient', 20000, 1, 0.0001) UNION ALL SELECT * FROM query_error('qe age seq', 'patient', 20000, 1, 0.0001)) AS q
JOIN (SELECT estimator, avg(abs(actual - estimate) / nullif(actual, 0)) AS mean, max(abs(actual - estimate) / nullif(actual, 0)) AS max, avg((actual = 0)::int) AS skipped FROM estimate GROUP BY estimator) AS e USING (estimator)
ORDER BY q.estimator;
-- Every value is asked for: all counts are right, and NULL is no value.
SELECT * FROM query_error('qe age', 'patient', 5, 1, 1);

-- Every form that shows ranges and labels: of one table, of sequential and of incremental releases, with several columns; without a sensitive column it is
-- what is published as it is.
SELECT create_lossy_join_policy('qe one', 'patient', 'id', '{age,"the job",score}', '{illness}', 0.5, 4, 'generalized', taxonomies => '{"the job": "qe job"}', publish_as => 'qe_one', population => 'qe one');
SELECT create_sequential_policy('qe seq', 'patient', 'id', '{age,"the job",score,seen}', k => 5, sensitive => '{illness}', max_link => 1, taxonomies => '{"the job": "qe job"}', publish_as => 'qe_seq', population => 'qe seq');
SELECT create_incremental_policy('qe inc', 'patient', 'id', '{age,"the job",seen}', 5, publish_as_is => '{illness}', taxonomies => '{"the job": "qe job"}', publish_as => 'qe_inc', population => 'qe inc');
SELECT p, (publish(p)).published FROM unnest('{qe one,qe seq,qe inc}'::text[]) AS p;
SELECT p, q.estimator, q.answered + q.skipped AS ran, q.mean_error BETWEEN 0.01 AND 2 AS plausible FROM unnest('{qe one,qe seq,qe inc}'::text[]) AS p, query_error(p, 'patient', 400, 2, 0.3) AS q;
-- Of columns without NULLs each row that shows an illness then counts as one.
SELECT * FROM query_error('qe inc', 'patient', 3, 3, 1);
-- Several sensitive columns: a query asks one of them; what is published as it is beside them is a quasi column.
SELECT create_lossy_join_policy('qe two', 'patient', 'id', '{age}', '{illness,score}', 0.5, 4, 'projections', publish_as_is => '{seen}', publish_as => 'qe_two', population => 'qe two');
SELECT published FROM publish('qe two');
SELECT estimator, answered + skipped AS ran FROM query_error('qe two', 'patient', 100, 2, 0.2);
-- One query has no interval, none has no error. Values that the release has and the original lacks are asked by nobody.
SELECT estimator, answered, skipped, mean_error, mean_low, mean_high FROM query_error('qe age', 'patient', 1, 1, 1);
CREATE TABLE apart AS SELECT 20 AS age, 'a' AS illness UNION ALL SELECT 21, NULL;
SELECT estimator, answered + skipped AS ran, max_error FROM query_error('qe age', 'apart', 20, 1, 1);
CREATE TABLE never AS SELECT 20 AS age, NULL AS illness UNION ALL SELECT NULL, 'flu';
SELECT * FROM query_error('qe age', 'never', 20, 1, 1);

-- Errors. The original may be any relation with these columns, which the caller may read.
SELECT pg_temp.fails('SELECT query_error(' || a || ')') FROM unnest(ARRAY['NULL, ''patient''', '''qe age'', NULL', '''qe age'', ''patient'', NULL', '''qe age'', ''patient'', 1, NULL', '''qe age'', ''patient'', 1, 1, NULL', '''qe age'', ''patient'', 1, 1, 1, NULL',
  '''qe age'', ''patient'', 0', '''qe age'', ''patient'', 1, 0', '''qe age'', ''patient''', '''qe age'', ''patient'', 1, 1, 0', '''qe age'', ''patient'', 1, 1, 1.0001', '''qe age'', ''patient'', 1, 1, -0.1', '''qe age'', ''patient'', 1, 1, ''NaN''', '''qe age'', ''patient'', 1, 1, ''Infinity''',
  '''nobody'', ''patient''', '''qe age/7'', ''patient''']) AS a;
SELECT count(*) FROM query_error('qe age', 'patient', 1, 1, ('1e-400')::numeric, -2147483648);
CREATE TABLE lacking AS SELECT age FROM patient;
SELECT pg_temp.fails($$SELECT query_error('qe age', 'lacking', dimensions => 1)$$);
CREATE VIEW nobody AS SELECT * FROM patient WHERE false;
SELECT pg_temp.fails($$SELECT query_error('qe age', 'nobody', dimensions => 1)$$);
CREATE VIEW unknown AS SELECT age, NULL::text AS illness FROM patient;
SELECT pg_temp.fails($$SELECT query_error('qe age', 'unknown', dimensions => 1)$$);
CREATE VIEW other_job AS SELECT age, 'pilot ' || id AS "the job", score, seen, illness FROM patient;
SELECT pg_temp.fails($$SELECT query_error('qe seq', 'other_job')$$);
CREATE VIEW other_age AS SELECT 'about ' || age AS age, illness FROM patient;
SELECT pg_temp.fails($$SELECT query_error('qe age seq', 'other_age', dimensions => 1)$$);
CREATE VIEW bad AS SELECT ('secret' || age)::int AS age, illness FROM patient;
SELECT pg_temp.fails($$SELECT query_error('qe age', 'bad', dimensions => 1)$$);
SELECT create_sequential_policy('qe bare', 'patient', 'id', '{age,seen}', k => 5, publish_as => 'qe_bare', population => 'qe bare');
SELECT published FROM publish('qe bare');
SELECT pg_temp.fails($$SELECT query_error('qe bare', 'patient')$$);
SELECT register_release('qe old', 'by_age', 'qe old');
SELECT pg_temp.fails($$SELECT query_error('qe old', 'patient')$$);
UPDATE patient SET age = age + 1 WHERE id < 20;
SELECT (publish('qe inc')).version;
SELECT retire_release('qe inc/1');
SELECT pg_temp.fails($$SELECT query_error('qe inc/1', 'patient')$$);
SELECT withdraw_release('qe inc/2', 'nobody has read it');
SELECT pg_temp.fails($$SELECT query_error('qe inc/2', 'patient')$$);
-- It takes the rights of the release's owner, and SELECT on the original.
GRANT SELECT ON ALL TABLES IN SCHEMA query_error TO regress_qe_reader;
SET ROLE regress_qe_reader;
SELECT pg_temp.fails($$SELECT anon_seq.query_error('qe age', 'query_error.patient', dimensions => 1)$$);
RESET ROLE;
CREATE ROLE regress_qe_owner;
CREATE ROLE regress_qe_member IN ROLE regress_qe_owner;
SELECT grant_publish('regress_qe_owner');
GRANT USAGE, CREATE ON SCHEMA query_error TO regress_qe_owner;
SET ROLE regress_qe_owner;
CREATE TABLE theirs AS SELECT i AS id, (i % 4)::smallint AS a, i % 3 = 0 AS b, (i % 5)::text AS s FROM generate_series(1, 100) AS i;
SELECT create_incremental_policy('qe theirs', 'theirs', 'id', '{a,b}', 3, publish_as_is => '{s}', publish_as => 'qe_theirs');
SELECT published FROM publish('qe theirs');
CREATE TABLE told AS SELECT * FROM query_error('qe theirs', 'theirs');
RESET ROLE;
SET ROLE regress_qe_member;
SELECT count(*) FROM (TABLE told EXCEPT SELECT * FROM query_error('qe theirs', 'theirs')) AS d;
RESET ROLE;
CREATE TABLE mine AS TABLE theirs;
SET ROLE regress_qe_owner;
SELECT pg_temp.fails($$SELECT query_error('qe theirs', 'mine')$$);
RESET ROLE;
SET client_min_messages = error;
SELECT drop_policy(p) FROM unnest('{qe nss,qe age,qe age seq,qe one,qe seq,qe inc,qe two,qe bare,qe theirs}'::text[]) AS p;
DROP SCHEMA query_error CASCADE;
SELECT revoke_publish('regress_qe_owner');
DROP OWNED BY regress_qe_owner;
DROP ROLE regress_qe_reader, regress_qe_member, regress_qe_owner;
