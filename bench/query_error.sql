-- How far counts over releases of Adult are off, as LJ'07 (section 7, figures 2 to 5) asks it: 1,000 queries on 4 of 8 quasi columns and occupation, selectivity
-- 0.05, k = 2, alpha 0.33; then each of the four varied; ages, too, by their taxonomy of 5-, 10- and 20-year ranges. Anatomy has l = 3, the nearest alpha. `regional` has classes of 4 under alpha 0.33, `regional_034` of 3. Needs
-- table adult and taxonomies (bench/adult 45222 taxonomy_alpha). All releases of a line are asked the same queries.
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = error;
CREATE TABLE asked (i serial, what text, release text, dimensions int, selectivity numeric, columns int, rows int, estimator text, mean numeric, low numeric, high numeric, skipped bigint);

-- Publishes so many people of Adult with the first so many quasi columns, in five ways.
CREATE PROCEDURE publish_all(columns int, rows int) LANGUAGE plpgsql AS $$
DECLARE
  quasi text[] := ('{age,workclass,education,marital_status,race,sex,native_country,income}'::text[])[1:columns];
  taxonomies jsonb := (SELECT jsonb_object_agg(q, q) FROM unnest(quasi) AS q);
  source text := format('adult_%s', rows);
  way record;
BEGIN
  IF to_regclass(source) IS NULL THEN
    EXECUTE format('CREATE TABLE %I AS SELECT * FROM adult ORDER BY md5(id::text) LIMIT %s', source, rows);
  END IF;
  FOR way IN SELECT * FROM (VALUES ('regional', 'projections', 'regional', 0.33, 2, NULL::int, '{}'), ('regional_034', 'projections', 'regional', 0.34, 2, NULL, '{}'),
      ('lossy', 'projections', 'topdown', 0.33, 2, NULL, '{"decisions": "paper"}'), ('anatomy', 'projections', 'anatomy', NULL, NULL, 3, '{}'), ('alpha', 'generalized', 'topdown', 0.33, 2, NULL, '{"decisions": "paper"}'))
      AS w (name, form, classes, alpha, k, l, options) LOOP
    PERFORM anon_seq.create_lossy_join_policy(format('%s_%s_%s', way.name, columns, rows), source, 'id', quasi, '{occupation}', way.alpha, way.k, way.form, way.classes,
      way.l, taxonomies => taxonomies, population => format('%s_%s_%s', way.name, columns, rows), options => way.options::jsonb);
    PERFORM anon_seq.publish(format('%s_%s_%s', way.name, columns, rows));
    COMMIT;
  END LOOP;
END $$;
CREATE PROCEDURE ask(what text, dimensions int, selectivity numeric, columns int, rows int) LANGUAGE sql AS $$
  INSERT INTO asked (what, release, dimensions, selectivity, columns, rows, estimator, mean, low, high, skipped) SELECT $1, way, $2, $3, $4, $5, q.estimator, q.mean_error, q.mean_low, q.mean_high, q.skipped
    FROM unnest('{regional,regional_034,lossy,anatomy,alpha}'::text[]) AS way, anon_seq.query_error(format('%s_%s_%s', way, $4, $5), format('adult_%s', $5)::regclass, 1000, $2, $3) AS q $$;

SELECT format('CALL publish_all(%s, %s)', columns, rows) FROM (SELECT columns, 45222 AS rows FROM generate_series(4, 8) AS columns UNION ALL SELECT 8, rows FROM unnest('{5000,10000,20000,30000}'::int[]) AS rows) AS s \gexec
CALL ask('default', 4, 0.05, 8, 45222);
SELECT format('CALL ask(''qd = %s'', %1$s, 0.05, 8, 45222)', qd) FROM generate_series(1, 8) AS qd WHERE qd <> 4 \gexec
SELECT format('CALL ask(''s = %s'', 4, %1$s, 8, 45222)', s) FROM unnest('{0.01,0.02,0.1,0.2}'::numeric[]) AS s \gexec
SELECT format('CALL ask(''d = %s'', 4, 0.05, %1$s, 45222)', d) FROM generate_series(4, 7) AS d \gexec
SELECT format('CALL ask(''n = %s'', 4, 0.05, 8, %1$s)', n) FROM unnest('{5000,10000,20000,30000}'::int[]) AS n \gexec
SELECT what, max(mean) FILTER (WHERE release = 'regional' AND estimator = 'unbiased') AS "regional 0.33", max(mean) FILTER (WHERE release = 'regional_034' AND estimator = 'unbiased') AS "regional 0.34",
  max(mean) FILTER (WHERE release = 'lossy' AND estimator = 'unbiased') AS "Alpha(Lossy)", max(mean) FILTER (WHERE release = 'anatomy' AND estimator = 'unbiased') AS "Anatomy",
  max(mean) FILTER (WHERE release = 'alpha') AS "Alpha", round(max((high - low) / 2 / nullif(mean, 0)) FILTER (WHERE estimator = 'unbiased'), 3) AS "interval of the first four",
  max(mean) FILTER (WHERE release = 'regional' AND estimator = 'paper') AS "paper: regional 0.33", max(mean) FILTER (WHERE release = 'regional_034' AND estimator = 'paper') AS "regional 0.34",
  max(mean) FILTER (WHERE release = 'lossy' AND estimator = 'paper') AS "Alpha(Lossy)", max(mean) FILTER (WHERE release = 'anatomy' AND estimator = 'paper') AS "Anatomy", max(skipped) AS skipped
FROM asked GROUP BY what ORDER BY min(i);
