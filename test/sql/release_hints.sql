-- What errors say to do works when it is pasted: each statement of a hint is run as it stands, and none leads back to where it came from.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE ROLE regress_hint_steward;
SELECT anon_seq.grant_publish('regress_hint_steward');
CREATE SCHEMA release_hints;
SET search_path = release_hints, anon_seq;
-- Publishes; on an error runs the statement of its hint, and says what it was.
CREATE FUNCTION pasted(policy text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE hint text; message text; detail text; statement text;
BEGIN
  PERFORM publish(policy);
  RETURN NEXT 'published';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN NEXT SQLSTATE || ' ' || message;
  RETURN NEXT '  ' || detail;
  RETURN NEXT '  ' || hint;
  statement := substring(hint FROM 'SELECT anon_seq\.(?:alter_policy|withdraw_release)\(.*\);');
  IF statement IS NOT NULL THEN EXECUTE statement; END IF;
END $$;
CREATE TABLE pat AS SELECT i AS id, (ARRAY['N', 'S', 'E', 'W'])[1 + i % 4] AS region, (ARRAY['m', 'f'])[1 + i % 2] AS gender, i % 100 AS age,
  CASE WHEN i % 100 < 20 THEN 'none' WHEN i % 100 < 60 THEN 'prim' ELSE 'sec' END AS edu FROM generate_series(1, 1000) AS i;
UPDATE pat SET age = 30 WHERE age BETWEEN 50 AND 59;
CREATE TABLE old AS SELECT (age / 20)::text AS age_group, gender, edu FROM pat;
CREATE TABLE older AS SELECT region, left(edu, 1) AS grade FROM pat;
SELECT create_flat_taxonomy('hint region', '{N,S,E,W}'), create_flat_taxonomy('hint gender', '{m,f}');

-- Several releases that no rule names: told when the policy is declared, and when a table is registered; one error for all; one statement, with
-- the bound that the join reaches, not the share in one table: 1/3, where age_group by itself has 0.3 at most.
SET client_min_messages = notice;
SELECT register_release('hint old', 'old', 'hint');
SELECT create_sequential_policy('hint', 'pat', 'id', '{region,gender}', k => 10, sensitive => '{edu}', taxonomies => '{"region": "hint region", "gender": "hint gender"}', population => 'hint');
SELECT register_release('hint older', 'older', 'hint');
SET client_min_messages = error;
SELECT describe_policy('hint') -> 'common', describe_policy('hint') -> 'unnamed';
SELECT reason FROM preview('hint');
SELECT pasted('hint');
SELECT pasted('hint');
-- A second version: one paste.
UPDATE pat SET age = 31 WHERE id = 30;
UPDATE pat SET region = 'W' WHERE id = 8;
SELECT pasted('hint');
SELECT pasted('hint');
-- A further table: the statement keeps the rules that are there. What no rule can help, as a value came that nobody had, is said.
CREATE TABLE third AS TABLE older;
SELECT register_release('hint third', 'third', 'hint', '{"region": "region", "mark": "grade"}');
SELECT pasted('hint');
SELECT pasted('hint');
INSERT INTO pat VALUES (2000, 'N', 'm', 20, 'other');
CREATE TABLE fourth AS TABLE older;
SELECT register_release('hint fourth', 'fourth', 'hint', '{"region": "region", "mark 2": "grade"}');
SELECT pasted('hint');
DELETE FROM pat WHERE id = 2000;

-- A rule that cannot be met: what the most general release keeps is offered while no release has promised it, and works.
SELECT create_sequential_policy('hint link', 'pat', 'id', '{region,gender}', max_link => 0.3, sensitive => '{edu}', taxonomies => '{"region": "hint region", "gender": "hint gender"}', population => 'hint link');
SELECT pasted('hint link');
SELECT pasted('hint link');
UPDATE pat SET edu = 'sec' WHERE id % 100 < 30;
SELECT pasted('hint link');
-- A rule that was added, and never published with, is no promise: it can be taken back, and the hint says how.
UPDATE pat SET edu = CASE WHEN id % 100 < 20 THEN 'none' WHEN id % 100 < 60 THEN 'prim' ELSE 'sec' END;
SELECT alter_policy('hint link', '{"options": {"dangling": "outer"}, "rules": [{"kind": "linkability", "x": ["region"], "y": ["gender"], "max": 0.1}]}');
SELECT pasted('hint link');
SELECT create_sequential_policy('hint new', 'pat', 'id', '{region,gender}', k => 10, taxonomies => '{"region": "hint region", "gender": "hint gender"}', population => 'hint new');
SELECT pasted('hint new');
SELECT alter_policy('hint new', '{"k": 2000, "rules": [{"kind": "linkability", "x": ["region"], "y": ["gender"], "max": 0.1}]}');
SELECT alter_policy('hint new', '{"k": 12}');
SELECT pasted('hint new');
SELECT pasted('hint new');
SELECT pg_temp.fails($$SELECT alter_policy('hint new', '{"k": 11}')$$);

-- The search is offered if it finds something, and not when it is on.
CREATE TABLE searched AS SELECT i AS id, CASE WHEN i <= 3 THEN 'a' ELSE 'b' END AS job, 1 AS side FROM generate_series(1, 60) AS i;
CREATE TABLE beside AS SELECT CASE WHEN i < 10 THEN 'a' ELSE 'b' END AS job, CASE WHEN i < 10 THEN 'p' ELSE 'q' END AS mark FROM generate_series(1, 10) AS i;
SELECT create_flat_taxonomy('hint job', '{a,b}');
SELECT register_release('hint beside', 'beside', 'hint search', '{"job": {"column": "job", "taxonomy": "hint job"}, "mark": "mark"}');
SELECT create_sequential_policy('hint search', 'searched', 'id', '{job,side}', taxonomies => '{"job": "hint job"}', population => 'hint search',
  rules => '[{"kind": "linkability", "x": ["side"], "y": [{"release": "hint beside", "column": "mark"}], "max": 0.7, "partial_x": true}]');
SELECT pasted('hint search');
SELECT pasted('hint search');
-- Of the next version too: the rule that the most general release breaks is kept by one that the search finds.
UPDATE searched SET side = 2 WHERE id = 20;
SELECT pasted('hint search');
SELECT pasted('hint search');
UPDATE searched SET job = 'a', side = 1 WHERE id < 55;
SELECT create_sequential_policy('hint search 2', 'searched', 'id', '{job,side}', taxonomies => '{"job": "hint job"}', population => 'hint search 2', previous => '{hint beside}', options => '{"search": true}',
  rules => '[{"kind": "linkability", "x": ["side"], "y": [{"release": "hint beside", "column": "mark"}], "max": 0.5, "partial_x": true}]');
SELECT pasted('hint search 2');
SELECT pasted('hint search 2');

-- Attributes that cannot be compared: two taxonomies, labels beside ranges. A registration is made again under another attribute; a release of
-- another policy is left out of the comparison, also after the first release, and only then.
CREATE TABLE sexes AS SELECT gender, CASE WHEN id % 3 = 0 THEN 'u' ELSE 'v' END AS mark FROM pat;
SELECT create_flat_taxonomy('hint gender 2', '{m,f}');
SELECT register_release('hint sexes', 'sexes', 'hint two', '{"gender": {"column": "gender", "taxonomy": "hint gender 2"}, "mark": "mark"}');
SELECT create_sequential_policy('hint two', 'pat', 'id', '{region,gender}', k => 10, taxonomies => '{"region": "hint region", "gender": "hint gender"}', population => 'hint two');
SELECT describe_policy('hint two') -> 'common';
CREATE FUNCTION pasted_all(policy text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE hint text; s text[];
BEGIN
  PERFORM publish(policy);
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
  RETURN NEXT SQLERRM;
  RETURN NEXT hint;
  FOR s IN SELECT regexp_matches(split_part(hint, ' Or leave', 1), 'SELECT anon_seq\.\w+\(.*?\);', 'g') LOOP EXECUTE s[1]; END LOOP;
END $$;
SELECT pasted_all('hint two');
SELECT pasted('hint two');
SELECT pasted('hint two');
SELECT describe_policy('hint two') -> 'common';
-- Ranges of one policy, labels of a tree in another: the first goes on when it says so.
SELECT create_taxonomy('hint ages', (SELECT json_build_object('ANY', json_build_object('young', (SELECT json_agg(a::text) FROM generate_series(0, 49) AS a), 'old', (SELECT json_agg(a::text) FROM generate_series(50, 99) AS a)))));
SELECT create_sequential_policy('hint ranges', 'pat', 'id', '{age}', k => 10, population => 'hint forms');
SELECT pasted('hint ranges');
SELECT create_sequential_policy('hint labels', 'pat', 'id', '{age}', k => 10, population => 'hint forms', taxonomies => '{"age": "hint ages"}', options => '{"not_common": ["age"]}');
SELECT pasted('hint labels');
SELECT pasted('hint labels');
UPDATE pat SET region = 'S' WHERE id = 12;
SELECT pg_temp.fails($$SELECT alter_policy('hint ranges', '{"options": {"not_common": ["region"]}}')$$);
SELECT alter_policy('hint ranges', '{"options": {"overlap": true}}');
DELETE FROM pat WHERE id = 1000;
SELECT describe_policy('hint ranges') -> 'common';
SELECT pasted('hint ranges');
SELECT pasted('hint ranges');
SELECT pasted('hint ranges');
SELECT DISTINCT check_name, observed FROM audit('hint ranges', everything => true) WHERE check_name = 'waived';
-- What joins the releases and is not in x: which, and how the rule reads with it.
SET client_min_messages = notice;
SELECT create_sequential_policy('hint x', 'pat', 'id', '{region,gender}', taxonomies => '{"region": "hint region", "gender": "hint gender"}', population => 'hint x', previous => '{}', rules => '[{"kind": "linkability", "x": ["region", {"release": "hint older", "column": "region"}], "y": [{"release": "hint older", "column": "grade"}], "max": 0.9}, {"kind": "linkability", "x": ["region"], "y": [{"release": "hint old", "column": "age_group"}], "max": 0.9}]', options => '{"dangling": "outer"}');
SELECT version FROM publish('hint x');
SET client_min_messages = error;

-- No joint guarantee: all of them at once, beside what is left out already.
SELECT create_incremental_policy('hint grows', 'pat', 'id', '{age}', 10, population => 'hint grows');
SELECT create_incremental_policy('hint grows 2', 'pat', 'id', '{age}', 10, population => 'hint grows', options => '{"unguarded": ["hint earlier"]}');
SELECT create_incremental_policy('hint grows 3', 'pat', 'id', '{age}', 10, population => 'hint grows', options => '{"unguarded": ["*"]}');
SELECT pasted('hint grows');
SELECT version FROM publish('hint grows 3');
SELECT pasted('hint grows 2');
SELECT pasted('hint grows 2');
SELECT create_sequential_policy('hint beside growing', 'pat', 'id', '{age}', k => 10, population => 'hint grows', previous => '{}');
SELECT pg_temp.fails($$SELECT alter_policy('hint beside growing', '{"previous": null}')$$);

-- Values that are no part of a taxonomy: the hint's query lists them.
CREATE FUNCTION listed(policy text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
  PERFORM publish(policy);
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
  RETURN NEXT SQLERRM;
  RETURN NEXT hint;
  RETURN QUERY EXECUTE 'SELECT x::text FROM (' || split_part(hint, ';', 1) || ') AS x';
END $$;
CREATE TABLE "State's" (id int, "State ""x""" text, years int, zip text);
INSERT INTO "State's" SELECT i, (ARRAY['N', 'S'])[1 + i % 2], i, '1000' || i % 2 FROM generate_series(1, 40) AS i;
SELECT create_flat_taxonomy('hint it''s', '{N,S}'), create_range_taxonomy('hint years', 0, 50, '{10}'), create_prefix_taxonomy('hint zip', '{4,2}'), create_taxonomy('hint inner', '{"ANY": {"N": ["1"], "S": ["2"]}}');
SELECT create_sequential_policy('hint state', '"State''s"', 'id', '{"State \"x\""}', k => 2, population => 'hint state', taxonomies => '{"State \"x\"": "hint it''s"}'), create_incremental_policy('hint state 2', '"State''s"', 'id', '{"State \"x\"",years,zip}', 2, population => 'hint state 2', taxonomies => '{"State \"x\"": "hint it''s", "years": "hint years", "zip": "hint zip"}'),
  create_sequential_policy('hint inner', '"State''s"', 'id', '{"State \"x\""}', k => 2, population => 'hint inner', taxonomies => '{"State \"x\"": "hint inner"}');
UPDATE "State's" SET "State ""x""" = 'X' WHERE id IN (3, 4);
SELECT listed(p) FROM unnest('{hint state,hint state 2}'::text[]) AS p;
SELECT split_part(reason, ' lists', 1) FROM preview('hint state');
UPDATE "State's" SET "State ""x""" = 'S' WHERE id IN (3, 4);
SELECT listed('hint inner');
UPDATE "State's" SET years = 50 + years % 2 WHERE id < 3;
SELECT listed('hint state 2');
UPDATE "State's" SET years = 1, zip = '' WHERE id < 3;
SELECT listed('hint state 2');

-- A column that was renamed; a table that may not be read; what is listed twice; keys of the other method.
ALTER TABLE "State's" RENAME COLUMN zip TO postcode;
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT publish('hint state 2')$$, $$SELECT alter_policy('hint state 2', '{"k": 3}')$$, $$SELECT create_sequential_policy('x', 'pat', 'id', '{"years"}', k => 2)$$, $$SELECT create_sequential_policy('x', 'pat', 'id', '{age,age}', k => 2)$$,
  $$SELECT create_sequential_policy('x', 'pat', 'id', '{age}', k => 2, sensitive => '{age}')$$, $$SELECT create_sequential_policy('hint', 'pat', 'id', '{age}', k => 2)$$, $$SELECT alter_policy('hint state', '{"keep": 3}')$$]) AS sql;
SELECT changes, reason FROM preview('hint state 2', ARRAY['{"keep": 3}', '{"max_link": 0.5}']::jsonb[]);
GRANT ALL ON SCHEMA release_hints TO regress_hint_steward;
SET ROLE regress_hint_steward;
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT create_sequential_policy('x', 'pat', 'id', '{age}', k => 2, population => 'hint steward')$$, $$SELECT register_release('x', 'pat', 'hint steward')$$]) AS sql;
RESET ROLE;
GRANT SELECT (id) ON pat TO regress_hint_steward;
SET ROLE regress_hint_steward;
SELECT pg_temp.fails($$SELECT create_sequential_policy('x', 'pat', 'id', '{age}', k => 2, population => 'hint steward')$$);
RESET ROLE;

