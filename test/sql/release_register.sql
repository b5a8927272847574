-- Releases made elsewhere: registered under other names, in the spellings of other tools, at any level; and what is declared about values.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA release_register;
SET search_path = release_register, anon_seq;
SET client_min_messages = warning;
CREATE TABLE visit (id int PRIMARY KEY, job text, age int, zip text, sex text, disease text);
INSERT INTO visit SELECT i, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + i % 4], 20 + i % 40, (20400 + i % 50)::text, (ARRAY['M', 'F'])[1 + i % 2], (ARRAY['flu', 'pregnant', 'cold'])[1 + i % 3] FROM generate_series(1, 120) AS i;
UPDATE visit SET job = NULL WHERE id % 5 = 0;
UPDATE visit SET disease = 'flu' WHERE disease = 'pregnant' AND sex = 'M';
SELECT create_taxonomy('register_job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
SELECT create_prefix_taxonomy('register_zip', '{4,3}');
SELECT create_range_taxonomy('register_age', 0, 100, '{10,20}');
SELECT create_flat_taxonomy('register_sex', '{M,F}');

-- Texts of other tools: '*' for everything, '[20, 30[' for [20,30), prefixes; columns with other names; NULL; exact values.
CREATE TABLE "ARX out" ("Age" text, "PLZ" text, "Occ." text, "Größe ""x""" text, n int);
INSERT INTO "ARX out" SELECT CASE WHEN id % 2 = 0 THEN format('[%s, %s[', age / 10 * 10, age / 10 * 10 + 10) ELSE '*' END, CASE WHEN id % 3 = 0 THEN left(zip, 3) || '**' ELSE '*' END, CASE WHEN id % 5 = 0 THEN NULL WHEN id % 5 = 1 THEN '*' ELSE job END, sex, 1 FROM visit;
SELECT register_release('arx', '"ARX out"', 'register', '{"age": {"column": "Age", "taxonomy": "register_age"}, "zip": {"column": "PLZ", "taxonomy": "register_zip"}, "job": {"column": "Occ.", "taxonomy": "register_job"}, "sex": {"column": "Größe \"x\""}}');
SELECT policy, version, relations, method, population, published, withheld, classes, smallest_class, parameters, retired_at FROM releases WHERE policy = 'arx';
SELECT release_row, count(*) FROM release_rows('arx') GROUP BY 1 ORDER BY count(*) DESC, release_row::text COLLATE "C" LIMIT 5;
SELECT DISTINCT release_row ->> 'Age', release_row ->> 'PLZ', release_row ->> 'Occ.' FROM release_rows('arx') ORDER BY 1, 2, 3;
-- Intervals without a taxonomy become ranges; ranges and numbers stay what they are; without attributes all columns go by their own names.
CREATE TABLE intervals AS SELECT format('[%s, %s[', age / 10 * 10, age / 10 * 10 + 10) AS age, int4range(age, age + 5) AS r, age AS exact, disease FROM visit;
SELECT register_release('intervals', 'intervals', 'register intervals');
SELECT c ->> 'column', c ->> 'type', c ->> 'taxonomy' FROM release AS r, jsonb_array_elements(r.columns) AS c WHERE r.name = 'intervals';
SELECT DISTINCT release_row ->> 'age' FROM release_rows('intervals') ORDER BY 1;

SELECT pg_temp.fails('SELECT register_release(' || a || ')') FROM unnest(ARRAY[
  $$NULL, 'intervals', 'x'$$, $$'x', NULL, 'x'$$, $$'x', 'intervals', NULL$$, $$'', 'intervals', 'x'$$, $$'a/b', 'intervals', 'x'$$, $$repeat('x', 64), 'intervals', 'x'$$, $$'arx', 'intervals', 'x'$$, $$'x', 'nothing', 'x'$$,
  $$'x', 'intervals', 'x', '[]'$$, $$'x', 'intervals', 'x', '{}'$$, $$'x', 'intervals', 'x', '{"age": {"column": "gone"}}'$$, $$'x', 'intervals', 'x', '{"age": {"colum": "age"}}'$$, $$'x', 'intervals', 'x', '{"age": {"taxonomy": "gone"}}'$$,
  $$'x', 'intervals', 'x', '{"age": {"taxonomy": "register_job"}}'$$, $$'x', 'intervals', 'x', '{"a": "age", "b": "age"}'$$, $$'x', 'intervals', 'x', '{"a": 1}'$$, $$'x', 'intervals', ''$$]) AS a;
CREATE TABLE nothing_in_it (a int);
SELECT pg_temp.fails($$SELECT register_release('x', 'nothing_in_it', 'x')$$);
SELECT count(*) FROM releases WHERE policy = 'x';

-- A policy is measured against it; what the audit counts is what brute force counts over the registered rows.
SELECT create_sequential_policy('against', 'visit', 'id', '{job,age,zip}', k => 5, sensitive => '{disease}', taxonomies => '{"job": "register_job", "zip": "register_zip", "age": "register_age"}', publish_as_is => '{sex}', population => 'register',
  max_link => 0.9, options => '{"valid_split": true}', rules => '[{"kind": "anonymity", "x": ["job", "age", "zip", {"release": "arx", "column": "Occ."}, {"release": "arx", "column": "Age"}, {"release": "arx", "column": "PLZ"}], "y": ["person", {"release": "arx"}], "min": 20}, {"kind": "linkability", "x": ["job", "zip"], "partial_x": true, "y": [{"release": "arx", "column": "Größe \"x\""}], "max": 0.9}]');
SELECT describe_policy('against') -> 'common';
SELECT version, published, classes, smallest_class FROM publish('against');
SELECT check_name, scope, required, observed, ok FROM audit('against', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
SELECT smallest_anonymity FROM audit_join('{against,arx}', '["job", "age", "zip", {"release": "arx", "column": "Occ."}, {"release": "arx", "column": "Age"}, {"release": "arx", "column": "PLZ"}]', '[{"release": "against"}, {"release": "arx"}]');
CREATE FUNCTION matches(taxonomy text, a text, b text) RETURNS boolean LANGUAGE sql AS $$
  SELECT CASE WHEN a IS NULL AND b IS NULL THEN true WHEN a IS NULL OR b IS NULL THEN 'ANY' IN (a, b) OR '*' IN (a, b)
    ELSE a IN (SELECT generalize(taxonomy, b, l) FROM generate_series(0, 3) AS l) OR b IN (SELECT generalize(taxonomy, a, l) FROM generate_series(0, 3) AS l) END $$;
WITH a AS (SELECT job, age, zip, sex, count(*) AS n FROM against GROUP BY 1, 2, 3, 4),
  b AS (SELECT release_row ->> 'Occ.' AS job, release_row ->> 'Age' AS age, release_row ->> 'PLZ' AS zip, release_row ->> 'Größe "x"' AS sex, count(*) AS n FROM release_rows('arx') GROUP BY 1, 2, 3, 4),
  j AS (SELECT a.job, a.age, a.zip, b.job AS job2, b.age AS age2, b.zip AS zip2, a.n * b.n AS pairs FROM a JOIN b ON a.sex = b.sex AND matches('register_job', a.job, b.job) AND matches('register_age', a.age, b.age) AND matches('register_zip', a.zip, b.zip))
SELECT min(s) FROM (SELECT sum(pairs) AS s FROM j GROUP BY job, age, zip, job2, age2, zip2) AS x;

-- Values that nobody has together: pairs that fall away are counted no more, by the algorithm and by the audit.
SELECT matches FROM audit_join('{against,intervals}', '["job"]', '[{"release": "intervals"}]');
SELECT declare_inconsistent('sex', 'M', 'disease', 'cold');
SELECT matches FROM audit_join('{against,intervals}', '["job"]', '[{"release": "intervals"}]');
SELECT check_name, observed, ok FROM audit('against', everything => true) WHERE NOT ok ORDER BY 1, 2;
DELETE FROM inconsistency WHERE attribute_a = 'sex' AND value_a = 'M';
UPDATE visit SET disease = 'flu' WHERE id = 119;
SELECT version FROM publish('against');
SELECT bool_and(ok) FROM audit('against', everything => true);

-- The table behind a registered release changes, or goes: audits say so, and what was registered goes on counting.
SELECT check_name, observed, ok FROM audit('against', everything => true) WHERE scope = 'arx' ORDER BY 1, 2;
UPDATE "ARX out" SET "PLZ" = '*';
SELECT check_name, observed, ok FROM audit('against', everything => true) WHERE scope = 'arx' ORDER BY 1, 2;
DROP TABLE "ARX out";
SELECT check_name, observed, ok FROM audit('against', everything => true) WHERE scope = 'arx' ORDER BY 1, 2;
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT retire_release('arx')$$, $$SELECT retire_release('against/1')$$, $$SELECT retire_release('against/1')$$, $$SELECT retire_release('against')$$, $$SELECT retire_release('against/9')$$, $$SELECT retire_release(NULL)$$,
  $$SELECT cut('arx')$$, $$SELECT trace('arx')$$, $$SELECT measure('arx')$$, $$SELECT cut('nothing')$$, $$SELECT trace('nothing')$$, $$SELECT measure('nothing')$$, $$SELECT release_rows('nothing')$$, $$SELECT release_rows(NULL)$$, $$SELECT cut('against/0')$$,
  $$SELECT forget('nothing', '1')$$, $$SELECT forget(NULL, '1')$$, $$SELECT forget('register', NULL)$$, $$SELECT forget('register', 'somebody')$$]) AS sql;
