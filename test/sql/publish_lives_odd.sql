-- Classes for life of odd tables: names, types, several sensitive columns, persons of several columns; and of a larger one.
\pset null NULL
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE SCHEMA "publish lives";
SET search_path = "publish lives", anon_seq, public;
-- What a version shows of sensitive columns.
CREATE TABLE seen (policy text, version int, relation text, class_id int, value text, n bigint);
CREATE FUNCTION see(release text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE ss text; name text;
BEGIN
  FOR ss IN SELECT r FROM releases AS a, unnest(relations) AS r WHERE a.policy || '/' || a.version = $1 AND r::text ~ '_ss[_"]|_ss$' LOOP
    SELECT quote_ident(attname) INTO name FROM pg_attribute WHERE attrelid = ss::regclass AND attnum = 2;
    EXECUTE format('INSERT INTO seen SELECT split_part(%L, ''/'', 1), split_part(%1$L, ''/'', 2)::int, regexp_replace(%L, ''_r\d+'', ''''), class_id, %s::text, n FROM %s', $1, ss, name, ss);
  END LOOP;
  RETURN count(DISTINCT class_id) FROM seen AS s WHERE s.policy || '/' || version = $1;
END $$;
-- Classes that were not always the same, over all versions that show them.
CREATE VIEW changed AS
SELECT policy, class_id
FROM (SELECT policy, relation, class_id, version, string_agg(format('%s: %s', quote_nullable(value), n), ', ' ORDER BY value) AS bag FROM seen GROUP BY 1, 2, 3, 4) AS b
GROUP BY policy, relation, class_id
HAVING count(DISTINCT bag) > 1;

\echo -- odd names, several types, NULLs; values that no row has any more
CREATE TYPE mood AS ENUM ('sad', 'a "b"', 'glad');
CREATE DOMAIN score AS numeric(8,2) CHECK (VALUE > 0);
CREATE TABLE "odd ""table""" ("the person" numeric, "the age" int, "zip's" text, "a, b" mood, "c""d" score, day date, code char(4), at timestamptz, "on" boolean);
INSERT INTO "odd ""table""" SELECT i + 0.50, i % 40, CASE WHEN i % 7 > 0 THEN 'z' || i % 3 END, CASE WHEN i % 12 = 0 THEN 'a "b"' WHEN i % 5 > 0 THEN 'glad' END::mood,
  CASE WHEN i % 12 = 0 THEN 1.1 WHEN i % 7 > 0 THEN 1.20 + i % 5 END, '2000-01-01'::date + i % 15, CASE WHEN i % 15 = 2 THEN 'x' WHEN i % 3 > 0 THEN 'abcd' END, '2000-01-01 00:00+00'::timestamptz + i % 20 * interval '1 day', i % 2 = 0
FROM generate_series(1, 60) AS i;
SELECT create_serial_policy('lives odd', '"odd ""table"""', 'the person', '{"the age",zip''s}', '{"a, b","c\"d",day,code,at}', NULL, 2.5, 'projections', persistence => 'permanent', publish_as_is => '{on}', publish_as => '"odd out"', population => 'lives odd',
  options => '{"cohort_min": 2, "k": 4, "sensitive_values": {"a, b": ["a \"b\""], "c\"d": ["1.1"], "day": ["2000-01-03"], "code": ["x"], "at": ["2000-01-02 00:00+00"]}}');
SELECT version, published, smallest_class FROM publish('lives odd');
SELECT see('lives odd/1');
SELECT relation, count(DISTINCT value) FROM seen GROUP BY 1 ORDER BY 1;
SELECT 'anon_seq_ledger.p' || id || '_life' AS odd_life FROM policy WHERE name = 'lives odd' \gset
CREATE TABLE odd_first AS SELECT * FROM :odd_life;
UPDATE "odd ""table""" SET "a, b" = NULL, "c""d" = 9.9, day = '1999-01-01', code = 'new', at = NULL;
DELETE FROM "odd ""table""" WHERE "the person" IN (3.5, 4.5, 5.5);
UPDATE "odd ""table""" SET "the person" = 6.50000000 WHERE "the person" = 6.5;
SELECT version, published, waiting FROM publish('lives odd');
SELECT see('lives odd/2') > 0, count(*) FROM changed;
SELECT count(*) FROM "odd out_nss" WHERE "the age" IS NULL AND "zip's" IS NULL AND "on" IS NULL;
SELECT count(*) FROM forget('lives odd', '4.500');
SELECT count(*) FROM forget('lives odd', '6.5');
INSERT INTO "odd ""table""" SELECT i + 0.5, 0, 'back', 'sad', 1.1, '2000-01-03', 'x', '2000-01-02 00:00+00', true FROM unnest('{3,4,5,100,101,102,103,104,105,106,107}'::int[]) AS i;
SELECT pg_temp.fails($$SELECT publish('lives odd')$$);
UPDATE "odd ""table""" SET "a, b" = 'glad', "c""d" = 9.9, day = NULL, code = 'y', at = NULL WHERE "the person" BETWEEN 101 AND 106;
SELECT version, published, waiting FROM publish('lives odd');
SELECT see('lives odd/3') > 0, count(*) FROM changed;
SELECT count(*), count(*) FILTER (WHERE l.persons <> f.persons OR (l.c4, l.c5, l.c6, l.c7) IS DISTINCT FROM (f.c4, f.c5, f.c6, f.c7)) FROM :odd_life AS l JOIN odd_first AS f USING (class_id, place);
SELECT check_name, scope, ok FROM audit('lives odd', true) WHERE check_name IN ('life', 'breach', 'members', 'classes') OR NOT ok ORDER BY scope COLLATE "C", check_name COLLATE "C";

\echo -- persons of several columns; values bounded together, below a label; persistence that changes before the first version
SELECT create_taxonomy('publish lives ills', '{"any": ["good", {"bad": ["HIV", "TB"]}]}');
CREATE TABLE visit AS SELECT 'h' || i % 2 AS house, i AS no, i AS age, (ARRAY['HIV', 'TB', 'good', 'good', 'good', 'good', 'good', NULL])[1 + i % 8] AS ill, CASE WHEN i % 12 = 0 THEN 'poor' ELSE 'rich' END AS means
FROM generate_series(1, 48) AS i;
SELECT create_serial_policy('visit', 'visit', '{house,no}', '{age}', '{ill,means}', NULL, 2, 'projections', taxonomies => '{"ill": "publish lives ills"}', population => 'visit',
  options => '{"cohort_min": 1, "any": true, "sensitive_values": {"ill": ["bad"], "means": ["poor"]}}');
SELECT alter_policy('visit', '{"persistence": "permanent"}');
SELECT version, published, smallest_class FROM publish('visit');
SELECT see('visit/1') > 1;
DELETE FROM visit WHERE no <= 10;
INSERT INTO visit VALUES ('h0', 1, 1, 'good', 'rich'), ('h1', 100, 1, 'TB', 'rich'), ('h1', 101, 1, 'HIV', 'poor'), ('h1', 102, 1, NULL, 'poor');
SELECT count(*) FROM forget('visit', '{h1,11}');
SELECT pg_temp.fails($$SELECT publish('visit')$$);
UPDATE visit SET ill = NULL, means = NULL WHERE no = 101;
SELECT version, published BETWEEN 42 AND 52, waiting FROM publish('visit');
SELECT see('visit/2') > 1, count(*) FROM changed;
SELECT check_name, ok FROM audit('visit', true) WHERE scope = 'visit/2' AND check_name <> 'correlation' ORDER BY check_name COLLATE "C";
-- Who shares a row with others of the same key, or has none.
INSERT INTO visit SELECT * FROM visit WHERE no = 20;
SELECT pg_temp.fails($$SELECT publish('visit')$$);
DELETE FROM visit WHERE no = 20;
DELETE FROM visit WHERE no > 99 OR no BETWEEN 12 AND 48;
SELECT version, classes FROM publish('visit');
DELETE FROM visit;
INSERT INTO visit VALUES ('h2', 1, 1, 'good', 'rich');
SELECT pg_temp.fails($$SELECT publish('visit')$$);
-- A value that is listed later: of several columns, one bound each.
CREATE TABLE grows AS SELECT i AS id, i AS age, CASE WHEN i % 4 = 0 THEN 'HIV' ELSE 'flu' END AS ill, CASE WHEN i <= 6 THEN 'poor' ELSE 'rich' END AS means FROM generate_series(1, 24) AS i;
SELECT create_serial_policy('grows', 'grows', 'id', '{age}', '{ill,means}', NULL, 3, 'projections', persistence => 'permanent', population => 'grows',
  options => '{"cohort_min": 1, "sensitive_values": {"ill": ["HIV"], "means": ["poor"]}}');
SELECT published FROM publish('grows');
SELECT alter_policy('grows', '{"options": {"cohort_min": 1, "sensitive_values": {"ill": ["HIV", "TB"], "means": ["poor"]}}}');
SELECT version, published FROM publish('grows');
SELECT count(*) FROM audit('grows', true) WHERE NOT ok;
SELECT alter_policy('grows', '{"options": {"cohort_min": 1, "sensitive_values": {"ill": ["HIV", "TB", "flu"], "means": ["rich", "poor"]}}}');
SELECT version, published FROM publish('grows');
SELECT check_name, scope, offending = (SELECT count(DISTINCT class_id) FROM (SELECT class_id, 'flu' AS of, n FROM grows_ss_ill WHERE ill = 'flu' UNION ALL SELECT class_id, 'rich', n FROM grows_ss_means WHERE means = 'rich') AS s WHERE n > 1) FROM audit('grows', true) WHERE NOT ok;

\echo -- 3,000 people, six versions
CREATE TABLE people AS SELECT i AS id, 20 + i * 37 % 61 AS age, i * 53 % 97 AS zip, (ARRAY['HIV', 'TB', 'flu', 'cold', 'fever'])[CASE WHEN i % 17 = 0 THEN 1 WHEN i % 13 = 0 THEN 2 ELSE 3 + i % 3 END] AS ill FROM generate_series(1, 3000) AS i;
CREATE TABLE away AS SELECT * FROM people WHERE false;
SELECT create_serial_policy('lives people', 'people', 'id', '{age,zip}', '{ill}', '{HIV,TB}', 4, 'projections', persistence => 'permanent', population => 'lives people');
SELECT setseed(0.5);
CREATE FUNCTION month() RETURNS void LANGUAGE sql AS $$
  WITH back AS (DELETE FROM away WHERE random() < 0.3 RETURNING *) INSERT INTO people SELECT * FROM back;
  WITH gone AS (DELETE FROM people WHERE random() < 0.1 RETURNING *) INSERT INTO away SELECT * FROM gone;
  UPDATE people SET ill = (ARRAY['HIV', 'flu', 'cold', 'fever'])[1 + floor(random() * 4)::int] WHERE random() < 0.2;
  UPDATE people SET zip = floor(random() * 97) WHERE random() < 0.1;
  INSERT INTO people SELECT (SELECT max(id) FROM (SELECT id FROM people UNION ALL SELECT id FROM away) AS a) + i, 20 + random() * 60, random() * 97, (ARRAY['HIV', 'TB', 'flu', 'cold', 'fever'])[CASE WHEN random() < 0.05 THEN 1 WHEN random() < 0.05 THEN 2 ELSE 3 + floor(random() * 3)::int END] FROM generate_series(1, 150) AS i;
$$;
CREATE FUNCTION months(n int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE p record;
BEGIN
  FOR i IN 1 .. n LOOP
    IF i > 1 THEN PERFORM month(); END IF;
    PERFORM forget('lives people', id::text) FROM (SELECT id FROM (TABLE people UNION ALL TABLE away) AS a WHERE i > 1 ORDER BY id % (100 + i), id LIMIT 20) AS f;
    SELECT * INTO p FROM publish('lives people');
    PERFORM see('lives people/' || p.version);
    RETURN NEXT p.version || ': ' || (p.published >= (SELECT count(*) FROM people)) || ' ' || (p.waiting > 0) || ' ' || (SELECT count(*) FROM audit('lives people', false) WHERE NOT ok);
  END LOOP;
END $$;
SELECT months(6);
SELECT count(DISTINCT version), count(*) FILTER (WHERE value IN ('HIV', 'TB') AND 4 * n > size) FROM (SELECT *, sum(n) OVER (PARTITION BY version, class_id) AS size FROM seen WHERE policy = 'lives people') AS s;
SELECT count(*) FROM changed;
SELECT count(*), sum(offending) FROM audit('lives people', true) WHERE check_name IN ('life', 'members', 'breach', 'classes', 'rows', 'projections');
DROP SCHEMA "publish lives" CASCADE;