-- Columns that have become nearly unique: allowed while nothing was published, and not afterwards.
CREATE TABLE bills AS SELECT i AS id, 1 + i % 3 AS age, i AS bill FROM generate_series(1, 100) AS i;
SELECT create_sequential_policy('hint bills', 'bills', 'id', '{age}', k => 10, publish_as_is => '{bill}', population => 'hint bills', options => '{"allow_unique": ["other"]}');
SELECT pasted('hint bills');
SELECT pasted('hint bills');
SELECT create_sequential_policy('hint bills 2', 'bills', 'id', '{age}', k => 10, publish_as_is => '{bill}', population => 'hint bills 2');
UPDATE bills SET bill = 1;
SELECT pasted('hint bills 2');
UPDATE bills SET bill = id;
SELECT pasted('hint bills 2');
-- A statement that is too long for an error: preview has it, and it works.
CREATE TABLE wide AS SELECT i AS id, i % 2 AS age FROM generate_series(1, 40) AS i;
SELECT format('CREATE TABLE wide_old AS SELECT 1 AS c1, %s', string_agg(format('1 AS "a column with a name that is rather long, number %s"', n), ', ' ORDER BY n)) || ' FROM generate_series(1, 40) AS i' FROM generate_series(1, 50) AS n \gexec
SELECT register_release('hint wide old', 'wide_old', 'hint wide');
SELECT create_sequential_policy('hint wide', 'wide', 'id', '{age}', k => 2, population => 'hint wide');
SELECT pg_temp.fails($$SELECT publish('hint wide')$$);
SELECT length(reason) > 8192 FROM preview('hint wide');
SELECT substring(reason FROM 'SELECT anon_seq.*;') FROM preview('hint wide') \gexec
SELECT version FROM publish('hint wide');
-- Forms that cannot be compared: the one release that is in the way is left out, before a column is left out of all comparisons; both can be pasted.
CREATE TABLE forms AS SELECT i AS id, 20 + i % 50 AS age, (ARRAY['nurse', 'clerk'])[1 + i % 2] AS job, (ARRAY['flu', 'asthma', 'gout'])[1 + i % 3] AS ill FROM generate_series(1, 600) AS i;
SELECT create_taxonomy('hint form ages', json_build_object('ANY', json_object_agg(d, a))) FROM (SELECT age / 10 || '0s' AS d, json_agg(DISTINCT age::text) AS a FROM forms GROUP BY 1) AS s;
SELECT create_sequential_policy('hint form ranges', 'forms', 'id', '{age}', k => 5, population => 'hint shapes');
SELECT version FROM publish('hint form ranges');
SELECT create_sequential_policy('hint form labels', 'forms', 'id', '{age}', k => 5, sensitive => '{ill}', max_link => 0.9, population => 'hint shapes', taxonomies => '{"age": "hint form ages"}');
SELECT pg_temp.fails($$SELECT publish('hint form labels')$$);
SELECT substring(reason FROM 'SELECT anon_seq.*?;') FROM preview('hint form labels') \gexec
SELECT version FROM publish('hint form labels');
SELECT check_name, observed FROM audit('hint form labels') WHERE check_name IN ('unguarded', 'waived');
-- Two of them are: only the column can be left out.
SELECT create_sequential_policy('hint form ranges 2', 'forms', 'id', '{age}', k => 5, population => 'hint shapes', options => '{"unguarded": ["hint form labels"]}', rules => '[{"kind": "anonymity", "x": ["age", {"release": "hint form ranges", "column": "age"}], "y": ["id"], "min": 2}]');
SELECT version FROM publish('hint form ranges 2');
SELECT create_sequential_policy('hint form labels 2', 'forms', 'id', '{age}', k => 5, sensitive => '{ill}', max_link => 0.9, population => 'hint shapes', taxonomies => '{"age": "hint form ages"}');
SELECT pg_temp.fails($$SELECT publish('hint form labels 2')$$);
-- A rehearsal: publish, look, audit, and nothing has been.
BEGIN;
SELECT create_sequential_policy('hint rehearsal', 'pat', 'id', '{region}', k => 10, taxonomies => '{"region": "hint region"}', population => 'hint rehearsal');
SELECT version, published FROM publish('hint rehearsal');
SELECT count(*) FROM "hint rehearsal";
SELECT bool_and(ok) FROM audit('hint rehearsal', everything => true);
ROLLBACK;
SELECT count(*) FROM releases WHERE policy = 'hint rehearsal';
SELECT create_sequential_policy('hint rehearsal', 'pat', 'id', '{region}', k => 10, taxonomies => '{"region": "hint region"}', population => 'hint rehearsal');
BEGIN;
SELECT version FROM publish('hint rehearsal');
ROLLBACK;
SELECT version, to_regclass('"hint rehearsal"') FROM policies WHERE name = 'hint rehearsal';
SELECT version FROM publish('hint rehearsal');
DROP SCHEMA release_hints CASCADE;
SELECT anon_seq.revoke_publish('regress_hint_steward');
DROP OWNED BY regress_hint_steward;
DROP ROLE regress_hint_steward;
