-- Who is a person: keys that are equal though they are written differently, keys of several columns, and keys that cannot tell persons apart.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_persons;
SET search_path = publish_persons, anon_seq;
SET client_min_messages = warning;

-- One person, ten times, each time written with one more zero; fifty others. He is one of at least ten only where there are ten others.
CREATE TABLE scaled (pid numeric, age int, other text);
INSERT INTO scaled SELECT round(1::numeric, g), 20, 'x' || g % 5 FROM generate_series(0, 9) AS g;
INSERT INTO scaled SELECT 1000 + i, 40 + i % 5, 'y' || i % 7 FROM generate_series(1, 50) AS i;
SELECT create_sequential_policy('scaled', 'scaled', person => 'pid', quasi => '{age}', k => 10, publish_as_is => '{other}', population => 'scaled', publish_as => 'scaled_out');
SELECT version, published, classes, smallest_class FROM publish('scaled');
SELECT s.least FROM (SELECT min(n) AS least FROM (SELECT count(DISTINCT s.pid) AS n FROM scaled AS s JOIN (SELECT DISTINCT age AS r FROM scaled_out) AS o ON s.age <@ o.r GROUP BY o.r) AS c) AS s;
SELECT check_name, observed, ok FROM audit('scaled', everything => true) ORDER BY check_name COLLATE "C";
-- The audit does not believe the note: who stands in the ledger twice, however he is written, is one person.
CREATE TABLE single (pid numeric, age int);
INSERT INTO single SELECT i, 20 + i % 2 * 20 FROM generate_series(1, 20) AS i;
SELECT create_sequential_policy('single', 'single', person => 'pid', quasi => '{age}', k => 10, population => 'single', publish_as => 'single_out');
SELECT version, classes, smallest_class FROM publish('single');
SELECT observed, ok FROM audit('single', everything => true) WHERE check_name = 'anonymity';
SELECT 'p' || id || '_person' AS persons FROM policy WHERE name = 'single' \gset
SELECT format('anon_seq_ledger.%I', :'persons') AS persons \gset
ALTER TABLE :persons DISABLE TRIGGER ALL;
UPDATE :persons SET persons = ARRAY[1, 1.0, 1.00, 4, 5, 6, 7, 8, 9, 10] WHERE cell = 1;
SELECT observed, ok FROM audit('single', everything => true) WHERE check_name = 'anonymity';

-- Nor a ledger that holds no keys any more.
ALTER TABLE :persons ALTER persons TYPE json[] USING '{}';
SELECT pg_temp.fails($$SELECT audit('single', everything => true)$$);
DROP TABLE :persons;
SELECT regexp_replace(said, '"p\d+', '"p') FROM pg_temp.fails($$SELECT audit('single', everything => true)$$) AS said;

-- Numbers in the short and the long form that the server stores, small, large and negative; each of these is one person.
CREATE TABLE forms (pid numeric, age int, n int);
INSERT INTO forms SELECT x.pid, 20, x.n FROM (SELECT (sign || number || CASE WHEN position('.' IN number) > 0 THEN '' ELSE '.' END || repeat('0', zeros))::numeric AS pid, n
  FROM unnest('{0,1,10,10000,123456789,0.5,0.0001,0.00012300,1234.5678}'::text[]) WITH ORDINALITY AS t (number, n), unnest('{"",-}'::text[]) AS sign, generate_series(0, 6) AS z, LATERAL (SELECT z * 17 AS zeros) AS s) AS x;
INSERT INTO forms SELECT sign * power(10::numeric, 300) * (1 + 0 * z) + repeat('0', 1)::numeric, 20, 10 FROM unnest('{1,-1}'::numeric[]) AS sign, generate_series(0, 2) AS z;
SELECT create_sequential_policy('forms', 'forms', person => 'pid', quasi => '{age}', k => 2, population => 'forms', publish_as => 'forms_out');
SELECT published, smallest_class, (SELECT count(DISTINCT pid) FROM forms) AS persons FROM publish('forms');
SELECT format('anon_seq_ledger.p%s_person', id) AS persons FROM policy WHERE name = 'forms' \gset
SELECT count(DISTINCT p), count(DISTINCT p::text) FROM :persons, unnest(persons) AS p;

