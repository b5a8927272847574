-- A source whose rows are on other nodes: here a table stands for the one of citus that lists such tables.
SET client_min_messages = error;
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_di_owner; CREATE ROLE regress_di_steward;
CREATE SCHEMA distributed AUTHORIZATION regress_di_owner;
GRANT USAGE, CREATE ON SCHEMA distributed TO regress_di_steward;
SET search_path = distributed, anon_seq, public;
SELECT grant_publish('regress_di_steward');
CREATE TABLE standin (logicalrelid regclass, partmethod "char");
GRANT SELECT ON standin TO PUBLIC;
SET ROLE regress_di_owner;
CREATE TABLE visit (id int PRIMARY KEY, age int);
INSERT INTO visit SELECT i, 20 + i % 9 FROM generate_series(1, 90) AS i;
GRANT SELECT ON visit TO regress_di_steward;
SET ROLE regress_di_steward;
-- What a view runs sees that our DDL stays on this node.
CREATE FUNCTION seen(a int) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN
  IF current_setting('citus.enable_ddl_propagation', true) = 'on' THEN RAISE EXCEPTION 'propagated'; END IF; RETURN a; END $$;
CREATE VIEW visits AS SELECT id, distributed.seen(age) AS age FROM visit;
RESET ROLE;
INSERT INTO standin VALUES ('visit', 'h');
-- A table of that name elsewhere counts for nothing, nor does one that is no part of the extension.
CREATE TABLE pg_dist_partition (logicalrelid regclass);
INSERT INTO pg_dist_partition VALUES ('visit');
SET ROLE regress_di_steward;
SELECT create_sequential_policy('di', 'visits', 'id', '{age}', 4, publish_as => 'distributed.out', previous => '{}', population => 'di');
RESET ROLE;
SELECT pg_temp.fails($$SELECT watch_source('visit', '{id}')$$);
SELECT unwatch_source('visit');
SET citus.enable_ddl_propagation = 'on';
BEGIN;
SELECT version FROM publish('di');
SELECT mode FROM pg_locks WHERE relation = 'visit'::regclass AND pid = pg_backend_pid() AND mode <> 'RowShareLock' ORDER BY 1;
ROLLBACK;
SET anon_seq.distribution_catalog = 'distributed.standin';
SELECT pg_temp.fails($$SELECT watch_source('visit', '{id}')$$);
SET ROLE regress_di_steward;
SELECT pg_temp.fails($$SET anon_seq.distribution_catalog = ''$$);
BEGIN;
SELECT version FROM publish('di');
SELECT mode FROM pg_locks WHERE relation = 'visit'::regclass AND pid = pg_backend_pid() AND mode <> 'RowShareLock' ORDER BY 1;
COMMIT;
-- A preview locks nobody out.
BEGIN;
SELECT feasible FROM preview('di');
SELECT mode FROM pg_locks WHERE relation = 'visit'::regclass AND pid = pg_backend_pid() AND mode <> 'RowShareLock' ORDER BY 1;
COMMIT;
SHOW citus.enable_ddl_propagation;
RESET ROLE;
-- What was watched before it was distributed is read as a whole.
RESET anon_seq.distribution_catalog;
SELECT watch_source('visit', '{id}');
SELECT create_sequential_policy('di watched', 'visit', 'id', '{age}', 4, publish_as => 'distributed.watched', previous => '{}', population => 'di watched');
SELECT version FROM publish('di watched');
UPDATE visit SET age = 25 WHERE id < 5;
SET anon_seq.distribution_catalog = 'distributed.standin';
SET client_min_messages = notice;
\set VERBOSITY terse
SELECT version FROM publish('di watched');
SET client_min_messages = error;
RESET anon_seq.distribution_catalog;
SELECT unwatch_source('visit'), drop_policy('di'), drop_policy('di watched'), revoke_publish('regress_di_steward');
DROP SCHEMA distributed CASCADE;
DROP OWNED BY regress_di_owner, regress_di_steward CASCADE;
DROP ROLE regress_di_owner, regress_di_steward;
