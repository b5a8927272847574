-- What releases of four tables show, by method: NCP with who is out losing everything, C_DM, classes, columns that show one value. Needs table adult of
-- 100,000 rows and its taxonomies (bench/adult), and shaped_tables.sql. Numbers are in bench/RESULTS.md; full_domain.pl counts what the best full-domain
-- recoding loses.
SET client_min_messages = warning;
CREATE TEMP TABLE detail (i serial, source text, quasi int, k int, way text, ncp numeric, c_dm numeric, classes bigint, withheld bigint, lost text, ms numeric);
CREATE PROCEDURE pg_temp.show_detail(way text, source text, quasi text[], k int, options jsonb, max_suppressed numeric DEFAULT 0) LANGUAGE plpgsql AS $$
DECLARE
  begun timestamptz := clock_timestamp();
  n text := format('%s, %s %s %s', way, source, cardinality(quasi), k);
  p record;
  took numeric;
BEGIN
  IF way = 'incremental' THEN
    PERFORM anon_seq.create_incremental_policy(n, source, 'id', quasi, k, population => n, options => options);
  ELSE
    PERFORM anon_seq.create_sequential_policy(n, source, 'id', quasi, k, population => n, options => options, max_suppressed => max_suppressed);
  END IF;
  SELECT * INTO p FROM anon_seq.publish(n);
  took := round(extract(epoch FROM clock_timestamp() - begun) * 1000);
  INSERT INTO detail (source, quasi, k, way, ncp, c_dm, classes, withheld, lost, ms) SELECT source, cardinality(quasi), k, way,
    round(((max(m.value) FILTER (WHERE m.metric = 'ncp') * p.published + coalesce(p.withheld, 0)) / (p.published + coalesce(p.withheld, 0)))::numeric, 4),
    max(m.value) FILTER (WHERE m.metric = 'discernibility'), p.classes, p.withheld,
    (SELECT string_agg(c.attribute, ', ') FROM (SELECT attribute FROM anon_seq.cut(n) GROUP BY 1 HAVING count(DISTINCT value) = 1) AS c), took
  FROM anon_seq.measure(n || '/1') AS m;
END $$;
CREATE VIEW adult_30162 AS SELECT * FROM adult WHERE id <= 30162;
DO $$
DECLARE
  k int;
  t record;
BEGIN
  FOR t IN SELECT * FROM (VALUES ('adult_30162', '{age,workclass,education,marital_status,race,sex,hours_per_week}'::text[]),
      ('adult_30162', '{age,workclass,education,marital_status,occupation,race,sex,native_country}'),
      ('visits', '{born,admitted,sex,native_country,diagnosis}'), ('people', '{age,sex,marital_status}')) AS v (source, quasi) LOOP
    FOREACH k IN ARRAY '{5,10,100}'::int[] LOOP
      CALL pg_temp.show_detail('paper', t.source, t.quasi, k, '{"valid_split": false, "pruning": "paper"}');
      CALL pg_temp.show_detail('default', t.source, t.quasi, k, '{}');
      CALL pg_temp.show_detail('suppressed', t.source, t.quasi, k, '{}', 0.01);
      CALL pg_temp.show_detail('local', t.source, t.quasi, k, '{"recoding": "local"}');
      CALL pg_temp.show_detail('local, suppressed', t.source, t.quasi, k, '{"recoding": "local"}', 0.01);
      CALL pg_temp.show_detail('incremental', t.source, t.quasi, k, '{}');
    END LOOP;
  END LOOP;
END $$;
SELECT source, quasi, k, way, ncp, c_dm, classes, withheld, lost, ms FROM detail ORDER BY i;
