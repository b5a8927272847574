-- Names in anon_seq_ledger: publishers cannot take one, relations are made for them and handed over, closed.
SET client_min_messages = error;
SET allow_in_place_tablespaces = on;
CREATE ROLE regress_ln_owner;
CREATE ROLE regress_ln_thief;
CREATE SCHEMA ledger_names AUTHORIZATION regress_ln_owner;
GRANT USAGE, CREATE ON SCHEMA ledger_names TO PUBLIC;
SET search_path = ledger_names, anon_seq, public;
SELECT grant_publish('regress_ln_owner'), grant_publish('regress_ln_thief');
CREATE FUNCTION fails(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE statement;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE || ' ' || regexp_replace(SQLERRM, '(p|w|n|r)\d+_', '\1#_', 'g');
END $$;
-- The right to publish is not CREATE on that schema, and CREATE there is not the right to publish.
SELECT r, has_schema_privilege(r, 'anon_seq_ledger', 'CREATE'), has_sequence_privilege(r, 'anon_seq.publishers', 'USAGE') FROM unnest('{regress_ln_owner,regress_ln_thief}'::text[]) AS r ORDER BY r;
CREATE ROLE regress_ln_creates;
GRANT CREATE ON SCHEMA anon_seq_ledger TO regress_ln_creates;
SET ROLE regress_ln_creates;
SELECT fails($$SELECT create_flat_taxonomy('x', '{a}')$$);
RESET ROLE;
-- What is made for a publisher is theirs alone and stored as the database says, whatever the maker's default privileges and the caller's settings are.
CREATE TABLESPACE regress_ln_space LOCATION '';
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES IN SCHEMA anon_seq_ledger GRANT ALL ON TABLES TO regress_ln_thief;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO regress_ln_thief;
SET ROLE regress_ln_owner;
CREATE TABLE ward AS SELECT i AS id, 20 + i % 9 AS age, (ARRAY['flu', 'cold', 'ok'])[1 + i % 3] AS ill FROM generate_series(1, 300) AS i;
SET default_tablespace = regress_ln_space;
SELECT create_sequential_policy('ln seq', 'ward', 'id', '{age}', k => 4, publish_as => 'ledger_names.seq', population => 'ln');
SELECT create_incremental_policy('ln inc', 'ward', 'id', '{age}', 4, publish_as => 'ledger_names.inc', population => 'ln inc', options => '{"storage": "shared"}');
SELECT create_lossy_join_policy('ln lossy', 'ward', 'id', '{age}', '{ill}', 0.9, 2, 'projections', publish_as => 'ledger_names.lossy', population => 'ln lossy');
SELECT create_serial_policy('ln serial', 'ward', 'id', '{age}', '{ill}', '{flu}', 2, 'projections', persistence => 'permanent', publish_as => 'ledger_names.serial', population => 'ln serial');
SELECT register_release('ln old', 'ward', 'ln old');
SELECT watch_source('ward', '{id}');
RESET default_tablespace;
SELECT p, (publish(p)).version FROM unnest('{ln seq,ln inc,ln lossy,ln serial}'::text[]) AS p ORDER BY p;
UPDATE ward SET age = 29 WHERE id < 8;
SELECT p, (publish(p)).version FROM unnest('{ln inc,ln serial}'::text[]) AS p ORDER BY p;
SELECT p, bool_and(a.ok) FROM unnest('{ln seq,ln inc,ln lossy,ln serial}'::text[]) AS p, audit(p, everything => true) AS a WHERE a.check_name <> 'unguarded' GROUP BY p ORDER BY p;
RESET ROLE;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM PUBLIC;
ALTER DEFAULT PRIVILEGES IN SCHEMA anon_seq_ledger REVOKE ALL ON TABLES FROM regress_ln_thief;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON SEQUENCES FROM regress_ln_thief;
CREATE TABLE part AS
  WITH ledger AS (SELECT 'p' || id AS name FROM policy WHERE name LIKE 'ln %' UNION ALL SELECT ledger FROM release WHERE name = 'ln old' UNION ALL SELECT 'n' || id FROM population WHERE name LIKE 'ln%'
                  UNION ALL SELECT 'w' || id FROM watch WHERE source_schema = 'ledger_names')
  SELECT c.* FROM ledger AS l JOIN pg_class AS c ON starts_with(c.relname, l.name || '_') WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace;
GRANT SELECT ON part TO PUBLIC;
SELECT relkind, count(*) > 2 AS several, count(*) FILTER (WHERE relowner <> 'regress_ln_owner'::regrole) AS "of others", count(*) FILTER (WHERE reltablespace <> 0) AS elsewhere,
       (SELECT count(*) FROM part AS o, aclexplode(o.relacl) AS a WHERE o.relkind = p.relkind AND a.grantee <> o.relowner) AS "open to others" FROM part AS p GROUP BY relkind ORDER BY relkind;
-- A publisher takes no name there, neither by making a relation nor by renaming one of their own; what is theirs they may alter and drop.
SET ROLE regress_ln_thief;
SELECT statement, fails(statement) FROM unnest(ARRAY['CREATE TABLE anon_seq_ledger.p1_current (version int)', 'CREATE VIEW anon_seq_ledger.p1_shown_9 AS SELECT 1 AS version', 'CREATE SEQUENCE anon_seq_ledger.n1_population',
  'CREATE TYPE anon_seq_ledger.p1_person AS (a int)', 'CREATE TABLE taken (a int); ALTER TABLE taken SET SCHEMA anon_seq_ledger', 'CREATE MATERIALIZED VIEW anon_seq_ledger.p123456789_person AS SELECT 1 AS a']) WITH ORDINALITY AS x (statement, i) ORDER BY i;
SET ROLE regress_ln_owner;
SELECT relname AS seq_note FROM part WHERE relname ~ '^p\d+_note$' ORDER BY oid LIMIT 1 \gset
SELECT fails(format('ALTER TABLE anon_seq_ledger.%I RENAME TO p1_current', :'seq_note'));
SELECT fails(format('CREATE INDEX ON anon_seq_ledger.%I (version)', :'seq_note'));
-- Handed on, a ledger needs no CREATE either.
RESET ROLE;
REASSIGN OWNED BY regress_ln_owner TO regress_ln_thief;
GRANT ALL ON SCHEMA ledger_names TO regress_ln_thief;
UPDATE ward SET age = 25 WHERE id < 6;
SET ROLE regress_ln_thief;
SELECT p, (publish(p)).version FROM unnest('{ln inc,ln serial}'::text[]) AS p ORDER BY p;
SELECT p, bool_and(a.ok) FROM unnest('{ln seq,ln inc,ln lossy,ln serial}'::text[]) AS p, audit(p, everything => true) AS a WHERE a.check_name <> 'unguarded' GROUP BY p ORDER BY p;
SELECT retire_release('ln inc/1'), drop_policy('ln lossy');
RESET ROLE;
SELECT revoke_publish('regress_ln_owner'), revoke_publish('regress_ln_thief');
DROP OWNED BY regress_ln_thief, regress_ln_owner, regress_ln_creates CASCADE;
DROP ROLE regress_ln_thief, regress_ln_owner, regress_ln_creates;
DROP TABLESPACE regress_ln_space;
