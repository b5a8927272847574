-- Risk of disclosure: prosecutor, marketer, journalist; uniques; k-map and delta-presence. Counted again in plain SQL.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = warning;
CREATE ROLE regress_seq_risk;
CREATE ROLE regress_seq_other;
SELECT anon_seq.grant_publish('regress_seq_risk');
SELECT anon_seq.grant_publish('regress_seq_other');
CREATE SCHEMA audit_risk AUTHORIZATION regress_seq_risk;
GRANT USAGE ON SCHEMA audit_risk TO regress_seq_other;
SET ROLE regress_seq_risk;
SET search_path = audit_risk, anon_seq, public;
\pset tuples_only off
\pset expanded on
\pset footer off

-- By hand: classes of 1, 3 and 4; of the population 4, 6 and 2 fit.
CREATE TABLE shown AS SELECT * FROM (VALUES ('[20,30)', 'f'), ('[30,50)', 'f'), ('[30,50)', 'f'), ('[30,50)', 'f'), ('*', 'm'), ('*', 'm'), ('*', 'm'), ('*', 'm')) AS t (age, sex);
CREATE TABLE census AS SELECT * FROM (VALUES (21, 'f', 3), (29, 'f', 1), (30, 'f', 1), (49, 'f', 5), (50, 'f', 2), (80, 'm', 2)) AS t (age, sex, n);
SELECT * FROM audit_risk('shown', '{age,sex}');
SELECT * FROM audit_risk('shown', '{age,sex}', population => 'census', counts => 'n');
-- One row per person without counts; fewer columns, larger classes.
CREATE TABLE persons AS SELECT age, sex FROM census, generate_series(1, n);
SELECT (a = b) AS same FROM audit_risk('shown', '{age,sex}', population => 'census', counts => 'n') AS a, audit_risk('shown', '{age,sex}', population => 'persons') AS b;
SELECT records, classes, k_map, people, half_shown FROM audit_risk('shown', '{sex}', population => 'census', counts => 'n');
-- Columns by another name.
CREATE TABLE register AS SELECT age AS years, sex AS gender, n FROM census;
SELECT k_map, delta_max, uncovered FROM audit_risk('shown', '{age,sex}', population => 'register', counts => 'n', attributes => '{"age": {"shown": {"column": "age"}, "register": {"column": "years"}}, "sex": {"shown": {"column": "sex"}, "register": {"column": "gender"}}}');
-- Persons with several rows are counted once, a person without a key is nobody.
CREATE TABLE visits AS SELECT i % 5 AS pid, i % 2 AS ward FROM generate_series(1, 20) AS i;
INSERT INTO visits VALUES (NULL, 1), (NULL, 7);
SELECT records, classes, uniques FROM audit_risk('visits', '{ward}', 'pid') UNION ALL SELECT records, classes, uniques FROM audit_risk('visits', '{ward}');
-- NULL is a value of its own below the root; nobody is no risk.
CREATE TABLE holes (age int, sex text);
SELECT * FROM audit_risk('holes', '{age}', population => 'census');
INSERT INTO holes VALUES (NULL, 'f'), (21, 'f');
SELECT records, k_map, uncovered, delta_min FROM audit_risk('holes', '{age,sex}', population => 'census', counts => 'n');
\pset expanded off
\pset tuples_only on

