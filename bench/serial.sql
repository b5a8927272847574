-- What versions of a serial policy cost beside a plain CREATE TABLE AS of the person column and the released columns. Needs table adult with :rows rows (bench/adult) and the taxonomies
-- of its columns. 6 quasi columns, 20 values of which 3 are listed (1.2 % of the rows), l = 3, a horizon of 12; one in five rows has another value in each version.
\ir measure.sql
SELECT setseed(0.5);
CREATE FUNCTION drawn() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT CASE WHEN r < 0.003 THEN 's1' WHEN r < 0.007 THEN 's2' WHEN r < 0.012 THEN 's3' ELSE 'v' || (r * 16)::int END FROM (SELECT random() AS r) AS d $$;
CREATE TABLE person AS SELECT id, age, workclass, education, race, sex, native_country, drawn() AS value FROM adult;
CREATE PROCEDURE next_month() LANGUAGE sql AS $$ UPDATE person SET value = drawn() WHERE id % 5 = (random() * 4)::int $$;
CREATE PROCEDURE declare(form text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM anon_seq.create_serial_policy(form, 'person', 'id', '{age,workclass,education,race,sex,native_country}', '{value}', '{s1,s2,s3}', 3, form, 'fixed', 12, population => form);
END $$;
CALL declare('projections');
CALL declare('generalized');
CREATE FUNCTION next_version(form text) RETURNS int LANGUAGE sql AS $$ SELECT (anon_seq.publish(form)).version $$;
CREATE TABLE cost (what text, version int, ms float8);
CREATE PROCEDURE versions(most int) LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz; form text;
BEGIN
  FOR version IN 1 .. most LOOP
    DROP TABLE IF EXISTS y;
    COMMIT;
    began := clock_timestamp();
    CREATE TABLE y AS SELECT * FROM person;
    COMMIT;
    INSERT INTO cost VALUES ('ctas', version, extract(epoch FROM clock_timestamp() - began) * 1000);
    FOREACH form IN ARRAY '{projections,generalized}'::text[] LOOP
      COMMIT;
      began := clock_timestamp();
      PERFORM next_version(form);
      COMMIT;
      INSERT INTO cost VALUES (form, version, extract(epoch FROM clock_timestamp() - began) * 1000);
    END LOOP;
    CALL next_month();
    COMMIT;
  END LOOP;
END $$;
CALL versions(10);
CREATE FUNCTION ratio_at(form text, at int) RETURNS numeric LANGUAGE sql AS $$
  SELECT (c.ms / (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) FROM cost WHERE what = 'ctas'))::numeric FROM cost AS c WHERE c.what = form AND version = at $$;
CREATE TABLE result AS SELECT * FROM (VALUES
  (1, 'projections, second version: publish / CTAS', ratio_at('projections', 2), 6.0),
  (2, 'projections: tenth version / second', ratio_at('projections', 10) / ratio_at('projections', 2), 1.5),
  (3, 'generalized, second version: publish / CTAS', ratio_at('generalized', 2), 6.0),
  (4, 'generalized: tenth version / second', ratio_at('generalized', 10) / ratio_at('generalized', 2), 1.5),
  (5, 'ledger of budgets, bytes per pair that met',
    (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c WHERE relname ~ '^p[0-9]+_pair$') / ((SELECT sum(persons) FROM anon_seq.budget('projections')) + (SELECT sum(persons) FROM anon_seq.budget('generalized'))), 60)) AS v (i, what, measured, "limit");
SELECT what, version, round(ms) AS ms FROM cost ORDER BY 2, 1;
