-- What a lossy join costs beside a plain CREATE TABLE AS of the person column and the released columns. Needs table adult with :rows rows
-- (bench/adult), the taxonomies of its columns, and :rounds.
\ir measure.sql
CREATE SEQUENCE round;
CREATE FUNCTION name() RETURNS text LANGUAGE sql AS $$ SELECT 'p' || currval('round') $$;
CREATE PROCEDURE declare(classes text, form text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('round');
  PERFORM anon_seq.create_lossy_join_policy(name(), 'adult', 'id', '{age,workclass,education,marital_status,relationship,race,sex,native_country}', '{occupation}',
    alpha => CASE classes WHEN 'topdown' THEN 0.33 WHEN 'regional' THEN 0.25 END, k => CASE classes WHEN 'topdown' THEN 2 WHEN 'regional' THEN 4 END, form => form, classes => classes,
    l => CASE classes WHEN 'anatomy' THEN 4 END, population => name());
END $$;
CREATE FUNCTION publish_newest() RETURNS bigint LANGUAGE sql AS $$ SELECT (anon_seq.publish(name())).classes $$;
CREATE PROCEDURE forget_newest() LANGUAGE plpgsql AS $$
DECLARE relation text;
BEGIN
  FOR relation IN SELECT format('DROP %s IF EXISTS %s CASCADE', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END, oid::regclass) FROM pg_class
      WHERE relname ~ ('^' || name() || '(_|$)') AND relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace ORDER BY relkind DESC LOOP
    EXECUTE relation;
  END LOOP;
END $$;

CALL measure(:rounds,
  'ctas', 'DROP TABLE IF EXISTS y', 'CREATE TABLE y AS SELECT id, age, workclass, education, marital_status, relationship, race, sex, native_country, occupation FROM adult',
  'regional', $$CALL declare('regional', 'projections')$$, 'SELECT publish_newest()', 'clear', 'CALL forget_newest()', 'SELECT',
  'anatomy', $$CALL declare('anatomy', 'projections')$$, 'SELECT publish_newest()', 'clear', 'CALL forget_newest()', 'SELECT',
  'topdown', $$CALL declare('topdown', 'projections')$$, 'SELECT publish_newest()', 'clear', 'CALL forget_newest()', 'SELECT',
  'table', $$CALL declare('topdown', 'generalized')$$, 'SELECT publish_newest()', 'clear', 'CALL forget_newest()', 'SELECT');

-- The heap, by itself.
CREATE TABLE heap (classes text, form text, bytes float8);
CREATE PROCEDURE measure_heap(classes text, form text) LANGUAGE plpgsql AS $$
BEGIN
  CALL declare(classes, form);
  PERFORM heap_peak();
  PERFORM publish_newest();
  INSERT INTO heap SELECT classes, form, heap_peak()::float8 / count(*) FROM adult;
  CALL forget_newest();
END $$;
CALL measure_heap('regional', 'projections');
CALL measure_heap('anatomy', 'projections');
CALL measure_heap('topdown', 'projections');
CALL measure_heap('topdown', 'generalized');

CREATE TABLE result AS SELECT * FROM (VALUES
  (1, '8 quasi columns, regional, alpha 0.25, k 4: publish / CTAS', ratio('regional', 'ctas'), 4.0),
  (2, 'anatomy, l 4: publish / CTAS', ratio('anatomy', 'ctas'), 4.0),
  (3, 'topdown, alpha 0.33, k 2, projections: publish / CTAS', ratio('topdown', 'ctas'), 5.0),
  (4, 'topdown, alpha 0.33, k 2, one table: publish / CTAS', ratio('table', 'ctas'), 5.0),
  (5, 'the greatest heap of these, bytes per row', (SELECT max(bytes) FROM heap), 150)) AS v (i, what, measured, "limit");
SELECT what AS "step", round(min(ms)) AS "min ms", round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::numeric) AS "median ms", round(max(ms)) AS "max ms"
  FROM measured WHERE what <> 'clear' GROUP BY what ORDER BY 3;
SELECT classes, form, round(bytes) AS "heap, bytes a row" FROM heap;
