-- What `make demo` runs: taxonomies in short, then the life of a release. A clinic published diagnoses by
-- job last year; today it publishes visits. Needs nothing but the extension; every number in it is made up.
\set ON_ERROR_STOP 1
\pset footer off
\pset null ''
\pset linestyle unicode
\pset border 1
SET client_min_messages = warning;
CREATE EXTENSION anon_seq;

CREATE TABLE visits (patient int PRIMARY KEY, job text, postcode text, age int, days int, diagnosis text);
INSERT INTO visits
SELECT i, job, (20410 + CASE WHEN job = 'pilot' THEN 20 + i * 7 % 10 ELSE i * i * 29 % 1021 % 30 END)::text,
       20 + i * i * 17 % 1009 % 50, 1 + i * 5 % 9,
       CASE WHEN job = 'pilot' THEN 'HIV' ELSE (ARRAY['flu', 'asthma', 'fracture', 'diabetes'])[1 + i * 11 % 1019 % 4] END
  FROM generate_series(1, 360) AS i,
       LATERAL (SELECT CASE WHEN i % 15 = 7 THEN 'pilot'
                            ELSE (ARRAY['nurse', 'teacher', 'clerk', 'baker', 'driver', 'miner'])[1 + i * 7 % 6] END AS job) AS j;
CREATE TABLE diagnoses_2024 AS SELECT job, diagnosis FROM visits ORDER BY job, diagnosis;
CREATE TABLE visits_naive AS SELECT job, postcode, age, days FROM visits ORDER BY 1, 2, 3, 4;
ALTER TABLE visits DROP COLUMN diagnosis;

\echo
\echo '1. Taxonomies say how values generalize. One is written by hand, one follows a rule; numbers need none.'
\echo
\o /dev/null
\set ECHO queries
SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "teacher", "clerk", "pilot"],
                                                 "Manual": ["baker", "driver", "miner"]}}');
SELECT anon_seq.create_prefix_taxonomy('postcode', '{4,3}');
\set ECHO none
\o
\echo
SELECT level, anon_seq.generalize('job', 'pilot', level) AS job, anon_seq.generalize('postcode', '20437', level) AS postcode
  FROM generate_series(0, 3) AS level;

\echo '2. Last year the clinic published table diagnoses_2024: job and diagnosis of 360 patients. No name, no age,'
\echo '   no postcode, and at least 24 patients to every job. It looked harmless:'
\echo
SELECT job, count(*) AS patients, string_agg(DISTINCT diagnosis, ', ' ORDER BY diagnosis) AS diagnoses
  FROM diagnoses_2024 GROUP BY job ORDER BY count(*), job;

\echo '3. Today it wants to publish visits, without names and without diagnoses. As they are, table visits_naive:'
\echo
SELECT * FROM visits_naive WHERE postcode BETWEEN '20437' AND '20439' AND age BETWEEN 40 AND 50 ORDER BY postcode, age;

\echo '   An attacker knows that a neighbour was there: postcode 20439, age 46. Neither job nor illness does he know.'
\echo '   He joins both tables by job. A value that is shown fits one that he knows if it is the same, or covers it:'
\echo
CREATE FUNCTION fits(shown int, known int) RETURNS boolean RETURN shown = known;
CREATE FUNCTION fits(shown int4range, known int) RETURNS boolean RETURN shown @> known;
CREATE FUNCTION fits(shown text, known text, taxonomy text) RETURNS boolean
  RETURN EXISTS (SELECT FROM generate_series(0, 3) AS up WHERE anon_seq.generalize(taxonomy, known, up) = shown);
\set attack 'SELECT d.diagnosis, count(*) AS pairs, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent\n  FROM :released AS v JOIN diagnoses_2024 AS d ON fits(v.job, d.job, ''job'')\n WHERE fits(v.postcode, ''20439'', ''postcode'') AND fits(v.age, 46)\n GROUP BY d.diagnosis ORDER BY pairs DESC;'
\set released visits_naive
\set ECHO queries
:attack
\set ECHO none

