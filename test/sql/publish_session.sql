-- Code of another role that runs while we read what is his finds nothing of the session's: no cursor, no function of ours that writes, no
-- setting. And what roles without a right on something can do to it stops nobody who has one.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_ss_owner;
CREATE ROLE regress_ss_steward;
CREATE ROLE regress_ss_stranger;
SET search_path = anon_seq;
SET client_min_messages = error;
SELECT grant_publish('regress_ss_owner'), grant_publish('regress_ss_steward');
CREATE SCHEMA ss AUTHORIZATION regress_ss_owner;
CREATE SCHEMA ss_steward AUTHORIZATION regress_ss_steward;
GRANT USAGE ON SCHEMA ss, ss_steward TO PUBLIC;
SET ROLE regress_ss_owner;
CREATE TABLE ss.seen (who text, what text) WITH (autovacuum_enabled = off);
CREATE TABLE ss.visit WITH (autovacuum_enabled = off) AS SELECT i AS id, 20 + i % 40 AS age, (ARRAY['flu', 'asthma', 'gout'])[1 + i % 3] AS illness FROM generate_series(1, 200) AS i;
GRANT SELECT ON ss.visit TO regress_ss_steward;
SELECT grant_population('ss.visit', 'regress_ss_steward');
SELECT create_sequential_policy('ss own', 'ss.visit', 'id', '{age}', k => 3, previous => '{}', population => 'ss.visit', publish_as => 'ss.own');
-- An index of the source's owner: planning a query folds its predicate, which is said to be immutable.
CREATE FUNCTION ss.act() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record; cursor refcursor; got record;
BEGIN
  IF current_setting('ss.armed', true) IS DISTINCT FROM 'on' THEN RETURN; END IF;
  INSERT INTO ss.seen SELECT current_user, 'cursor of ours' FROM pg_cursors WHERE statement ~ 'ss.visit' AND statement !~ 'pg_cursors';
  FOR one IN SELECT name FROM pg_cursors WHERE statement !~ 'pg_cursors' ORDER BY 1 LOOP
    cursor := one.name;
    BEGIN
      FETCH cursor INTO got;
      INSERT INTO ss.seen VALUES (current_user, 'fetched ' || got::text);
    EXCEPTION WHEN OTHERS THEN INSERT INTO ss.seen VALUES (current_user, regexp_replace(SQLERRM, '[0-9]+', 'N'));
    END;
    BEGIN CLOSE cursor; INSERT INTO ss.seen VALUES (current_user, 'closed'); EXCEPTION WHEN OTHERS THEN NULL; END;
  END LOOP;
  FOR i IN 1..1000 LOOP  -- those that are not listed
    cursor := '<unnamed portal ' || i || '>';
    BEGIN FETCH cursor INTO got; INSERT INTO ss.seen VALUES (current_user, 'fetched by number'); EXCEPTION WHEN OTHERS THEN NULL; END;
    BEGIN CLOSE cursor; INSERT INTO ss.seen VALUES (current_user, 'closed by number'); EXCEPTION WHEN OTHERS THEN NULL; END;
  END LOOP;
  BEGIN
    PERFORM anon_seq.publish('ss own');
    INSERT INTO ss.seen VALUES (current_user, 'published');
  EXCEPTION WHEN OTHERS THEN INSERT INTO ss.seen VALUES (current_user, SQLERRM);
  END;
