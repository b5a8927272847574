-- audit_diversity: what anybody's relation leaves open about a sensitive value.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA audit_diversity;
SET search_path = audit_diversity, anon_seq, public;
SET jit = off;

-- The paper's tables: raw, global and local recoding, and the SS of its classes. HIV has 1/6, flu 3/6, fever 2/6 of the whole.
CREATE TABLE raw (job text, birth int, postcode int, illness text);
INSERT INTO raw VALUES ('clerk', 1975, 4350, 'HIV'), ('manager', 1955, 4350, 'flu'), ('clerk', 1955, 5432, 'flu'), ('factory worker', 1955, 5432, 'fever'), ('factory worker', 1975, 4350, 'flu'), ('technical supporter', 1940, 4350, 'fever');
CREATE TABLE global AS SELECT '*'::text AS job, '*'::text AS birth, postcode, illness FROM raw;
CREATE TABLE local (job text, birth text, postcode int, illness text);
INSERT INTO local VALUES ('white-collar', '*', 4350, 'HIV'), ('white-collar', '*', 4350, 'flu'), ('*', '1955', 5432, 'flu'), ('*', '1955', 5432, 'fever'), ('blue-collar', '*', 4350, 'flu'), ('blue-collar', '*', 4350, 'fever');
CREATE TABLE ss (class_id int, illness text, n bigint);
INSERT INTO ss VALUES (1, 'HIV', 1), (1, 'flu', 1), (2, 'flu', 1), (2, 'fever', 1), (3, 'flu', 1), (3, 'fever', 1);
-- raw: every row is a class; HIV is certain there where 1/6 has it: beta 5, ln 6 = 1.791759. global: 5432 has flu and fever, t 1/6; 4350 has 1, 2, 1 of 4:
-- entropy 1.5 bits; fever from 1/3 to 1/2: beta 1/2. local: HIV from 1/6 to 1/2: beta 2, but -ln(1/6) is 1.79, so enhanced there is none.
SELECT name, d.* FROM unnest('{raw,global,local}'::regclass[]) AS name, audit_diversity(name, '{job,birth,postcode}', 'illness') AS d;
-- Of projections SS alone tells it, with its counts.
SELECT * FROM audit_diversity('ss', '{class_id}', 'illness', 'n');
SELECT * FROM audit_diversity('ss', '{class_id}', 'illness', counts => 'n') EXCEPT SELECT * FROM audit_diversity('local', '{job,birth,postcode}', 'illness');
-- All rows are one class, which is the whole; nothing is there; one value.
SELECT * FROM audit_diversity('raw', '{}', 'illness');
CREATE VIEW nothing AS SELECT * FROM raw WHERE false;
SELECT * FROM audit_diversity('nothing', '{job}', 'illness');
SELECT * FROM audit_diversity('nothing', '{}', 'illness');
CREATE TABLE one AS SELECT i % 3 AS a, 7 AS s FROM generate_series(1, 10) AS i;
SELECT * FROM audit_diversity('one', '{a}', 's');
-- Salaries of Li et al.: numbers lie on a line, D[P1, Q] is 0.375; as texts any two are equally far.
CREATE TABLE salary AS SELECT c AS class, s AS number, s::text AS text, '2000-01-01'::date + s AS day, '2000-01-01'::timestamptz + s * '1 year'::interval AS moment, int4range(s, s + 1) AS range, s::numeric(6, 2) AS exact
FROM (VALUES (1, 3), (1, 4), (1, 5), (2, 6), (2, 11), (2, 8), (3, 7), (3, 9), (3, 10)) AS v (c, s);
CREATE DOMAIN pay AS int;
ALTER TABLE salary ADD paid pay;
UPDATE salary SET paid = number;
SELECT s, t, distinct_values, recursive_c FROM unnest('{number,text,day,moment,range,exact,paid}'::text[]) AS s, audit_diversity('salary', '{class}', s);

