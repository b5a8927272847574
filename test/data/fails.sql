-- For tests: runs a statement that should fail and shows how, with its SQLSTATE.
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.fails(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  message text; detail text; hint text;
BEGIN
  EXECUTE statement;
  RETURN NEXT 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN NEXT SQLSTATE || ' ' || message;
  IF detail <> '' THEN RETURN NEXT '  detail: ' || replace(detail, E'\n', E'\n    '); END IF;
  IF hint <> '' THEN RETURN NEXT '  hint: ' || hint; END IF;
END $$;
