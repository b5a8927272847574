-- Values that a table keeps out of line, in TOAST, count, compare and are published as what they say; so do single letters.
CREATE SCHEMA publish_long;
SET search_path = publish_long;
SET client_min_messages = warning;
CREATE FUNCTION long(seed int, n int DEFAULT 3000) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(string_agg(md5(seed || ' ' || i), '' ORDER BY i), $2) FROM generate_series(1, $2 / 32 + 1) AS i $$;

-- A person with two rows is one person, however long the key.
CREATE TABLE visit (person text, age int, note text);
ALTER TABLE visit ALTER COLUMN person SET STORAGE EXTERNAL, ALTER COLUMN note SET STORAGE EXTERNAL;
INSERT INTO visit SELECT long(i % 3), 30 + i % 2, long(100 + i % 2) FROM generate_series(1, 6) AS i;
SELECT anon_seq.create_sequential_policy('long too few', 'visit', 'person', '{age}', k => 4, publish_as_is => '{note}', population => 'long visits');
\set VERBOSITY terse
SELECT anon_seq.publish('long too few');
\set VERBOSITY default
SELECT anon_seq.create_sequential_policy('long visits', 'visit', 'person', '{age}', k => 3, publish_as_is => '{note}', population => 'long visits');
SELECT version, published, classes, smallest_class FROM anon_seq.publish('long visits');
SELECT age, note = long(100) AS even, note = long(101) AS odd, count(*) FROM "long visits" GROUP BY 1, 2, 3 ORDER BY 1, 2;
SELECT count(*) AS broken FROM anon_seq.audit('long visits', everything => true) WHERE NOT ok;

-- Keys and regions of an incremental policy.
SELECT anon_seq.create_flat_taxonomy('long place', ARRAY(SELECT 'place ' || i || ' ' || long(200 + i, 900) FROM generate_series(0, 7) AS i));
CREATE TABLE stay (person text, place text, note text);
ALTER TABLE stay ALTER COLUMN person SET STORAGE EXTERNAL, ALTER COLUMN note SET STORAGE EXTERNAL;
INSERT INTO stay SELECT long(i), 'place ' || CASE WHEN i <= 6 THEN 0 ELSE i % 7 + 1 END || ' ' || long(200 + CASE WHEN i <= 6 THEN 0 ELSE i % 7 + 1 END, 900),
  long(100 + i % 2) FROM generate_series(1, 12) AS i;
SELECT anon_seq.create_incremental_policy('long stays', 'stay', 'person', '{place}', 3, taxonomies => '{"place": "long place"}', publish_as_is => '{note}',
  options => '{"categorical": "order"}', population => 'long stays');
SELECT version, published, classes, smallest_class FROM anon_seq.publish('long stays');
SELECT cardinality(place) AS places, pg_column_size(place) > 2000 AS long, count(*), count(DISTINCT note) AS notes FROM "long stays" GROUP BY place ORDER BY 1;
UPDATE stay SET note = long(102) WHERE person = long(1);
INSERT INTO stay SELECT long(i), 'place 1 ' || long(201, 900), long(100) FROM generate_series(13, 16) AS i;
DELETE FROM stay WHERE person = long(12);
SELECT version, published, classes, smallest_class, deferred FROM anon_seq.publish('long stays');
SELECT cardinality(place) AS places, count(*), count(*) FILTER (WHERE note = long(102)) AS changed FROM "long stays" GROUP BY place ORDER BY 1, 2;
SELECT count(*) AS broken FROM anon_seq.audit('long stays', everything => true) WHERE NOT ok;
SELECT count(*) AS persons, bool_and(safe) AS safe FROM anon_seq.audit_inference('{long stays}', 3, 'cover');

-- A single letter is content, too: there is a new version.
CREATE TABLE letter AS SELECT i AS id, i AS age, CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END AS sex FROM generate_series(1, 8) AS i;
SELECT anon_seq.create_incremental_policy('long letters', 'letter', 'id', '{age}', 2, publish_as_is => '{sex}', population => 'long letters');
SELECT version FROM anon_seq.publish('long letters');
SELECT version FROM anon_seq.publish('long letters');
UPDATE letter SET sex = 'f' WHERE id = 1;
SELECT version FROM anon_seq.publish('long letters');

SELECT anon_seq.drop_policy(name) FROM anon_seq.policies WHERE name LIKE 'long %';
SET client_min_messages = error;
DROP SCHEMA publish_long CASCADE;
