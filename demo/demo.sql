-- What `make demo` runs: a hospital's table, taxonomies for its columns, and the same people seen
-- level by level. Needs nothing but the extension; every number in it is made up.
\set ON_ERROR_STOP 1
\pset footer off
\pset null ''
\pset linestyle unicode
\pset border 1
SET client_min_messages = warning;
CREATE EXTENSION anon_seq;

\echo
\echo '1. A hospital keeps visits. Names are gone, yet job, postcode and age together point at one person:'
\echo
CREATE TABLE visit (visit_id int PRIMARY KEY, job text, postcode text, age int, admitted date, diagnosis text);
INSERT INTO visit
SELECT i,
       (ARRAY['nurse', 'teacher', 'clerk', 'baker', 'driver', 'miner'])[1 + i * 7 % 6],
       (20400 + i * 37 % 60)::text,
       20 + i * 13 % 45,
       date '2024-01-03' + i * 11 % 360,
       (ARRAY['flu', 'asthma', 'fracture', 'HIV'])[1 + i * 5 % 4]
  FROM generate_series(1, 240) AS i;
SELECT * FROM visit WHERE visit_id <= 6 ORDER BY visit_id;

\echo '2. Taxonomies say how values generalize. One is written by hand, three follow a rule:'
\echo
\echo '   anon_seq.create_taxonomy(''job'', ''{"ANY": {"Service": ["nurse", "teacher", "clerk"], "Manual": [...]}}'')'
\echo '   anon_seq.create_prefix_taxonomy(''postcode'', ''{4,3}'')'
\echo '   anon_seq.create_range_taxonomy(''age'', 20, 70, ''{5,10}'')'
\echo '   anon_seq.create_date_taxonomy(''admitted'', ''{month,quarter,year}'')'
\echo
\o /dev/null
SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "teacher", "clerk"],
                                                 "Manual": ["baker", "driver", "miner"]}}');
SELECT anon_seq.create_prefix_taxonomy('postcode', '{4,3}');
SELECT anon_seq.create_range_taxonomy('age', 20, 70, '{5,10}');
SELECT anon_seq.create_date_taxonomy('admitted', '{month,quarter,year}');
\o
SELECT repeat('    ', depth) || value AS "taxonomy_tree('job')", leaves FROM anon_seq.taxonomy_tree('job');

\echo '   For a column nobody knows yet, suggest_taxonomy gives a start to edit:'
\echo
SELECT anon_seq.suggest_taxonomy('visit', 'age') AS "suggest_taxonomy('visit', 'age')";

\echo '3. The same four visits, one level further up each time:'
\echo
SELECT level,
       anon_seq.generalize('job', job, level) AS job,
       anon_seq.generalize('postcode', postcode, level) AS postcode,
       anon_seq.generalize('age', age::text, level) AS age,
       anon_seq.generalize('admitted', admitted::text, level) AS admitted,
       diagnosis
  FROM visit, generate_series(0, 3) AS level
 WHERE visit_id <= 4
 ORDER BY level, visit_id;

\echo '4. What that does to a person: how many visits look alike, at the least and on average?'
\echo
WITH seen AS (
  SELECT level, anon_seq.generalize('job', job, level), anon_seq.generalize('postcode', postcode, level),
         anon_seq.generalize('age', age::text, level), anon_seq.generalize('admitted', admitted::text, level), count(*) AS n
    FROM visit, generate_series(0, 3) AS level
   GROUP BY 1, 2, 3, 4, 5)
SELECT level, count(*) AS groups, min(n) AS smallest, round(avg(n), 1) AS average,
       CASE WHEN min(n) = 1 THEN 'somebody is alone: whoever knows the four values reads the diagnosis'
            ELSE 'nobody is alone, at the price of detail' END AS meaning
  FROM seen GROUP BY level ORDER BY level;
