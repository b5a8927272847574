-- Who may be left out: one odd record costs nobody else a column.
\set VERBOSITY terse
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA publish_suppressed;
SET search_path = publish_suppressed, anon_seq;
SET client_min_messages = warning;
CREATE TABLE people (id int, job text, age int, disease text);
INSERT INTO people SELECT i, (ARRAY['nurse', 'doctor', 'clerk'])[i % 3 + 1], 20 + i % 50, (ARRAY['flu', 'cold', 'cough', 'pox'])[i % 4 + 1] FROM generate_series(1, 300) AS i;
INSERT INTO people VALUES (301, 'astronaut', 44, 'flu');
SELECT create_flat_taxonomy('suppressed job', '{nurse,doctor,clerk,astronaut}');

-- Without: nobody has a job.
SELECT create_sequential_policy('leave out kept', 'people', 'id', '{job,age}', 10, taxonomies => '{"job": "suppressed job"}', population => 'leave out 1', publish_as => 'kept_out');
SET client_min_messages = notice;
SELECT published, withheld, classes FROM publish('leave out kept');
SET client_min_messages = warning;
SELECT count(DISTINCT job), count(DISTINCT age) FROM kept_out;
-- With 1 %: everybody but one.
SELECT create_sequential_policy('leave out', 'people', 'id', '{job,age}', 10, taxonomies => '{"job": "suppressed job"}', population => 'leave out 2', publish_as => 'odd_out', max_suppressed => 0.01);
SELECT published, withheld, classes, smallest_class FROM publish('leave out');
SELECT count(DISTINCT job), count(DISTINCT age) FROM odd_out;
SELECT check_name, required, observed, ok FROM audit('leave out') ORDER BY check_name COLLATE "C";
SELECT metric, round(value::numeric, 6) FROM measure('leave out/1') WHERE metric IN ('discernibility', 'suppression');
SELECT version, withheld FROM releases WHERE policy = 'leave out';
-- The same source is the same release.
SELECT version FROM publish('leave out');

-- Whose values they are plays no part: other diseases, the same people and the same cuts.
CREATE VIEW others AS SELECT id, job, age, (ARRAY['flu', 'cold', 'cough', 'pox'])[(id * 7 + id / 5) % 4 + 1] AS disease FROM people;
SELECT create_sequential_policy('leave out a', 'people', 'id', '{job,age}', 10, taxonomies => '{"job": "suppressed job"}', population => 'leave out 3', publish_as => 'odd_a', max_suppressed => 0.01, sensitive => '{disease}', max_link => 1);
SELECT create_sequential_policy('leave out b', 'others', 'id', '{job,age}', 10, taxonomies => '{"job": "suppressed job"}', population => 'leave out 4', publish_as => 'odd_b', max_suppressed => 0.01, sensitive => '{disease}', max_link => 1);
SELECT withheld FROM publish('leave out a');
SELECT withheld FROM publish('leave out b');
SELECT count(*) FROM (SELECT job, age, count(*) FROM odd_a GROUP BY 1, 2 EXCEPT SELECT job, age, count(*) FROM odd_b GROUP BY 1, 2) AS d;
SELECT bool_and(ok) FROM audit('leave out a');

-- Persons of several rows are out with all of them; so others may follow.
CREATE TABLE visits AS SELECT id, job, age FROM people UNION ALL SELECT 301, 'nurse', 21 UNION ALL SELECT 300, 'nurse', 25;
SELECT create_sequential_policy('leave out visits', 'visits', 'id', '{job,age}', 10, taxonomies => '{"job": "suppressed job"}', population => 'leave out 5', publish_as => 'visits_out', max_suppressed => 0.02);
SELECT withheld >= 2, published + withheld FROM publish('leave out visits');
SELECT observed LIKE '% of 301', ok FROM audit('leave out visits') WHERE check_name = 'suppressed';
SELECT min(n) >= 10 FROM (SELECT count(DISTINCT v.id) AS n FROM visits AS v JOIN (SELECT DISTINCT job, age FROM visits_out) AS o ON v.job = o.job AND v.age <@ o.age WHERE v.id <> 301 GROUP BY o.job, o.age) AS c;

