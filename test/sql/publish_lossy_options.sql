-- Lossy join: alphas of single values, near values, a coarsened NSS, the join of each version, what a table shows.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_lossy_options;
SET search_path = publish_lossy_options, anon_seq, public;
SET client_min_messages = error;

CREATE TABLE clinic AS
  SELECT i AS id, i % 10 AS age, (ARRAY['HIV', 'hepatitis', 'flu', 'flu', 'flu', 'cold', 'cold', 'cough', 'cough', NULL])[1 + i / 10 % 10] AS illness,
         (ARRAY[1, 2, 3, 4, 4, 4, 5, 6, 7])[1 + i % 9]::numeric(6, 2) AS stage
  FROM generate_series(0, 399) AS i;
SELECT create_taxonomy('plo illness', '{"ANY": {"stigma": ["HIV", "hepatitis"], "other": ["flu", "cold", "cough"]}}');
CREATE FUNCTION declare(name text, options jsonb, alpha numeric DEFAULT 0.5, k int DEFAULT 2, classes text DEFAULT NULL, l int DEFAULT NULL, listed text[] DEFAULT NULL,
    form text DEFAULT 'projections', source regclass DEFAULT 'clinic', quasi text[] DEFAULT '{age}', sensitive text[] DEFAULT '{illness}', taxonomies jsonb DEFAULT NULL, as_is text[] DEFAULT NULL) RETURNS void
  LANGUAGE sql AS $$ SELECT create_lossy_join_policy(name, source, 'id', quasi, sensitive, alpha, k, form, classes, l, listed, publish_as_is => as_is, taxonomies => taxonomies, population => name, options => options) $$;
CREATE FUNCTION checked(name text) RETURNS SETOF text
  LANGUAGE sql AS $$ SELECT check_name || ': ' || required || '; ' || regexp_replace(observed, '\d+ classes, the smallest.*', 'as it comes') || CASE WHEN ok THEN '' ELSE ' FAILS' END FROM audit(name) WHERE check_name NOT IN ('rows', 'ledger') OR NOT ok $$;

-- Alphas of single values: of one column, of several, by label, beside a list; equal by the type.
SELECT declare('plo own', '{"alphas": {"illness": {"HIV": 0.125, "hepatitis": 0.25}}}');
SELECT published FROM publish('plo own');
SELECT checked('plo own');
SELECT illness, max(n / size) <= CASE illness WHEN 'HIV' THEN 0.125 WHEN 'hepatitis' THEN 0.25 ELSE 0.5 END AS holds
FROM (SELECT illness, n, sum(n) OVER (PARTITION BY class_id) AS size FROM "plo own_ss") AS s GROUP BY illness ORDER BY illness;
SELECT declare('plo label', '{"alphas": {"illness": {"stigma": 0.125, "HIV": 0.5}}}', taxonomies => '{"illness": "plo illness"}');
SELECT published FROM publish('plo label');
SELECT checked('plo label');
SELECT illness, max(n / size) <= CASE WHEN illness IN ('HIV', 'hepatitis') THEN 0.125 ELSE 0.5 END AS holds
FROM (SELECT illness, n, sum(n) OVER (PARTITION BY class_id) AS size FROM "plo label_ss") AS s GROUP BY illness ORDER BY illness;
SELECT declare('plo stage', '{"alphas": {"stage": {"1": 0.2, "2.00": 0.125}, "illness": {"HIV": 0.2}}, "each": true, "sensitive_values": {"stage": ["3"]}}', sensitive => '{stage,illness}', classes => 'topdown', k => 5);
SELECT published FROM publish('plo stage');
SELECT checked('plo stage');
SELECT stage, max(n / size) <= CASE stage WHEN 1 THEN 0.2 WHEN 2 THEN 0.125 WHEN 3 THEN 0.5 ELSE 1 END AS holds
FROM (SELECT stage, n, sum(n) OVER (PARTITION BY class_id) AS size FROM "plo stage_ss_stage") AS s GROUP BY stage ORDER BY stage;
-- What is wrong in them.
SELECT a, pg_temp.fails(format('SELECT declare(''plo bad'', %L)', '{"alphas": ' || a || '}')) FROM unnest(ARRAY['[]', '{"age": {"1": 0.1}}', '{"illness": 0.1}', '{"illness": {}}', '{"illness": {"HIV": 0}}',
  '{"illness": {"HIV": 1.5}}', '{"illness": {"HIV": "0.1"}}', '{"illness": {"HIV": null}}']) AS a;
SELECT pg_temp.fails($$SELECT declare('plo bad', '{"alphas": {"stage": {"severe": 0.1}}}', sensitive => '{stage}')$$);
SELECT pg_temp.fails($$SELECT declare('plo bad', '{"alphas": {"illness": {"HIV": 0.1}}}', listed => '{HIV}')$$);
SELECT pg_temp.fails($$SELECT declare('plo bad', '{"alphas": {"illness": {"HIV": 0.1}}}', NULL, NULL, 'anatomy', 2)$$);
SET client_min_messages = warning;
SELECT declare('plo absent', '{"alphas": {"illness": {"plague": 0.1, "cold": 0.3}}}', taxonomies => '{"illness": "plo illness"}', classes => 'topdown');
SELECT published FROM publish('plo absent');
SET client_min_messages = error;
-- Infeasible: which alpha would do, and it does.
SELECT declare('plo infeasible', '{"alphas": {"illness": {"HIV": 0.05, "cold": 0.1}}}');
SELECT pg_temp.fails($$SELECT publish('plo infeasible')$$);
SELECT alter_policy('plo infeasible', '{"classes": "topdown"}');
SELECT pg_temp.fails($$SELECT publish('plo infeasible')$$);
SELECT feasible FROM preview('plo infeasible', '{"{\"options\": {\"alphas\": {\"illness\": {\"HIV\": 0.1, \"cold\": 0.2}}}}"}');
-- Lowered, not raised.
SELECT pg_temp.fails(format('SELECT alter_policy(''plo own'', %L)', '{"options": {"alphas": ' || a || '}}')) FROM unnest(ARRAY['{"illness": {"HIV": 0.126, "hepatitis": 0.25}}', '{"illness": {"HIV": 0.125}}', 'null',
  '{"illness": {"HIV": 0.125, "hepatitis": 0.25, "flu": 0.51}}']) AS a;
SELECT alter_policy('plo own', '{"options": {"alphas": {"illness": {"HIV": 0.1, "hepatitis": 0.25, "cough": 0.4}}}}');
-- A class that holds too much of one is found.
CREATE FUNCTION spoil(assignment text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_spoil';
SELECT declare('plo spoiled', '{"alphas": {"illness": {"HIV": 0.1}}}', alpha => 1, k => 1);
SELECT spoil('c3 = c3 + 1000');
SELECT left(e, 60) FROM pg_temp.fails($$SELECT publish('plo spoiled')$$) AS e WHERE e NOT LIKE '  detail%';

SET client_min_messages = error;
DROP SCHEMA publish_lossy_options CASCADE;