END $$;
CREATE FUNCTION ss.spring(what int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM ss.act(); RETURN true; END $$;
CREATE INDEX ON ss.visit (age) WHERE ss.spring(1);
TRUNCATE ss.seen;
SET ss.armed = on;
SET ROLE regress_ss_steward;
SELECT create_sequential_policy('ss theirs', 'ss.visit', 'id', '{age}', k => 3, population => 'ss.visit', publish_as => 'ss_steward.theirs');
BEGIN;
DECLARE mine CURSOR FOR SELECT 'secret' AS secret FROM generate_series(1, 3);
SELECT version FROM publish('ss theirs');
FETCH ALL FROM mine;
COMMIT;
SET ss.armed = off;
RESET ROLE;
SELECT DISTINCT who, what FROM ss.seen ORDER BY 1, 2;
SELECT name, version FROM anon_seq.release WHERE name LIKE 'ss %';
-- Nor does a loop of the caller's end early; and a hundred cursors later nothing has leaked.
SET ROLE regress_ss_owner;
CREATE OR REPLACE FUNCTION ss.act() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record; cursor refcursor; got record;
BEGIN
  IF current_setting('ss.armed', true) IS DISTINCT FROM 'on' THEN RETURN; END IF;
  FOR one IN SELECT name FROM pg_cursors WHERE statement !~ 'pg_cursors' LOOP
    cursor := one.name;
    BEGIN LOOP FETCH cursor INTO got; EXIT WHEN NOT FOUND; END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END;
  END LOOP;
END $$;
SET ss.armed = on;
SET ROLE regress_ss_steward;
DO $$
DECLARE
  one record; said text := '';
BEGIN
  FOR one IN SELECT i FROM generate_series(1, 120) AS i LOOP
    PERFORM anon_seq.suggest_taxonomy('ss.visit', 'age');
    said := 'round ' || one.i;
  END LOOP;
  RAISE INFO '%', said;
END $$;
SET ss.armed = off;
SET ROLE regress_ss_owner;
DROP INDEX ss.visit_age_idx;
SELECT create_sequential_policy('ss closing', 'ss.visit', 'id', '{age}', sensitive => '{illness}', k => 3, population => 'ss closing', publish_as => 'ss.closing');
SELECT version FROM publish('ss closing');
-- His own trigger on his ledger would write there while we do.
SELECT format('anon_seq_ledger.p%s_note', substring(l.relname FROM 'p([0-9]+)_')) AS note FROM pg_class AS l WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relowner = 'regress_ss_owner'::regrole AND relname ~ '^p[0-9]+_cell$' ORDER BY oid DESC LIMIT 1 \gset
CREATE FUNCTION ss.write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER writes AFTER UPDATE ON :note FOR EACH ROW EXECUTE FUNCTION ss.write();
SELECT regexp_replace(f, 'p[0-9]+_', 'p_') AS f FROM pg_temp.fails($$SELECT publish('ss closing')$$) AS f;
DROP TRIGGER writes ON :note;
-- Whatever else he could give it that runs code of his.
CREATE FUNCTION ss.evil(int) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
CREATE DOMAIN ss.dom AS int CHECK (ss.evil(VALUE));
CREATE FUNCTION ss.differ(int, int) RETURNS boolean LANGUAGE sql AS $$ SELECT $1 <> $2 $$;
CREATE OPERATOR ss.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq, NEGATOR = OPERATOR(ss.!==));
CREATE OPERATOR ss.!== (LEFTARG = int, RIGHTARG = int, FUNCTION = ss.differ, NEGATOR = OPERATOR(ss.===));
CREATE TABLE ss.child (version int);
CREATE FUNCTION ss.tried(change text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  said text;
BEGIN
  EXECUTE replace(change, 'NOTE', current_setting('ss.note'));
  PERFORM anon_seq.publish('ss closing');
  RETURN NEXT 'published';
EXCEPTION WHEN data_corrupted THEN
  GET STACKED DIAGNOSTICS said = PG_EXCEPTION_DETAIL;
  RETURN NEXT regexp_replace(said, 'p[0-9]+_', 'p_');
END $$;
SELECT set_config('ss.note', :'note', false) IS NOT NULL AS set;
SELECT c AS change, ss.tried(c) FROM unnest(ARRAY['ALTER TABLE NOTE ADD CHECK ((version::ss.dom) IS NOT NULL) NOT VALID', 'ALTER TABLE NOTE ADD CHECK (pg_catalog.query_to_xml(''SELECT 1'', true, true, '''') IS NOT NULL) NOT VALID',
  'ALTER TABLE NOTE ADD CHECK (NOT (version OPERATOR(ss.===) -1)) NOT VALID', 'ALTER TABLE NOTE ADD more int DEFAULT length(pg_catalog.query_to_xml(''SELECT 1'', true, true, '''')::text)', 'ALTER TABLE NOTE ADD c99 ss.dom', 'CREATE RULE r AS ON INSERT TO NOTE DO ALSO NOTHING',
  'ALTER TABLE NOTE ENABLE ROW LEVEL SECURITY', 'CREATE STATISTICS ss.st ON (version + 1), (version + 2) FROM NOTE', 'ALTER TABLE ss.child ADD FOREIGN KEY (version) REFERENCES NOTE']) AS c;
-- A view of the ledger that reads another one; a key of an enum of his own is nothing of the kind.
CREATE TYPE ss.pid AS ENUM ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
CREATE TABLE ss.few AS SELECT p AS id, 20 + length(p::text) AS age FROM unnest(enum_range(NULL::ss.pid)) AS p;
SELECT create_incremental_policy('ss few', 'ss.few', 'id', '{age}', 3, population => 'ss few', publish_as => 'ss.few_out');
SELECT version FROM publish('ss few');
SELECT count(*) > 0, bool_and(ok) FROM audit('ss few', everything => true);
BEGIN;
DO $$
DECLARE
  seen text := (SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relname ~ '_object$' AND relkind = 'v' AND relowner = 'regress_ss_owner'::regrole);
BEGIN
  EXECUTE format('CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO %s DO INSTEAD SELECT * FROM (%s) AS o WHERE NOT (version OPERATOR(ss.===) -1)', seen, rtrim(pg_get_viewdef(seen::regclass), ';'));
END $$;
SELECT regexp_replace(f, 'p[0-9]+_', 'p_', 'g') AS f FROM pg_temp.fails($$SELECT count(*) FROM audit('ss few')$$) AS f;
ROLLBACK;
DO $$
DECLARE
  seen text := (SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relname ~ '_object$' AND relkind = 'v' AND relowner = 'regress_ss_owner'::regrole);
BEGIN
  EXECUTE format('CREATE TABLE ss.forged AS SELECT * FROM %s', seen);
  EXECUTE format('CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO %s DO INSTEAD SELECT * FROM ss.forged', seen);
END $$;
SELECT regexp_replace(f, 'p[0-9]+_', 'p_', 'g') AS f FROM pg_temp.fails($$SELECT count(*) FROM audit('ss few')$$) AS f;
-- A collation of another role would take ledgers with it when it goes.
CREATE COLLATION ss.mine (PROVIDER = libc, LOCALE = 'C');
CREATE TABLE ss.collated AS SELECT id, age, illness COLLATE ss.mine AS illness FROM ss.visit;
GRANT SELECT ON ss.collated TO regress_ss_steward;
SELECT grant_population('ss.collated', 'regress_ss_steward');
SET ROLE regress_ss_steward;
SELECT pg_temp.fails($$SELECT create_sequential_policy('ss collated', 'ss.collated', 'id', '{age}', sensitive => '{illness}', k => 3, publish_as => 'ss_steward.collated')$$);
-- Views of a stranger, who may not read what they stand on: they keep nothing from being withdrawn or dropped.
SELECT create_sequential_policy('ss unborn', 'ss.visit', 'id', '{age}', k => 3, population => 'ss unborn', publish_as => 'ss_steward.unborn');
SET ROLE regress_ss_stranger;
\set ECHO none
SELECT format('CREATE TEMP VIEW v%s AS SELECT * FROM %s', row_number() OVER (), c.oid::regclass) FROM pg_class AS c WHERE c.relowner = 'regress_ss_steward'::regrole AND c.relkind IN ('r', 'v', 'm') AND c.relnamespace IN ('anon_seq_ledger'::regnamespace, 'ss_steward'::regnamespace) \gexec
\set ECHO all
SET ROLE regress_ss_steward;
SELECT alter_policy('ss unborn', '{"person": null}'), drop_policy('ss unborn');
-- What is a table of his stays, and a copy that somebody could make once counts.
RESET ROLE;
CREATE TABLE ss.diary AS SELECT 1::bigint AS a;
ALTER TABLE ss.diary OWNER TO regress_ss_stranger;
GRANT USAGE, CREATE ON SCHEMA ss TO regress_ss_stranger;
SET ROLE regress_ss_stranger;
CREATE RULE count_rows AS ON DELETE TO ss.diary DO ALSO INSERT INTO ss.diary SELECT count(*) FROM ss_steward.theirs_r1;
SET ROLE regress_ss_steward;
BEGIN;
GRANT SELECT ON ss_steward.theirs_r1 TO regress_ss_stranger;
SET LOCAL ROLE regress_ss_stranger;
CREATE MATERIALIZED VIEW ss.copy AS SELECT * FROM ss_steward.theirs_r1;
SET LOCAL ROLE regress_ss_steward;
REVOKE SELECT ON ss_steward.theirs_r1 FROM regress_ss_stranger;
SELECT pg_temp.fails($$SELECT withdraw_release('ss theirs/1', 'a trial')$$);
ROLLBACK;
SELECT withdraw_release('ss theirs/1', 'a trial');
SELECT count(*) FROM pg_class WHERE oid = to_regclass('ss.diary');
-- A stranger makes no population out of a temporary table, and learns of nobody's by asking to forget.
SET ROLE regress_ss_stranger;
CREATE TEMP TABLE t (a int);
SELECT pg_temp.fails(format('SELECT grant_population(%L, ''public'')', (SELECT nspname || '.t' FROM pg_namespace WHERE oid = pg_my_temp_schema()))) ~ '^42704 population .* does not exist|hint:' AS refused;
SELECT pg_temp.fails($$SELECT forget('ss.visit', '1')$$), pg_temp.fails($$SELECT forget('nobody', '1')$$);
-- What was registered and has been closed, or is temporary.
SET ROLE regress_ss_owner;
CREATE TEMP TABLE old AS SELECT age FROM ss.visit;
SELECT pg_temp.fails($$SELECT register_release('ss old', 'pg_temp.old', 'ss.visit')$$) ~ 'is temporary' AS refused;
-- Who has lost his ledger stops no erasure.
SELECT version FROM publish('ss own');
RESET ROLE;
SELECT p.id AS own FROM anon_seq.policy AS p WHERE p.name = 'ss own' \gset
\set ECHO none
SELECT format('DROP TABLE IF EXISTS anon_seq_ledger.p%s_%s CASCADE', :own, n) FROM unnest('{cell,note,person,sum}'::text[]) AS n \gexec
\set ECHO all
SET client_min_messages = warning;
SET ROLE regress_ss_steward;
SELECT count(*) FROM forget('ss.visit', '7');
RESET ROLE;
SET client_min_messages = error;
-- Nor does who has moved his table of persons pass for one without persons.
SET ROLE regress_ss_owner;
SELECT version FROM publish('ss closing');
SELECT replace(:'note', '_note', '_person') AS person \gset
BEGIN;
ALTER TABLE :person SET SCHEMA ss;
SELECT pg_temp.fails($$SELECT count(*) FROM forget('ss closing', '7')$$) ~ 'was altered|is missing|hint|detail' AS noticed;
ROLLBACK;
RESET ROLE;
-- What one role was told is not in the log of another.
SET ROLE regress_ss_steward;
SELECT create_incremental_policy('ss told', 'ss.visit', 'id', '{age}', 3, population => 'ss told', publish_as => 'ss_steward.told');
SELECT version FROM publish('ss told');
SET ROLE regress_ss_owner;
SELECT log_failure('ss closing', 'publish', 'x');
SELECT said FROM log WHERE policy = 'ss closing' ORDER BY at DESC LIMIT 1;
RESET ROLE;
SELECT drop_policy(name) FROM anon_seq.policies WHERE name LIKE 'ss %' AND name <> 'ss own';
DELETE FROM anon_seq.audit_record WHERE policy IN (SELECT id FROM anon_seq.policy WHERE name LIKE 'ss %');
DELETE FROM anon_seq.policy WHERE name LIKE 'ss %';
DELETE FROM anon_seq.release WHERE name LIKE 'ss %';
SELECT revoke_publish('regress_ss_owner'), revoke_publish('regress_ss_steward');
DROP OWNED BY regress_ss_owner, regress_ss_steward, regress_ss_stranger CASCADE;
DROP ROLE regress_ss_owner, regress_ss_steward, regress_ss_stranger;
