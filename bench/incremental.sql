-- What an incremental policy costs beside a plain CREATE TABLE AS of the person column and the released columns. Needs table adult with
-- 1 % more rows than :rows (bench/adult), the taxonomies of its columns, and :rounds.
\ir measure.sql
CREATE TABLE person AS SELECT * FROM adult WHERE id <= :rows;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE TABLE more AS SELECT * FROM adult WHERE id > :rows;
VACUUM ANALYZE person;
CREATE SEQUENCE round;

-- How long the phases of a publish took.
CREATE TABLE phase (i serial, what text, round int, phase text, ms float8);
CREATE PROCEDURE begin_round(n bigint) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM person WHERE id IN (SELECT id FROM more);
  PERFORM anon_seq.create_incremental_policy('p' || n, 'person', 'id', '{age,workclass,education,marital_status,occupation,race,sex,native_country}', 10,
    publish_as_is => '{income}', population => 'population ' || n);
END $$;
CREATE FUNCTION publish_newest() RETURNS bigint LANGUAGE sql AS $$
  SELECT (anon_seq.publish('p' || currval('round'))).classes $$;
CREATE PROCEDURE forget_newest() LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP VIEW IF EXISTS p%1$s_flat, p%1$s; DROP MATERIALIZED VIEW IF EXISTS p%1$s_r1, p%1$s_r2', currval('round'));
END $$;

CALL measure(:rounds,
  'ctas', 'DROP TABLE IF EXISTS y', 'CREATE TABLE y AS SELECT id, age, workclass, education, marital_status, occupation, race, sex, native_country, income FROM person',
  'first', $$CALL begin_round(nextval('round'))$$, 'SELECT publish_newest()',
  'ctas', 'DROP TABLE IF EXISTS y', 'CREATE TABLE y AS SELECT id, age, workclass, education, marital_status, occupation, race, sex, native_country, income FROM person',
  'update', 'INSERT INTO person SELECT * FROM more; ANALYZE person', 'SELECT publish_newest()',
  'unchanged', 'SELECT', 'SELECT publish_newest()',
  'clear', 'CALL forget_newest()', 'SELECT');

-- The heap, once more by itself.
SELECT heap_peak() AS ignored \gset
CALL begin_round(nextval('round'));
SELECT publish_newest() \g /dev/null
SELECT heap_peak()::float8 / :rows AS bytes \gset
INSERT INTO person SELECT * FROM more;
ANALYZE person;
SELECT publish_newest() \g /dev/null
SELECT heap_peak()::float8 / :rows AS update_bytes \gset
CALL forget_newest();

-- The phases, out of the INFO lines of publish(..., verbose => true): see bench/phases.
\setenv ROUNDS :rounds
\! bench/phases
CREATE FUNCTION phases(of text, VARIADIC names text[]) RETURNS float8 LANGUAGE sql AS $$
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY s.ms) FROM (SELECT sum(ms) AS ms FROM phase WHERE what = $1 AND phase = ANY ($2) GROUP BY round) AS s $$;
CREATE FUNCTION ctas() RETURNS float8 LANGUAGE sql AS $$ SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) FROM measured WHERE what = 'ctas' $$;

CREATE TABLE result AS SELECT * FROM (VALUES
  (1, '8 quasi columns, k = 10, first version: publish / CTAS', ratio('first', 'ctas'), 4.0),
  (2, 'the algorithm of it / CTAS', phases('first', 'refine') / ctas(), 1),
  (3, 'a 1 % update: algorithm and ledger / those of the first version', phases('update', 'refine', 'ledger') / phases('first', 'refine', 'ledger'), 0.05),
  (4, 'the diff by key of a 1 % update / CTAS', phases('update', 'diff') / ctas(), 1.5),
  (5, 'heap of the first version, bytes per row', :bytes, 100),
  (6, 'heap of a 1 % update, bytes per row', :update_bytes, 100),
  (7, 'a 1 % update, all of it / CTAS', ratio('update', 'ctas'), 4.5),
  (8, 'a night without changes / CTAS', ratio('unchanged', 'ctas'), 1.2)) AS v (i, what, measured, "limit");
SELECT what AS "step", round(min(ms)) AS "min ms", round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::numeric) AS "median ms", round(max(ms)) AS "max ms"
  FROM measured WHERE what <> 'clear' GROUP BY what ORDER BY 3;
SELECT what AS version, string_agg(format('%s %s', phase, round(ms)), ', ' ORDER BY i) AS "phases, median ms"
  FROM (SELECT what, phase, min(i) AS i, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::numeric AS ms FROM phase GROUP BY what, phase) AS p GROUP BY what;
