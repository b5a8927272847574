\echo Use "ALTER EXTENSION anon_seq UPDATE" to load this file. \quit
-- For tests only: an update as a later version might bring it. It touches members of the extension, never a ledger: those are
-- brought up to date by the library, as their owners, when they are used.

-- An argument more: the old signature goes, since two would not be told apart in a call with one argument.
DROP FUNCTION anon_seq.point(text);
CREATE FUNCTION anon_seq.point(policy text, patience interval DEFAULT NULL) RETURNS boolean
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_point';
COMMENT ON FUNCTION anon_seq.point(text, interval) IS 'lets the stable names of a policy show its newest version';