-- A later version heeds an earlier one that left somebody out, and may leave out others.
SELECT alter_policy('leave out', '{"rules": [{"kind": "anonymity", "x": ["job", "age", {"release": "leave out", "column": "job"}, {"release": "leave out", "column": "age"}], "y": ["id"], "min": 10, "partial_x": true}]}');
INSERT INTO people VALUES (302, 'nurse', 22, 'cold');
SELECT version, published, withheld, smallest_class FROM publish('leave out');
SELECT scope, observed, ok FROM audit('leave out', everything => true) WHERE NOT ok OR check_name = 'suppressed' ORDER BY scope COLLATE "C";
-- What previews say, and what can be changed.
SELECT create_sequential_policy('leave out c', 'people', 'id', '{job,age}', 10, taxonomies => '{"job": "suppressed job"}', population => 'leave out 6', publish_as => 'odd_c', max_suppressed => 0);
SELECT variant, feasible, published, withheld, classes FROM preview('leave out c', ARRAY['{}', '{"max_suppressed": 0.01}', '{"max_suppressed": 0.001}']::jsonb[]);
-- One astronaut is too few to be shown without quasi values; ten, of all ages, are not.
SELECT variant, feasible, published, withheld, classes, measures->>'blanked' FROM preview('leave out c', ARRAY['{"max_suppressed": 0.05, "options": {"suppress": "cells"}}']::jsonb[]);
INSERT INTO people SELECT 310 + i, 'astronaut', 25 + 4 * i, 'flu' FROM generate_series(1, 9) AS i;
SELECT variant, feasible, published, withheld, classes, (measures->>'blanked')::numeric(6, 4) FROM preview('leave out c', ARRAY['{"max_suppressed": 0.05, "options": {"suppress": "cells"}}', '{"max_suppressed": 0.05}']::jsonb[]);
DELETE FROM people WHERE id > 310;
SELECT alter_policy('leave out', '{"max_suppressed": null}');
SELECT (describe_policy('leave out')->'parameters')->'max_suppressed';
-- What is worth more is kept: one of two columns can be.
CREATE TABLE halves AS SELECT i AS id, (ARRAY['nurse', 'clerk'])[i % 2 + 1] AS job, 20 + i / 2 % 2 AS age FROM generate_series(0, 39) AS i;
SELECT create_sequential_policy('leave out w', 'halves', 'id', '{job,age}', 20, taxonomies => '{"job": "suppressed job"}', population => 'leave out 7', publish_as => 'odd_w', options => '{"weights": {"age": 3}}');
SELECT version FROM publish('leave out w');
SELECT count(DISTINCT job), count(DISTINCT age) FROM odd_w;
SELECT create_sequential_policy('leave out v', 'halves', 'id', '{job,age}', 20, taxonomies => '{"job": "suppressed job"}', population => 'leave out 8', publish_as => 'odd_v', options => '{"weights": {"job": 3}}');
SELECT version FROM publish('leave out v');
SELECT count(DISTINCT job), count(DISTINCT age) FROM odd_v;
-- Far off: one income of 900000, one age of 900, ages of 150 and -3. Who is so is out, and his column is nobody's loss; with a limit never worse than
-- without, by what is measured, who is out counting as one who shows nothing.
CREATE VIEW told AS SELECT r.policy, r.withheld, (m.ncp * r.published + r.withheld) / (r.published + r.withheld) AS loss FROM releases AS r, LATERAL (SELECT value::numeric AS ncp FROM measure(r.policy || '/1') WHERE metric = 'ncp') AS m WHERE r.version = 1;
CREATE TABLE earners AS SELECT i AS id, (ARRAY['nurse', 'doctor', 'clerk', 'astronaut'])[i % 4 + 1] AS job, 20 + i % 50 AS age, 1000 + i * 37 % 5000 AS income FROM generate_series(1, 2000) AS i;
CREATE TABLE earners_and_one AS TABLE earners;
INSERT INTO earners_and_one VALUES (2001, 'doctor', 44, 900000);
CREATE TABLE patients AS SELECT i AS id, (ARRAY['nurse', 'doctor', 'clerk', 'astronaut'])[i % 4 + 1] AS job, CASE i WHEN 300 THEN 900 ELSE 20 + i * 7 % 60 END AS age FROM generate_series(1, 300) AS i;
CREATE TABLE guests AS SELECT i AS id, (ARRAY['nurse', 'doctor', 'clerk', 'astronaut'])[i % 4 + 1] AS job, CASE i WHEN 300 THEN 150 WHEN 301 THEN -3 ELSE 20 + i * 7 % 60 END AS age FROM generate_series(1, 600) AS i;
SELECT count(create_sequential_policy('far ' || source || coalesce(' ' || share, ''), source, 'id', quasi, 10, taxonomies => '{"job": "suppressed job"}', population => 'far ' || source || coalesce(' ' || share, ''), publish_as => 'far_' || source || coalesce('_' || share, ''), max_suppressed => share / 1000.0))
  FROM (VALUES ('earners', '{job,age,income}'::text[], NULL::int), ('earners_and_one', '{job,age,income}', NULL), ('earners_and_one', '{job,age,income}', 10), ('patients', '{job,age}', NULL), ('patients', '{job,age}', 10), ('guests', '{job,age}', NULL), ('guests', '{job,age}', 4), ('guests', '{job,age}', 10)) AS v (source, quasi, share);
