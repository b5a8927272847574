-- Only (,) may be unknown. Where a column has NULLs its uncut form is (,), and its first cut sets them apart; a region that may hold them shows it.
CREATE SCHEMA publish_unknown;
SET search_path = publish_unknown, anon_seq;
SET client_min_messages = warning;

-- A sequential release with a declared domain, beside what others published: NULL is found in (,) alone.
CREATE TABLE person AS SELECT i AS id, CASE WHEN i > 1 THEN i END AS shoe, (ARRAY['flu', 'cold'])[1 + i % 2] AS ill FROM generate_series(1, 2) AS i;
CREATE TABLE known AS SELECT shoe, ill FROM person;
SELECT register_release('unknown known', 'known', 'unknown few');
SELECT create_sequential_policy('unknown few', 'person', 'id', '{shoe}', k => 2, max_link => 1, sensitive => '{ill}', population => 'unknown few',
  options => '{"overlap": true, "domains": {"shoe": [0, 10]}}');
SELECT published, classes FROM publish('unknown few');
SELECT DISTINCT shoe FROM "unknown few";
SELECT bool_and(ok) FROM audit('unknown few', everything => true);

-- NULL and the two sides of the first cut come at once; the ends of a declared domain say that a value is known.
CREATE TABLE people AS SELECT i AS id, CASE WHEN i % 5 > 0 THEN 20 + i % 16 * 2 END AS shoe, CASE WHEN i % 7 > 0 THEN date '2024-01-01' + i % 9 * 20 END AS seen,
  (ARRAY['flu', 'cold', 'gout'])[1 + i % 3] AS ill FROM generate_series(1, 200) AS i;
CREATE TABLE before AS SELECT CASE WHEN id % 11 > 0 THEN shoe END AS shoe, ill FROM people;
SELECT register_release('unknown before', 'before', 'unknown people');
SELECT create_sequential_policy('unknown people', 'people', 'id', '{shoe,seen}', k => 5, max_link => 0.9, sensitive => '{ill}', population => 'unknown people',
  options => '{"overlap": true, "dangling": "outer", "domains": {"shoe": [0, 99]}}');
SELECT published, classes > 2 AS cut FROM publish('unknown people');
SELECT attribute, value, children FROM trace('unknown people') WHERE value = '(,)';
SELECT DISTINCT shoe FROM "unknown people" WHERE shoe IS NULL OR lower(shoe) = 0 OR upper(shoe) = 100 ORDER BY 1;
SELECT count(*) FROM audit('unknown people', everything => true) WHERE NOT ok;

-- An incremental release: the lowest ranges have no lower bound, and nothing is -infinity or the least integer.
SELECT create_incremental_policy('unknown nightly', 'people', 'id', '{shoe,seen}', 5, population => 'unknown nightly', options => '{"object_id": true}');
SELECT published, waiting, classes > 5 AS cut FROM publish('unknown nightly');
SELECT count(*) FILTER (WHERE lower(shoe) < 0 OR lower(seen) = '-infinity') AS least, bool_or(shoe = '(,)') AS may_be_unknown, bool_or(lower_inf(shoe) AND NOT upper_inf(shoe)) AS lowest
  FROM "unknown nightly";
SELECT count(*) FROM audit('unknown nightly', everything => true) WHERE NOT ok;

-- Nobody is unknown at first: then unknown is no part of the lowest range, and who comes without a value waits until there are k.
CREATE TABLE guest AS SELECT i AS id, 20 + i % 16 * 2 AS shoe FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('unknown guests', 'guest', 'id', '{shoe}', 3, population => 'unknown guests');
SELECT published, waiting FROM publish('unknown guests');
SELECT bool_or(lower_inf(shoe)) AND NOT bool_or(shoe = '(,)') AS lowest FROM "unknown guests";
INSERT INTO guest VALUES (101, NULL), (102, NULL);
SELECT published, waiting FROM publish('unknown guests');
INSERT INTO guest VALUES (103, NULL);
SELECT published, waiting FROM publish('unknown guests');
SELECT count(*) FROM "unknown guests" WHERE shoe IS NULL;
SELECT count(*) FROM audit('unknown guests', everything => true) WHERE NOT ok;