\echo '   HIV, without a doubt. Two harmless tables, one join.'
\echo
\echo '4. With anon_seq the clinic registers what is out already, and declares the new publication once: at least 5'
\echo '   patients look alike, and whoever knows postcode and age is never more than 10 % sure of HIV after the join.'
\echo
\o /dev/null
\set ECHO queries
SELECT anon_seq.register_release('diagnoses_2024', 'diagnoses_2024', population => 'patients');
SELECT anon_seq.create_sequential_policy('visits_2025', 'visits', population => 'patients',
         person => 'patient', quasi => '{job,postcode,age}', publish_as_is => '{days}', k => 5,
         rules => '[{"kind": "linkability", "x": ["postcode", "age"], "values": ["HIV"], "max": 0.1,
                     "y": [{"release": "diagnoses_2024", "column": "diagnosis"}]}]');
\set ECHO none
\o
\echo
\echo '   (Whoever knows the job as well needs no visits: last year''s table alone tells. What is out is out.)'
\echo
\echo '5. What would k = 5, 10, 40 cost? Nothing is written yet:'
\echo
SELECT changes ->> 'k' AS k, feasible, classes, smallest_class, round((measures ->> 'ncp')::numeric, 2) AS "detail lost (0..1)"
  FROM anon_seq.preview('visits_2025', ARRAY['{"k": 5}', '{"k": 10}', '{"k": 40}']::jsonb[]);

\echo '6. Publish:'
\echo
\set ECHO queries
SELECT version, relations, published, withheld, classes, smallest_class FROM anon_seq.publish('visits_2025');
\set ECHO none
\echo '   The rows among which the neighbour is now:'
\echo
SELECT job, postcode, age, count(*) AS "rows", string_agg(days::text, ' ' ORDER BY days) AS days
  FROM visits_2025 WHERE postcode = '2043*' AND age @> 46 GROUP BY job, postcode, age ORDER BY job;

\echo '7. The attacker comes again, with the same query:'
\echo
\set released visits_2025
\set ECHO queries
:attack
\set ECHO none

\echo '   Five guesses, none worth much. No row was left out or made up; values became coarser where they had to.'
\echo
\echo '8. Why does the release look as it does? cut() lists the values that it shows:'
\echo
SELECT attribute, string_agg(value, '  ' ORDER BY place) AS "values"
  FROM anon_seq.cut('visits_2025') WITH ORDINALITY AS c (attribute, value, place)
 GROUP BY attribute ORDER BY min(place);
\echo '   trace() tells how they came about, from ANY downwards, with what was left of each promise after every step:'
\echo
SELECT step, attribute, value, array_to_string(children, '  ') AS "becomes", privacy_after ->> 0 AS "patients alike",
       round(100 * split_part(privacy_after ->> 1, '/', 1)::numeric / split_part(privacy_after ->> 1, '/', 2)::numeric, 1) AS "% HIV"
  FROM anon_seq.trace('visits_2025');
\echo '   measure() says what was lost:'
\echo
SELECT metric, round(value, 2) AS value, meaning
  FROM anon_seq.measure('visits_2025') WHERE metric IN ('ncp', 'distortion_categorical', 'suppression');

\echo '9. audit() replays every attack on the rows as published, for everybody in it:'
\echo
SELECT check_name, required, observed, ok FROM anon_seq.audit('visits_2025');
\echo '   The same attack on anything, published by whomever; for the postcode and age that is worst off:'
\echo
SELECT released, round(100 * largest_linkability, 1) AS "% sure of HIV, at most"
  FROM (VALUES (1, 'visits_naive'), (2, 'visits_2025')) AS r (place, released),
       anon_seq.audit_join_relations(ARRAY[released, 'diagnoses_2024']::regclass[], '["postcode", "age"]',
         '[{"release": "diagnoses_2024", "column": "diagnosis"}]', '{"job": {"taxonomy": "job"}}', '{"values": ["HIV"]}')
 ORDER BY place;

\echo '10. Nothing has changed since, so publishing again gives the same version; a nightly job does no harm:'
\echo
SELECT policy, version, published FROM anon_seq.publish('visits_2025');
