-- Taxonomies: how the values of an attribute generalize.

CREATE SEQUENCE anon_seq.taxonomy_id_seq AS integer;

CREATE TABLE anon_seq.taxonomy (
  id         integer     PRIMARY KEY DEFAULT nextval('anon_seq.taxonomy_id_seq'),
  name       text        NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 63),
  owner      integer     NOT NULL CHECK (owner > 0),  -- a role by its marker, see anon_seq.has_marker()
  kind       text        NOT NULL CHECK (kind IN ('tree', 'prefix', 'range', 'date')),
  parameters text[]      NOT NULL,                -- of an open taxonomy: lengths; lower, upper, widths; units
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER SEQUENCE anon_seq.taxonomy_id_seq OWNED BY anon_seq.taxonomy.id;
COMMENT ON TABLE anon_seq.taxonomy IS 'catalog: one row per taxonomy; read the view anon_seq.taxonomies';

-- Siblings stand in the order of their numbers, which never change. There is no foreign key: rows are
-- written by the extension alone, and a check per row would double the time of a load.
CREATE TABLE anon_seq.taxonomy_node (
  taxonomy integer NOT NULL,
  node     integer NOT NULL,
  parent   integer,
  label    text    NOT NULL,
  PRIMARY KEY (taxonomy, node)
);
COMMENT ON TABLE anon_seq.taxonomy_node IS 'catalog: the nodes of taxonomies of kind tree; read anon_seq.taxonomy_tree(name)';

GRANT SELECT, INSERT ON anon_seq.taxonomy, anon_seq.taxonomy_node TO @extowner@;  -- to dump and to restore
GRANT SELECT, UPDATE ON SEQUENCE anon_seq.taxonomy_id_seq TO @extowner@;
SELECT pg_extension_config_dump('anon_seq.taxonomy', '');
SELECT pg_extension_config_dump('anon_seq.taxonomy_node', '');
SELECT pg_extension_config_dump('anon_seq.taxonomy_id_seq', '');

CREATE FUNCTION anon_seq.create_taxonomy(name text, tree json) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_taxonomy';
COMMENT ON FUNCTION anon_seq.create_taxonomy(text, json) IS
  'makes a taxonomy from nested objects and arrays, {"ANY": {"White-collar": ["clerk", "manager"]}}, or from what suggest_taxonomy gives';

CREATE FUNCTION anon_seq.create_taxonomy_from_paths(name text, paths regclass) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_taxonomy_from_paths';
COMMENT ON FUNCTION anon_seq.create_taxonomy_from_paths(text, regclass) IS
  'makes a taxonomy from a relation with one row per leaf and columns from leaf to root; equal neighbours are one node';

CREATE FUNCTION anon_seq.create_taxonomy_from_edges(name text, edges regclass) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_taxonomy_from_edges';
COMMENT ON FUNCTION anon_seq.create_taxonomy_from_edges(text, regclass) IS
  'makes a taxonomy from a relation with columns child and parent; a root may have a row of its own with parent NULL';

CREATE FUNCTION anon_seq.create_flat_taxonomy(name text, leaves text[]) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_flat_taxonomy';
COMMENT ON FUNCTION anon_seq.create_flat_taxonomy(text, text[]) IS 'makes a taxonomy with the leaves directly below the root ANY';

CREATE FUNCTION anon_seq.create_prefix_taxonomy(name text, lengths int[]) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_prefix_taxonomy';
COMMENT ON FUNCTION anon_seq.create_prefix_taxonomy(text, int[]) IS
  'makes an open taxonomy of codes that keeps the first characters: lengths {4,3} give 20433, 2043*, 204**, *';

CREATE FUNCTION anon_seq.create_range_taxonomy(name text, lower numeric, upper numeric, widths numeric[]) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_range_taxonomy';
COMMENT ON FUNCTION anon_seq.create_range_taxonomy(text, numeric, numeric, numeric[]) IS
  'makes an open taxonomy of numbers from lower to below upper: widths {5,10} give 23, [20,25), [20,30), [lower,upper)';

CREATE FUNCTION anon_seq.create_date_taxonomy(name text, units text[]) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_date_taxonomy';
COMMENT ON FUNCTION anon_seq.create_date_taxonomy(text, text[]) IS
  'makes an open taxonomy of dates from the units hour, day, month, quarter, year, decade: 2024-03-15, 2024-03, 2024-Q1, 2024, 2020s, ANY';

CREATE FUNCTION anon_seq.add_to_taxonomy(name text, parent text, value text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_add_to_taxonomy';
COMMENT ON FUNCTION anon_seq.add_to_taxonomy(text, text, text) IS 'adds a leaf below a node of a taxonomy; nothing existing moves';

CREATE FUNCTION anon_seq.drop_taxonomy(name text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_drop_taxonomy';
COMMENT ON FUNCTION anon_seq.drop_taxonomy(text) IS 'removes a taxonomy';

CREATE FUNCTION anon_seq.grant_taxonomy(name text, role text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_grant_taxonomy';
COMMENT ON FUNCTION anon_seq.grant_taxonomy(text, text) IS 'lets a role, or public, read a taxonomy';

CREATE FUNCTION anon_seq.revoke_taxonomy(name text, role text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_revoke_taxonomy';
COMMENT ON FUNCTION anon_seq.revoke_taxonomy(text, text) IS 'takes back what grant_taxonomy gave';

CREATE FUNCTION anon_seq.suggest_taxonomy(source regclass, attribute text, frequent int DEFAULT NULL) RETURNS json
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_suggest_taxonomy';
COMMENT ON FUNCTION anon_seq.suggest_taxonomy(regclass, text, int) IS
  'a first taxonomy for a column, to edit and to pass to create_taxonomy; frequent: so many of its values, and OTHER for all others; writes nothing';

CREATE FUNCTION anon_seq.suggest_policy(source regclass) RETURNS json
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_suggest_policy';
COMMENT ON FUNCTION anon_seq.suggest_policy(regclass) IS
  'a first policy for a table, to edit: who is a person, what role each column has, taxonomies, k; writes nothing';

CREATE FUNCTION anon_seq.taxonomy_tree(name text)
  RETURNS TABLE (depth int, value text, parent text, leaves int)
  LANGUAGE c STABLE PARALLEL SAFE ROWS 100 AS 'MODULE_PATHNAME', 'anon_seq_taxonomy_tree';
COMMENT ON FUNCTION anon_seq.taxonomy_tree(text) IS
  'the nodes of a taxonomy in preorder; of an open one the root, and the intervals if it is one of numbers, with leaves NULL';

CREATE FUNCTION anon_seq.generalize(taxonomy text, value text, levels int) RETURNS text
  LANGUAGE c STABLE PARALLEL SAFE COST 1 AS 'MODULE_PATHNAME', 'anon_seq_generalize';
COMMENT ON FUNCTION anon_seq.generalize(text, text, int) IS
  'the label so many levels above a value, the root''s where the path is shorter; NULL stands directly below the root';
