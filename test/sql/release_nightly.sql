-- The nightly job: publish, audit, and what both said is kept, whatever fails.
\getenv dir PG_ABS_SRCDIR
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE SCHEMA release_nightly;
SET search_path = release_nightly, public;
\i :dir/data/fails.sql
CREATE ROLE regress_nightly_job;
CREATE ROLE regress_nightly_other;
GRANT USAGE, CREATE ON SCHEMA release_nightly TO regress_nightly_job;
SELECT anon_seq.grant_publish('regress_nightly_job');
SET ROLE regress_nightly_job;
CREATE TABLE visit AS SELECT i AS id, 20 + i % 30 AS age, (ARRAY['flu', 'hiv'])[1 + i % 2] AS ill FROM generate_series(1, 40) AS i;
SELECT anon_seq.create_incremental_policy('every night', 'release_nightly.visit', 'id', '{age}', 5, publish_as_is => '{ill}', publish_as => 'release_nightly.shown', population => 'release_nightly');
-- Before the first night.
SELECT policy, version, audited_at, ran_at FROM anon_seq.status WHERE policy = 'every night';
-- A good night, and one without news, whose NOTICE is kept.
CALL anon_seq.nightly('every night');
CALL anon_seq.nightly('every night');
SELECT step, version, ok, error, said FROM anon_seq.log WHERE policy = 'every night' ORDER BY at;
SELECT policy, version, published, waiting, deferred, shown, ran_ok, audit_ok, failure, audited_at > published_at AS then FROM anon_seq.status WHERE policy = 'every night';
SELECT count(DISTINCT at) AS audits, bool_and(ok) AS ok, count(*) FILTER (WHERE check_name = 'inference') AS attacks FROM anon_seq.audits WHERE policy = 'every night';
-- A publish that fails is raised at last, when the audit is done; both are kept.
INSERT INTO visit VALUES (1, 20, 'flu');
CALL anon_seq.nightly('every night');
SELECT step, version, ok, error FROM anon_seq.log WHERE policy = 'every night' ORDER BY at DESC LIMIT 1;
SELECT audit_ok, ran_ok, failure IS NOT NULL AS failed FROM anon_seq.status WHERE policy = 'every night';
SELECT count(DISTINCT at) FROM anon_seq.audits WHERE policy = 'every night';
DELETE FROM visit WHERE ctid = (SELECT max(ctid) FROM visit WHERE id = 1);
-- An audit that fails: the relation is not what was published.
DROP MATERIALIZED VIEW shown_r1 CASCADE;
CALL anon_seq.nightly('every night');
SELECT step, ok, error FROM anon_seq.log WHERE policy = 'every night' ORDER BY at DESC LIMIT 1;
SELECT check_name, ok, observed FROM anon_seq.audits WHERE policy = 'every night' AND NOT ok;
-- The next good night is seen to be good.
SELECT ran_ok, audit_ok, audit_failure IS NULL AS told FROM anon_seq.status WHERE policy = 'every night';
-- Both audit() and assert_audit() keep what they find, if nothing undoes it.
SELECT count(*) FILTER (WHERE NOT ok) FROM anon_seq.audit('every night');
SELECT pg_temp.fails($$SELECT anon_seq.assert_audit('every night')$$);
SELECT count(DISTINCT at) FROM anon_seq.audits WHERE policy = 'every night';
-- Nothing is written in a read-only transaction; audits run there.
BEGIN READ ONLY;
SELECT count(*) > 0 FROM anon_seq.audit('every night');
COMMIT;
SELECT count(DISTINCT at) FROM anon_seq.audits WHERE policy = 'every night';
-- Who cancels a night ends it: no audit follows.
CREATE FUNCTION slow() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN true; END $$;
CREATE VIEW slow_visit AS SELECT id, age, ill FROM visit WHERE id <> 5 OR slow();
SELECT anon_seq.create_incremental_policy('slow night', 'release_nightly.slow_visit', 'id', '{age}', 5, publish_as_is => '{ill}', publish_as => 'release_nightly.slowly', population => 'release_nightly slow');
SET statement_timeout = '500ms';
CALL anon_seq.nightly('slow night');
RESET statement_timeout;
SELECT step, ok, error FROM anon_seq.log WHERE policy = 'slow night';
SELECT count(*) FROM anon_seq.audits WHERE policy = 'slow night';
-- Unknown policies, transactions that are open, and others.
CALL anon_seq.nightly('nobody');
CALL anon_seq.nightly(NULL);
BEGIN;
CALL anon_seq.nightly('every night');
ROLLBACK;
SET ROLE regress_nightly_other;
SELECT count(*) FROM anon_seq.log WHERE policy = 'every night';
SELECT count(*) FROM anon_seq.audits WHERE policy = 'every night';
SELECT count(*) FROM anon_seq.status WHERE policy = 'every night';
CALL anon_seq.nightly('every night');
SELECT pg_temp.fails($$SELECT anon_seq.log_failure('every night', 'publish', 'never')$$);
SELECT pg_temp.fails($$INSERT INTO anon_seq.log_line (ledger) VALUES ('p1')$$);
RESET ROLE;
DROP SCHEMA release_nightly CASCADE;
SELECT anon_seq.revoke_publish('regress_nightly_job');
DROP OWNED BY regress_nightly_job, regress_nightly_other CASCADE;
DROP ROLE regress_nightly_job, regress_nightly_other;