-- Incremental: one row per person, found again in the next version however the key is written then; forgotten likewise.
CREATE TABLE grown (pid numeric, age int);
INSERT INTO grown SELECT i, 20 + i % 10 FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('grown', 'grown', person => 'pid', quasi => '{age}', k => 4, population => 'grown', publish_as => 'grown_out');
SELECT version, published, waiting, deferred FROM publish('grown');
UPDATE grown SET pid = round(pid, (pid::int % 80)::int);
INSERT INTO grown SELECT i + 0.50, 25 FROM generate_series(101, 104) AS i;
SELECT version, published, waiting, deferred FROM publish('grown');
SELECT check_name, observed, ok FROM audit('grown', everything => true) WHERE check_name = 'anonymity';
INSERT INTO grown VALUES (7.000, 33);
SELECT pg_temp.fails($$SELECT publish('grown')$$);
DELETE FROM grown WHERE pid = 7;
SELECT release, still_shown FROM forget('grown', '7.00') ORDER BY 1;
SELECT release, still_shown FROM forget('grown', '7') ORDER BY 1;
SELECT format('anon_seq_ledger.p%s_member', id) AS members FROM policy WHERE name = 'grown' \gset
ALTER TABLE :members DISABLE TRIGGER ALL;
UPDATE :members SET persons = array_replace(persons, persons[1], round(persons[2], 5)) WHERE since = 1 AND cardinality(persons) > 1 AND region = (SELECT min(region) FROM :members WHERE since = 1 AND cardinality(persons) > 1);
SELECT check_name, ok FROM audit('grown', everything => true) WHERE check_name = 'anonymity';

-- Two policies know the same persons, however their keys are scaled: an attack over both joins them.
CREATE VIEW single_scaled AS SELECT pid::numeric(10,3) AS pid, age FROM single;
SELECT create_sequential_policy('scaled twice', 'single_scaled', person => 'pid', quasi => '{age}', k => 10, population => 'single 2', publish_as => 'scaled_twice');
SELECT create_sequential_policy('scaled once', 'single', person => 'pid', quasi => '{age}', k => 10, population => 'single 3', publish_as => 'scaled_once');
SELECT version FROM publish('scaled twice'), LATERAL (SELECT version AS once FROM publish('scaled once')) AS o;
SELECT count(DISTINCT object) FROM audit_inference('{scaled twice,scaled once}', 10) WHERE object IS NOT NULL;

-- Other types: 0 and -0, texts with blanks at the end of a char(n).
CREATE TABLE floats (pid float8, code char(4), age int);
INSERT INTO floats SELECT CASE WHEN i < 4 THEN 0 WHEN i < 8 THEN '-0'::float8 ELSE i END, 'a', 20 + i % 4 FROM generate_series(0, 40) AS i;
SELECT create_sequential_policy('floats', 'floats', person => 'pid', quasi => '{age}', k => 5, population => 'floats', publish_as => 'floats_out');
SELECT published, smallest_class FROM publish('floats');
SELECT observed, ok FROM audit('floats', everything => true) WHERE check_name = 'anonymity';

-- Texts that are equal though they differ: refused in every role, with what to do instead.
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TYPE shout;
CREATE FUNCTION shout_in(cstring) RETURNS shout LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION shout_out(shout) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE shout (INPUT = shout_in, OUTPUT = shout_out, LIKE = text, CATEGORY = 'S', COLLATABLE = true);
CREATE TABLE named (id int, name text COLLATE any_case, word shout, age int, plain text);
INSERT INTO named SELECT i, (ARRAY['bob', 'Bob', 'BOB'])[1 + i % 3] || i / 3, (ARRAY['bob', 'Bob'])[1 + i % 2]::text::shout, 20 + i % 5, 'p' || i % 3 FROM generate_series(0, 29) AS i;
CREATE DOMAIN shouted AS shout;
ALTER TABLE named ADD deep shouted;
SELECT role, pg_temp.fails(format($$SELECT create_sequential_policy('named', 'named', %s, k => 2)$$, role)) FROM unnest(ARRAY[
  $$person => 'name', quasi => '{age}'$$, $$person => 'word', quasi => '{age}'$$, $$person => '{id,deep}', quasi => '{age}'$$, $$person => 'id', quasi => '{name}'$$, $$person => 'id', quasi => '{word}'$$,
  $$person => 'id', quasi => '{age}', sensitive => '{name}'$$, $$person => 'id', quasi => '{age}', publish_as_is => '{word}'$$]) AS role;
