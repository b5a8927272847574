-- What `make demo` shows, in seven screens of at most 24 lines of 80 columns: what an attacker learns from tables of a clinic that look
-- harmless, and what from releases of this extension. Needs nothing but the extension. The data are made up; whatever is said of them is
-- counted here and now. With -v pause=1 it waits for Enter between the screens. test/t/130_demo.pl reads it, screen by screen.
\set ON_ERROR_STOP 1
\pset pager off
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
SELECT count(*) AS patients FROM diagnoses_2024 \gset
SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "teacher", "clerk", "pilot"],
                                                 "Manual": ["baker", "driver", "miner"]}}'),
       anon_seq.create_prefix_taxonomy('postcode', '{4,3}') \g /dev/null

\echo '1. Two harmless tables. Last year a clinic published diagnoses_2024: job and'
\echo '   diagnosis of' :patients 'patients, no name, no age. Some of its jobs:'
\echo
SELECT job, count(*) AS patients, string_agg(DISTINCT diagnosis, ', ' ORDER BY diagnosis) AS diagnoses
  FROM diagnoses_2024 GROUP BY job ORDER BY count(*), job LIMIT 3;
\echo 'This year: visits, with job, postcode, age and days, but no diagnosis. Somebody'
\echo 'knows that his neighbour was there, who is 46, in postcode 20439. Neither job'
\echo 'nor illness does he know, so he joins the two tables:'
\echo
\set ECHO queries
SELECT diagnosis, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent
  FROM visits_naive AS v JOIN diagnoses_2024 AS d ON v.job = d.job
 WHERE postcode = '20439' AND age = 46
 GROUP BY diagnosis ORDER BY percent DESC;
\set ECHO none
\echo 'HIV, without a doubt.'
\if :{?pause}
\prompt '                                             -- Enter shows screen 2 of 7 -- ' enter
\endif
\echo

\echo '2. The same attack on a release of anon_seq. The clinic says what is out and'
\echo '   what it may tell: whoever knows postcode and age is at most 10 % sure of HIV.'
\o /dev/null
\set ECHO queries
SELECT anon_seq.register_release('diagnoses_2024', 'diagnoses_2024', 'clinic');
SELECT anon_seq.create_sequential_policy('visits_2025', 'visits', k => 5,
  person => 'patient', quasi => '{job,postcode,age}', publish_as_is => '{days}',
  rules => '[{"kind": "linkability", "x": ["postcode", "age"],
              "y": [{"release": "diagnoses_2024", "column": "diagnosis"}],
              "values": ["HIV"], "max": 0.1}]', population => 'clinic');
SELECT anon_seq.publish('visits_2025');
\o
SELECT diagnosis, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent
  FROM visits_2025 AS v JOIN diagnoses_2024 AS d
    ON anon_seq.may_be('visits_2025', 'job', v.job, d.job)
 WHERE anon_seq.may_be('visits_2025', 'postcode', postcode, '20439')
   AND age @> 46 GROUP BY diagnosis ORDER BY percent DESC;
\set ECHO none
SELECT published, withheld FROM anon_seq.releases WHERE policy = 'visits_2025' \gset
\echo :published 'visits,' :withheld 'left out. (Who knows the job too needs last year''s table only.)'
\if :{?pause}
\prompt '                                             -- Enter shows screen 3 of 7 -- ' enter
\endif
\echo

CREATE TABLE stays AS
SELECT i AS patient, substr(md5('salt' || i), 1, 6) AS pseudonym, 18 + i * i * 17 % 1009 % 65 AS age, 150 + i * i * 29 % 1021 % 45 AS height,
       (ARRAY['nurse', 'teacher', 'clerk', 'baker', 'driver', 'miner', 'pilot'])[1 + i * 11 % 1013 % 7] AS job,
       CASE WHEN i <= 600 THEN 1 WHEN i <= 680 THEN 2 ELSE 3 END AS came,
       CASE WHEN i <= 600 AND i % 25 = 3 THEN 2 + i % 2 END AS went
  FROM generate_series(1, 740) AS i;
