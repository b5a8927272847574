-- How often the interval of doc/reference.md (Estimates) holds the truth: 1,000 random queries on 4 quasi columns and occupation, drawn as query_error draws its
-- own, asked of releases that query_error.sql has published. `adult`: the truth is Adult. `dealt`: the truth is one of the arrangements that a release
-- leaves open, drawn here, which is what the variance is of; NSS with the values that it gives is table dealt.
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = error;
SET jit = off;
SELECT FROM setseed(0.5);
CREATE TEMP TABLE domain AS SELECT e.key AS name, array_agg(DISTINCT e.value) AS values FROM adult AS a, jsonb_each_text(to_jsonb(a)) AS e
  WHERE e.key IN ('age', 'workclass', 'education', 'marital_status', 'race', 'sex', 'native_country', 'income', 'occupation') GROUP BY 1;
CREATE TEMP TABLE predicate AS
SELECT q, name, format('%I IN (%s)', name, (SELECT string_agg(quote_literal(v), ', ') FROM (SELECT v FROM unnest(values) AS v ORDER BY random() + 0 * q LIMIT ceil(array_length(values, 1) * 0.05 ^ (1 / 5.0))) AS drawn)) AS condition
FROM (SELECT *, row_number() OVER (PARTITION BY q ORDER BY (name = 'occupation') DESC, random()) AS i FROM generate_series(1, 1000) AS q, domain) AS d WHERE i <= 5;
CREATE TEMP TABLE query AS SELECT q, string_agg(condition, ' AND ') FILTER (WHERE name <> 'occupation') AS people, string_agg(condition, '') FILTER (WHERE name = 'occupation') AS held FROM predicate GROUP BY q;
CREATE TEMP TABLE met (release text, truth text, q int, actual float8, estimate float8, variance float8);

CREATE PROCEDURE cover(release text) LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  EXECUTE format($q$
    CREATE TEMP TABLE dealt AS
    SELECT p.*, v.occupation
    FROM (SELECT *, row_number() OVER (PARTITION BY class_id ORDER BY random()) AS i FROM %1$I) AS p
    JOIN (SELECT *, row_number() OVER (PARTITION BY class_id ORDER BY random()) AS i FROM (SELECT class_id, occupation, generate_series(1, n) FROM %2$I) AS e) AS v USING (class_id, i)$q$, release || '_nss', release || '_ss');
  FOR one IN TABLE query LOOP
    EXECUTE format($q$
      WITH nss AS (SELECT class_id, count(*)::float8 AS n, count(*) FILTER (WHERE %2$s)::float8 AS m, count(*) FILTER (WHERE %2$s AND %3$s) AS met FROM dealt GROUP BY class_id),
           ss AS (SELECT class_id, coalesce(sum(n) FILTER (WHERE %3$s), 0)::float8 AS s FROM %1$I GROUP BY class_id),
           told AS (SELECT sum(m * s / n) AS estimate, sum(m * s * (n - m) * (n - s) / (n * n * greatest(n - 1, 1))) AS variance, sum(met) AS dealt FROM nss JOIN ss USING (class_id))
      INSERT INTO met SELECT $1, truth, $2, actual, estimate, variance
      FROM told, LATERAL (SELECT 'adult', count(*) FROM adult WHERE %2$s AND %3$s UNION ALL SELECT 'dealt', dealt) AS t (truth, actual)$q$,
      release || '_ss', one.people, one.held) USING release, one.q;
  END LOOP;
  DROP TABLE dealt;
  COMMIT;
END $$;
SELECT format('CALL cover(%L)', release) FROM unnest('{regional_8_45222,regional_034_8_45222,lossy_8_45222,anatomy_8_45222}'::text[]) AS release \gexec
SELECT release, truth, round(100 * avg((abs(actual - estimate) <= 2 * sqrt(variance))::int), 1) AS "held, %", round((avg((actual - estimate)^2 / nullif(variance, 0)))::numeric, 2) AS "squared error / variance",
  round(avg((estimate - actual) / nullif(actual, 0))::numeric, 4) AS "mean error, signed", round(avg(abs(estimate - actual) / nullif(actual, 0))::numeric, 4) AS "mean error"
FROM met GROUP BY 1, 2 ORDER BY 2 DESC, 1;