SELECT pg_temp.fails($$SELECT create_incremental_policy('named', 'named', person => 'name', quasi => '{age}', k => 2)$$);
SELECT pg_temp.fails(format($$SELECT suggest_taxonomy('named', %L)$$, c)) FROM unnest('{name,word}'::text[]) AS c;
CREATE VIEW named_once AS SELECT lower(name) COLLATE "C" AS name, age, lower(word::text) AS word FROM named;
SELECT create_taxonomy('publish_persons_word', suggest_taxonomy('named_once', 'word'));
SELECT create_sequential_policy('named', 'named_once', person => 'name', quasi => '{age,word}', k => 2, taxonomies => '{"word": "publish_persons_word"}', population => 'named', publish_as => 'named_out');
SELECT published, smallest_class FROM publish('named');
-- As it is by the time of the publish, too.
ALTER TABLE scaled ADD late text, ALTER other TYPE text COLLATE any_case;
SELECT pg_temp.fails($$SELECT publish('scaled')$$);
-- A release of others is read by its texts: two spellings are two values, however its column compares them.
CREATE VIEW named_before AS SELECT name, word, age FROM named;
SELECT register_release('named before', 'named_before', 'named before');
SELECT c->>'column', c->>'type' FROM release, jsonb_array_elements(columns) AS c WHERE name = 'named before';
SELECT count(DISTINCT row->>'word') FROM (SELECT release_row AS row FROM release_rows('named before')) AS r;