CREATE TABLE patients_january AS SELECT patient, pseudonym, age, height, job FROM stays WHERE came = 1;
CREATE TABLE patients_february AS SELECT patient, pseudonym, age, height, job FROM stays WHERE came <= 2 AND went IS DISTINCT FROM 2;
-- The usual practice, which a policy does not allow with its own versions: so each month has its own. Both warn of the pseudonym.
SET client_min_messages = error;
SELECT anon_seq.create_incremental_policy(month, 'patients_' || month, 'patient', '{age,height,job}', k => 5,
         publish_as_is => '{pseudonym}', options => '{"allow_unique": ["pseudonym"]}')
  FROM unnest('{january,february}'::text[]) AS month \g /dev/null
SELECT anon_seq.publish('january'), anon_seq.publish('february') \g /dev/null
SET client_min_messages = warning;
SELECT max(published) FILTER (WHERE policy = 'january') AS january, max(published) FILTER (WHERE policy = 'february') AS february,
       min(smallest_class) AS smallest FROM anon_seq.releases WHERE policy IN ('january', 'february') \gset
CREATE TABLE told AS SELECT * FROM anon_seq.audit_inference_relations('{january,february}', 'pseudonym', '{age,height,job}', 5, 'cover');
-- Of those who are alone, one whose age is told exactly.
SELECT object AS found, inferred ->> 'job' AS job FROM told
 WHERE group_size = 1 AND upper((inferred ->> 'age')::int4range) - lower((inferred ->> 'age')::int4range) = 1 ORDER BY object LIMIT 1 \gset

\echo '3. A table that grows. Each month the clinic publishes its register, anonymized'
\echo '   by itself, as is usual, under pseudonyms, by which cases can be followed:'
\echo '   January has' :january 'rows, February' :february', and in each at least' :smallest 'people look alike.'
\echo
\echo 'But what both months say of one pseudonym holds together:'
\echo
\set ECHO queries
SELECT inferred -> 'objects' AS people, inferred -> 'at_risk' AS "fewer than 5"
  FROM anon_seq.audit_inference_relations('{january,february}',
   'pseudonym', '{age,height,job}', 5, reading => 'cover') WHERE object IS NULL;
\set ECHO none
\echo 'Around so many there are fewer than 5 left who look alike. One is quite alone:'
\echo
SELECT r.month AS :"found", r.age, r.height, r.job
  FROM (SELECT 1, 'January', age::text, height::text, job FROM january WHERE pseudonym = :'found'
        UNION ALL SELECT 2, 'February', age::text, height::text, job FROM february WHERE pseudonym = :'found'
        UNION ALL SELECT 3, 'both', inferred ->> 'age', inferred ->> 'height', inferred ->> 'job' FROM told WHERE object = :'found'
        UNION ALL SELECT 4, 'really', age::text, height::text, job FROM stays WHERE pseudonym = :'found') AS r (place, month, age, height, job)
 ORDER BY place;
\echo 'Whoever knows this' :job 'has found all his rows, of every month to come too.'
\if :{?pause}
\prompt '                                             -- Enter shows screen 4 of 7 -- ' enter
\endif
\echo

CREATE TABLE patients AS SELECT patient, age, height, job FROM patients_january;

\echo '4. An incremental policy only ever refines what it has published. Three months'
\echo '   of the same register, with a pseudonym of its own making (object_id):'
\echo
\o /dev/null
\set ECHO queries
SELECT anon_seq.create_incremental_policy('cases', 'patients', 'patient',
         '{age,height,job}', k => 5, options => '{"object_id": true}');
