-- A source, or a relation of paths, is code of whoever made it: it changes no setting of ours or of the caller's, and runs nothing with
-- the catalog's rights.
\set VERBOSITY terse
CREATE ROLE mallory;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO mallory;
CREATE SCHEMA evil AUTHORIZATION mallory;
SET ROLE mallory;
CREATE TABLE evil.trap (who text);
GRANT INSERT ON evil.trap TO PUBLIC;
CREATE FUNCTION evil.spring(boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO evil.trap VALUES (current_user);
  RETURN true;
END $$;
CREATE FUNCTION evil.turn() RETURNS int LANGUAGE sql AS $$ SELECT 1 FROM set_config('search_path', 'evil, pg_catalog', false) $$;
CREATE DOMAIN evil.text AS pg_catalog.text CHECK (evil.spring(VALUE IS NULL));
CREATE DOMAIN evil.jsonb AS pg_catalog.jsonb CHECK (evil.spring(VALUE IS NULL));
CREATE VIEW evil.people AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS job FROM generate_series(1, 20) AS i WHERE evil.turn() = 1;
CREATE VIEW evil.paths AS SELECT job AS leaf, 'ANY' AS root FROM evil.people;
SELECT anon_seq.create_taxonomy_from_paths('mallory''s job', 'evil.paths');
SELECT anon_seq.suggest_taxonomy('evil.people', 'job');
SELECT anon_seq.create_sequential_policy('mallory', 'evil.people', 'id', '{job}', k => 2, taxonomies => '{"job": "mallory''s job"}', publish_as => 'evil.out');
SELECT version, published FROM anon_seq.publish('mallory');
-- So is her own ledger, which she may alter: what reads its rows runs a cast of hers, and changes no setting either. Where her operator
-- stood for the one of pg_catalog, the superuser who makes the relations of ledgers would run it.
CREATE TABLE evil.t AS SELECT i AS id, 20 + i * 7 % 50 AS age, (ARRAY['flu', 'asthma', 'fracture'])[1 + i % 3] AS diagnosis FROM generate_series(1, 300) AS i;
SELECT anon_seq.create_incremental_policy('mallory''s ledger', 'evil.t', 'id', '{age}', 10, publish_as_is => '{diagnosis}', publish_as => 'evil.told', options => '{"storage": "shared"}');
SELECT count(*) FROM anon_seq.publish('mallory''s ledger');
CREATE TYPE evil.b AS ENUM ('false', 'true');
CREATE FUNCTION evil.tob(evil.b) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('search_path', 'evil, pg_catalog', false); RETURN $1::pg_catalog.text::boolean; END $$;
CREATE CAST (evil.b AS boolean) WITH FUNCTION evil.tob(evil.b) AS IMPLICIT;
DO $$
BEGIN
  EXECUTE (SELECT format('ALTER TABLE %s ALTER COLUMN rejoined TYPE evil.b USING rejoined::text::evil.b', oid::regclass) FROM pg_class WHERE relname ~ '^p[0-9]+_gone$' AND relowner = 'mallory'::regrole);
END $$;
CREATE FUNCTION evil.eqr(oid, regclass) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF current_user <> 'mallory' THEN ALTER ROLE mallory CREATEDB; END IF;
  RETURN pg_catalog.oideq($1, $2);
END $$;
CREATE OPERATOR evil.= (LEFTARG = oid, RIGHTARG = regclass, FUNCTION = evil.eqr);
DELETE FROM evil.t WHERE id IN (7, 107);
DO $$ BEGIN PERFORM anon_seq.publish('mallory''s ledger'); RAISE NOTICE 'published'; EXCEPTION WHEN data_corrupted THEN RAISE NOTICE 'refused'; END $$;
DELETE FROM evil.t WHERE id IN (8, 108);
DO $$ BEGIN PERFORM anon_seq.publish('mallory''s ledger'); RAISE NOTICE 'published'; EXCEPTION WHEN data_corrupted THEN RAISE NOTICE 'refused'; END $$;
SELECT rolcreatedb FROM pg_catalog.pg_roles WHERE rolname = 'mallory';
SHOW search_path;
SELECT anon_seq.drop_policy('mallory''s ledger');
RESET ROLE;

-- A superuser does it for her: his search_path stays, and nothing ran as anybody but her.
SHOW search_path;
SELECT version, published FROM anon_seq.publish('mallory');
SELECT feasible FROM anon_seq.preview('mallory');
SELECT bool_and(ok) FROM anon_seq.audit('mallory', everything => true);
SHOW search_path;
SELECT count(*) FROM evil.trap WHERE who <> 'mallory';

SELECT anon_seq.drop_policy('mallory');
DROP VIEW evil.out_flat, evil.out;
DROP OWNED BY mallory CASCADE;
DROP ROLE mallory;
