-- Every bad input says what is wrong and where, and nothing is written.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

SELECT anon_seq.create_flat_taxonomy('taken', '{a,b}');
CREATE FUNCTION pg_temp.written() RETURNS text LANGUAGE sql AS $$
  SELECT md5(string_agg(t::text, ';' ORDER BY id)) || (SELECT md5(string_agg(n::text, ';' ORDER BY taxonomy, node)) FROM anon_seq.taxonomy_node AS n)
    FROM anon_seq.taxonomy AS t $$;
SELECT pg_temp.written() AS before \gset

-- Runs create_taxonomy_from_paths or _edges over rows written as an array of arrays.
CREATE TABLE paths (l0 text, l1 text, l2 text);
CREATE TABLE edges (child text, parent text);
CREATE FUNCTION pg_temp.paths(VARIADIC rows text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE paths;
  INSERT INTO paths SELECT split_part(r, ' ', 1), split_part(r, ' ', 2), split_part(r, ' ', 3) FROM unnest(rows) WITH ORDINALITY AS u (r, i) ORDER BY i;
  RETURN QUERY SELECT pg_temp.fails($q$SELECT anon_seq.create_taxonomy_from_paths('bad', 'paths')$q$);
END $$;
CREATE FUNCTION pg_temp.edges(VARIADIC rows text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE edges;
  INSERT INTO edges SELECT split_part(r, ' ', 1), nullif(split_part(r, ' ', 2), '-') FROM unnest(rows) WITH ORDINALITY AS u (r, i) ORDER BY i;
  RETURN QUERY SELECT pg_temp.fails($q$SELECT anon_seq.create_taxonomy_from_edges('bad', 'edges')$q$);
END $$;

-- Two roots.
SELECT pg_temp.paths('a m r', 'b n s');
SELECT pg_temp.edges('a r', 'b s', 'r -', 's -');
-- A cycle.
SELECT pg_temp.edges('a b', 'b c', 'c a', 'x r');
SELECT pg_temp.edges('a a', 'x r');
SELECT pg_temp.paths('a b r', 'b a r');
-- A node with two parents.
SELECT pg_temp.paths('a m r', 'a n r');
SELECT pg_temp.edges('a m', 'm r', 'n r', 'a n');
-- A leaf that is an inner node elsewhere.
SELECT pg_temp.paths('m r r', 'a m r');
-- Empty labels; an empty relation.
SELECT pg_temp.paths('a m r', 'b  r');
SELECT pg_temp.edges('a r', ' r');
SELECT pg_temp.paths(VARIADIC '{}');
SELECT pg_temp.edges(VARIADIC '{}');
SELECT pg_temp.paths('r r r');
-- All offenders at once, whatever their kind.
SELECT pg_temp.paths('a m r', 'a n r', 'b  r', 'c m s');
-- More than ten are counted.
SELECT pg_temp.paths(VARIADIC ARRAY(SELECT format('a%s m r', i) FROM generate_series(1, 15) AS i) || ARRAY(SELECT format('a%s n r', i) FROM generate_series(1, 15) AS i));

-- Relations of the wrong form.
CREATE TABLE no_columns ();
CREATE TABLE child_only (child text, "Parent" text);
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'no_columns')$$);
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_edges('bad', 'child_only')$$);
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'missing')$$);
SELECT left(fails, 5) FROM pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'pg_class_oid_index')$$) LIMIT 1; -- words differ by server
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 4294967295)$$);
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('paths', 'l3')$$);
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('paths', 'ctid')$$);

-- One label at two places; flat taxonomies.
SELECT pg_temp.fails($$SELECT anon_seq.create_flat_taxonomy('bad', '{a,b,a,"",ANY}')$$);
SELECT pg_temp.fails($$SELECT anon_seq.create_flat_taxonomy('bad', '{}')$$);
-- A name that is taken, unknown taxonomies, unknown values, negative levels.
SELECT pg_temp.fails($$SELECT anon_seq.create_flat_taxonomy('taken', '{x}')$$);
SELECT pg_temp.fails($$SELECT anon_seq.create_range_taxonomy('taken', 0, 9, '{1}')$$);
SELECT pg_temp.fails('SELECT anon_seq.' || call) FROM unnest(ARRAY['taxonomy_tree(''none'')', 'generalize(''none'', ''a'', 1)', 'generalize(''none'', NULL, 1)',
  'add_to_taxonomy(''none'', ''ANY'', ''a'')', 'drop_taxonomy(''none'')', 'grant_taxonomy(''none'', ''public'')', 'revoke_taxonomy(''none'', ''public'')',
  'generalize(''taken'', ''c'', 1)', 'generalize(''taken'', '''', 0)', 'generalize(''taken'', ''a'', -1)', 'grant_taxonomy(''taken'', ''regress_nobody'')']) AS call;
-- add_to_taxonomy: below a leaf, twice, below nothing, with an empty label.
SELECT pg_temp.fails(format('SELECT anon_seq.add_to_taxonomy(''taken'', %L, %L)', parent, value))
  FROM (VALUES (1, 'a', 'c'), (2, 'ANY', 'b'), (3, 'none', 'c'), (4, 'ANY', ''), (5, 'ANY', 'ANY')) AS v (i, parent, value) ORDER BY i;

-- A tree deeper than 64 edges.
TRUNCATE edges;
INSERT INTO edges SELECT 'n' || i, 'n' || i - 1 FROM generate_series(1, 65) AS i;
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_edges('bad', 'edges')$$);

SELECT pg_temp.written() = :'before' AS nothing_was_written;
-- A cancelled transaction leaves nothing either.
BEGIN;
SELECT anon_seq.create_flat_taxonomy('bad', '{a}');
SELECT anon_seq.add_to_taxonomy('taken', 'ANY', 'c');
SELECT anon_seq.grant_taxonomy('taken', 'public');
ROLLBACK;
SELECT pg_temp.written() = :'before' AS nothing_was_written;
-- 64 edges are allowed.
DELETE FROM edges WHERE child = 'n65';
SELECT anon_seq.create_taxonomy_from_edges('deep', 'edges');
SELECT max(depth) FROM anon_seq.taxonomy_tree('deep');

SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
DROP TABLE paths, edges, no_columns, child_only;
