-- audit_k: sizes of classes, by rows and by persons.
CREATE SCHEMA audit_k;
SET search_path = audit_k, anon_seq, public;
CREATE TABLE t ("Job" text, age int4range, pid int);
INSERT INTO t VALUES ('a', '[1,5)', 1), ('a', '[1,5)', 1), ('a', '[1,5)', 2), (NULL, '[1,5)', 3), (NULL, '[1,5)', 4), ('b', NULL, NULL), ('b', NULL, 5), ('b', NULL, 6);
SELECT * FROM audit_k('t', '{Job,age}');
SELECT * FROM audit_k('t', '{Job}', 'pid');
SELECT * FROM audit_k('t', '{}');
SELECT * FROM audit_k('t', '{}', 'pid');
CREATE VIEW none AS SELECT * FROM t WHERE false;
SELECT * FROM audit_k('none', '{Job}');
SELECT * FROM audit_k('none', '{}', 'pid');
CREATE TABLE many AS SELECT g AS v FROM generate_series(1, 100) AS g, generate_series(1, g);
SELECT classes, smallest, average, jsonb_array_length(histogram) AS buckets, histogram -> 6 AS last, worst FROM audit_k('many', '{v}');

\set VERBOSITY verbose
\set SHOW_CONTEXT never
CREATE FUNCTION code_of(sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE detail text; hint text;
BEGIN
  EXECUTE sql;
  RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN concat_ws(' | ', SQLSTATE, SQLERRM, nullif(detail, ''), nullif(hint, ''));
END $$;
SELECT code_of($$SELECT audit_k(NULL, '{Job}')$$);
SELECT code_of($$SELECT audit_k('t', NULL)$$);
SELECT code_of($$SELECT audit_k('t', '{Job,NULL}')$$);
SELECT code_of($$SELECT audit_k('t', '{job}')$$);
SELECT code_of($$SELECT audit_k('t', '{Job,Job}')$$);
SELECT code_of($$SELECT audit_k('t', '{Job}', 'key')$$);
SELECT code_of($$SELECT audit_k('t', '{Job}', 'Job')$$);
-- What is met while reading shows no value.
CREATE VIEW bad AS SELECT ('secret' || "Job")::int AS v FROM t;
SELECT code_of($$SELECT audit_k('bad', '{v}')$$);
CREATE TABLE doc (d json);
SELECT code_of($$SELECT audit_k('doc', '{d}')$$);
-- It reads as its caller.
CREATE ROLE audit_stranger;
GRANT USAGE ON SCHEMA audit_k TO audit_stranger;
SET ROLE audit_stranger;
SELECT code_of($$SELECT audit_k('t', '{Job}')$$);
RESET ROLE;
-- Rows hidden by row-level security are an error, not a smaller answer.
ALTER TABLE t ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON t TO audit_stranger;
SET ROLE audit_stranger;
SELECT code_of($$SELECT audit_k('t', '{Job}')$$);
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA audit_k CASCADE;
DROP ROLE audit_stranger;