-- NULL is a value as others: a class of its own, and the last of a line.
CREATE TABLE gaps AS SELECT NULLIF(i % 3, 0) AS "a ""b", NULLIF(i % 4, 0) AS s, i FROM generate_series(1, 12) AS i;
SELECT * FROM audit_diversity('gaps', '{"a \"b"}', 's');
INSERT INTO gaps SELECT NULL, NULL, 13 FROM generate_series(1, 4);
SELECT * FROM audit_diversity('gaps', '{"a \"b"}', 's');
-- Texts that their type takes for equal are one value; an array without elements is not NULL.
CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE equal AS SELECT i AS a, (ARRAY['flu', 'FLU', 'HIV', NULL])[1 + (i + j) % 4] COLLATE loose AS s, (ARRAY['{1}', '{}', NULL, '{1,2}'])[1 + (i + j) % 4]::int[] AS list FROM generate_series(0, 1) AS i, generate_series(0, 1) AS j;
SELECT distinct_values, distinct_l, t FROM audit_diversity('equal', '{a}', 's');
SELECT distinct_values, distinct_l, t FROM audit_diversity('equal', '{a}', 'list');
-- Types that no source may have group as well: ranges and arrays as releases show them.
CREATE TABLE shown AS SELECT int4range(i / 4, i / 4 + 1) AS age, ARRAY['x', (i % 2)::text] AS job, (i % 3)::text AS s FROM generate_series(0, 23) AS i;
SELECT * FROM audit_diversity('shown', '{age,job}', 's');

-- The same from the definitions, in plain SQL: every class with every value.
CREATE FUNCTION by_definition(relation regclass, on_a_line boolean, OUT classes bigint, OUT k bigint, OUT distinct_values bigint, OUT distinct_l bigint, OUT entropy_l numeric, OUT recursive_c bigint,
  OUT t numeric, OUT alpha numeric, OUT beta numeric, OUT enhanced_beta numeric, OUT delta numeric) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    WITH r AS (SELECT format('%%L,%%L', a, b) AS class, s FROM %s),
         p AS (SELECT s, count(*)::numeric / (SELECT count(*) FROM r) AS p, row_number() OVER (ORDER BY s) AS place FROM r GROUP BY s),
         c AS (SELECT class, count(*) AS size FROM r GROUP BY class),
         q AS (SELECT c.class, c.size, p.place, p.p, (SELECT count(*) FROM r WHERE r.class = c.class AND r.s IS NOT DISTINCT FROM p.s) AS n FROM c, p),
         m AS (SELECT class, size, count(*) FILTER (WHERE n > 0) AS l, exp(sum(CASE WHEN n > 0 THEN -(n / size::numeric) * ln(n / size::numeric) ELSE 0 END)) AS e, max(n / size::numeric) AS alpha,
                      max(n / size::numeric / p) - 1 AS beta, bool_or(n / size::numeric / p - 1 > -ln(p)) AS broken, max(CASE WHEN n > 0 THEN abs(ln(n / size::numeric / p)) END) AS delta,
                      sum(abs(n / size::numeric - p)) / 2 AS apart,
                      (SELECT coalesce(sum(abs(d)), 0) / greatest(count(*) - 1, 1) FROM (SELECT sum(x.n / x.size::numeric - x.p) OVER (ORDER BY x.place) AS d FROM q AS x WHERE x.class = q.class) AS o) AS moved
               FROM q GROUP BY class, size),
         least AS (SELECT min(l) AS l FROM m),
         ranked AS (SELECT class, n, row_number() OVER (PARTITION BY class ORDER BY n DESC) AS rank FROM q WHERE n > 0),
         ratio AS (SELECT class, max(n) / sum(n) FILTER (WHERE rank >= (SELECT l FROM least)) AS c FROM ranked GROUP BY class)
    SELECT count(*), min(size), (SELECT count(*) FROM p), min(l), round(min(e), 6), CASE WHEN min(l) > 1 THEN (SELECT floor(max(c)) + 1 FROM ratio) END,
           round(max(CASE WHEN $1 THEN moved ELSE apart END), 6), round(max(alpha), 6), round(max(beta), 6), CASE WHEN bool_or(broken) THEN 'Infinity' ELSE round(max(beta), 6) END, round(max(delta), 6)
    FROM m$sql$, relation) USING on_a_line INTO classes, k, distinct_values, distinct_l, entropy_l, recursive_c, t, alpha, beta, enhanced_beta, delta;