-- Our own release, against a population of numbers and labels: counted again without the code that matches.
SELECT create_taxonomy('rk job', '{"ANY": {"health": ["nurse", "doctor"], "food": ["cook", "baker"]}}');
CREATE TABLE patient AS SELECT i AS id, 20 + i * 7 % 40 AS age, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i / 3 % 4] AS job FROM generate_series(1, 120) AS i;
CREATE TABLE people AS SELECT age, job, count(*) AS n FROM (SELECT age, job FROM patient UNION ALL SELECT 20 + i % 40, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i % 4] FROM generate_series(1, 500) AS i) AS u GROUP BY age, job;
SELECT create_sequential_policy('rk seq', 'patient', 'id', '{age,job}', k => 6, population => 'rk 1', taxonomies => '{"job": "rk job"}');
SELECT create_incremental_policy('rk inc', 'patient', 'id', '{age,job}', 11, population => 'rk 2', taxonomies => '{"job": "rk job"}');
SELECT create_lossy_join_policy('rk lossy', 'patient', 'id', '{age}', '{job}', 0.9, 2, 'projections', population => 'rk 3');
SELECT version FROM publish('rk seq') UNION ALL SELECT version FROM publish('rk inc') UNION ALL SELECT version FROM publish('rk lossy');
SELECT register_population('rk town', 'people', counts => 'n');
SELECT name, owner, relation, counts, attributes FROM population_tables;
CREATE FUNCTION by_hand(release regclass) RETURNS TABLE (k_map bigint, journalist numeric, delta_min numeric, delta_max numeric) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('
    WITH c AS (SELECT age, job, count(*) AS f FROM %s GROUP BY age, job),
         f AS (SELECT c.*, (SELECT sum(p.n)::bigint FROM people AS p WHERE p.age <@ c.age AND (p.job = ANY (CASE WHEN c.job::text LIKE ''{%%'' THEN c.job::text::text[] ELSE ARRAY[c.job::text] END)
            OR c.job::text ~ ''ANY'' OR c.job::text ~ ''health'' AND p.job IN (''nurse'', ''doctor'') OR c.job::text ~ ''food'' AND p.job IN (''cook'', ''baker''))) AS fit FROM c)
    SELECT min(fit), round(sum(f / fit::numeric) / sum(f), 6), round(min(f / fit::numeric), 6), round(max(f / fit::numeric), 6) FROM f', release);
END $$;
SELECT (r.k_map, r.journalist_average, r.delta_min, r.delta_max) = (h.k_map, h.journalist, h.delta_min, h.delta_max) AS same, r.people, r.k_map > 6 AS more_than_k, r.uncovered, r.population_changed FROM risk('rk seq', 'rk town') AS r, by_hand('"rk seq"') AS h;
SELECT (r.k_map, r.journalist_average, r.delta_min, r.delta_max) = (h.k_map, h.journalist, h.delta_min, h.delta_max) AS same, r.people, r.k_map > 6 AS more_than_k, r.uncovered, r.population_changed FROM risk('rk inc/1', 'rk town') AS r, by_hand('"rk inc"') AS h;
SELECT r.records, r.classes, r.prosecutor_max = round(1.0 / k.smallest, 6) AS max, r.prosecutor_average = round(k.classes / 120.0, 6) AS average, r.marketer = r.prosecutor_average AS marketer, r.people, r.k_map FROM risk('rk seq') AS r, audit_k('"rk seq"', '{age,job}') AS k;
SELECT r.classes = (SELECT count(DISTINCT job) FROM "rk seq") AS fewer FROM risk('rk seq', quasi => '{job}') AS r;
-- Columns by other names, of another table; labels of ranges, prefixes and dates beside the values.
CREATE TABLE renamed AS SELECT age AS years, job AS trade, n::int AS n FROM people;
SELECT register_population('rk renamed', 'renamed', 'n', '{"age": {"column": "years"}, "job": {"column": "trade"}}');
SELECT a = b AS same FROM risk('rk seq', 'rk town') AS a, risk('rk seq', 'rk renamed') AS b;
SELECT create_range_taxonomy('rk age', 0, 100, '{5,20}');
SELECT create_prefix_taxonomy('rk zip', '{3,1}');
SELECT create_date_taxonomy('rk born', '{month,year,decade}');
CREATE TABLE coded AS SELECT i AS id, 20 + i % 40 AS age, (1000 + i % 30)::text AS zip, date '1990-01-01' + 9 * i AS born FROM generate_series(1, 90) AS i;
SELECT create_sequential_policy('rk coded', 'coded', 'id', '{age,zip,born}', k => 5, population => 'rk 6', taxonomies => '{"age": "rk age", "zip": "rk zip", "born": "rk born"}');
SELECT version FROM publish('rk coded');
CREATE TABLE coded_people AS SELECT age, zip, to_char(born, 'YYYY-MM-DD') AS born, 2 AS n FROM coded;
SELECT register_population('rk coded', 'coded_people', 'n');
SELECT r.records, r.people, r.k_map = 2 * k.smallest AS twice, r.marketer = round(k.classes / 180.0, 6) AS half, r.delta_min, r.delta_max, r.half_shown = k.classes AS half_shown FROM risk('rk coded', 'rk coded') AS r, audit_k('"rk coded"', '{age,zip,born}') AS k;
-- A person with several rows is one.
CREATE TABLE stays AS SELECT i % 40 AS id, 20 + i % 40 AS age FROM generate_series(1, 160) AS i;
SELECT create_sequential_policy('rk stays', 'stays', 'id', '{age}', k => 5, population => 'rk 4');
SELECT version FROM publish('rk stays');
SELECT records, prosecutor_max <= 0.2 AS as_k FROM risk('rk stays');
SELECT register_release('rk old', 'people', 'rk 5', '{"age": "age", "job": "job"}');
SELECT records, classes, k_map FROM risk('rk old', 'rk town');
-- People of a job that the taxonomy does not know fit no class, not one that shows the root either; nor does who may be one of two.
SET client_min_messages = notice;
CREATE TABLE more_people AS SELECT age, ARRAY[job] AS job, n::int AS n FROM people;
SELECT register_population('rk more', 'more_people', 'n');
SELECT to_jsonb(a) = to_jsonb(b) AS same FROM risk('rk seq', 'rk town') AS a, risk('rk seq', 'rk more') AS b;
INSERT INTO more_people VALUES (20, '{astronaut}', 3), (21, '{cook,pilot}', 4);
SELECT to_jsonb(a) - '{people,population_changed,unique_people,delta_min}'::text[] = to_jsonb(b) - '{people,population_changed,unique_people,delta_min}'::text[] AS same, b.people - a.people AS more, b.delta_min FROM risk('rk seq', 'rk town') AS a, risk('rk seq', 'rk more') AS b;
CREATE TABLE strangers AS SELECT 20 + i AS age, 'astronaut'::text AS job FROM generate_series(0, 39) AS i;
SELECT register_population('rk strangers', 'strangers');
SELECT r.k_map = k.smallest AS as_alone, r.uncovered = r.records AS all, r.people FROM risk('rk seq', 'rk strangers') AS r, audit_k('"rk seq"', '{age,job}') AS k;
CREATE TABLE rooted AS SELECT 'ANY'::text AS job FROM generate_series(1, 3);
SELECT k_map, uncovered FROM audit_risk('rooted', '{job}', population => 'strangers', attributes => '{"job": {"rooted": {"column": "job", "taxonomy": "rk job"}, "strangers": {"column": "job"}}}');
UPDATE coded_people SET zip = '' WHERE zip = '1003';
SELECT r.people, r.k_map < 2 * k.smallest AS less, r.delta_min FROM risk('rk coded', 'rk coded') AS r, audit_k('"rk coded"', '{age,zip,born}') AS k;
-- What the release shows has to be in it.
SELECT pg_temp.fails($$SELECT audit_risk('strangers', '{job}', population => 'rooted', attributes => '{"job": {"rooted": {"column": "job"}, "strangers": {"column": "job", "taxonomy": "rk job"}}}')$$);
SELECT withdraw_population('rk more'), withdraw_population('rk strangers');
SET client_min_messages = warning;
-- It changed.
UPDATE people SET n = n + 1 WHERE age = 20;
SELECT population_changed FROM risk('rk seq', 'rk town');
ALTER TABLE people RENAME TO folk;
SELECT pg_temp.fails($$SELECT risk('rk seq', 'rk town')$$);
ALTER TABLE folk RENAME TO people;

-- What is refused.
SELECT pg_temp.fails(s) FROM unnest(ARRAY[
  $$SELECT audit_risk('shown', '{}')$$, $$SELECT audit_risk('shown', '{wage}')$$, $$SELECT audit_risk('shown', '{age,age}')$$, $$SELECT audit_risk(NULL, '{age}')$$, $$SELECT audit_risk('shown', NULL)$$,
  $$SELECT audit_risk('shown', '{age}', counts => 'n')$$, $$SELECT audit_risk('shown', '{age}', population => 'census', counts => 'm')$$, $$SELECT audit_risk('shown', '{age}', population => 'census', counts => 'sex')$$,
  $$SELECT audit_risk('shown', '{age,sex}', population => 'register')$$, $$SELECT audit_risk('shown', '{age}', population => 'shown', attributes => '{"sex": 3}')$$,
  $$SELECT audit_risk('shown', '{age}', 'nobody')$$, $$SELECT risk('rk none')$$, $$SELECT risk('rk lossy')$$, $$SELECT risk('rk seq', 'rk none')$$, $$SELECT risk('rk seq', 'rk town', '{wage}')$$, $$SELECT risk('rk seq', quasi => '{}')$$,
  $$SELECT register_population('rk town', 'census')$$, $$SELECT register_population('', 'census')$$, $$SELECT register_population('rk x', 'census', 'm')$$, $$SELECT register_population('rk x', 'census', attributes => '{"a": 1}')$$,
  $$SELECT register_population(NULL, 'census')$$, $$SELECT withdraw_population('rk none')$$, $$SELECT withdraw_population(NULL)$$]) AS s;
UPDATE census SET n = 0 WHERE age = 80;
SELECT pg_temp.fails($$SELECT audit_risk('shown', '{age,sex}', population => 'census', counts => 'n')$$);
CREATE TABLE lines AS SELECT '{1,2}'::int[] AS age, 'f' AS sex;
SELECT pg_temp.fails($$SELECT audit_risk('shown', '{age,sex}', population => 'lines')$$);
CREATE TABLE texts AS SELECT 'young' AS age, 'f' AS sex;
SELECT pg_temp.fails($$SELECT audit_risk('census', '{age,sex}', population => 'texts')$$);
-- A name is its owner's; nothing of a cell is shown.
SET ROLE regress_seq_other;
SELECT count(*) FROM population_tables;
SELECT pg_temp.fails($$SELECT withdraw_population('rk town')$$);
SELECT pg_temp.fails($$SELECT register_population('rk mine', 'census')$$);
SELECT pg_temp.fails($$SELECT audit_risk('shown', '{age}')$$);
SELECT pg_temp.fails($$SELECT register_population('rk town', 'pg_catalog.pg_class')$$);
SET ROLE regress_seq_risk;
SELECT withdraw_population('rk town');
SELECT count(*) FROM population_tables;

RESET ROLE;
-- Records that fit nobody are told of: a column that was not named is read by being equal.
SET client_min_messages = warning;
CREATE TABLE rk_months (age text, sex text);
INSERT INTO rk_months SELECT '[' || i % 4 * 20 || ', ' || i % 4 * 20 + 20 || '[', (ARRAY['F', 'M', '*'])[1 + i % 3] FROM generate_series(1, 60) AS i;
CREATE TABLE rk_people AS SELECT i % 80 AS age, (ARRAY['F', 'M'])[1 + i % 2] AS sex FROM generate_series(1, 400) AS i;
SELECT k_map, uncovered FROM audit_risk('rk_months', '{age,sex}', population => 'rk_people', attributes => '{"age": {"interval": true}}');
SELECT k_map, uncovered FROM audit_risk('rk_months', '{age}', population => 'rk_people');
SET client_min_messages = error;
SELECT drop_policy(name) FROM policies WHERE name LIKE 'rk %' ORDER BY name;
DROP SCHEMA audit_risk CASCADE;
DROP OWNED BY regress_seq_risk, regress_seq_other CASCADE;
DROP ROLE regress_seq_risk, regress_seq_other;

