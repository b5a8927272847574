-- What readers get beside the release: companions, comments, about(), fits() and may_be(), indexes.
CREATE SCHEMA release_flat;
SET search_path = release_flat, anon_seq, public;
SET client_min_messages = warning;
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
\a \t
CREATE TABLE guest (id int, "Trade" text, born date, weight float8, age int, ill text);
INSERT INTO guest SELECT i, (ARRAY['nurse', 'clerk', 'baker', 'miner', NULL])[1 + i % 5], DATE '1950-01-01' + i * 97 % 15000, i * 7 % 40 / 4.0, CASE WHEN i % 20 > 0 THEN 20 + i * 7 % 50 END, (ARRAY['flu', 'hiv'])[1 + i % 2] FROM generate_series(1, 200) AS i;
SELECT create_taxonomy('flat trade', '{"ANY": {"Service": ["nurse", "clerk"], "Manual": ["baker", "miner"], "None": ["idle"]}}');
SELECT create_incremental_policy('fl', 'guest', 'id', '{Trade,born,weight,age}', 10, publish_as_is => '{ill}', taxonomies => '{"Trade": "flat trade"}', population => 'fl', options => '{"indexes": ["Trade", "age", ["ill", "age"]]}');
SELECT version, published FROM publish('fl');
-- Labels are texts; every row is in the companion, and its bounds are those of the ranges.
SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute AS a WHERE a.attrelid = 'fl'::regclass AND a.attnum > 0 ORDER BY a.attnum;
SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute AS a WHERE a.attrelid = 'fl_flat'::regclass AND a.attnum > 0 ORDER BY a.attnum;
SELECT sum(n) FROM fl_flat;
SELECT count(*) FROM ((SELECT "Trade", lower(born), upper(born) - 1, lower(weight), upper(weight), lower(age), upper(age) - 1, ill, count(*) FROM fl GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) EXCEPT ALL TABLE fl_flat) AS missing;
SELECT count(*) FROM (TABLE fl_flat EXCEPT ALL (SELECT "Trade", lower(born), upper(born) - 1, lower(weight), upper(weight), lower(age), upper(age) - 1, ill, count(*) FROM fl GROUP BY 1, 2, 3, 4, 5, 6, 7, 8)) AS more;
SELECT count(*) > 0 FROM fl_flat WHERE age_from IS NULL;
-- It stands on the stable name: a new version is in it at once.
INSERT INTO guest SELECT 1000 + i, 'nurse', DATE '1960-01-01' + i, 3, 30, 'flu' FROM generate_series(1, 20) AS i;
SELECT version, published FROM publish('fl');
SELECT sum(n) FROM fl_flat;
-- Indexes, as operators of ranges need them.
SELECT tablename, substring(indexdef FROM 'USING .*') FROM pg_indexes WHERE schemaname = 'release_flat' AND tablename ~ '^fl_r' ORDER BY tablename COLLATE "C", indexdef COLLATE "C";
-- What it is: for everybody.
SELECT coalesce(column_name, '-'), regexp_replace(meaning, '[0-9]{4}-[0-9]{2}-[0-9]{2}', 'DATE') FROM about('fl');
SELECT coalesce(column_name, '-'), regexp_replace(meaning, '[0-9]{4}-[0-9]{2}-[0-9]{2}', 'DATE') FROM about('fl_flat');
SELECT count(*) FROM about('guest');
-- A comment of the owner's on the stable name stays.
COMMENT ON VIEW fl IS 'ask Mary';
DELETE FROM guest WHERE id = 1001;
SELECT version FROM publish('fl');
SELECT regexp_replace(meaning, '[0-9]{4}-[0-9]{2}-[0-9]{2}', 'DATE') FROM about('fl') WHERE column_name IS NULL;
-- A reader without any right of ours: who surely is, who may be.
CREATE ROLE regress_flat_reader;
GRANT USAGE ON SCHEMA release_flat TO regress_flat_reader;
GRANT SELECT ON fl, fl_flat, fl_r1 TO regress_flat_reader;
SET ROLE regress_flat_reader;
SELECT "Trade", fits('fl', 'Trade', "Trade", 'Service'), may_be('fl', 'Trade', "Trade", 'Service'), may_be('fl', 'Trade', "Trade", 'ANY') FROM fl GROUP BY 1 ORDER BY 1;
SELECT DISTINCT fits('fl_r1', 'Trade', "Trade", "Trade"), may_be('fl_flat', 'Trade', "Trade", 'Manual') OR "Trade" IN ('Service', 'nurse', 'clerk') FROM fl;
SELECT bool_and(fits('fl', 'age', age, '[0,35)') = (age <@ '[0,35)')), bool_and(may_be('fl', 'age', age, '[0,35)') = (age && '[0,35)')), bool_and(may_be('fl', 'age', age, '40') = (age @> 40)) FROM fl WHERE age IS NOT NULL;
SELECT bool_and(may_be('fl', 'born', born, '1960-05-05') = (born @> DATE '1960-05-05')), bool_and(fits('fl', 'weight', weight, '[2,8)') = (weight <@ '[2,8)')) FROM fl;
SELECT fits('fl', 'age', NULL::int4range, '1'), may_be('fl', 'age', '[1,2)'::int4range, NULL);
-- Of the tree he learns what the release shows and what is above; what is beside it, and what is nowhere, look alike.
SELECT pg_temp.fails($$SELECT may_be('fl', 'Trade', 'ANY'::text, 'idle')$$);
SELECT pg_temp.fails($$SELECT may_be('fl', 'Trade', 'ANY'::text, 'king')$$);
SELECT pg_temp.fails($$SELECT may_be('fl', 'Trade', 'idle'::text, 'ANY')$$);
SELECT pg_temp.fails($$SELECT fits('fl_r2', 'Trade', 'ANY'::text, 'ANY')$$);
SELECT pg_temp.fails($$SELECT fits('fl', 'ill', 'flu'::text, 'flu')$$);
SELECT pg_temp.fails($$SELECT fits('fl_flat', 'age_from', 1, '1')$$);
SELECT pg_temp.fails($$SELECT fits('fl', 'nothing', 'flu'::text, 'flu')$$);
SELECT pg_temp.fails($$SELECT fits('fl', 'age', 'flu'::text, 'flu')$$);
SELECT pg_temp.fails($$SELECT fits('fl', 'age', '[1,2)'::int4range, 'old')$$);
SELECT pg_temp.fails($$SELECT fits(NULL, 'age', '[1,2)'::int4range, '1')$$);
RESET ROLE;
-- A node above one leaf means that leaf, for whoever may know of both; not the root, below which is also who has no value.
SELECT create_taxonomy('flat single', '{"ANY": {"{nurse}": {"Nurses": ["nurse"]}, "{clerk}": ["clerk"], "rest": ["baker", "miner"]}}'), create_taxonomy('flat lone', '{"ANY": ["nurse"]}');
CREATE TABLE single AS SELECT id, "Trade" AS job, CASE WHEN id % 2 = 0 THEN 'nurse' END AS lone FROM guest WHERE "Trade" IS NOT NULL AND id <= 200;
SELECT create_incremental_policy('fl single', 'single', 'id', '{job,lone}', 5, population => 'fl single', publish_as => 'fl_single', taxonomies => '{"job": "flat single", "lone": "flat lone"}');
SELECT published FROM publish('fl single');
SELECT job, fits('fl_single', 'job', job, 'nurse'), may_be('fl_single', 'job', job, 'nurse'), fits('fl_single', 'job', job, '{nurse}') AS in_node, fits('fl_single', 'job', job, 'Nurses') AS in_middle FROM fl_single GROUP BY 1 ORDER BY 1;
SELECT DISTINCT fits('fl_single', 'lone', 'ANY'::text, 'nurse'), may_be('fl_single', 'lone', 'ANY'::text, 'nurse') FROM fl_single;
SELECT fits('fl_single', 'job', 'nurse'::text, '{nurse}');
-- A reader who knows only what the release shows is told of no leaf below it.
GRANT SELECT ON fl_single TO regress_flat_reader;
SET ROLE regress_flat_reader;
SELECT pg_temp.fails($$SELECT fits('fl_single', 'job', '{nurse}'::text, 'nurse')$$);
SELECT pg_temp.fails($$SELECT fits('fl_single', 'job', '{nurse}'::text, 'king')$$);
SELECT DISTINCT fits('fl_single', 'job', job, '{nurse}') FROM fl_single ORDER BY 1;
RESET ROLE;
-- What was demanded of a release is for its readers alone, and stands in no comment.
CREATE ROLE regress_flat_stranger;
GRANT USAGE ON SCHEMA release_flat TO regress_flat_stranger;
SELECT demanded_of('fl'), demanded_of('fl_flat') = demanded_of('fl') AS companion, demanded_of('fl_r1'), demanded_of('guest'), demanded_of('pg_class');
SET ROLE regress_flat_stranger;
SELECT demanded_of('fl') IS NULL AS fl, count(*) FILTER (WHERE meaning ~ 'method|k =') AS told FROM about('fl');
RESET ROLE;
SELECT count(*) FROM pg_description WHERE description ~ '\mk = |method (sequential|incremental|lossy_join|serial)' AND classoid = 'pg_class'::regclass;
DROP OWNED BY regress_flat_stranger;
DROP ROLE regress_flat_stranger;
-- Who may read the taxonomy may ask for all of it.
SELECT may_be('fl', 'Trade', 'ANY'::text, 'idle'), fits('fl', 'Trade', 'idle'::text, 'None');
SELECT grant_taxonomy('flat trade', 'regress_flat_reader');
SET ROLE regress_flat_reader;
SELECT may_be('fl', 'Trade', 'ANY'::text, 'idle');
-- A view of one's own is no release: it could show labels that are none.
RESET ROLE;
CREATE VIEW look AS SELECT * FROM fl;
SELECT pg_temp.fails($$SELECT fits('look', 'Trade', 'ANY'::text, 'ANY')$$);
SELECT pg_temp.fails($$SELECT fits('guest', 'Trade', 'ANY'::text, 'ANY')$$);
DROP VIEW look;
-- Boxes, and leaves in their order, need several labels. An open taxonomy is its rule.
SELECT create_prefix_taxonomy('flat zip', '{2,1}');
ALTER TABLE guest ADD COLUMN zip text;
UPDATE guest SET zip = (ARRAY['101', '102', '111', '205'])[1 + id % 4];
SELECT create_incremental_policy('box', 'guest', 'id', '{Trade,zip}', 10, taxonomies => '{"Trade": "flat trade", "zip": "flat zip"}', population => 'box', options => '{"shape": "box", "indexes": ["zip"]}');
SELECT version FROM publish('box');
SELECT "Trade", zip, n FROM box_flat ORDER BY 1, 2 LIMIT 3;
SELECT bool_and(may_be('box', 'zip', zip, '10*') >= fits('box', 'zip', zip, '10*')), count(*) FILTER (WHERE may_be('box', 'zip', zip, '102')) FROM box;
SELECT substring(indexdef FROM 'USING .*') FROM pg_indexes WHERE tablename = 'box_r1';
-- What would not fit is refused when it is declared.
SELECT pg_temp.fails($$SELECT alter_policy('fl', '{"options": {"categorical": "order"}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('fl', '{"options": {"indexes": ["id"]}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('fl', '{"options": {"indexes": [[]]}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('fl', '{"options": {"indexes": [["age", "age"]]}}')$$);
ALTER TABLE guest ADD COLUMN n int, ADD COLUMN age_from int, ADD COLUMN an_age_whose_name_is_nearly_as_long_as_names_may_be_in_all_it int;
SELECT pg_temp.fails($$SELECT create_incremental_policy('no', 'guest', 'id', '{age}', 10, publish_as_is => '{n}', population => 'no')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('no', 'guest', 'id', '{age}', 10, publish_as_is => '{age_from}', population => 'no')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('no', 'guest', 'id', '{an_age_whose_name_is_nearly_as_long_as_names_may_be_in_all_it}', 10, population => 'no')$$);
CREATE TABLE no_flat (i int);
SELECT pg_temp.fails($$SELECT create_incremental_policy('no', 'guest', 'id', '{age}', 10, population => 'no')$$);
SELECT create_incremental_policy('no', 'guest', 'id', '{age}', 10, publish_as_is => '{n}', population => 'no', options => '{"flat": false}');
SELECT version FROM publish('no');
TABLE no_flat;
-- Given up later, dropped, and wanted again; another relation of its name is left alone.
DROP VIEW fl_flat;
SELECT version FROM publish('fl');
SELECT sum(n) FROM fl_flat;
SELECT alter_policy('fl', '{"options": {"flat": false}}');
DROP VIEW fl_flat;
SELECT version FROM publish('fl');
SELECT to_regclass('fl_flat');
SELECT alter_policy('fl', '{"options": {"flat": true}}');
CREATE TABLE fl_flat (i int);
SET client_min_messages = notice;
SELECT version FROM publish('fl');
SET client_min_messages = warning;
DROP TABLE fl_flat;
-- Of shared storage it stands on the cells: the stable name may be dropped by hand, and made again beside it.
SELECT create_incremental_policy('sh', 'guest', 'id', '{age}', 10, population => 'sh', options => '{"storage": "shared"}');
SELECT version FROM publish('sh');
DROP VIEW sh;
DELETE FROM guest WHERE id = 1002;
SET client_min_messages = notice;
SELECT version FROM publish('sh');
SELECT (SELECT sum(n) FROM sh_flat) = (SELECT count(*) FROM sh) AS same;
-- An owner's own view of that name on the stable one, of other columns, is left alone, also where storage changes.
DROP VIEW sh_flat;
CREATE VIEW sh_flat AS SELECT count(*) AS everybody FROM sh;
SELECT alter_policy('sh', '{"options": {"storage": "copied"}}');
DELETE FROM guest WHERE id = 1003;
SELECT version FROM publish('sh');
SELECT everybody = (SELECT count(*) FROM sh_r3) AS same FROM sh_flat;
SELECT alter_policy('sh', '{"options": {"storage": "shared"}}');
DELETE FROM guest WHERE id = 1004;
SELECT version FROM publish('sh');
SELECT withdraw_release('sh/4', 'a test') IS NOT NULL;
SELECT everybody = (SELECT count(*) FROM sh_r3) AS same FROM sh_flat;
DROP VIEW sh_flat;
SELECT version FROM publish('sh');
SELECT (SELECT sum(n) FROM sh_flat) = (SELECT count(*) FROM sh) AS same;
SET client_min_messages = warning;
-- A version that is withdrawn, and the last release of a policy that is gone, take it along.
SELECT publish('fl') IS NOT NULL;
SELECT create_incremental_policy('one', 'guest', 'id', '{age}', 10, population => 'one');
SELECT version FROM publish('one');
SELECT withdraw_release('one/1', 'a test');
SELECT to_regclass('one'), to_regclass('one_flat');
SELECT create_incremental_policy('two', 'guest', 'id', '{age}', 10, population => 'two');
SELECT version FROM publish('two');
GRANT SELECT ON two_flat TO regress_flat_reader;
DROP VIEW two_flat;
SELECT pg_temp.fails($$SELECT withdraw_release('two/1', 'somebody read it')$$);
SELECT publish('two') IS NOT NULL;
SELECT drop_policy('two');
CREATE VIEW on_two AS SELECT * FROM two_flat;
SELECT pg_temp.fails($$SELECT retire_release('two/1')$$);
DROP VIEW on_two;
SELECT retire_release('two/1');
SELECT to_regclass('two'), to_regclass('two_flat');
-- What a sequential policy shows has one as well.
SELECT create_sequential_policy('seq', 'guest', person => 'id', quasi => '{Trade,age}', k => 10, taxonomies => '{"Trade": "flat trade"}', population => 'seq');
SELECT version FROM publish('seq');
SELECT a.attname FROM pg_attribute AS a WHERE a.attrelid = 'seq_flat'::regclass AND a.attnum > 0 ORDER BY a.attnum;
SELECT line FROM (SELECT regexp_replace(meaning, '[0-9]{4}-[0-9]{2}-[0-9]{2}', 'DATE') AS line FROM about('seq') WHERE column_name IS NULL LIMIT 1) AS s;
-- fits() and may_be() read what a companion shows of several labels, where a label holds the word between them too; the same as of the release.
SET client_min_messages = error;
SELECT create_taxonomy('flat two', '{"ANY": {"Service": ["nurse", "clerk"], "Hand": ["baker", "miner", "smith or founder"], "None": ["idle"]}}');
CREATE TABLE several AS SELECT id, (ARRAY['nurse', 'clerk', 'baker', 'miner', 'smith or founder', NULL])[1 + id % 6] AS "Trade", id % 60 AS age FROM guest;
SELECT create_incremental_policy('several', 'several', 'id', '{Trade,age}', 5, taxonomies => '{"Trade": "flat two"}', publish_as => 'several_out', population => 'several', options => '{"shape": "box", "categorical": "order"}');
SELECT published FROM publish('several');
SELECT count(*) > 0 AS several FROM several_out_flat WHERE "Trade" LIKE '% or %';
SELECT v, (SELECT count(*) FROM several_out AS r WHERE may_be('several_out', 'Trade', r."Trade", v)) = (SELECT sum(n) FROM several_out_flat AS f WHERE may_be('several_out_flat', 'Trade', f."Trade", v)) AS may_be,
  (SELECT count(*) FROM several_out AS r WHERE fits('several_out', 'Trade', r."Trade", v)) = (SELECT coalesce(sum(n), 0) FROM several_out_flat AS f WHERE fits('several_out_flat', 'Trade', f."Trade", v)) AS fits
FROM unnest('{nurse,Service,smith or founder,Hand,ANY}'::text[]) AS v;
SELECT fits('several_out_flat', 'Trade', 'nurse or clerk'::text, 'Service'), may_be('several_out_flat', 'Trade', 'baker or smith or founder or not known'::text, 'smith or founder'), fits('several_out_flat', 'Trade', 'baker or not known'::text, 'Hand');
SELECT pg_temp.fails($$SELECT may_be('several_out_flat', 'Trade', 'nurse or'::text, 'nurse')$$);
-- A box of ages from 0 has no bound below: none would be round, and nobody's, but one below 0.
SELECT min(lower(age)) >= 0 AS above, bool_or(lower_inf(age)) AS unbounded FROM several_out;
DROP SCHEMA release_flat CASCADE;
DROP OWNED BY regress_flat_reader;
DROP ROLE regress_flat_reader;
