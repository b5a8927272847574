-- Watched sources whose keys change.
CREATE SCHEMA watch_keys;
SET search_path = watch_keys, anon_seq, public;
SET client_min_messages = warning;
\a \t
-- Keys that are dropped are told, as is who misses them; the hints' statements add to the others.
CREATE TABLE "w's" (id int PRIMARY KEY, "n,r" int UNIQUE, age int);
INSERT INTO "w's" SELECT i, -i, i % 4 FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('by nr', '"w''s"', 'n,r', '{age}', 4, publish_as => 'by_nr', population => 'by nr');
SET client_min_messages = notice;
SELECT watch_source('"w''s"', '{"n,r"}');
SELECT version FROM publish('by nr');
SELECT watch_source('"w''s"', '{id}');
SELECT version FROM publish('by nr');
INSERT INTO "w's" VALUES (50, -50, 1);
SELECT version FROM publish('by nr');
SELECT anon_seq.watch_source('watch_keys."w''s"', '{id,"n,r"}');
SELECT version FROM publish('by nr');
INSERT INTO "w's" VALUES (51, -51, 1);
SELECT version FROM publish('by nr');
ALTER TABLE "w's" DROP COLUMN id;
SELECT watch_source('"w''s"', '{age}');
SELECT unwatch_source('"w''s"');
SET client_min_messages = warning;
SELECT drop_policy('by nr');
DROP SCHEMA watch_keys CASCADE;