SELECT anon_seq.publish('cases');
\set ECHO none
INSERT INTO patients SELECT patient, age, height, job FROM stays WHERE came = 2;
DELETE FROM patients WHERE patient IN (SELECT patient FROM stays WHERE went = 2);
SELECT anon_seq.publish('cases');
INSERT INTO patients SELECT patient, age, height, job FROM stays WHERE came = 3;
DELETE FROM patients WHERE patient IN (SELECT patient FROM stays WHERE went = 3);
SELECT anon_seq.publish('cases');
\o
SELECT max(published) FILTER (WHERE version = 1) AS january, max(published) FILTER (WHERE version = 2) AS february,
       max(published) FILTER (WHERE version = 3) AS march, min(smallest_class) AS smallest FROM anon_seq.releases WHERE policy = 'cases' \gset
\echo '-- Every month:' :january, :february, :march 'rows, at least' :smallest 'alike. The same attack:'
\set ECHO queries
SELECT inferred -> 'objects' AS people, inferred -> 'at_risk' AS "fewer than 5"
  FROM anon_seq.audit_inference_relations('{cases_r1,cases_r2,cases_r3}',
   'object_id', '{age,height,job}', 5, reading => 'cover') WHERE object IS NULL;
SELECT check_name, required, ok FROM anon_seq.audit('cases')
 WHERE check_name IN ('anonymity', 'nested', 'inference');
\set ECHO none
\if :{?pause}
\prompt '                                             -- Enter shows screen 5 of 7 -- ' enter
\endif
\echo

CREATE TABLE diagnosed AS
SELECT patient, age, height, job,
       (ARRAY['fracture', 'migraine', 'asthma', 'ulcer', 'flu', 'hernia', 'diabetes', 'gallstones', 'gout', 'arthrosis', 'cataract', 'stroke'])
         [1 + ((age - 18) * 12 / 65 + patient * 31 % 997 % 4) % 12] AS diagnosis
  FROM patients;
SELECT age, height FROM stays WHERE pseudonym = :'found' \gset

\echo '5. Researchers know who was there, and need exact ages. A lossy join has them in'
\echo '   NSS; SS has the illnesses of each class of 4 or more, none more than 25 %.'
\echo
-- Declaring warns of what NSS does to the k of "cases"; screen 6 shows what audits say of it.
SET client_min_messages = error;
\o /dev/null
\set ECHO queries
SELECT anon_seq.create_lossy_join_policy('study', 'diagnosed', 'patient',
         '{age,height,job}', '{diagnosis}', alpha => 0.25, k => 4,
         form => 'projections', population => 'public.patients',
         options => '{"unguarded": ["cases"]}');
SELECT anon_seq.publish('study');
\o
\set ECHO none
SET client_min_messages = warning;
\echo '-- Whoever knows that' :job 'exactly finds his row in NSS, and joins it with SS:'
\set ECHO queries
SELECT diagnosis, round(100.0 * ss.n / sum(ss.n) OVER (), 1) AS percent
  FROM study_nss AS nss JOIN study_ss AS ss USING (class_id)
 WHERE age = :age AND height = :height AND job = :'job' ORDER BY percent DESC, 1;
\set ECHO none
SELECT round(100 * max(weight)) AS most FROM study_joined WHERE age = :age AND height = :height AND job = :'job' \gset
\echo 'That he was there is told: NSS hides nobody. No illness is more than' :most '% sure.'
\if :{?pause}
\prompt '                                             -- Enter shows screen 6 of 7 -- ' enter
\endif
\echo

-- The same demands, also against who knows the code, as one table. It is rolled back: together with NSS and SS it would tell more than either.
BEGIN;
SET LOCAL client_min_messages = error;
SELECT anon_seq.create_lossy_join_policy('one_table', 'diagnosed', 'patient', '{age,height,job}', '{diagnosis}', alpha => 0.25, k => 4,
         form => 'generalized', population => 'public.patients', options => '{"unguarded": ["cases", "study"], "decisions": "simulatable"}') \g /dev/null
SELECT anon_seq.publish('one_table') \g /dev/null
CREATE VIEW beside AS
SELECT diagnosis, (SELECT count(*) FROM diagnosed AS d WHERE d.diagnosis = t.diagnosis AND age < 45) AS truth,
       count(*) FILTER (WHERE anon_seq.fits('one_table', 'age', age, '(,45)'))
         || ' to ' || count(*) FILTER (WHERE anon_seq.may_be('one_table', 'age', age, '(,45)')) AS one_table
  FROM one_table AS t GROUP BY diagnosis;
