-- What publishing costs beside a plain CREATE TABLE AS of the person column and the released columns. Needs table adult
-- (bench/adult), the taxonomies of its columns, and :rounds.
\ir measure.sql
CREATE VIEW imm AS SELECT marital_status, relationship, sex, native_country, race FROM adult;
CREATE SEQUENCE round;

-- A policy of its own for each round, with an earlier release of its own: nothing is published twice. R stands for that release.
CREATE PROCEDURE declare_policy(quasi text[], rules text, k int, label text, sensitive text[], as_is text[], options jsonb DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
  n text := nextval('round');
BEGIN
  IF rules IS NOT NULL THEN PERFORM anon_seq.register_release('imm' || n, 'imm', 'population ' || n); END IF;
  PERFORM anon_seq.create_sequential_policy('p' || n, 'adult', 'id', quasi, k => k, rules => replace(rules, '"R"', format('"imm%s"', n))::jsonb,
    label => label, sensitive => sensitive, publish_as_is => as_is, population => 'population ' || n, options => options);
END $$;
CREATE FUNCTION publish_newest() RETURNS bigint LANGUAGE sql AS $$
  SELECT (anon_seq.publish('p' || currval('round'))).classes $$;
CREATE PROCEDURE forget_newest() LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP VIEW IF EXISTS p%1$s_flat, p%1$s; DROP MATERIALIZED VIEW IF EXISTS p%1$s_r1', currval('round'));
END $$;

-- Set A of KDD'06, Top6: X is all of T1 and T2; Y the persons.
CALL measure(:rounds,
  'ctas a', 'DROP TABLE IF EXISTS y', 'CREATE TABLE y AS SELECT id, education, occupation, workclass, marital_status, relationship, sex, income FROM adult',
  'top6', $$CALL declare_policy('{education,occupation,workclass,marital_status,relationship,sex}',
     '[{"kind":"anonymity","min":40,"y":["person"],"x":["marital_status","relationship","sex","education","occupation","workclass",
       {"release":"R","column":"marital_status"},{"release":"R","column":"relationship"},{"release":"R","column":"sex"},
       {"release":"R","column":"native_country"},{"release":"R","column":"race"}]}]', NULL, 'income', NULL, '{income}')$$, 'SELECT publish_newest()',
  'clear', 'CALL forget_newest()', 'SELECT',
  -- Section 6.2, Top1: Y the less frequent half of marital_status, at most 90 %.
  'top1', $$CALL declare_policy('{education,occupation,workclass,relationship,sex}',
     '[{"kind":"linkability","max":0.9,"each":true,"values":["Married-AF-spouse","Married-spouse-absent","Separated"],"y":["marital_status"],
       "x":["relationship","sex","education","occupation","workclass",{"release":"R","column":"relationship"},{"release":"R","column":"sex"}]}]',
     NULL, 'income', '{marital_status}', '{income}')$$, 'SELECT publish_newest()',
  'clear', 'CALL forget_newest()', 'SELECT',
  -- A join attribute, relationship, outside X on both sides: the join is lossy and must be counted.
  'lossy', $$CALL declare_policy('{education,occupation,workclass,marital_status,relationship,sex}',
     '[{"kind":"anonymity","min":40,"y":["person",{"release":"R"}],"x":["marital_status","sex","education","occupation","workclass",
       {"release":"R","column":"marital_status"},{"release":"R","column":"sex"},{"release":"R","column":"native_country"},{"release":"R","column":"race"}]}]',
     NULL, 'income', NULL, '{income}')$$, 'SELECT publish_newest()',
  'clear', 'CALL forget_newest()', 'SELECT',
  'ctas b', 'DROP TABLE IF EXISTS y', 'CREATE TABLE y AS SELECT id, age, workclass, education, marital_status, occupation, race, sex, native_country, income FROM adult',
  'eight', $$CALL declare_policy('{age,workclass,education,marital_status,occupation,race,sex,native_country}', NULL, 10, 'income', NULL, '{income}')$$,
     'SELECT publish_newest()',
  'clear', 'CALL forget_newest()', 'SELECT',
  -- Boxes; the search for k, which begins them as well, is a matter of its own.
  'local', $$CALL declare_policy('{age,workclass,education,marital_status,occupation,race,sex,native_country}', NULL, 10, NULL, NULL, '{income}', '{"recoding": "local"}')$$,
     'SELECT publish_newest()',
  'clear', 'CALL forget_newest()', 'SELECT');

SELECT heap_peak() AS ignored \gset
CALL declare_policy('{age,workclass,education,marital_status,occupation,race,sex,native_country}', NULL, 10, 'income', NULL, '{income}');
SELECT publish_newest() \g /dev/null
SELECT heap_peak()::float8 / count(*) AS bytes FROM adult \gset
CALL forget_newest();

CREATE TABLE result AS SELECT * FROM (VALUES
  (1, 'Set A, Top6, k = 40, Y = persons, against a release of as many rows: publish / CTAS', ratio('top6', 'ctas a'), 3.0),
  (2, 'linkability Top1, 90 %: publish / CTAS', ratio('top1', 'ctas a'), 3),
  (3, '8 quasi columns, k = 10, label, one table: publish / CTAS', ratio('eight', 'ctas b'), 3),
  (4, 'a join attribute outside X on both sides, Y = pairs of records: publish / CTAS', ratio('lossy', 'ctas a'), 15),
  (5, 'heap of the third, bytes per row', :bytes, 100),
  (6, 'the third without a label, local recoding: publish / CTAS', ratio('local', 'ctas b'), 4)) AS v (i, what, measured, "limit");
SELECT what AS "step", round(min(ms)) AS "min ms", round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::numeric) AS "median ms", round(max(ms)) AS "max ms"
  FROM measured WHERE what <> 'clear' GROUP BY what ORDER BY 3;
