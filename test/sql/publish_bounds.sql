-- A bound of a cut is nobody's exact value: it lies strictly between two, or is a value that k persons have.
CREATE SCHEMA publish_bounds;
SET search_path = publish_bounds, anon_seq;
SET client_min_messages = warning;
CREATE TABLE pay AS SELECT i AS id, round((30000 + i * 7919 % 2003 * 1.37)::numeric, 2) AS salary, (30000 + i * 7919 % 2003 * 1.37)::real AS single, date '1950-01-01' + i * 7919 % 20011 AS born,
  timestamptz '2020-01-01 00:00:00+00' + i * 7919 % 2003 * interval '1.000001 seconds' AS seen, 20 + i * 7919 % 61 AS age, i * 7919 % 2003 AS rank FROM generate_series(1, 2000) AS i;
-- A function that counts bounds, and those that fewer than k have.
CREATE FUNCTION bounds(release text, attribute text, k int, OUT bounds bigint, OUT too_few bigint) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('WITH b AS (SELECT DISTINCT lower(%1$I) AS b FROM %2$I WHERE NOT lower_inf(%1$I)), n AS (SELECT b, (SELECT count(*) FROM pay WHERE pay.%1$I = b.b) AS n FROM b)
    SELECT count(*), count(*) FILTER (WHERE n > 0 AND n < %3$s) FROM n', attribute, release, k) INTO bounds, too_few;
END $$;
SELECT a, create_incremental_policy('bounds ' || a, 'pay', 'id', ARRAY[a], 5, population => 'bounds ' || a),
  create_incremental_policy('bounds box ' || a, 'pay', 'id', ARRAY[a], 5, population => 'bounds box ' || a, options => '{"shape": "box"}'),
  create_sequential_policy('bounds cut ' || a, 'pay', 'id', ARRAY[a], k => 50, population => 'bounds cut ' || a)
  FROM unnest('{salary,single,born,seen,age,rank}'::text[]) AS a;
SELECT a, p || a AS policy, v.classes > 10 AS cut, b.bounds > 10 AS bounds, b.too_few FROM unnest('{salary,single,born,seen,age,rank}'::text[]) AS a, unnest('{"bounds ","bounds box ","bounds cut "}'::text[]) AS p,
  LATERAL publish(p || a) AS v, LATERAL bounds(p || a, a, CASE WHEN p = 'bounds cut ' THEN 50 ELSE 5 END) AS b ORDER BY 1, 2;
SELECT count(*) AS broken FROM unnest('{salary,single,born,seen,age,rank}'::text[]) AS a, unnest('{"bounds ","bounds box ","bounds cut "}'::text[]) AS p, LATERAL audit(p || a, everything => true) WHERE NOT ok;

-- Few persons: more digits, a day between, years before Christ; where neighbours leave no room the cut moves.
CREATE TABLE few AS SELECT i AS id, (ARRAY[30000.17, 38123.45, 41234.56, 41234.57, 55000.00, 61000.00])[i] AS salary, (ARRAY[1, 2, 3, 4, 9, 10])[i] AS rank,
  (ARRAY['4713-01-01 BC', '0044-03-15 BC', '2020-03-05 11:22:33.123456', '2020-03-05 11:22:33.123458', '2024-07-08 09:10:11.654321', 'infinity'])[i]::timestamptz AS seen FROM generate_series(1, 6) AS i;
SELECT a, create_incremental_policy('bounds few ' || a, 'few', 'id', ARRAY[a], 2, population => 'bounds few ' || a) FROM unnest('{salary,rank,seen}'::text[]) AS a;
SELECT a, classes FROM unnest('{salary,rank,seen}'::text[]) AS a, publish('bounds few ' || a);
SELECT salary, count(*) FROM "bounds few salary" GROUP BY 1 ORDER BY 1;
SELECT rank, count(*) FROM "bounds few rank" GROUP BY 1 ORDER BY 1;
SELECT seen, count(*) FROM "bounds few seen" GROUP BY 1 ORDER BY 1;
