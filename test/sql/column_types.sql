-- Columns of every type we can read: what is suggested for them, and paths made of them.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (x int, y int);
CREATE DOMAIN small_even AS smallint CHECK (VALUE % 2 = 0);
CREATE DOMAIN nested_even AS small_even;
CREATE DOMAIN mood_domain AS mood;
CREATE DOMAIN shout AS varchar(10) CHECK (VALUE = upper(VALUE));
CREATE TABLE every_type (
  "smallint" smallint, "integer" int, "bigint" bigint, "numeric" numeric, real real, "double" float8, date date, "timestamp" timestamp, "timestamptz" timestamptz,
  "boolean" bool, uuid uuid, "enum" mood, domain nested_even, enum_domain mood_domain, text_domain shout, "char(5)" char(5), "varchar" varchar, name name, "char" "char", text text);
INSERT INTO every_type VALUES
  (-32768, -2147483648, -9000000000000000, 1.0, 0.1, 0.3, '1970-01-01', '1970-01-01 00:00', '1970-01-01 00:00+00', false, '00000000-0000-0000-0000-000000000001', 'sad', 2, 'ok', 'A', 'x', 'x', 'x', 'x', 'x'),
  (32767, 2147483647, 9000000000000000, 1.00, 1.1, 1.1, '2024-02-29', '2024-02-29 12:00', '2024-02-29 12:00+05', true, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'happy', 8, 'sad', 'B', 'x ', 'y', 'y', 'y', ''),
  (0, 0, 0, 7.50, 0.5, 0.5, '2000-01-01', '2000-01-01', '2000-01-01', NULL, NULL, 'ok', 4, 'happy', 'C', 'xyz', 'z', 'z', '', 'z');
SELECT format('%-12s', column_name) || anon_seq.suggest_taxonomy('every_type', column_name) FROM information_schema.columns WHERE table_name = 'every_type' ORDER BY ordinal_position;

-- What is suggested is accepted as it is, and covers every value; no bound is a value.
SELECT anon_seq.create_taxonomy(column_name, anon_seq.suggest_taxonomy('every_type', column_name)) FROM information_schema.columns WHERE table_name = 'every_type' ORDER BY ordinal_position \g /dev/null
SELECT t.key, count(anon_seq.generalize(t.key, nullif(t.value, ''), 1)), count(*) FILTER (WHERE anon_seq.generalize(t.key, nullif(t.value, ''), 99) LIKE ANY (ARRAY['[' || t.value || ',%', '%,' || t.value || ')'])) AS bounds_shown
  FROM every_type AS e, json_each_text(row_to_json(e)) AS t WHERE t.key <> 'char(5)' GROUP BY t.key ORDER BY t.key COLLATE "C";

-- A path column of any type is read as text, under fixed settings.
SET DateStyle = 'German';
SET TimeZone = 'Asia/Tokyo';
SET extra_float_digits = 0;
CREATE VIEW as_paths AS SELECT "timestamptz" AS a, date AS b, 'ANY'::text AS c FROM every_type;
SELECT anon_seq.create_taxonomy_from_paths('dates', 'as_paths');
SELECT value, parent FROM anon_seq.taxonomy_tree('dates');
CREATE VIEW float_paths AS SELECT real AS a, "enum" AS b, "char(5)" AS c, 7 AS d FROM every_type WHERE "char(5)" = 'xyz';
SELECT anon_seq.create_taxonomy_from_paths('floats', 'float_paths');
SELECT value, parent FROM anon_seq.taxonomy_tree('floats');
RESET ALL;

-- What lies on no line, and what cannot be read.
CREATE TABLE strange (nan float8, "infinite" real, "numeric NaN" numeric, "numeric infinite" numeric, json json, jsonb jsonb, bytea bytea, "array" int[], composite pair, interval interval, range int4range);
INSERT INTO strange VALUES ('NaN', 'Infinity', 'NaN', '-Infinity', '{}', '{}', '\x00', '{1}', '(1,2)', '1 day', '[1,2)');
SELECT pg_temp.fails(format('SELECT anon_seq.suggest_taxonomy(''strange'', %L)', column_name)) FROM information_schema.columns WHERE table_name = 'strange' ORDER BY ordinal_position;

-- Numbers far beyond a double, and finer than any.
CREATE TABLE extreme (huge numeric, tiny numeric, single int, bigint bigint);
INSERT INTO extreme VALUES (-1e400, 1e-400, 17, 9223372036854775807), (1e400, 2e-400, 17, -9223372036854775808);
SELECT pg_temp.fails(format('SELECT anon_seq.suggest_taxonomy(''extreme'', %L)', c)) FROM unnest('{huge,bigint}'::text[]) AS c;
SELECT anon_seq.suggest_taxonomy('extreme', c) FROM unnest('{tiny,single}'::text[]) AS c;

SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies \g /dev/null
DROP TABLE every_type, strange, extreme CASCADE;
DROP DOMAIN nested_even, small_even, mood_domain, shout;
DROP TYPE mood, pair;
