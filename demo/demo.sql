-- What `make demo` runs: taxonomies in short, then the life of a release, then of one that grows. A clinic published
-- diagnoses by job last year; today it publishes visits, and every month its register. Needs nothing but the
-- extension; every number in it is made up.
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

\echo
\echo '11. Second act: a table that grows. The clinic keeps a register of patients and publishes it every month:'
\echo
CREATE TABLE stays AS
SELECT i AS patient, 18 + i * i * 17 % 1009 % 65 AS age, 150 + i * i * 29 % 1021 % 45 AS height,
       (ARRAY['nurse', 'teacher', 'clerk', 'baker', 'driver', 'miner', 'pilot'])[1 + i * 11 % 1013 % 7] AS job,
       (ARRAY['flu', 'asthma', 'fracture', 'diabetes', 'HIV'])[1 + i * 13 % 1019 % 5] AS illness,
       CASE WHEN i <= 600 THEN 1 WHEN i <= 680 THEN 2 ELSE 3 END AS came,
       CASE WHEN i <= 600 AND i % 25 = 3 THEN 2 + i % 2 END AS went
  FROM generate_series(1, 740) AS i;
CREATE TABLE january AS SELECT patient, age, height, job, illness FROM stays WHERE came = 1;
CREATE TABLE february AS SELECT patient, age, height, job, illness FROM stays WHERE came <= 2 AND went IS DISTINCT FROM 2;
SELECT month, count(*) FILTER (WHERE came <= n AND coalesce(went, 9) > n) AS patients,
       count(*) FILTER (WHERE came = n AND n > 1) AS came, count(*) FILTER (WHERE went = n) AS went
  FROM unnest(ARRAY['January', 'February', 'March']) WITH ORDINALITY AS m (month, n), stays GROUP BY n, month ORDER BY n;

\echo '12. Today''s practice: each month is anonymized by itself (here by Mondrian), as if nothing had been published before.'
\echo '    No policy can do that with its own versions; so these are two, on copies of the table:'
\echo
\o /dev/null
\set ECHO queries
SELECT anon_seq.create_incremental_policy('january_alone', 'january', 'patient', '{age,height,job}', k => 5),
       anon_seq.create_incremental_policy('february_alone', 'february', 'patient', '{age,height,job}', k => 5);
SELECT anon_seq.publish('january_alone'), anon_seq.publish('february_alone');
\set ECHO none
\o
\echo
SELECT release, classes, smallest AS "patients alike, at least"
  FROM (VALUES (1, 'january_alone'), (2, 'february_alone')) AS r (place, release),
       anon_seq.audit_k(release::regclass, '{age,height,job}')
 ORDER BY place;

\echo '    Each keeps its promise. But a row of January can often be found again in February: by an illness, a date, a drug.'
\echo '    Then what both say of it holds. The ledger knows which rows are one patient, so we can replay that attack:'
\echo
SELECT max(format('anon_seq_ledger.p%s_object', id)) FILTER (WHERE name = 'january_alone') AS january_ledger,
       max(format('anon_seq_ledger.p%s_object', id)) FILTER (WHERE name = 'february_alone') AS february_ledger
  FROM anon_seq.policy \gset
CREATE TABLE linked_january AS SELECT person AS patient, c1 AS age, c2 AS height, c3 AS job FROM :january_ledger;
CREATE TABLE linked_february AS SELECT person AS patient, c1 AS age, c2 AS height, c3 AS job FROM :february_ledger;
\set ECHO queries
CREATE TABLE told AS SELECT * FROM anon_seq.audit_inference_relations('{linked_january,linked_february}',
  object_id => 'patient', quasi => '{age,height,job}', k => 5, reading => 'cover');
\set ECHO none
\echo
SELECT count(*) AS patients, count(*) FILTER (WHERE NOT safe) AS "fewer than 5 alike",
       count(*) FILTER (WHERE group_size = 1) AS "alone",
       round(100.0 * count(*) FILTER (WHERE NOT safe) / count(*), 1) AS "% unsafe"
  FROM told WHERE object IS NOT NULL;
