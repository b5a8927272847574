-- Serial policies over twelve versions of Adult (test/data/histories.sql), l = 3, 8 quasi columns, occupation sensitive: how large classes become, who is withheld, what is refused and lost, for each
-- plan, form and way to make cohorts, beside what was forecast before the first version. Needs table adult and taxonomies (bench/adult 45222 taxonomy_alpha).
--
-- Listed: under plans that end or have a window Armed-Forces, Priv-house-serv and a made-up one, of 0.03, 0.5 and 0.22 %; under harmonic and geometric three made-up ones, of 0.22, 0.11
-- and 0.06 %. -v changing=1 draws all values anew in each version, the default is one in five.
\set QUIET on
\set ON_ERROR_STOP on
\if :{?changing} \else
\set changing 0.2
\endif
SET client_min_messages = error;
SET bench.changing = :'changing';
\ir ../test/data/histories.sql
CREATE TABLE way (name text PRIMARY KEY, plan text, form text, cohorts text, listed text[], horizon int, options jsonb);
INSERT INTO way
  SELECT 'w' || row_number() OVER (), plan, form, cohorts, CASE WHEN plan IN ('fixed', 'window') THEN '{Armed-Forces,Priv-house-serv,rare-a}' ELSE '{rare-a,rare-b,rare-c}' END::text[], horizon, a::jsonb || b::jsonb
  FROM (VALUES ('fixed', 12, '{}'), ('harmonic', NULL, '{}'), ('geometric', NULL, '{}'), ('window', NULL, '{"window": 6}')) AS p (plan, horizon, a),
    unnest('{generalized,projections}'::text[]) AS form,
    (VALUES ('cut', '{}'), ('ledger 50', '{"cohorts": "ledger", "cohort_min": 50}'), ('ledger 200', '{"cohorts": "ledger", "cohort_min": 200}'), ('ledger 1000', '{"cohorts": "ledger", "cohort_min": 1000}'),
      ('cut, withheld below 0.02', '{"withhold_below": 0.02}'), ('cut, withheld below 0.01', '{"withhold_below": 0.01}')) AS q (cohorts, b)
  WHERE plan IN ('harmonic', 'geometric') OR NOT b LIKE '%withhold%';
CREATE TABLE foreseen (way text, version int, withheld bigint, classes bigint, rows_for_one bigint, average numeric, ncp numeric, reason text);
CREATE TABLE outcome (way text, month int, version int, withheld bigint, classes bigint, rows_for_one bigint, average numeric, ncp numeric, seconds float8, reason text);

CREATE PROCEDURE declare_all() LANGUAGE plpgsql AS $$
DECLARE
  w way;
BEGIN
  FOR w IN TABLE way LOOP
    PERFORM anon_seq.create_serial_policy(w.name, 'history.person', 'id', '{age,workclass,education,marital_status,race,sex,native_country,income}', '{occupation}', w.listed, 3, w.form, w.plan, w.horizon,
      taxonomies => (SELECT jsonb_object_agg(q, q) FROM unnest('{workclass,education,marital_status,race,sex,native_country,income}'::text[]) AS q), population => w.name, options => w.options);
    INSERT INTO foreseen SELECT w.name, version, withheld, classes, rows_for_one, average_class, ncp, reason FROM anon_seq.forecast(w.name, 12, current_setting('bench.changing')::float8);
    COMMIT;
  END LOOP;
END $$;

CREATE PROCEDURE publish_all(month int) LANGUAGE plpgsql AS $$
DECLARE
  w way;
  o outcome;
  began timestamptz;
BEGIN
  FOR w IN TABLE way LOOP
    o := (w.name, month, NULL, NULL, NULL, (SELECT max(b.rows_for_one) FROM anon_seq.budget(w.name) AS b), NULL, NULL, NULL, NULL);
    began := clock_timestamp();
    BEGIN
      SELECT p.version, p.withheld, p.classes, round(p.published / p.classes::numeric, 2) INTO o.version, o.withheld, o.classes, o.average FROM anon_seq.publish(w.name) AS p;
      SELECT value INTO o.ncp FROM anon_seq.measure(w.name) WHERE metric = 'ncp';
    EXCEPTION WHEN OTHERS THEN
      o.reason := SQLERRM;
    END;
    o.seconds := extract(epoch FROM clock_timestamp() - began);
    INSERT INTO outcome SELECT o.*;
    COMMIT;
  END LOOP;
END $$;

SELECT history.begin(14) \g /dev/null
CALL declare_all();
SELECT CASE WHEN month > 1 THEN format('SELECT FROM history.next(%s)', :'changing') END, format('CALL publish_all(%s)', month) FROM generate_series(1, 12) AS month \gexec

-- As it came, and as it was foreseen. A plan's classes are of its own size in any case: rows for one of a value that nobody has met are 6 under harmonic.
SELECT w.plan, w.form, w.cohorts, count(o.version) AS versions, count(o.reason) AS refused, coalesce(max(o.rows_for_one) FILTER (WHERE o.month > 1), 0) AS rows_for_one, max(o.average) AS "largest average",
  round(avg(o.average), 1) AS average, round(avg(o.ncp), 4) AS ncp, max(o.withheld) AS withheld, round(avg(o.seconds)::numeric, 1) AS seconds, f.*
FROM way AS w JOIN outcome AS o ON o.way = w.name,
  LATERAL (SELECT count(*) FILTER (WHERE reason IS NULL) AS "foreseen: versions", max(rows_for_one) AS rows_for_one, max(round(average, 2)) AS "largest average", round(avg(average), 1) AS average,
    round(avg(ncp), 4) AS ncp, max(withheld) AS withheld FROM foreseen WHERE way = w.name) AS f
GROUP BY w.name, f."foreseen: versions", f.rows_for_one, f."largest average", f.average, f.ncp, f.withheld ORDER BY w.plan, w.form, w.cohorts;
SELECT DISTINCT reason FROM outcome WHERE reason IS NOT NULL;
