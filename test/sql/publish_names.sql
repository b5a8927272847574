-- Names in anon_seq_ledger: publishers cannot take one, relations are made for them and handed over, closed; what else is there is no part of a ledger.
SET client_min_messages = error;
SET allow_in_place_tablespaces = on;
CREATE ROLE regress_ln_owner;
CREATE ROLE regress_ln_thief;
CREATE SCHEMA ledger_names AUTHORIZATION regress_ln_owner;
GRANT USAGE, CREATE ON SCHEMA ledger_names TO PUBLIC;
SET search_path = ledger_names, anon_seq, public;
SELECT grant_publish('regress_ln_owner'), grant_publish('regress_ln_thief');
CREATE FUNCTION run(statement text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE statement; END $$;
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

-- A role that may create there all the same, as for a restore: what it puts beside the ledgers of others is no part of them, and runs for nobody.
SET client_min_messages = error;
CREATE ROLE regress_ln_victim;
CREATE ROLE regress_ln_taker;
CREATE ROLE regress_ln_source;
GRANT CREATE ON SCHEMA anon_seq_ledger TO regress_ln_taker;
GRANT CREATE ON SCHEMA ledger_names TO regress_ln_victim, regress_ln_taker, regress_ln_source;
SELECT grant_publish('regress_ln_victim');
SET ROLE regress_ln_taker;
CREATE SEQUENCE mark;  -- survives a rollback
GRANT USAGE, SELECT ON mark TO PUBLIC;
CREATE FUNCTION act() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF current_user <> 'regress_ln_taker' THEN PERFORM nextval('ledger_names.mark'); END IF; RETURN 1; END $$;
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM ledger_names.act(); RETURN NULL; END $$;
RESET ROLE;
CREATE FUNCTION marked() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE was boolean := (SELECT is_called FROM mark);
BEGIN PERFORM setval('mark', 1, false); RETURN was; END $$;
SET ROLE regress_ln_victim;
CREATE TABLE people AS SELECT i AS id, i % 3 AS part, 20 + i % 9 AS age, (ARRAY['flu', 'cold', 'ok'])[1 + i % 3] AS ill FROM generate_series(1, 90) AS i;
SELECT create_sequential_policy('ln plain', 'people', 'id', '{age}', k => 4, publish_as => 'ledger_names.plain', population => 'ln plain');
SELECT create_sequential_policy('ln nobody', 'people', NULL, '{age}', k => 4, publish_as => 'ledger_names.nobody', population => 'ln nobody');
SELECT create_incremental_policy('ln shared', 'people', 'id', '{age}', 4, publish_as => 'ledger_names.shared', population => 'ln shared', options => '{"storage": "shared"}');
SELECT p, (publish(p)).version FROM unnest('{ln plain,ln nobody,ln shared}'::text[]) AS p ORDER BY p;
RESET ROLE;
CREATE TABLE super AS SELECT 30 AS age;
SELECT register_release('ln super', 'super', 'ln super');
SELECT 'p' || max(id) FILTER (WHERE name = 'ln plain') AS plain, 'p' || max(id) FILTER (WHERE name = 'ln nobody') AS nobody, 'p' || max(id) FILTER (WHERE name = 'ln shared') AS shared FROM policy \gset
SELECT ledger AS super FROM release WHERE name = 'ln super' \gset
SET ROLE regress_ln_taker;
SELECT run(format('CREATE VIEW anon_seq_ledger.%I AS SELECT act() AS version; GRANT ALL ON anon_seq_ledger.%1$I TO PUBLIC', l || '_current')) FROM unnest(ARRAY[:'plain', :'super']) AS l;
SELECT run(format('CREATE TABLE anon_seq_ledger.%1$I (version int, persons int[]); CREATE TRIGGER fire BEFORE DELETE OR UPDATE ON anon_seq_ledger.%1$I FOR EACH STATEMENT EXECUTE FUNCTION fire(); GRANT ALL ON anon_seq_ledger.%1$I TO PUBLIC', x))
  FROM unnest(ARRAY[:'nobody' || '_current', :'nobody' || '_person']) AS x;
SELECT fails(format('SELECT shown_relation(%L)', l)) FROM unnest(ARRAY[:'plain', :'super', :'nobody']) AS l;
RESET ROLE;
SELECT marked();
-- The next versions, of plain methods too, and forgetting, are not stopped.
SET ROLE regress_ln_victim;
SELECT alter_policy('ln nobody', '{"rules": [{"kind": "anonymity", "x": ["age", {"release": "ln nobody", "column": "age"}], "y": ["person"], "min": 2, "partial_x": true}], "options": {"dangling": "outer"}}');
UPDATE people SET age = 40 - age;
SELECT p, (publish(p)).version FROM unnest('{ln nobody,ln shared}'::text[]) AS p ORDER BY p;
SELECT * FROM forget('ln nobody', '3');
SELECT bool_and(ok) FROM audit('ln shared', everything => true);
-- A name that a version needs can be in its way, by somebody who may create there: then it says so, and nothing runs.
SET ROLE regress_ln_taker;
SELECT run(format('CREATE VIEW anon_seq_ledger.%I AS SELECT act() AS version', :'shared' || '_shown_3'));
SET ROLE regress_ln_victim;
UPDATE people SET age = 30 WHERE id < 9;
SELECT fails($$SELECT publish('ln shared')$$);
RESET ROLE;
SELECT marked();
SELECT run(format('DROP VIEW anon_seq_ledger.%I', :'shared' || '_shown_3'));
-- A part that has gone is missing, whatever has its name.
SELECT run(format('ALTER TABLE anon_seq_ledger.%I RENAME TO ln_kept', :'shared' || '_current'));
SET ROLE regress_ln_taker;
SELECT run(format('CREATE TABLE anon_seq_ledger.%1$I (one boolean PRIMARY KEY DEFAULT true, version int); CREATE TRIGGER fire BEFORE INSERT OR UPDATE ON anon_seq_ledger.%1$I FOR EACH STATEMENT EXECUTE FUNCTION fire(); GRANT ALL ON anon_seq_ledger.%1$I TO PUBLIC', :'shared' || '_current'));
SET ROLE regress_ln_victim;
SELECT fails(call) FROM unnest(ARRAY[$$SELECT publish('ln shared')$$, $$SELECT audit('ln shared')$$, $$SELECT anon_seq.point('ln shared')$$, $$SELECT retire_release('ln shared/1')$$]) AS call;
RESET ROLE;
SELECT marked();
SELECT run(format('DROP TABLE anon_seq_ledger.%I', :'shared' || '_current'));
SELECT run(format('ALTER TABLE anon_seq_ledger.ln_kept RENAME TO %I', :'shared' || '_current'));
SET ROLE regress_ln_victim;
SELECT (publish('ln shared')).version;
RESET ROLE;

-- The source's owner gives the key a type whose casts are code of theirs: it runs for nobody.
CREATE SCHEMA ledger_names_source AUTHORIZATION regress_ln_source;
GRANT USAGE ON SCHEMA ledger_names_source TO PUBLIC;
CREATE TABLE ledger_names_source.kept AS SELECT id, part, age, ill FROM people;
ALTER TABLE ledger_names_source.kept OWNER TO regress_ln_source;
GRANT SELECT ON ledger_names_source.kept TO regress_ln_victim;
SET ROLE regress_ln_victim;
SELECT create_sequential_policy('ln keyed', 'ledger_names_source.kept', '{id,part}', '{age}', k => 4, publish_as => 'ledger_names.keyed', population => 'ln keyed');
SELECT (publish('ln keyed')).version;
SET ROLE regress_ln_taker;
CREATE TYPE key AS ENUM ('1', '2', '3');
CREATE FUNCTION to_key(text) RETURNS key LANGUAGE plpgsql AS $$ BEGIN PERFORM ledger_names.act(); RETURN '1'; END $$;
CREATE CAST (text AS key) WITH FUNCTION to_key(text);
SET ROLE regress_ln_source;
ALTER TABLE ledger_names_source.kept ALTER part TYPE key USING '1';
SET ROLE regress_ln_victim;
SELECT fails(call) FROM unnest(ARRAY[$$SELECT forget('ln keyed', '{1,1}')$$, $$SELECT publish('ln keyed')$$]) AS call;
RESET ROLE;
SELECT fails($$SELECT forget('ln keyed', '{1,1}')$$), marked();

DROP OWNED BY regress_ln_taker, regress_ln_victim, regress_ln_source, regress_ln_thief, regress_ln_owner, regress_ln_creates CASCADE;
DROP ROLE regress_ln_taker, regress_ln_victim, regress_ln_source, regress_ln_thief, regress_ln_owner, regress_ln_creates;
DROP TABLESPACE regress_ln_space;
