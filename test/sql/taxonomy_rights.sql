-- Who may do and see what: a stranger, a publisher, the extension's owner, a reader, a member of the owner's role.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

CREATE ROLE regress_anon_stranger;
CREATE ROLE regress_anon_publisher;
CREATE ROLE regress_anon_reader;
CREATE ROLE regress_anon_member IN ROLE regress_anon_publisher;
CREATE ROLE regress_anon_noinherit NOINHERIT IN ROLE regress_anon_publisher;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO regress_anon_publisher;
CREATE FUNCTION tries(who text) RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
  call text; result text;
BEGIN
  EXECUTE format('SET LOCAL ROLE %I', who);
  RETURN NEXT CASE who WHEN session_user THEN 'superuser' ELSE who END || ' sees: ' || coalesce((SELECT string_agg(name || ' of ' || owner, ', ' ORDER BY name COLLATE "C") FROM anon_seq.taxonomies), 'nothing');
  FOREACH call IN ARRAY ARRAY['generalize(''t'', ''a'', 1)', '(SELECT count(*) FROM anon_seq.taxonomy_tree(''t''))', 'add_to_taxonomy(''t'', ''ANY'', ''new'')',
      'grant_taxonomy(''t'', ''regress_anon_stranger'')', 'revoke_taxonomy(''t'', ''regress_anon_stranger'')', 'create_flat_taxonomy(''mine'', ''{a}'')', 'drop_taxonomy(''t'')'] LOOP
    BEGIN
      EXECUTE 'SELECT ' || CASE WHEN call LIKE '(%' THEN '' ELSE 'anon_seq.' END || call INTO result;
      RETURN NEXT '  ' || call || ': ' || CASE result WHEN '' THEN 'done' ELSE result END;
      IF call LIKE 'drop%' THEN RAISE SQLSTATE 'UNDO1'; END IF;
    EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
              WHEN OTHERS THEN RETURN NEXT '  ' || call || ': ' || SQLSTATE || ' ' || SQLERRM;
    END;
  END LOOP;
  RESET ROLE;
END $f$;

SET ROLE regress_anon_publisher;
SELECT anon_seq.create_flat_taxonomy('t', '{a}');
RESET ROLE;
-- tries() undoes what it did by rolling back.
BEGIN; SELECT tries('regress_anon_stranger'); ROLLBACK;
BEGIN; SELECT tries('regress_anon_publisher'); ROLLBACK;
BEGIN; SELECT tries('regress_anon_member'); ROLLBACK;
BEGIN; SELECT tries('regress_anon_noinherit'); ROLLBACK;
SET ROLE regress_anon_publisher;
SELECT anon_seq.grant_taxonomy('t', 'regress_anon_reader');
SELECT anon_seq.grant_taxonomy('t', 'regress_anon_reader');
SELECT readers FROM anon_seq.taxonomies;
RESET ROLE;
BEGIN; SELECT tries('regress_anon_reader'); ROLLBACK;
SET ROLE regress_anon_publisher;
SELECT anon_seq.revoke_taxonomy('t', 'regress_anon_reader');
SELECT anon_seq.revoke_taxonomy('t', 'regress_anon_reader');
SELECT anon_seq.revoke_taxonomy('t', 'regress_nobody');
SELECT anon_seq.grant_taxonomy('t', 'public');
RESET ROLE;
BEGIN; SELECT tries('regress_anon_stranger'); ROLLBACK;
SET ROLE regress_anon_publisher;
SELECT anon_seq.revoke_taxonomy('t', 'public');
RESET ROLE;

-- The catalog itself is nobody's but the extension's owner's.
SET ROLE regress_anon_stranger;
SELECT pg_temp.fails(sql) FROM unnest(ARRAY['SELECT * FROM anon_seq.taxonomy', 'SELECT * FROM anon_seq.taxonomy_node', 'DELETE FROM anon_seq.taxonomy', 'SELECT nextval(''anon_seq.taxonomy_id_seq'')',
  'CREATE TABLE anon_seq.t ()', 'CREATE TABLE anon_seq_ledger.t ()', 'UPDATE anon_seq.taxonomies SET owner = ''regress_anon_stranger''']) AS sql;
SELECT count(*) FROM pg_stats WHERE schemaname = 'anon_seq';
-- A view with a barrier: a cheap function does not see the rows of others.
CREATE FUNCTION pg_temp.leak(text) RETURNS bool LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE NOTICE 'leaked %', $1; RETURN true; END $$;
SELECT count(*) FROM anon_seq.taxonomies WHERE pg_temp.leak(name);
DROP FUNCTION pg_temp.leak;
RESET ROLE;
SET ROLE regress_anon_publisher;
SELECT pg_temp.fails(sql) FROM unnest(ARRAY['SELECT * FROM anon_seq.taxonomy', 'INSERT INTO anon_seq.taxonomy_node VALUES (1, 1, 0, ''x'')', 'DELETE FROM anon_seq.taxonomy']) AS sql;
RESET ROLE;

-- SECURITY DEFINER: the function's owner counts.
CREATE FUNCTION definer() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$ SELECT anon_seq.generalize('t', 'a', 1) $$;
ALTER FUNCTION definer OWNER TO regress_anon_publisher;
SET ROLE regress_anon_stranger;
SELECT definer();
SELECT pg_temp.fails($$SELECT anon_seq.generalize('t', 'a', 1)$$);
RESET ROLE;

-- What a dropped role owned stays for the extension's owner.
DROP FUNCTION definer;
DROP OWNED BY regress_anon_publisher;
DROP ROLE regress_anon_publisher;
BEGIN; SELECT tries(current_user); ROLLBACK;
BEGIN; SELECT tries('regress_anon_member'); ROLLBACK;
SELECT anon_seq.drop_taxonomy('t');

DROP FUNCTION tries;
DROP ROLE regress_anon_stranger, regress_anon_reader, regress_anon_member, regress_anon_noinherit;
