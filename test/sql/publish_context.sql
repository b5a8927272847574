-- Errors of statements of ours do not show these. Functions of the caller stay in their context, those of a view do not: they may show a value.
\set VERBOSITY default
\set SHOW_CONTEXT always
\a \t
CREATE SCHEMA publish_context;
SET search_path = publish_context, anon_seq, public;
SET client_min_messages = warning;
CREATE TABLE person AS SELECT i AS id, 20 + i % 30 AS age FROM generate_series(1, 100) AS i;
SELECT create_sequential_policy('context', 'person', 'id', '{age}', k => 5, population => 'context');
SELECT published FROM publish('context');
CREATE FUNCTION callers(statement text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE statement; END $$;
-- A value that is no key.
SELECT forget('context', 'nobody');
SELECT callers($$SELECT forget('context', 'nobody')$$);
-- Somebody else has the population; a transaction that may not write; a statement that takes too long.
BEGIN;
SELECT publish('context') IS NOT NULL;
PREPARE TRANSACTION 'publish_context';
SET lock_timeout = '20ms';
DO $$ DECLARE told text; BEGIN PERFORM publish('context'); EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS told = PG_EXCEPTION_CONTEXT; RAISE WARNING '% %', SQLSTATE, regexp_replace(told, '\(\d+,\d+\)', '(...)'); END $$;
RESET lock_timeout;
ROLLBACK PREPARED 'publish_context';
BEGIN READ ONLY;
SELECT forget('context', '1');
ROLLBACK;
CREATE FUNCTION slow() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN 1; END $$;
CREATE VIEW slowly AS SELECT id, age FROM person WHERE slow() > 0;
SET statement_timeout = '100ms';
SELECT suggest_taxonomy('slowly', 'age');
RESET statement_timeout;
-- What a function of the view's raises is withheld, whatever its code, and so is what it was doing.
CREATE FUNCTION refuses() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'somebody has it' USING ERRCODE = 'lock_not_available'; END $$;
CREATE VIEW refused AS SELECT id, age FROM person WHERE refuses() > 0;
SELECT callers($$SELECT suggest_taxonomy('refused', 'age')$$);
-- A statement that is wrong by what somebody did to the source meanwhile.
CREATE VIEW stale AS SELECT id, age FROM person;
SELECT create_sequential_policy('context stale', 'stale', 'id', '{age}', k => 5, population => 'context stale');
REVOKE ALL ON person FROM PUBLIC;
CREATE ROLE regress_context_owner;
GRANT USAGE, CREATE ON SCHEMA publish_context TO regress_context_owner;
ALTER VIEW stale OWNER TO regress_context_owner;
SELECT publish('context stale');
SET client_min_messages = error;
DROP SCHEMA publish_context CASCADE;
DROP OWNED BY regress_context_owner;
DROP ROLE regress_context_owner;
