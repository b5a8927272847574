-- suggest_policy: a whole policy to edit; what it gives is taken by the statements of the reference. suggest_taxonomy with the most frequent values.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA suggest_policy;
SET search_path = suggest_policy, anon_seq, public;
SET client_min_messages = warning;
CREATE TYPE mood AS ENUM ('ok', 'bad');
CREATE TABLE "my visits" (pid int PRIMARY KEY, age int, sex text, zip text, born date, feels mood, diagnosis text, income numeric, note text, ticket int, doc json, dull text, "day ""x""" text, twice text COLLATE "C", empty int);
INSERT INTO "my visits" SELECT i, 20 + i % 60, (ARRAY['m', 'f'])[1 + i % 2], (10000 + i % 40)::text, date '1990-01-01' + i % 900, 'ok', (ARRAY['flu', 'cough', 'gout'])[1 + i % 3], i * 3.5, 'note ' || md5(i::text), 5000 + i, '{}', 'same',
  (date '2024-01-01' + i % 50)::text, (1 + i % 90)::text FROM generate_series(1, 200) AS i;
SELECT jsonb_pretty(suggest_policy('"my visits"')::jsonb - 'create_taxonomies');
SELECT key, value FROM json_each(suggest_policy('"my visits"')->'create_taxonomies') ORDER BY key;

-- As the reference has it.
SELECT suggest_policy('"my visits"') AS policy \gset
SELECT create_taxonomy(t.key, t.value) FROM json_each(:'policy'::json->'create_taxonomies') AS t WHERE t.key NOT IN (SELECT name FROM anon_seq.taxonomies);
SELECT create_sequential_policy(p.name, p.source, p.person, p.quasi, k => p.k, sensitive => p.sensitive, publish_as_is => p.publish_as_is, taxonomies => p.taxonomies)
  FROM json_to_record(:'policy') AS p (name text, source regclass, person text, quasi text[], k int, sensitive text[], publish_as_is text[], taxonomies jsonb);
SELECT version, published FROM publish('my visits_release');
-- Pasted once more: taxonomies that are there are taken, the policy has another name.
SELECT count(create_taxonomy(t.key, t.value)) FROM json_each(:'policy'::json->'create_taxonomies') AS t WHERE t.key NOT IN (SELECT name FROM anon_seq.taxonomies);
SELECT suggest_policy('"my visits"')->>'name';
CREATE TABLE "my visits_release_2_flat" (i int);
SELECT suggest_policy('"my visits"')->>'name';
SET search_path = public, anon_seq;
SELECT suggest_policy('suggest_policy."my visits"')->>'name';
SET search_path = suggest_policy, anon_seq, public;
CREATE TABLE "a/b, whose name is as long as a name may be, with ääääää in it" AS SELECT 'x'::text AS a FROM generate_series(1, 30);
SELECT suggest_policy('"a/b, whose name is as long as a name may be, with ääääää in it"')->>'name';
SELECT create_incremental_policy('my visits nightly', p.source, p.person, p.quasi, p.k, sensitive => p.sensitive, publish_as_is => p.publish_as_is, taxonomies => p.taxonomies, population => 'sp nightly', publish_as => 'sp_inc')
  FROM json_to_record(:'policy') AS p (name text, source regclass, person text, quasi text[], k int, sensitive text[], publish_as_is text[], taxonomies jsonb);
SELECT version, published + waiting AS persons FROM publish('my visits nightly');
SELECT count(*) FROM audit('my visits_release') WHERE NOT ok;

-- Keys: of several columns, none, one that may be NULL, a partial one; few rows; an index beside the primary key.
CREATE TABLE pair (a int NOT NULL, b text NOT NULL, city text, UNIQUE (b, a));
INSERT INTO pair SELECT i, 'b', (ARRAY['x', 'y'])[1 + i % 2] FROM generate_series(1, 30) AS i;
CREATE TABLE loose AS TABLE pair;
CREATE UNIQUE INDEX ON loose (a);
ALTER TABLE loose ADD c int NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX ON loose (c) WHERE a = 1;
CREATE UNIQUE INDEX ON loose ((c + a));
SELECT t, p->>'person', p->>'k', p->>'quasi', p->'notes'->>'person' FROM unnest('{pair,loose}'::regclass[]) AS t, suggest_policy(t) AS p;
CREATE VIEW seen AS SELECT city FROM pair LIMIT 10;
SELECT suggest_policy('seen');
CREATE TABLE nobody (id int PRIMARY KEY, doc json);
SELECT pg_temp.fails($$SELECT suggest_policy('nobody')$$);
SELECT pg_temp.fails($$SELECT suggest_policy(NULL)$$);
BEGIN READ ONLY;
SELECT suggest_policy('pair')->>'name';
COMMIT;
CREATE ROLE regress_seq_suggests;
GRANT USAGE ON SCHEMA suggest_policy TO regress_seq_suggests;
SET ROLE regress_seq_suggests;
SELECT pg_temp.fails($$SELECT suggest_policy('pair')$$);
RESET ROLE;