SELECT sum(published + withheld) FROM policies AS p, LATERAL publish(p.name) WHERE p.name LIKE 'far %';
SELECT policy, withheld, round(loss, 3) FROM told WHERE policy LIKE 'far %' ORDER BY policy COLLATE "C";
SELECT count(DISTINCT age), count(DISTINCT income) FROM far_earners_and_one_10;
SELECT bool_and(ok) FROM (VALUES ('far earners_and_one 10')) AS p (name), LATERAL audit(p.name);
SELECT count(*) FROM far_patients_10 WHERE age @> 900;
-- As far off as numbers and days go.
CREATE TABLE ends AS SELECT i AS id, CASE i WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' ELSE '2020-01-01'::date + i % 50 END AS day, CASE i WHEN 3 THEN 1.7e308::float8 WHEN 4 THEN -1.7e308 ELSE i % 40 END AS n FROM generate_series(1, 400) AS i;
SELECT create_sequential_policy('leave out ends', 'ends', 'id', '{day,n}', 10, population => 'leave out ends', publish_as => 'ends_out', max_suppressed => 0.02);
SELECT withheld, classes > 10 FROM publish('leave out ends');
SELECT bool_and(value BETWEEN 0 AND 1) FROM measure('leave out ends') WHERE metric LIKE 'ncp%';
-- Whoever has no value, as the advice has it.
CREATE TABLE unasked AS SELECT i AS id, CASE WHEN i <= 3 THEN NULL ELSE 20 + i % 40 END AS age FROM generate_series(1, 200) AS i;
SELECT create_sequential_policy('leave out unasked', 'unasked', 'id', '{age}', 10, population => 'leave out unasked', publish_as => 'unasked_out');
BEGIN;
SET LOCAL client_min_messages = notice;
\set VERBOSITY default
SELECT published, withheld, classes FROM publish('leave out unasked');
\set VERBOSITY terse
ROLLBACK;
SELECT published, withheld, classes FROM anon_seq.preview('leave out unasked', ARRAY['{}', '{"max_suppressed": 0.016}']::jsonb[]);
-- Errors.
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', 10, population => 'leave out x', options => '{"weights": {"job": 3}}');
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', 10, population => 'leave out x', options => '{"weights": {"age": 0}}');
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', 10, population => 'leave out x', max_suppressed => 1);
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', 10, population => 'leave out x', max_suppressed => -0.1);
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', 10, population => 'leave out x', max_suppressed => 'NaN');
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', sensitive => '{disease}', max_link => 0.5, population => 'leave out x', max_suppressed => 0.1);
SELECT create_sequential_policy('leave out x', 'people', 'id', '{age}', 1000, population => 'leave out x', publish_as => 'x_out', max_suppressed => 0.1);
SELECT version FROM publish('leave out x');
