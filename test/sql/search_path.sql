-- A schema in front of pg_catalog, full of functions and operators of our names, changes no result.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

CREATE SCHEMA hostile;
DO $$
DECLARE
  signature text;
  types text[] := '{text,name,oid,int,bigint,boolean,regclass,"char"}';
  t text;
BEGIN
  -- functions: any arguments the catalog or our SQL could call them with
  FOREACH signature IN ARRAY ARRAY['unnest(text[]) SETOF text', 'unnest(int[]) SETOF int', 'pg_has_role(oid,oid,text)', 'pg_has_role(oid,name,text)',
      'pg_has_role(name,oid,text)', 'has_schema_privilege(text,text)', 'array_append(text[],text)', 'array_remove(text[],text)', 'octet_length(text)', 'now()',
      'nextval(regclass)', 'text(int)', 'text(numeric)', 'quote_ident(name)', 'has_role(oid,text)', 'generalize(text,text,int)'] LOOP
    EXECUTE format('CREATE FUNCTION hostile.%s %s LANGUAGE plpgsql AS $f$ BEGIN RAISE EXCEPTION ''hostile code ran''; END $f$', split_part(signature, ' ', 1),
                   CASE WHEN signature LIKE '% SETOF %' THEN 'RETURNS ' || split_part(signature, ' ', 2) || ' ' || split_part(signature, ' ', 3) ELSE 'RETURNS text' END);
  END LOOP;
  CREATE AGGREGATE hostile.count("any") (sfunc = int8inc_any, stype = bigint, initcond = '1000');
  CREATE AGGREGATE hostile.count(*) (sfunc = int8inc, stype = bigint, initcond = '1000');
  -- operators on every type that occurs
  FOREACH t IN ARRAY types LOOP
    EXECUTE format('CREATE FUNCTION hostile.op(%1$s, %1$s) RETURNS boolean LANGUAGE plpgsql AS $f$ BEGIN RAISE EXCEPTION ''hostile code ran''; END $f$', t);
    EXECUTE format('CREATE OPERATOR hostile.= (leftarg = %1$s, rightarg = %1$s, function = hostile.op)', t);
    EXECUTE format('CREATE OPERATOR hostile.<> (leftarg = %1$s, rightarg = %1$s, function = hostile.op)', t);
    EXECUTE format('CREATE OPERATOR hostile.< (leftarg = %1$s, rightarg = %1$s, function = hostile.op)', t);
    EXECUTE format('CREATE OPERATOR hostile.> (leftarg = %1$s, rightarg = %1$s, function = hostile.op)', t);
    EXECUTE format('CREATE OPERATOR hostile.|| (leftarg = %1$s, rightarg = %1$s, function = hostile.op)', t);
  END LOOP;
END $$;
CREATE TABLE public.paths (leaf text, root text);
INSERT INTO public.paths VALUES ('x', 'r'), ('y', 'r');
CREATE TABLE public.edges (child text, parent int);
INSERT INTO public.edges VALUES ('x', 1), ('y', 1);

-- Everything the extension does, one line each.
CREATE FUNCTION pg_temp.everything() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
  call text; result text;
BEGIN
  FOREACH call IN ARRAY ARRAY['anon_seq.create_taxonomy(''json'', ''{"r": ["a"]}'')', 'anon_seq.create_taxonomy_from_paths(''paths'', ''public.paths'')',
      'anon_seq.create_taxonomy_from_edges(''edges'', ''public.edges'')', 'anon_seq.create_flat_taxonomy(''flat'', ''{a}'')', 'anon_seq.create_prefix_taxonomy(''prefix'', ''{2}'')',
      'anon_seq.create_range_taxonomy(''range'', 0, 9, ''{3}'')', 'anon_seq.create_date_taxonomy(''date'', ''{year}'')', 'anon_seq.add_to_taxonomy(''flat'', ''ANY'', ''b'')',
      'anon_seq.grant_taxonomy(''flat'', ''public'')', 'anon_seq.generalize(''edges'', ''x'', 1)', 'anon_seq.generalize(''range'', ''4'', 1)', 'anon_seq.generalize(''prefix'', ''abc'', 1)',
      'anon_seq.generalize(''date'', ''2024-01-01'', 1)', 'anon_seq.suggest_taxonomy(''public.paths'', ''leaf'')', 'anon_seq.suggest_taxonomy(''public.edges'', ''parent'')',
      '(SELECT pg_catalog.string_agg(x::pg_catalog.text, '' '') FROM anon_seq.taxonomy_tree(''flat'') AS x)',
      '(SELECT pg_catalog.string_agg(x.name, '' '' ORDER BY x.name COLLATE "C") FROM anon_seq.taxonomies AS x)',
      '(SELECT pg_catalog.string_agg(x.readers::pg_catalog.text, '' '' ORDER BY x.name COLLATE "C") FROM anon_seq.taxonomies AS x)',
      'anon_seq.revoke_taxonomy(''flat'', ''public'')', 'anon_seq.drop_taxonomy(''flat'')', 'anon_seq.generalize(''flat'', ''a'', 1)', 'anon_seq.create_flat_taxonomy(''json'', ''{a}'')'] LOOP
    BEGIN
      EXECUTE pg_catalog.format('SELECT %s', call) INTO result;
      RETURN NEXT pg_catalog.format('%s: %s', call, result);
    EXCEPTION WHEN OTHERS THEN RETURN NEXT pg_catalog.format('%s: %s %s', call, SQLSTATE, SQLERRM);
    END;
  END LOOP;
END $f$;
-- As it should be.
SELECT pg_temp.everything();
SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
-- Once more, with the hostile schema in front, and temporary objects of our names.
CREATE TEMP TABLE pg_roles AS SELECT 'nobody' AS rolname, 0::oid AS oid;
CREATE TEMP TABLE taxonomy (id int, name text);
CREATE TEMP TABLE taxonomy_node (taxonomy int, node int, parent int, label text);
CREATE TEMP TABLE pg_extension (extname text, extowner oid);
CREATE TEMP TABLE pg_attribute (attname text, attrelid oid, attnum int, attisdropped bool);
CREATE TEMP TABLE quiet AS SELECT pg_temp.everything() AS line;
SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
SET search_path = pg_temp, hostile, pg_catalog, public;
CREATE TEMP TABLE loud AS SELECT pg_temp.everything() AS line;
SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
-- The search path is the caller's again, after success and after errors.
SHOW search_path;
RESET search_path;
SELECT count(*) AS lines FROM loud;
SELECT * FROM loud EXCEPT SELECT * FROM quiet ORDER BY 1;
-- And the schema was hostile indeed.
SET search_path = hostile, pg_catalog;
SELECT 'a'::text = 'a'::text;
SELECT count(*) FROM pg_catalog.generate_series(1, 2);
RESET search_path;

SET client_min_messages = warning;
DROP SCHEMA hostile CASCADE;
DROP TABLE public.paths, public.edges;
