-- Trees: the four ways to write one, how they show, how values climb.

SELECT anon_seq.create_taxonomy('occupation', '{"ANY": {"White-collar": ["clerk", "manager"], "Blue-collar": {"cook": {}, "smith": []}}}');
SELECT repeat('  ', depth) || value AS tree, parent, leaves FROM anon_seq.taxonomy_tree('occupation');

-- One row per leaf, from leaf to root, as ARX writes it: equal neighbours are one node.
CREATE TABLE paths (level0 text, level1 text, level2 text);
INSERT INTO paths VALUES ('France', 'Europe', '*'), ('Spain', 'Europe', '*'), ('Atlantis', 'Atlantis', '*'), ('Moon', '*', '*');
SELECT anon_seq.create_taxonomy_from_paths('country', 'paths');
SELECT * FROM anon_seq.taxonomy_tree('country');

-- Columns child and parent, in any order and among others; a root may have a row of its own.
CREATE TABLE edges (id int, parent text, child text);
INSERT INTO edges VALUES (1, 'm', 'a'), (2, NULL, 'r'), (3, 'r', 'm'), (4, 'r', 'b'), (5, 'm', 'a');
SELECT anon_seq.create_taxonomy_from_edges('letters', 'edges');
SELECT * FROM anon_seq.taxonomy_tree('letters');

SELECT anon_seq.create_flat_taxonomy('sex', '{m,f}');
SELECT * FROM anon_seq.taxonomy_tree('sex');

-- Inner nodes climb too; above the root is the root; NULL stands directly below it.
SELECT v AS value, l AS levels, anon_seq.generalize('occupation', v, l)
  FROM unnest(ARRAY['clerk', 'White-collar', 'ANY', NULL]) WITH ORDINALITY AS u (v, i), generate_series(0, 3) AS l
 ORDER BY i, l;
SELECT anon_seq.generalize('country', 'Atlantis', 1), anon_seq.generalize('country', 'Moon', 1), anon_seq.generalize('country', 'Moon', 2147483647);

-- add_to_taxonomy puts a leaf last below its parent; nothing that was there moves.
SELECT anon_seq.add_to_taxonomy('country', 'Europe', 'Andorra');
SELECT anon_seq.add_to_taxonomy('country', '*', 'Mars');
SELECT value, parent FROM anon_seq.taxonomy_tree('country');
SELECT anon_seq.generalize('country', 'Andorra', 1);

-- What a reader of the catalog sees.
SELECT name, owner = current_user AS mine, kind, parameters, readers FROM anon_seq.taxonomies ORDER BY name COLLATE "C";

-- All sources of paths that a SELECT can answer do.
CREATE VIEW path_view AS SELECT level0, level2 FROM paths ORDER BY level0 COLLATE "C";
CREATE MATERIALIZED VIEW path_matview AS SELECT * FROM path_view;
CREATE TABLE path_parts (leaf text, root text) PARTITION BY LIST (leaf);
CREATE TABLE path_part PARTITION OF path_parts DEFAULT;
INSERT INTO path_parts VALUES ('x', 'r'), ('y', 'r');
CREATE TEMP TABLE path_temp AS SELECT * FROM path_parts;
SELECT anon_seq.create_taxonomy_from_paths('of ' || r, r::regclass)
  FROM unnest(ARRAY['path_view', 'path_matview', 'path_parts', 'path_temp']) AS r;
SELECT name, (SELECT string_agg(value, ' ') FROM anon_seq.taxonomy_tree(name)) AS preorder
  FROM anon_seq.taxonomies WHERE name LIKE 'of %' ORDER BY name COLLATE "C";

-- drop_taxonomy frees the name and removes the nodes.
SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
SELECT (SELECT count(*) FROM anon_seq.taxonomy) AS taxonomies, (SELECT count(*) FROM anon_seq.taxonomy_node) AS nodes;
SELECT anon_seq.create_flat_taxonomy('sex', '{m,f,x}');
SELECT anon_seq.drop_taxonomy('sex');

DROP MATERIALIZED VIEW path_matview;
DROP VIEW path_view;
DROP TABLE paths, edges, path_parts, path_temp;
