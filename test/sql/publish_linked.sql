-- Quasi columns that go together, and columns of which one decides another.
\set VERBOSITY default
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA publish_linked;
SET search_path = publish_linked, anon_seq;
SET client_min_messages = warning;
CREATE TABLE people AS SELECT i AS id, 'city ' || i % 12 AS city, 'county ' || i % 12 / 3 AS county, 20 + i * 7 % 50 AS age FROM generate_series(1, 600) AS i;
SELECT create_taxonomy('linked city', json_build_object('ANY', (SELECT json_object_agg('around ' || n, (SELECT json_agg('city ' || 3 * n + m) FROM generate_series(0, 2) AS m)) FROM generate_series(0, 3) AS n)));
SELECT create_taxonomy('linked county', '{"ANY": ["county 0", "county 1", "county 2", "county 3"]}');
SELECT create_sequential_policy('link', 'people', 'id', '{city,county,age}', 20, taxonomies => '{"city": "linked city", "county": "linked county"}', population => 'link', publish_as => 'link_out');
-- Each city has one county: that is told, with a statement that is taken.
SET client_min_messages = notice;
BEGIN;
SELECT published FROM publish('link');
ROLLBACK;
SELECT anon_seq.alter_policy('link', '{"options": {"linked": [["city", "county"]]}}');
SELECT published FROM publish('link');
SET client_min_messages = warning;
SELECT (describe_policy('link')->'options')->'linked';
-- A county is shown wherever the city tells it.
SELECT count(*) FROM link_out WHERE (city <> 'ANY') <> (county <> 'ANY');
SELECT bool_and(ok) FROM audit('link');
-- Where somebody may be left out, and one counts more.
SELECT create_sequential_policy('link out', 'people', 'id', '{city,county,age}', 20, max_suppressed => 0.05, taxonomies => '{"city": "linked city", "county": "linked county"}', population => 'link out', options => '{"linked": [["city", "county"]], "weights": {"city": 2}}');
SELECT published + withheld FROM publish('link out');
SELECT bool_and(ok) FROM audit('link out');
-- A key decides everything, and that is not told; nor is one value, nor what few rows say.
CREATE TABLE keyed AS SELECT id, id AS number, county, 1 AS one FROM people;
SELECT create_sequential_policy('link key', 'keyed', 'id', '{number,county,one}', 5, taxonomies => '{"county": "linked county"}', population => 'link key');
CREATE VIEW few AS SELECT * FROM people WHERE id < 50;
SELECT create_sequential_policy('link few', 'few', 'id', '{city,county,age}', 2, taxonomies => '{"city": "linked city", "county": "linked county"}', population => 'link few');
SET client_min_messages = notice;
\set VERBOSITY terse
SELECT published FROM publish('link key');
SELECT published FROM publish('link few');
-- Errors.
SET client_min_messages = warning;
SELECT alter_policy('link', '{"options": {"linked": [["city"]]}}');
SELECT alter_policy('link', '{"options": {"linked": [["city", "nobody"]]}}');
SELECT alter_policy('link', '{"options": {"linked": [["city", "county"], ["age", "county"]]}}');
SELECT alter_policy('link', '{"options": {"linked": ["city", "county"]}}');
SELECT alter_policy('link', '{"options": {"linked": null}}');
SELECT (describe_policy('link')->'options')->'linked';
