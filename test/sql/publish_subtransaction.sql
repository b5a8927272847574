-- What fails inside preview, or inside the part of publish that retires, is undone to the level that the caller began: his transaction,
-- savepoints and EXCEPTION blocks go on as they would after any other error.
\set VERBOSITY terse
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA publish_subtransaction;
SET search_path = publish_subtransaction, anon_seq;
SET client_min_messages = warning;
CREATE TABLE visit AS SELECT i AS id, 20 + i % 50 AS age FROM generate_series(1, 120) AS i;
CREATE FUNCTION trouble(id int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
  IF id = 77 AND current_setting('trouble.kind', true) = 'error' THEN RAISE division_by_zero; END IF;
  IF id = 77 AND current_setting('trouble.kind', true) = 'slow' THEN PERFORM pg_sleep(60); END IF;
  RETURN id;
END $$;
CREATE VIEW troubled AS SELECT trouble(id) AS id, age FROM visit;
CREATE TABLE written (a int);
SELECT create_sequential_policy('troubled', 'troubled', 'id', '{age}', k => 5, publish_as => 'troubled_out', population => 'troubled');

-- Each statement a transaction of its own: the next one works, and what it writes is there for others.
SET trouble.kind = 'error';
SELECT * FROM preview('troubled');
INSERT INTO written VALUES (1);
\c -
SET search_path = publish_subtransaction, anon_seq;
SET client_min_messages = warning;
SELECT array_agg(a) FROM written;
-- A timeout, and a lock that is not given.
SET trouble.kind = 'slow';
SET statement_timeout = '50ms';
SELECT count(*) FROM preview('troubled');
RESET statement_timeout;
INSERT INTO written VALUES (2);
-- An EXCEPTION block undoes what it began, no more and no less.
SET trouble.kind = 'error';
DO $$ BEGIN
  INSERT INTO written VALUES (3);
  BEGIN
    INSERT INTO written VALUES (-1);
    PERFORM preview('troubled');
  EXCEPTION WHEN OTHERS THEN INSERT INTO written VALUES (4);
  END;
  BEGIN
    PERFORM preview('troubled', ARRAY['{"k": 6}', '{"k": 7}']::jsonb[]);
  EXCEPTION WHEN OTHERS THEN NULL;
  END;
  INSERT INTO written VALUES (5);
END $$;
-- In a transaction with savepoints.
BEGIN;
INSERT INTO written VALUES (6);
SAVEPOINT s;
INSERT INTO written VALUES (-2);
SELECT * FROM preview('troubled');
ROLLBACK TO s;
INSERT INTO written VALUES (7);
COMMIT;
SELECT pg_current_xact_id_if_assigned() IS NULL AS no_transaction_is_left;
\c -
SET search_path = publish_subtransaction, anon_seq;
SET client_min_messages = warning;
SELECT array_agg(a ORDER BY a) FROM written;

-- preview leaves nothing behind when it works, nor a setting that its source turned.
SET trouble.kind = 'none';
SELECT feasible, classes FROM preview('troubled', ARRAY['{}', '{"k": 200}', '{"k": 6}']::jsonb[]);
SELECT count(*) FROM pg_class WHERE relname ~ '^troubled_out';

-- publish that retires an older version: an event trigger refuses the drop, after the version was made. All of it is undone.
SELECT create_incremental_policy('kept', 'visit', 'id', '{age}', 5, publish_as => 'kept_out', population => 'kept', options => '{"keep": 1}');
SELECT version FROM publish('kept');
CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no relation is dropped today'; END $$;
CREATE EVENT TRIGGER publish_subtransaction_refuse ON ddl_command_start WHEN TAG IN ('DROP MATERIALIZED VIEW') EXECUTE FUNCTION refuse();
INSERT INTO visit SELECT 1000 + i, 20 + i % 50 FROM generate_series(1, 60) AS i;
SELECT version FROM publish('kept');
DO $$ BEGIN
  INSERT INTO written VALUES (8);
  BEGIN
    PERFORM publish('kept');
  EXCEPTION WHEN OTHERS THEN INSERT INTO written VALUES (9);
  END;
END $$;
DROP EVENT TRIGGER publish_subtransaction_refuse;
\c -
SET search_path = publish_subtransaction, anon_seq;
SET client_min_messages = warning;
SELECT array_agg(a ORDER BY a) FROM written;
SELECT policy, version FROM releases WHERE policy = 'kept';
SELECT version FROM publish('kept');
SELECT relname FROM pg_class WHERE relname ~ '^kept_out' ORDER BY 1;
SELECT drop_policy('troubled'), drop_policy('kept');
DROP SCHEMA publish_subtransaction CASCADE;
