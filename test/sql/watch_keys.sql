-- Watched sources whose keys change, and for whom what is noted is kept.
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
-- For whom keys are kept, and since when.
SET client_min_messages = warning;
SELECT create_incremental_policy('by id', '"w''s"', 'id', '{age}', 4, publish_as => 'by_id', population => 'by id');
SET client_min_messages = notice;
SELECT version FROM publish('by id');
SELECT policy FROM status WHERE noted_since IS NOT NULL AND policy LIKE 'by %' ORDER BY noted_since;
SELECT noted_since = (SELECT s.noted_since FROM status AS s WHERE s.policy = 'by nr') AS since_nr FROM watches WHERE source LIKE '%w''s%';
UPDATE "w's" SET age = 2 WHERE id = 1;
SELECT version FROM publish('by nr');
SELECT policy FROM status WHERE noted_since IS NOT NULL AND policy LIKE 'by %' ORDER BY noted_since;
SELECT noted_since = (SELECT s.noted_since FROM status AS s WHERE s.policy = 'by id') AS since_id FROM watches WHERE source LIKE '%w''s%';
SELECT drop_policy('by id');
SELECT count(*) FROM status WHERE policy LIKE 'by %' AND noted_since < now() - interval '7 days';
ALTER TABLE "w's" DROP COLUMN id;
SELECT watch_source('"w''s"', '{age}');
SELECT unwatch_source('"w''s"');
SET client_min_messages = warning;
SELECT drop_policy('by nr');
DROP SCHEMA watch_keys CASCADE;
