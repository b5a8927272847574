-- Every function that writes says so itself in a read-only transaction, before it runs anything: which ones write is found in their results. A standby is in t/108_publications.
\set VERBOSITY terse
CREATE FUNCTION pg_temp.code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE statement;
  RETURN 'runs';
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE || CASE WHEN SQLSTATE = '25006' AND SQLERRM NOT LIKE 'cannot execute anon_seq.%' THEN ' not our words: ' || SQLERRM ELSE '' END;
END $$;
CREATE TABLE read_only_calls AS
SELECT p.oid::regprocedure AS function,
       format('SELECT * FROM anon_seq.%I(%s)', p.proname, (SELECT string_agg(
         CASE format_type(t, NULL) WHEN 'text' THEN '''x''' WHEN 'regclass' THEN '''pg_class''' WHEN 'text[]' THEN '''{x}''' WHEN 'integer[]' THEN '''{1}''' WHEN 'numeric[]' THEN '''{1}'''
           WHEN 'json' THEN '''{"x": ["y", "z"]}''' WHEN 'jsonb' THEN '''{}''' ELSE 'NULL' END || '::' || format_type(t, NULL), ', ' ORDER BY i)
         FROM unnest(p.proargtypes[0:p.pronargs - p.pronargdefaults - 1]) WITH ORDINALITY AS a (t, i))) AS call
  FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
 WHERE p.pronamespace = 'anon_seq'::regnamespace AND p.prokind = 'f' AND p.provolatile = 'v' AND p.prorettype <> 'trigger'::regtype AND l.lanname = 'c'
   AND p.proname NOT LIKE ALL (ARRAY['selftest%', 'spoil%', 'watch_for_tests']);
BEGIN;
SET TRANSACTION READ ONLY;
SELECT split_part(function::text, '(', 1) AS refused FROM read_only_calls WHERE pg_temp.code(call) = '25006' ORDER BY function::text COLLATE "C";
SELECT split_part(function::text, '(', 1) AS other, pg_temp.code(call) FROM read_only_calls WHERE pg_temp.code(call) <> '25006' ORDER BY function::text COLLATE "C";
SELECT anon_seq.publish('x');
ROLLBACK;
DROP TABLE read_only_calls;