END $$;
CREATE TABLE chance (a int, b text, s int);
CREATE FUNCTION differing(runs int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint := 0; seen record; told record;
BEGIN
  FOR i IN 1 .. runs LOOP
    TRUNCATE chance;
    INSERT INTO chance SELECT NULLIF(floor(random() * 3), 0), NULLIF(floor(random() * 2)::text, '0'), NULLIF(floor(random() * (1 + i % 6)), 2) FROM generate_series(1, 1 + i * 2);
    SELECT * INTO seen FROM audit_diversity('chance', '{b,a}', 's');
    SELECT * INTO told FROM by_definition('chance', true);
    found := found + (seen IS DISTINCT FROM told)::int;
    ALTER TABLE chance ALTER s TYPE text;
    SELECT * INTO seen FROM audit_diversity('chance', '{a,b}', 's');
    SELECT * INTO told FROM by_definition('chance', false);
    found := found + (seen IS DISTINCT FROM told)::int;
    ALTER TABLE chance ALTER s TYPE int USING s::int;
  END LOOP;
  RETURN found;
END $$;
SELECT setseed(0.5) IS NOT NULL;
SELECT differing(40);

-- Errors; what is met while reading shows no value.
SELECT pg_temp.fails('SELECT audit_diversity(' || a || ')') FROM unnest(ARRAY['NULL, ''{a}'', ''s''', '''one'', NULL, ''s''', '''one'', ''{a,NULL}'', ''s''', '''one'', ''{a}'', NULL', '''one'', ''{b}'', ''s''', '''one'', ''{a}'', ''t''', '''one'', ''{s}'', ''s''', '''one'', ''{a,a}'', ''s''', '''ss'', ''{class_id}'', ''illness'', ''m''',
  '''ss'', ''{class_id}'', ''illness'', ''class_id''', '''ss'', ''{class_id}'', ''n'', ''illness''']) AS a;
UPDATE ss SET n = 0 WHERE class_id = 3 AND illness = 'flu';
SELECT pg_temp.fails($$SELECT audit_diversity('ss', '{class_id}', 'illness', 'n')$$);
UPDATE ss SET n = NULL WHERE n = 0;
SELECT pg_temp.fails($$SELECT audit_diversity('ss', '{class_id}', 'illness', 'n')$$);
UPDATE ss SET n = 9223372036854775807;
SELECT pg_temp.fails($$SELECT audit_diversity('ss', '{class_id}', 'illness', 'n')$$);
CREATE VIEW bad AS SELECT ('secret' || job)::int AS v, illness FROM raw;
SELECT pg_temp.fails($$SELECT audit_diversity('bad', '{v}', 'illness')$$);
CREATE TABLE doc (a int, s json);
SELECT pg_temp.fails($$SELECT audit_diversity('doc', '{a}', 's')$$);
-- It reads as its caller.
CREATE ROLE regress_ad_stranger;
GRANT USAGE ON SCHEMA audit_diversity TO regress_ad_stranger;
SET ROLE regress_ad_stranger;
SELECT pg_temp.fails($$SELECT anon_seq.audit_diversity('audit_diversity.one', '{a}', 's')$$);
RESET ROLE;
SET client_min_messages = error;
DROP SCHEMA audit_diversity CASCADE;
DROP ROLE regress_ad_stranger;