SELECT round(100 * min(mean_error) FILTER (WHERE estimator = 'unbiased'), 1) AS lossy_error, round(100 * min(mean_error) FILTER (WHERE estimator = 'uniform'), 1) AS table_error,
       min(answered) AS counts
  FROM unnest('{study,one_table}'::text[]) AS release, LATERAL anon_seq.query_error(release, 'diagnosed') \gset

\echo '6. A sum of weights estimates. Beside it the truth, and one table of that alpha:'
\echo
\set ECHO queries
SELECT diagnosis, round(sum(weight)) AS estimate, truth, one_table
  FROM study_joined JOIN beside USING (diagnosis)
 WHERE age < 45 GROUP BY 1, 3, 4 ORDER BY truth DESC, diagnosis LIMIT 3;
\set ECHO none
ROLLBACK;
\echo 'It leans to the mean: off by' :lossy_error '% in' :counts 'random counts, the table by' :table_error '%.'
\set ECHO queries
SELECT ok, observed FROM anon_seq.audit('study')
 WHERE check_name IN ('alpha_k', 'correlation', 'unguarded');
\set ECHO none
\echo 'What all classes together teach is measured, not promised. And NSS undoes the k'
\echo 'of screen 4 for its readers: audits of study and of cases say so from now on.'
\if :{?pause}
\prompt '                                             -- Enter shows screen 7 of 7 -- ' enter
\endif
\echo

-- A ward that is published every month, by a lossy join that does not look back, and by a serial policy.
SET client_min_messages = error;
CREATE TABLE ward AS SELECT i AS patient, 20 + i % 60 AS age, CASE WHEN i % 300 = 7 THEN 'HIV' ELSE (ARRAY['flu', 'gout', 'asthma', 'ulcer'])[1 + i % 4] END AS diagnosis FROM generate_series(1, 6000) AS i;
SELECT anon_seq.create_lossy_join_policy('each_month', 'ward', 'patient', '{age}', '{diagnosis}', alpha => 0.34, k => 3, form => 'projections', sensitive_values => '{HIV}',
         population => 'once', options => '{"unguarded_again": true}') \g /dev/null
\echo '7. Published every month, chances add up. A lossy join looks at one version; a'
\echo '   serial policy gives everybody a budget for all of them: never above 1/3.'
\o /dev/null
\set ECHO queries
SELECT anon_seq.create_serial_policy('all_year', 'ward', 'patient', '{age}',
         '{diagnosis}', '{HIV}', l => 3, form => 'projections',
         plan => 'fixed', horizon => 12);
\set ECHO none
SELECT anon_seq.publish('each_month'), anon_seq.publish('all_year');
UPDATE ward SET age = age + 1 WHERE patient % 7 = 0;
SELECT anon_seq.publish('each_month'), anon_seq.publish('all_year');
UPDATE ward SET age = age + 1 WHERE patient % 7 = 1;
SELECT anon_seq.publish('each_month'), anon_seq.publish('all_year');
\o
\echo '-- After three months: who was linked to HIV most, in one month, and in any:'
\set ECHO queries
SELECT name AS policy, round(100 * max(localized), 1) AS one_month,
       round(100 * max(p), 1) AS any_month
  FROM unnest('{each_month,all_year}'::text[]) AS name,
       LATERAL anon_seq.audit_breach(ARRAY[name], '{HIV}')
 GROUP BY 1 ORDER BY 3 DESC;
SELECT persons, largest, rows_for_one, versions_left
  FROM anon_seq.budget('all_year');
\set ECHO none
\echo 'Next: "First result" in README.md, then "A table that grows" and "Values that'
\echo 'change". All that there is: \\df+ anon_seq.* in psql, and doc/reference.md.'
