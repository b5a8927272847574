-- Local recoding: boxes in place of one cut of each column. What it shows, that it never loses more, what it is not offered with, and who is
-- measured against it later.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA publish_local;
SET search_path = publish_local, anon_seq;
SET client_min_messages = warning;
SELECT create_taxonomy('local job', '{"*": {"care": ["nurse", "doctor"], "office": ["clerk", "boss"]}}');
-- Declares and publishes a policy of a population of its own.
CREATE FUNCTION published(name text, source regclass, options jsonb DEFAULT '{"recoding": "local"}', k int DEFAULT NULL, max_link numeric DEFAULT NULL, rules jsonb DEFAULT NULL, person text DEFAULT 'id', sensitive text[] DEFAULT NULL, max_suppressed numeric DEFAULT NULL) RETURNS text
  LANGUAGE plpgsql AS $$ BEGIN
  PERFORM create_sequential_policy(name, source, person, '{job,age}', k => k, max_link => max_link, rules => rules, sensitive => sensitive, taxonomies => '{"job": "local job"}', population => name, publish_as => replace(name, ' ', '_'), options => options, max_suppressed => max_suppressed);
  RETURN (SELECT p.published || ' rows, ' || p.classes || ' classes, ' || p.withheld || ' withheld' FROM publish(name) AS p); END $$;
CREATE FUNCTION lost(release text) RETURNS numeric LANGUAGE sql AS $$ SELECT round(value::numeric, 6) FROM measure(release) WHERE metric = 'ncp' $$;

-- Three of each age are nurses, three of any age something else: a cut of age that is for all is for nobody, one for nurses is.
CREATE TABLE people (id int, job text, age int, illness text);
INSERT INTO people SELECT i, 'nurse', 20 + i % 4 * 10, (ARRAY['flu', 'cold', 'pox'])[i % 3 + 1] FROM generate_series(1, 12) AS i;
INSERT INTO people SELECT 100 + i, (ARRAY['clerk', 'boss', 'doctor'])[i % 3 + 1], 22 + i / 3 * 19 % 60, (ARRAY['flu', 'cold', 'pox'])[i % 3 + 1] FROM generate_series(1, 9) AS i;
SELECT published('pl global', 'people', '{}', k => 3);
SELECT published('pl local', 'people', k => 3);
SELECT lost('pl local') < lost('pl global');
SELECT attribute, value FROM cut('pl global');
SELECT string_agg(value, ' ') FROM (SELECT value, (row_number() OVER () + 1) / 2 AS box FROM cut('pl local')) AS c GROUP BY box ORDER BY box;
SELECT job, age, count(*) FROM pl_local GROUP BY 1, 2 ORDER BY job COLLATE "C", age;
SELECT * FROM pl_local_flat ORDER BY 1, 2, 3 LIMIT 3;
SELECT step, attribute, value, children, round(info_gain::numeric, 3), privacy_after FROM trace('pl local') ORDER BY step;
SELECT check_name, required, observed, ok FROM audit('pl local') ORDER BY check_name COLLATE "C";
SELECT metric, round(value::numeric, 4) FROM measure('pl local') WHERE metric IN ('ncp', 'discernibility', 'c_avg') ORDER BY metric COLLATE "C";
SELECT describe_policy('pl local')->'options';
-- Boxes divide everything: no two of them meet.
SELECT count(*) FROM (SELECT DISTINCT job, age FROM pl_local) AS a, (SELECT DISTINCT job, age FROM pl_local) AS b
  WHERE (a.job, a.age) < (b.job, b.age) AND a.age && b.age AND (a.job = b.job OR a.job = '*' OR b.job = '*' OR (a.job = 'care' AND b.job IN ('nurse', 'doctor')) OR (b.job = 'care' AND a.job IN ('nurse', 'doctor'))
    OR (a.job = 'office' AND b.job IN ('clerk', 'boss')) OR (b.job = 'office' AND a.job IN ('clerk', 'boss')));
