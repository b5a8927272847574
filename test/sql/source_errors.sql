-- Sources that fail while they are read, and sources that the caller may not read: no message shows a cell.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

CREATE TABLE patient (id int, disease text);
INSERT INTO patient SELECT i, 'flu' FROM generate_series(1, 5000) AS i;
UPDATE patient SET disease = 'secret illness' WHERE id = 4321;
CREATE FUNCTION tell(disease text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF disease = 'flu' THEN RETURN disease; END IF;
  RAISE EXCEPTION 'patient has %', disease USING DETAIL = disease, HINT = disease, ERRCODE = 'raise_exception';
END $$;
CREATE VIEW as_number AS SELECT id, CASE disease WHEN 'flu' THEN 1 ELSE disease::int END AS disease FROM patient;
CREATE VIEW as_date AS SELECT id, CASE disease WHEN 'flu' THEN 'today' ELSE disease::date END AS disease FROM patient;
CREATE VIEW as_relation AS SELECT id, CASE disease WHEN 'flu' THEN 'pg_class' ELSE disease::regclass END AS disease FROM patient;
CREATE VIEW as_role AS SELECT id, CASE disease WHEN 'flu' THEN current_user::text ELSE ('x' || md5(disease))::regrole::text END AS disease FROM patient;
CREATE VIEW as_told AS SELECT id, tell(disease) AS disease FROM patient;
CREATE VIEW as_query AS SELECT id, CASE disease WHEN 'flu' THEN 'flu' ELSE disease::tsquery::text END AS disease FROM patient;
-- A function may raise what it likes under a code of the server's, or have the server say it.
CREATE FUNCTION tell_as(disease text, code text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF disease = 'flu' THEN RETURN disease; END IF;
  IF code = 'lock' THEN EXECUTE format('LOCK TABLE %I', disease); END IF;
  RAISE EXCEPTION 'patient has %', disease USING DETAIL = disease, HINT = disease, ERRCODE = code;
END $$;
CREATE VIEW as_state AS SELECT id, tell_as(disease, '55000') AS disease FROM patient;
CREATE VIEW as_right AS SELECT id, tell_as(disease, '42501') AS disease FROM patient;
CREATE VIEW as_end AS SELECT id, tell_as(disease, '57014') AS disease FROM patient;
CREATE VIEW as_lock AS SELECT id, tell_as(disease, 'lock') AS disease FROM patient;
SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy_from_paths(''bad'', %L)', v)) FROM unnest('{as_number,as_date,as_relation,as_role,as_told,as_query,as_state,as_right,as_lock}'::text[]) AS v;
SELECT pg_temp.fails(format('SELECT anon_seq.suggest_taxonomy(%L, ''disease'')', v)) FROM unnest('{as_number,as_told}'::text[]) AS v;
-- Not even in CONTEXT.
\set VERBOSITY default
\set SHOW_CONTEXT always
SELECT anon_seq.create_taxonomy_from_paths('bad', 'as_told');
SELECT anon_seq.create_taxonomy_from_paths('bad', 'as_number');
SELECT anon_seq.create_taxonomy_from_paths('bad', 'as_right');
SELECT anon_seq.create_taxonomy_from_paths('bad', 'as_end');
-- Where the server ends a wait inside a function, it says so.
CREATE FUNCTION nap(disease text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('SELECT pg_sleep(CASE WHEN %L = ''flu'' THEN 0 ELSE 60 END)', disease); RETURN disease; END $$;
CREATE VIEW as_nap AS SELECT id, nap(disease) AS disease FROM patient;
SET statement_timeout = '1s';
SELECT anon_seq.create_taxonomy_from_paths('bad', 'as_nap');
RESET statement_timeout;
\set SHOW_CONTEXT errors

-- Errors about names and rights pass as they are.
CREATE ROLE regress_anon_reader;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO regress_anon_reader;
CREATE MATERIALIZED VIEW unpopulated AS SELECT * FROM patient WITH NO DATA;
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'unpopulated')$$);
GRANT SELECT ON as_told TO regress_anon_reader;
GRANT SELECT (id) ON patient TO regress_anon_reader;
SET ROLE regress_anon_reader;
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'patient')$$);
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('patient', 'disease')$$);
SELECT anon_seq.suggest_taxonomy('patient', 'id');
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'as_told')$$);
RESET ROLE;

-- Where row-level security hides rows, a part of them is refused; setting row_security does not help.
CREATE TABLE ward (leaf text, root text);
INSERT INTO ward VALUES ('a', 'r'), ('b', 'r');
ALTER TABLE ward ENABLE ROW LEVEL SECURITY;
CREATE POLICY half ON ward USING (leaf = 'a');
GRANT SELECT ON ward TO regress_anon_reader;
SET ROLE regress_anon_reader;
SET row_security = on;
SELECT count(*) FROM ward;
SELECT pg_temp.fails($$SELECT anon_seq.create_taxonomy_from_paths('bad', 'ward')$$);
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('ward', 'leaf')$$);
SELECT current_setting('row_security');
RESET ROLE;
ALTER ROLE regress_anon_reader BYPASSRLS;
SET ROLE regress_anon_reader;
SELECT anon_seq.suggest_taxonomy('ward', 'leaf');
RESET ROLE;

SELECT count(*) FROM anon_seq.taxonomy;
REVOKE USAGE ON SEQUENCE anon_seq.publishers FROM regress_anon_reader;
DROP TABLE patient, ward CASCADE;
DROP FUNCTION tell;
DROP ROLE regress_anon_reader;