-- Keys of several columns: each hospital counts its patients from 1. What the key is made of may have another role.
CREATE TABLE stay ("The hospital" text, no numeric(6,2), "day" date, age int, ill text);
INSERT INTO stay SELECT 'h' || h, i, date '2024-01-01' + i % 3, 20 + (i + h) % 4 * 10, 'ill ' || i % 2 FROM generate_series(1, 3) AS h, generate_series(1, 20) AS i;
INSERT INTO stay VALUES ('a "b", {c}\', 1, NULL, 20, 'ill 1'), ('', 1, NULL, 20, 'ill 1'), ('h1', 1.00, NULL, 30, 'ill 0');
SELECT pg_temp.fails(format($$SELECT create_sequential_policy('stay', 'stay', person => %L, quasi => '{age}', k => 2)$$, p)) FROM unnest(ARRAY['{}', '{NULL,no}', '{no,no}', '{no,gone}', '{no', '{age}']) AS p;
SELECT create_sequential_policy('stay', 'stay', person => '{"The hospital",no}', quasi => '{age}', k => 10, sensitive => '{ill}', max_link => 0.9, publish_as_is => '{The hospital}', population => 'stays', publish_as => 'stay_out');
SELECT person, describe_policy(name)->>'person' AS described, effective->0->'y' AS y FROM policies, LATERAL (SELECT describe_policy(name)->'effective_rules' AS effective) AS e WHERE name = 'stay';
SELECT version, published, smallest_class FROM publish('stay');
SELECT format('anon_seq_ledger.p%s_person', id) AS persons FROM policy WHERE name = 'stay' \gset
SELECT count(*), count(DISTINCT p), max(p) FILTER (WHERE p LIKE '%c}%'), min(p COLLATE "C") FILTER (WHERE p LIKE '{h1%') FROM :persons, unnest(persons) AS p;
SELECT check_name, observed, ok FROM audit('stay', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
-- Two persons of one number are two; one person in two rows is one.
SELECT (SELECT count(DISTINCT ("The hospital", no)) FROM stay) AS persons, (SELECT count(DISTINCT no) FROM stay) AS numbers;
SELECT release, still_shown FROM forget('stays', '{ h1 , "2" }');
SELECT pg_temp.fails($$SELECT forget('stays', '{h1')$$);
SELECT release, still_shown FROM forget('stays', '2');
SELECT observed, ok FROM audit('stay', everything => true) WHERE check_name = 'anonymity';
-- A part that is NULL names nobody.
UPDATE stay SET no = NULL WHERE "The hospital" = '';
SELECT pg_temp.fails($$SELECT publish('stay')$$);
DELETE FROM stay WHERE no IS NULL OR day IS NULL;
-- Incremental, also where only changed rows are read; the person as an array of json, and back.
ALTER TABLE stay ADD stamp int DEFAULT 1;
SELECT create_incremental_policy('nightly', 'stay', person => 'no', quasi => '{age}', k => 5, publish_as_is => '{ill}', population => 'nights', publish_as => 'nightly_out', options => '{"changed_since": "stamp"}');
SELECT alter_policy('nightly', '{"person": ["The hospital", "no"]}');
SELECT person FROM policies WHERE name = 'nightly';
SELECT version, published, waiting, deferred FROM publish('nightly');
UPDATE stay SET age = 50, stamp = 2 WHERE no = 7;
DELETE FROM stay WHERE "The hospital" = 'h2' AND no = 8;
INSERT INTO stay SELECT 'h2', 20 + i, NULL, 30, 'ill 1', 2 FROM generate_series(1, 8) AS i;
SELECT version, published, waiting, deferred FROM publish('nightly');
SELECT check_name, ok FROM audit('nightly', everything => true) ORDER BY 1, 2;
SELECT release, still_shown FROM forget('nights', '{h3,3}') ORDER BY 1;
SELECT count(*) FROM audit_inference('{nightly}', 5);
SELECT alter_policy('nightly', '{"source": "publish_persons.stay"}');
SELECT pg_temp.fails($$SELECT alter_policy('nightly', '{"person": "no"}')$$);
-- A column whose name begins with a brace is an array of one.
CREATE TABLE braced ("{id}" int, age int);
INSERT INTO braced SELECT i, 20 + i % 2 FROM generate_series(1, 10) AS i;
SELECT pg_temp.fails($$SELECT create_sequential_policy('braced', 'braced', person => '{id}', quasi => '{age}', k => 2)$$);
SELECT create_sequential_policy('braced', 'braced', person => '{"{id}"}', quasi => '{age}', k => 2, population => 'braced', publish_as => 'braced_out');
SELECT person FROM policies WHERE name = 'braced';
SELECT published FROM publish('braced');
SELECT ok FROM audit('braced', everything => true) WHERE check_name = 'anonymity';
SELECT count(*) FROM forget('braced', '3');
-- A key is found however its values are spelled, as of one column; who is in no release is told.
CREATE TABLE spelled (h text, no numeric(8, 2), born date, age int);
INSERT INTO spelled SELECT 'north', i + 0.5, date '2000-01-01' + i, 20 + i % 2 FROM generate_series(1, 10) AS i;
SELECT create_sequential_policy('spelled', 'spelled', person => '{h,no,born}', quasi => '{age}', k => 2, population => 'spelled', publish_as => 'spelled_out');
SELECT published FROM publish('spelled');
SELECT release, still_shown FROM forget('spelled', '{north,1.50,20000102}');
SET client_min_messages = notice;
SELECT release, still_shown FROM forget('spelled', '{north,1.5,2000-01-02}');
SELECT release, still_shown FROM forget('spelled', '{north,1.5}');
SET client_min_messages = warning;

SELECT drop_policy(name) FROM policies WHERE source LIKE 'publish\_persons.%' ORDER BY name \g /dev/null
DROP SCHEMA publish_persons CASCADE;