-- The same source is the same release; in another order, and by several workers, the same rows.
SET client_min_messages = notice;
SELECT version FROM publish('pl local');
SET client_min_messages = warning;
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text);
SELECT published('pl shuffled', 'shuffled', k => 3);
SELECT count(*) FROM ((TABLE pl_local EXCEPT ALL TABLE pl_shuffled) UNION ALL (TABLE pl_shuffled EXCEPT ALL TABLE pl_local)) AS d;
SELECT create_sequential_policy('pl preview', 'people', 'id', '{job,age}', k => 3, taxonomies => '{"job": "local job"}', population => 'pl preview', publish_as => 'pl_preview');
SELECT variant, feasible, published, classes FROM preview('pl preview', '{"{}", "{\"options\": {\"recoding\": \"local\"}}", "{\"k\": 2, \"options\": {\"recoding\": \"local\"}}"}'::jsonb[]);

-- Rules that look at what is sensitive only accept or refuse cuts. They hold as far as the rows themselves tell.
SELECT published('pl link', 'people', k => 2, max_link => 0.5, sensitive => '{illness}');
SELECT count(*) FROM (SELECT job, age, max(n) OVER (PARTITION BY job, age) AS most, sum(n) OVER (PARTITION BY job, age) AS whole FROM (SELECT job, age, illness, count(*) AS n FROM pl_link GROUP BY 1, 2, 3) AS g) AS c WHERE most * 2 > whole;
SELECT required, observed, ok, detail FROM audit('pl link') WHERE check_name = 'reader';
SELECT bool_and(ok) FROM audit('pl link');
SELECT exact, tried > 0, accepted BETWEEN 1 AND tried, bound FROM audit_minimality('pl link', 40);
SELECT pg_temp.fails($$SELECT audit_minimality('pl local')$$);
-- X without age: groups of several boxes. Sums of a value over them are kept.
SELECT published('pl jobs', 'people', k => 2, rules => '[{"kind": "linkability", "x": ["job"], "y": ["illness"], "max": 0.6}, {"kind": "anonymity", "x": ["age"], "y": ["person"], "min": 5}]', sensitive => '{illness}');
SELECT min(n) >= 5 FROM (SELECT count(*) AS n FROM pl_jobs GROUP BY age) AS c;
SELECT bool_and(n * 10 <= whole * 6) FROM (SELECT job, illness, count(*) AS n, sum(count(*)) OVER (PARTITION BY job) AS whole FROM pl_jobs GROUP BY 1, 2) AS c;
SELECT check_name, observed, ok FROM audit('pl jobs') WHERE check_name IN ('anonymity', 'linkability') ORDER BY scope COLLATE "C";

-- Who is out is decided as without; the others in boxes. What counts more is kept. Unknown values, several rows of a person, a domain.
INSERT INTO people VALUES (200, 'boss', 90, 'pox');
SELECT published('pl out', 'people', k => 3, max_suppressed => 0.3);
SELECT published('pl out global', 'people', '{}', k => 3, max_suppressed => 0.3);
SELECT count(DISTINCT withheld), count(*) FROM releases WHERE policy IN ('pl out', 'pl out global');
SELECT lost('pl out') <= lost('pl out global');
DELETE FROM people WHERE id = 200;
CREATE TABLE halves AS SELECT i AS id, (ARRAY['nurse', 'clerk'])[i % 2 + 1] AS job, 20 + i / 2 % 2 AS age FROM generate_series(0, 39) AS i;
SELECT published('pl job first', 'halves', '{"recoding": "local", "weights": {"job": 3}}', k => 20), published('pl age first', 'halves', '{"recoding": "local", "weights": {"age": 3}}', k => 20);
SELECT count(DISTINCT job), count(DISTINCT age) FROM pl_job_first;
SELECT count(DISTINCT job), count(DISTINCT age) FROM pl_age_first;
CREATE TABLE visits AS SELECT id % 9 AS id, CASE WHEN id % 7 <> 0 THEN job END AS job, CASE WHEN id % 5 <> 0 THEN age END AS age FROM people;
SELECT published('pl visits', 'visits', '{"recoding": "local", "domains": {"age": [0, 100]}}', k => 2);
SELECT job, age, count(*) FROM pl_visits GROUP BY 1, 2 ORDER BY job COLLATE "C", age;
SELECT bool_and(ok) FROM audit('pl visits');

