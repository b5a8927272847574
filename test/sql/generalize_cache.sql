-- generalize() keeps a taxonomy per call site, and never an outdated one.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

-- One call site of plpgsql across changes of the taxonomy within one statement.
CREATE FUNCTION climb(v text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN anon_seq.generalize('t', v, 1); END $$;
SELECT anon_seq.create_taxonomy('t', '{"r": {"m": ["a"], "n": ["b"]}}');
CREATE FUNCTION across_changes() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE v text;
BEGIN
  FOREACH v IN ARRAY '{a,b,c}'::text[] LOOP
    IF v = 'c' THEN PERFORM anon_seq.add_to_taxonomy('t', 'n', 'c'); END IF;
    RETURN NEXT climb(v);
  END LOOP;
  PERFORM anon_seq.drop_taxonomy('t');
  BEGIN
    RETURN NEXT climb('a');
  EXCEPTION WHEN undefined_object THEN RETURN NEXT SQLERRM;
  END;
  PERFORM anon_seq.create_taxonomy('t', '{"r": {"other": ["a"]}}');
  RETURN NEXT climb('a');
END $$;
SELECT across_changes();

-- Rolling back to a savepoint, in SQL and in plpgsql.
BEGIN;
SAVEPOINT s;
SELECT anon_seq.add_to_taxonomy('t', 'other', 'new');
SELECT climb('new');
ROLLBACK TO s;
SELECT climb('a');
SELECT pg_temp.fails($$SELECT climb('new')$$);
ROLLBACK;
CREATE FUNCTION across_subtransactions() RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. 3 LOOP
    BEGIN
      PERFORM anon_seq.add_to_taxonomy('t', 'r', 'new');
      RETURN NEXT climb('new');
      RAISE division_by_zero;
    EXCEPTION WHEN division_by_zero THEN NULL;
    END;
    BEGIN
      RETURN NEXT climb('new');
    EXCEPTION WHEN data_exception THEN RETURN NEXT SQLERRM;
    END;
  END LOOP;
END $$;
SELECT across_subtransactions();

-- A procedure that commits between its calls.
CREATE PROCEDURE across_commits() LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. 3 LOOP
    PERFORM anon_seq.add_to_taxonomy('t', 'other', 'v' || i);
    RAISE NOTICE '% %', climb('v' || i), anon_seq.generalize('t', 'v' || i, 1);
    IF i = 2 THEN ROLLBACK; ELSE COMMIT; END IF;
  END LOOP;
END $$;
CALL across_commits();
SELECT string_agg(value, ' ') FROM anon_seq.taxonomy_tree('t');

-- Who may not read it any more does not get it from a cache.
CREATE ROLE regress_anon_other;
GRANT EXECUTE ON FUNCTION climb TO regress_anon_other;
CREATE FUNCTION across_roles() RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN NEXT climb('a');
  SET LOCAL ROLE regress_anon_other;
  BEGIN
    RETURN NEXT climb('a');
  EXCEPTION WHEN undefined_object THEN RETURN NEXT SQLERRM;
  END;
  RESET ROLE;
  PERFORM anon_seq.grant_taxonomy('t', 'regress_anon_other');
  SET LOCAL ROLE regress_anon_other;
  RETURN NEXT climb('a');
  RESET ROLE;
  PERFORM anon_seq.revoke_taxonomy('t', 'regress_anon_other');
  SET LOCAL ROLE regress_anon_other;
  RETURN NEXT climb('a');
EXCEPTION WHEN undefined_object THEN RETURN NEXT SQLERRM;
END $$;
SELECT across_roles();
SELECT current_user = session_user AS back;

-- One call site and several taxonomies, row by row; the results outlive the change.
SELECT anon_seq.create_flat_taxonomy('u', '{a,b}');
SELECT array_agg(g ORDER BY i), max(g), min(g)
  FROM (SELECT i, anon_seq.generalize(CASE WHEN i % 2 = 0 THEN 't' ELSE 'u' END, 'a', 1) AS g FROM generate_series(1, 6) AS i) AS x;
SELECT DISTINCT anon_seq.generalize(t, 'a', 1) || anon_seq.generalize(t, 'a', 0) AS g FROM unnest('{t,u,t,u}'::text[]) AS t ORDER BY 1;

-- Prepared statements, cursors and SQL functions.
PREPARE p(text) AS SELECT anon_seq.generalize('u', $1, 1);
EXECUTE p('a');
SELECT anon_seq.add_to_taxonomy('u', 'ANY', 'c');
EXECUTE p('c');
CREATE FUNCTION sql_climb(v text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT anon_seq.generalize('u', v, 1) $$;
SELECT sql_climb('c');
BEGIN;
DECLARE c CURSOR FOR SELECT anon_seq.generalize('u', v, 0) FROM unnest('{a,b,c,a}'::text[]) AS v;
FETCH 2 c;
SELECT anon_seq.drop_taxonomy('u');
FETCH 2 c;
COMMIT;

-- Long values and labels, compressed and out of line.
CREATE TABLE toasted (v text);
ALTER TABLE toasted ALTER v SET STORAGE EXTERNAL;
INSERT INTO toasted VALUES (repeat('x', 10000)), (repeat('y', 3000));
SELECT anon_seq.create_flat_taxonomy('toasted', (SELECT array_agg(v) FROM toasted));
SELECT length(anon_seq.generalize('toasted', v, 0)), anon_seq.generalize('toasted', v, 1) FROM toasted ORDER BY 1;
SELECT length(value) FROM anon_seq.taxonomy_tree('toasted');

SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
DROP FUNCTION climb, across_changes, across_subtransactions, across_roles, sql_climb;
DROP PROCEDURE across_commits;
DROP TABLE toasted;
DROP ROLE regress_anon_other;