-- A retired version: no relation, but rows, cut, trace and measures.
SELECT to_regclass('against_r1'), count(*) FROM release_rows('against/1');
SELECT count(*) > 0 FROM cut('against/1');
SELECT count(*) > 0 FROM trace('against/1');
SELECT count(*) > 0 FROM measure('against/1');
-- Forgotten: out of the ledger, still shown where a relation lives, and audits go on.
SELECT p.id AS ledger FROM policy AS p WHERE name = 'against' \gset
SELECT format('anon_seq_ledger.p%s_person', :ledger) AS person, format('anon_seq_ledger.p%s_cell', :ledger) AS cell, format('anon_seq_ledger.p%s_note', :ledger) AS note \gset
SELECT version, count(*) FROM :person WHERE 7 = ANY (persons) GROUP BY 1 ORDER BY 1;
SELECT * FROM forget('register', '7');
SELECT * FROM forget('register', '7');
SELECT count(*) FROM :person WHERE 7 = ANY (persons);
SELECT bool_and(ok) FROM audit('against', everything => true);

-- The ledger is not written by hand.
SELECT pg_temp.fails(format(sql, t)) FROM unnest(ARRAY['DELETE FROM %s', 'UPDATE %s SET version = 5', 'TRUNCATE %s', 'INSERT INTO %1$s SELECT * FROM %1$s']) AS sql, unnest(ARRAY[:'cell', :'person', :'note']) AS t;

