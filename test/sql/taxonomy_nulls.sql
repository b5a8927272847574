-- NULL where a value is needed is an error that names the argument, never a silent NULL.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

SELECT anon_seq.create_flat_taxonomy('t', '{a}');
SELECT pg_temp.fails('SELECT anon_seq.' || call) FROM unnest(ARRAY[
  'create_taxonomy(NULL, ''{}'')', 'create_taxonomy(''n'', NULL)',
  'create_taxonomy_from_paths(NULL, ''pg_class'')', 'create_taxonomy_from_paths(''n'', NULL)',
  'create_taxonomy_from_edges(NULL, ''pg_class'')', 'create_taxonomy_from_edges(''n'', NULL)',
  'create_flat_taxonomy(NULL, ''{a}'')', 'create_flat_taxonomy(''n'', NULL)', 'create_flat_taxonomy(''n'', ''{a,NULL}'')',
  'create_prefix_taxonomy(NULL, ''{1}'')', 'create_prefix_taxonomy(''n'', NULL)', 'create_prefix_taxonomy(''n'', ''{NULL}'')',
  'create_range_taxonomy(NULL, 0, 9, ''{1}'')', 'create_range_taxonomy(''n'', NULL, 9, ''{1}'')',
  'create_range_taxonomy(''n'', 0, NULL, ''{1}'')', 'create_range_taxonomy(''n'', 0, 9, NULL)', 'create_range_taxonomy(''n'', 0, 9, ''{1,NULL}'')',
  'create_date_taxonomy(NULL, ''{day}'')', 'create_date_taxonomy(''n'', NULL)', 'create_date_taxonomy(''n'', ''{day,NULL}'')',
  'add_to_taxonomy(NULL, ''ANY'', ''b'')', 'add_to_taxonomy(''t'', NULL, ''b'')', 'add_to_taxonomy(''t'', ''ANY'', NULL)',
  'suggest_taxonomy(NULL, ''relname'')', 'suggest_taxonomy(''pg_class'', NULL)',
  'taxonomy_tree(NULL)', 'generalize(NULL, ''a'', 1)', 'generalize(''t'', ''a'', NULL)', 'generalize(''t'', NULL, NULL)',
  'drop_taxonomy(NULL)', 'grant_taxonomy(NULL, ''public'')', 'grant_taxonomy(''t'', NULL)',
  'revoke_taxonomy(NULL, ''public'')', 'revoke_taxonomy(''t'', NULL)']) AS call;

-- The one NULL that means something.
SELECT anon_seq.generalize('t', NULL, 0) IS NULL, anon_seq.generalize('t', NULL, 1);

-- NULLs in what is read.
CREATE TABLE paths (a text, b text);
INSERT INTO paths VALUES ('x', 'r'), (NULL, 'r'), ('y', NULL), (NULL, NULL);
CREATE TABLE edges (child text, parent text);
INSERT INTO edges VALUES ('x', 'r'), (NULL, 'r'), (NULL, NULL);
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('n', 'paths')$$);
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_edges('n', 'edges')$$);
-- A suggestion leaves NULL out; a column of nothing else has no values.
SELECT anon_seq.suggest_taxonomy('paths', 'a');
UPDATE paths SET b = NULL;
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('paths', 'b')$$);

SELECT name FROM anon_seq.taxonomies;
SELECT anon_seq.drop_taxonomy('t');
DROP TABLE paths, edges;