\echo '    One of those who are alone, with what each month shows of him and what is left if both hold:'
\echo
SELECT r.month AS "patient 20", r.age, r.height, r.job
  FROM (SELECT 1, 'January', age::text, height::text, job::text FROM linked_january WHERE patient = 20
        UNION ALL SELECT 2, 'February', age::text, height::text, job::text FROM linked_february WHERE patient = 20
        UNION ALL SELECT 3, 'both', inferred ->> 'age', inferred ->> 'height', inferred ->> 'job' FROM told WHERE object = '20'
        UNION ALL SELECT 4, 'really', age::text, height::text, job FROM january WHERE patient = 20) AS r (place, month, age, height, job)
 ORDER BY place;

\echo '13. An incremental policy refines what it has published, and nothing else. The same three months, in one table:'
\echo
CREATE TABLE register (patient int PRIMARY KEY, age int, height int, job text, illness text);
INSERT INTO register SELECT * FROM january;
\o /dev/null
\set ECHO queries
SELECT anon_seq.create_incremental_policy('register_monthly', 'register', 'patient', '{age,height,job}', k => 5,
         publish_as_is => '{illness}');
SELECT anon_seq.publish('register_monthly');
\echo '-- February: 80 come, 12 go.'
INSERT INTO register SELECT patient, age, height, job, illness FROM stays WHERE came = 2;
DELETE FROM register WHERE patient IN (SELECT patient FROM stays WHERE went = 2);
SELECT anon_seq.publish('register_monthly');
\echo '-- March: 60 come, 12 go, one has another job now, one another illness.'
INSERT INTO register SELECT patient, age, height, job, illness FROM stays WHERE came = 3;
DELETE FROM register WHERE patient IN (SELECT patient FROM stays WHERE went = 3);
UPDATE register SET job = 'clerk' WHERE patient = 20;
UPDATE register SET illness = 'flu' WHERE patient = 30;
SELECT anon_seq.publish('register_monthly');
\set ECHO none
\o
\echo
SELECT version, published, waiting, deferred, classes, smallest_class
  FROM anon_seq.releases WHERE policy = 'register_monthly' ORDER BY version;
\echo '    (waiting: has come, and is shown as soon as 5 can be. deferred: has gone, and is shown until 5 others are there.)'
\echo
\echo '    What became finer in March, the first lines of it:'
\echo
SELECT attribute, value, array_to_string(children, '   ') AS "becomes"
  FROM anon_seq.trace('register_monthly') ORDER BY step LIMIT 4;
\echo '14. The same attack, on every set of the three versions:'
\echo
\set ECHO queries
SELECT inferred -> 'objects' AS patients, inferred -> 'at_risk' AS "fewer than 5 alike",
       inferred -> 'subsets' AS "sets of versions", inferred -> 'safe_ratio' AS "safe ratio"
  FROM anon_seq.audit_inference('{register_monthly}', 5, 'cover') WHERE object IS NULL;
\set ECHO none
\echo '    (Patient 20 counts twice: with another job he is somebody else.) audit() runs it too, and counts all rows again:'
\echo
SELECT check_name, count(*) AS checks, bool_and(ok) AS ok, (array_agg(observed ORDER BY scope DESC))[1] AS "observed, of the last"
  FROM anon_seq.audit('register_monthly') GROUP BY check_name ORDER BY check_name COLLATE "C";
\echo '    What the guarantee costs: March as published, and as Mondrian would cut it if nothing had been published before:'
\echo
SELECT CASE variant WHEN 1 THEN 'as published' ELSE 'independent' END AS march, classes, smallest_class,
       round((measures ->> 'ncp')::numeric, 3) AS "detail lost (0..1)"
  FROM anon_seq.preview('register_monthly', ARRAY['{}', '{"options": {"independent": true}}']::jsonb[]);