-- Codes, what is about the row, and taxonomies of the caller's own.
CREATE TABLE accident (id int PRIMARY KEY, state int, sex int, age int, job text, town text, updated_at timestamptz, created date, "last change" date, modified_by text);
INSERT INTO accident SELECT i, 1 + i % 51, 1 + i % 3, i % 97, (ARRAY['nurse', 'baker'])[1 + i % 2], 'town ' || i % 7, now(), date '2024-01-01' + i % 9, date '2024-01-01' + i % 9, 'me' FROM generate_series(1, 1000) AS i;
SELECT create_taxonomy('job', '{"ANY": {"Service": ["nurse"], "Manual": ["baker"]}}'), create_range_taxonomy('age', 0, 100, '{10}'), create_flat_taxonomy('sex', '{1,2,3}');
SELECT jsonb_pretty(s - 'create_taxonomies' - 'name') FROM CAST(suggest_policy('accident') AS jsonb) AS s;
SELECT string_agg(key, ', ' ORDER BY key) FROM json_each(suggest_policy('accident')->'create_taxonomies');
-- What its note says does that.
SELECT substring(suggest_policy('accident')->'notes'->>'state' FROM $r$SELECT .*?\)\);$r$) \gexec
SELECT substring(suggest_policy('accident')->'notes'->>'state' FROM $r$taxonomies => '(.*?)'$r$) AS taxonomies \gset
SELECT create_sequential_policy('my visits codes', 'accident', 'id', '{state}', k => 5, population => 'sp codes', publish_as => 'sp_codes', taxonomies => :'taxonomies');
SELECT published FROM publish('my visits codes');
SELECT drop_taxonomy('age'), drop_taxonomy('job'), drop_taxonomy('sex');

-- The most frequent: values of fewer than ten rows are in no taxonomy.
CREATE TABLE work AS SELECT i AS id, CASE WHEN i <= 100 THEN 'job ' || i % 5 WHEN i <= 112 THEN 'OTHER' WHEN i <= 121 THEN 'nine' ELSE 'rare ' || i END AS sp_job, i % 3 AS n FROM generate_series(1, 400) AS i;
INSERT INTO work VALUES (500, NULL, 1), (501, '', 1);
RESET client_min_messages;
\set VERBOSITY default
SELECT suggest_taxonomy('work', 'sp_job', 3);
SELECT suggest_taxonomy('work', 'sp_job', frequent => 100);
\set VERBOSITY terse
-- The hint's view does what it says.
SELECT create_taxonomy('sp_job', '{"ANY": ["job 0", "job 1", "job 2", "OTHER*"]}');
CREATE VIEW "work view" AS SELECT id, CASE WHEN sp_job IS NULL OR sp_job::text IN (SELECT value FROM anon_seq.taxonomy_tree('sp_job') WHERE parent IS NOT NULL) THEN sp_job::text ELSE 'OTHER*' END AS sp_job, n FROM suggest_policy.work;
SELECT sp_job, count(*) FROM "work view" GROUP BY sp_job ORDER BY sp_job;
-- New values are among the others by themselves.
INSERT INTO work VALUES (600, 'new', 1);
DELETE FROM work WHERE sp_job IS NULL;
SET client_min_messages = warning;
SELECT create_sequential_policy('my visits work', '"work view"', 'id', '{sp_job}', k => 5, population => 'sp work', publish_as => 'sp_work');
SELECT version, published FROM publish('my visits work');
SELECT sp_job, count(*) FROM sp_work GROUP BY sp_job ORDER BY sp_job;
RESET client_min_messages;
SELECT pg_temp.fails(s) FROM unnest(ARRAY[$$SELECT suggest_taxonomy('work', 'sp_job', 0)$$, $$SELECT suggest_taxonomy('work', 'n', 3)$$, $$SELECT suggest_taxonomy('"my visits"', 'note', 3)$$, $$SELECT suggest_taxonomy('work', 'none', 3)$$]) AS s;
-- Texts that are something else: the hint's view casts them.
\set VERBOSITY default
CREATE VIEW as_text AS SELECT id, (id * 1.5)::text AS price, (date '2024-01-01' + n)::text AS day, CASE WHEN id = 3 THEN 'x' ELSE id::text END AS mostly FROM work WHERE id < 30;
SELECT left(suggest_taxonomy('as_text', c)::text, 30) FROM unnest('{price,day,mostly}'::text[]) AS c;
\set VERBOSITY terse
CREATE VIEW "as_text view" AS SELECT id, price::numeric AS price, day, mostly FROM suggest_policy.as_text;
SELECT pg_typeof(price) FROM "as_text view" LIMIT 1;
CREATE TABLE plain AS SELECT 'a'::text AS a, i AS i FROM generate_series(1, 3) AS i;
SELECT suggest_taxonomy('plain', 'a', NULL);

SET client_min_messages = error;
SELECT drop_policy(name) FROM policies WHERE name LIKE 'my visits%' ORDER BY name;
DROP SCHEMA suggest_policy CASCADE;
DROP ROLE regress_seq_suggests;