-- Later versions, and others', are measured against boxes: labels match above and below, ranges where they meet.
INSERT INTO people SELECT 300 + i, 'doctor', 30 + i * 2, (ARRAY['flu', 'cold', 'pox'])[i % 3 + 1] FROM generate_series(1, 6) AS i;
SELECT pg_temp.fails($$SELECT publish('pl local')$$);
SELECT alter_policy('pl local', '{"rules": [{"kind": "anonymity", "x": ["job", "age", {"release": "pl local", "column": "job"}, {"release": "pl local", "column": "age"}], "y": ["id"], "min": 3}], "options": {"dangling": "outer"}}');
SELECT version, published FROM publish('pl local');
INSERT INTO people SELECT 400 + i, 'clerk', 25 + i * 3, 'pox' FROM generate_series(1, 6) AS i;
SELECT version, published FROM publish('pl local');
SELECT bool_and(ok) FROM audit('pl local', everything => true);
SELECT create_sequential_policy('pl other', 'people', 'id', '{job,age}', k => 2, max_link => 0.7, sensitive => '{illness}', taxonomies => '{"job": "local job"}', population => 'pl local', publish_as => 'pl_other', options => '{"dangling": "outer"}',
  rules => '[{"kind": "anonymity", "x": ["job", "age"], "y": ["person"], "min": 2, "with": ["pl local"], "partial_x": true}]');
SELECT published FROM publish('pl other');
SELECT bool_and(ok) FROM audit('pl other');
SELECT smallest_anonymity >= 1, matches > 0 FROM audit_join('{"pl local/1","pl other/1"}', '[{"release": "pl other/1", "column": "job"}]', '[{"release": "pl other/1", "column": "illness"}]');

-- What cannot be had together, and what cannot be changed.
SELECT pg_temp.fails($$SELECT published('pl no', 'people', '{"recoding": "both"}', k => 3)$$);
SELECT pg_temp.fails($$SELECT published('pl no', 'people', '{"recoding": true}', k => 3)$$);
SELECT pg_temp.fails($$SELECT published('pl no', 'people', '{"recoding": "local", "decisions": "simulatable"}', k => 3)$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pl no', 'people', 'id', '{job,age}', k => 3, label => 'illness', taxonomies => '{"job": "local job"}', options => '{"recoding": "local"}')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pl no', 'people', 'id', '{job,age}', k => 3, objective => 'discernibility', taxonomies => '{"job": "local job"}', options => '{"recoding": "local"}')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pl no', 'people', 'id', '{job,age}', 3, taxonomies => '{"job": "local job"}', options => '{"recoding": "local"}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl local', '{"options": {"recoding": "global"}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl local', '{"options": null}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl global', '{"options": {"recoding": "local"}}')$$);
SELECT alter_policy('pl global', '{"options": {"recoding": "global"}}');
SELECT pg_temp.fails($$SELECT published('pl no', 'people', k => 1000)$$);
-- Before the first release it can. A label that informs nothing is allowed with the objective that is there. A search finds where boxes may begin.
SELECT create_sequential_policy('pl early', 'people', 'id', '{job,age}', k => 3, taxonomies => '{"job": "local job"}', population => 'pl early', publish_as => 'pl_early', label => 'illness', objective => 'distortion', publish_as_is => '{illness}');
SELECT alter_policy('pl early', '{"options": {"recoding": "local", "search": true, "pruning": "paper", "valid_split": false}}');
SELECT published FROM publish('pl early');
SELECT bool_and(ok) FROM audit('pl early');
DROP SCHEMA publish_local CASCADE;
