-- What sequential releases of Adult show, global and local recoding, and the first version of an incremental policy (options NULL): NCP with who is out losing everything, C_DM, classes, columns that show one value. Needs table adult and its
-- taxonomies (bench/adult). Numbers are in bench/RESULTS.md; full_domain.pl counts what the best full-domain recoding loses.
SET client_min_messages = warning;
CREATE TEMP TABLE detail (quasi int, k int, options jsonb, max_suppressed numeric, ncp numeric, c_dm numeric, classes bigint, withheld bigint, lost text, ms numeric);
CREATE PROCEDURE pg_temp.show_detail(n text, quasi text[], k int, options jsonb, max_suppressed numeric) LANGUAGE plpgsql AS $$
DECLARE
  begun timestamptz := clock_timestamp();
  p record;
  took numeric;
BEGIN
  IF options IS NULL THEN
    PERFORM anon_seq.create_incremental_policy(n, 'adult', 'id', quasi, k, population => n);
  ELSE
    PERFORM anon_seq.create_sequential_policy(n, 'adult', 'id', quasi, k, population => n, options => options, max_suppressed => max_suppressed);
  END IF;
  SELECT * INTO p FROM anon_seq.publish(n);
  took := round(extract(epoch FROM clock_timestamp() - begun) * 1000);
  INSERT INTO detail SELECT cardinality(quasi), k, options, max_suppressed,
    round(((max(m.value) FILTER (WHERE m.metric = 'ncp') * p.published + coalesce(p.withheld, 0)) / (p.published + coalesce(p.withheld, 0)))::numeric, 4),
    max(m.value) FILTER (WHERE m.metric = 'discernibility'), p.classes, p.withheld,
    (SELECT string_agg(c.attribute, ', ') FROM (SELECT attribute FROM anon_seq.cut(n) GROUP BY 1 HAVING count(DISTINCT value) = 1) AS c), took
  FROM anon_seq.measure(n || '/1') AS m;
END $$;
DO $$
DECLARE
  k int;
  q int;
  quasi text[];
BEGIN
  FOREACH k IN ARRAY '{5,10,100}'::int[] LOOP
    FOR q IN 7 .. 8 LOOP
      quasi := CASE q WHEN 7 THEN '{age,workclass,education,marital_status,race,sex,hours_per_week}'
                      ELSE '{age,workclass,education,marital_status,occupation,race,sex,native_country}' END;
      CALL pg_temp.show_detail(format('detail paper %s %s', q, k), quasi, k, '{"valid_split": false}', 0);
      CALL pg_temp.show_detail(format('detail %s %s', q, k), quasi, k, '{}', 0);
      CALL pg_temp.show_detail(format('detail out %s %s', q, k), quasi, k, '{}', 0.01);
      CALL pg_temp.show_detail(format('detail local %s %s', q, k), quasi, k, '{"recoding": "local"}', 0);
      CALL pg_temp.show_detail(format('detail local out %s %s', q, k), quasi, k, '{"recoding": "local"}', 0.01);
      CALL pg_temp.show_detail(format('detail incremental %s %s', q, k), quasi, k, NULL, 0);
    END LOOP;
  END LOOP;
END $$;
SELECT * FROM detail ORDER BY quasi, k, max_suppressed, options::text DESC;