-- After its policy is gone the newest release stays until it is retired, and then counts still.
SELECT drop_policy('against');
SELECT count(*) FROM against;
SELECT retire_release('against');
SELECT to_regclass('against');
SELECT pg_temp.fails($$SELECT retire_release('against')$$);
SELECT policy, version, relations FROM releases WHERE policy = 'against' ORDER BY 2;

-- What is registered later shows in audits of methods that have no guarantee with it, and whoever registers it is told; nothing does beside who leaves
-- it out of account.
SET client_min_messages = error;
CREATE FUNCTION late(p text, o text) RETURNS void LANGUAGE sql AS $$
  SELECT CASE p WHEN 'inc' THEN create_incremental_policy('late ' || pool, 'visit', 'id', '{age}', 2, population => 'late ' || pool, options => options)
    WHEN 'pair' THEN create_lossy_join_policy('late ' || pool, 'visit', 'id', '{age}', '{disease}', 0.75, 4, 'projections', population => 'late ' || pool, options => options)
    WHEN 'table' THEN create_lossy_join_policy('late ' || pool, 'visit', 'id', '{age}', '{disease}', 0.75, 4, 'generalized', population => 'late ' || pool, options => options)
    WHEN 'serial' THEN create_serial_policy('late ' || pool, 'visit', 'id', '{age}', '{disease}', '{pregnant}', 2, 'projections', population => 'late ' || pool, options => options)
    WHEN 'life' THEN create_serial_policy('late ' || pool, 'visit', 'id', '{age}', '{disease}', '{pregnant}', 2, 'projections', persistence => 'permanent', population => 'late ' || pool, options => options) END
  FROM (SELECT p || o AS pool, CASE WHEN o <> '' THEN jsonb_build_object('unguarded', ARRAY['late ' || p || o || ' copy']) END AS options) AS s $$;
SELECT count(late(p, o)) FROM unnest('{inc,pair,table,serial,life}'::text[]) AS p, unnest('{"", " out"}'::text[]) AS o;
SELECT count(*) FROM unnest('{inc,pair,table,serial,life}'::text[]) AS p, unnest('{"", " out"}'::text[]) AS o, publish('late ' || p || o);
CREATE TABLE late_copy AS SELECT age, disease FROM visit;
SET client_min_messages = warning;
SELECT count(register_release('late ' || p || o || ' copy', 'late_copy', 'late ' || p || o)) FROM unnest('{inc,pair,table,serial,life}'::text[]) AS p, unnest('{"", " out"}'::text[]) AS o;
SELECT p || o, string_agg(check_name || ': ' || observed, '; ') FILTER (WHERE NOT ok) FROM unnest('{inc,pair,table,serial,life}'::text[]) AS p, unnest('{"", " out"}'::text[]) AS o, audit('late ' || p || o) GROUP BY 1 ORDER BY 1;
SELECT count(withdraw_release('late ' || p || ' copy', 'other people')) FROM unnest('{inc,pair,table,serial,life}'::text[]) AS p;
SELECT bool_and(ok) FROM unnest('{inc,pair,table,serial,life}'::text[]) AS p, audit('late ' || p) WHERE check_name <> 'withdrawn';
DROP SCHEMA release_register CASCADE;
