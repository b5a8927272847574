-- Odd names: of taxonomies, labels, relations, columns and roles.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

SELECT anon_seq.create_flat_taxonomy(name, '{a}') FROM unnest(ARRAY['Mixed Case', 'it''s "quoted"', 'größe 日本', E'tab\t\\', ' ',
  repeat('x', 63), repeat('ä', 31) || 'x']) AS name;
SELECT name, octet_length(name), anon_seq.generalize(name, 'a', 1) FROM anon_seq.taxonomies ORDER BY name COLLATE "C";
SELECT pg_temp.fails(format('SELECT anon_seq.create_flat_taxonomy(%L, ''{a}'')', name)) FROM unnest(ARRAY[repeat('x', 64), repeat('ä', 32), '']) AS name;
-- A name that is too long is not cut: it is no name at all.
SELECT pg_temp.fails(format('SELECT anon_seq.generalize(%L, ''a'', 1)', repeat('x', 64)));
SELECT pg_temp.fails('SELECT anon_seq.generalize(''mixed case'', ''a'', 1)');
SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;

-- Labels are any text; what differs in one byte is another label.
SELECT anon_seq.create_flat_taxonomy('labels', ARRAY['a', 'A', ' a', 'a ', 'ä', U&'a\0308', 'NULL', 'null', '"', '''', '\', '{}', '🙂', E'two\nlines', repeat('long ', 1000)]);
SELECT leaves FROM anon_seq.taxonomy_tree('labels') WHERE depth = 0;
SELECT count(*) FROM anon_seq.taxonomy_tree('labels') WHERE depth = 1 AND anon_seq.generalize('labels', value, 0) = value AND anon_seq.generalize('labels', value, 1) = 'ANY';
SELECT anon_seq.create_taxonomy('json', '{"\u00fcber \"all\"": ["\ud83d\ude42", "a\\b", "tab\t"]}');
SELECT depth, value, parent FROM anon_seq.taxonomy_tree('json');

-- Relations and columns.
CREATE SCHEMA "Odd Schema";
CREATE TABLE "Odd Schema"."select "" from" ("Level 0" text, "order" text, "größe" text, "it's" text);
INSERT INTO "Odd Schema"."select "" from" VALUES ('x', 'm', 'm', 'r'), ('y', 'm', 'm', 'r');
SELECT anon_seq.create_taxonomy_from_paths('odd', '"Odd Schema"."select "" from"');
SELECT string_agg(value, ' ') FROM anon_seq.taxonomy_tree('odd');
SELECT anon_seq.suggest_taxonomy('"Odd Schema"."select "" from"', 'Level 0');
SELECT anon_seq.suggest_taxonomy('"Odd Schema"."select "" from"', 'it''s');
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('"Odd Schema"."select "" from"', 'level 0')$$);
SELECT pg_temp.fails(format($$SELECT anon_seq.suggest_taxonomy('"Odd Schema"."select "" from"', %L)$$, repeat('x', 64)));
ALTER TABLE "Odd Schema"."select "" from" DROP COLUMN "order";
SELECT anon_seq.create_taxonomy_from_paths('odd after drop', '"Odd Schema"."select "" from"');
-- A column with the name that suggest_taxonomy uses itself.
CREATE TABLE counted (anon_seq_n bigint);
INSERT INTO counted VALUES (1), (5);
SELECT anon_seq.suggest_taxonomy('counted', 'anon_seq_n');

-- Roles.
CREATE ROLE "Regress ""Odd"" Role";
GRANT USAGE ON SEQUENCE anon_seq.publishers TO "Regress ""Odd"" Role";
SET ROLE "Regress ""Odd"" Role";
SELECT anon_seq.create_flat_taxonomy('mine', '{a}');
SELECT name, owner FROM anon_seq.taxonomies;
RESET ROLE;
SELECT anon_seq.grant_taxonomy('labels', 'Regress "Odd" Role');
SET ROLE "Regress ""Odd"" Role";
SELECT name FROM anon_seq.taxonomies ORDER BY name COLLATE "C";
SELECT anon_seq.generalize('labels', '🙂', 1);
RESET ROLE;

SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
DROP OWNED BY "Regress ""Odd"" Role";
DROP ROLE "Regress ""Odd"" Role";
DROP SCHEMA "Odd Schema" CASCADE;
DROP TABLE counted;
