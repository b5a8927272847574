-- Costs of taxonomies as ratios to what the server does itself, measured in turns. Needs :same, the library made of same.c.
\ir measure.sql
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION same(text) RETURNS text LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS :'same', 'same';
-- A million leaves below 10,000 inner nodes, against COPY of the same rows into a table with a primary key.
CREATE TABLE paths AS
  SELECT 'leaf ' || to_char(i, 'FM0000000') AS leaf, 'inner ' || to_char(i % 10000, 'FM00000') AS inside, 'ANY'::text AS root FROM generate_series(1, 1000000) AS i;
CREATE TABLE copied (leaf text PRIMARY KEY, inside text, root text);
VACUUM ANALYZE paths;
COPY paths TO :'file';
SELECT set_config('bench.file', :'file', false) \g /dev/null
CALL measure(5,
  'load', $$DO 'BEGIN PERFORM anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies; END'$$, $$SELECT anon_seq.create_taxonomy_from_paths('big', 'paths')$$,
  'copy', 'TRUNCATE copied', format('COPY copied FROM %L', current_setting('bench.file')));
SELECT heap_peak() AS ignored \gset
SELECT anon_seq.drop_taxonomy('big') \g /dev/null
SELECT anon_seq.create_taxonomy_from_paths('big', 'paths') \g /dev/null
SELECT heap_peak() / count(*) AS bytes FROM anon_seq.taxonomy_tree('big') \gset
SELECT anon_seq.drop_taxonomy('big') \g /dev/null

-- A million values of a taxonomy with 41 leaves, against a function that does nothing.
CREATE TABLE countries AS
  SELECT 'country ' || i AS leaf, 'region ' || i % 14 AS region, 'continent ' || i % 14 % 4 AS continent, 'ANY'::text AS root FROM generate_series(1, 41) AS i;
SELECT anon_seq.create_taxonomy_from_paths('country', 'countries') \g /dev/null
CREATE TABLE people AS SELECT 'country ' || 1 + (i * 7919) % 41 AS country FROM generate_series(1, 1000000::bigint) AS i;
VACUUM ANALYZE people;
CALL measure(11,
  'generalize', 'SELECT', $$SELECT count(anon_seq.generalize('country', country, 1)) FROM people$$,
  'same', 'SELECT', $$SELECT count(same(country)) FROM people$$);

CREATE TABLE result AS SELECT * FROM (VALUES
  (1, 'make a taxonomy of 1,010,001 nodes / COPY of its rows into a table with a primary key', ratio('load', 'copy'), 5.0),
  (2, 'heap while making it, bytes per node', :bytes, 200),
  (3, 'count(generalize(tax, v, 1)) / count(f(v)), 1,000,000 rows, 41 leaves', ratio('generalize', 'same'), 2.5)) AS v (i, what, measured, "limit");
SELECT what AS "step", round(min(ms)) AS "min ms", round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::numeric) AS "median ms", round(max(ms)) AS "max ms"
  FROM measured GROUP BY what ORDER BY 3;
