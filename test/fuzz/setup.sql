-- What every fuzzed database holds: small sources of many column types, policies of both methods with several options and versions, a
-- registered release, a second publisher. Run by a superuser in a new database of fuzz_dbo's; roles.sql has made the roles.
\set ON_ERROR_STOP on
SET client_min_messages = error;
SELECT setseed(0.5);
SET ROLE fuzz_dbo;
CREATE EXTENSION anon_seq;
SELECT anon_seq.grant_publish(r) FROM unnest('{fuzz_pub,fuzz_other}'::text[]) AS r;
GRANT CREATE ON SCHEMA anon_seq_ledger TO fuzz_pub;  -- more than a publisher has: owners damage their ledgers in more ways
CREATE SCHEMA fz;
GRANT ALL ON SCHEMA fz TO PUBLIC;

RESET ROLE;
SET ROLE fuzz_pub;
SET search_path = fz, anon_seq;
CREATE TYPE mood AS ENUM ('sad', 'so so', 'glad');
CREATE TABLE src AS
  SELECT i AS id, (ARRAY['nurse', 'clerk', 'baker', 'miner', NULL])[1 + i * 31 % 5] AS job, CASE WHEN i % 29 > 0 THEN 20 + i * 7 % 50 END AS age,
         (i * 37 % 100) / 4.0 AS num, (i * 17 % 90)::float8 / 8 AS fl, date '2024-01-01' + i * 11 % 200 AS d,
         timestamptz '2024-01-01 00:00:00+00' + i * 13 % 50 * interval '7 hours' AS ts, (enum_range(NULL::mood))[1 + i % 3] AS m, i % 2 = 0 AS b,
         (ARRAY['flu', 'cold', 'HIV', NULL])[1 + i % 4] AS diag, (20430 + i % 12)::text AS zip, timestamptz '2024-06-01 00:00:00+00' AS stamp
    FROM generate_series(1, 120) AS i;
CREATE TABLE src2 AS TABLE src;
CREATE TABLE src3 AS TABLE src;
CREATE TABLE old AS SELECT job, age, diag FROM src;
CREATE TABLE "odd ""table" AS SELECT i AS "a b", i % 7 AS "c""d", 'x' || i % 3 AS "é" FROM generate_series(1, 30) AS i;
CREATE VIEW seen AS SELECT * FROM src WHERE id < 60;
CREATE TABLE empty (id int, job text, age int);
CREATE TABLE paths AS SELECT 'leaf ' || i AS leaf, 'inner ' || i % 3 AS inside, 'root' AS root FROM generate_series(1, 12) AS i;
CREATE TABLE edges (child text, parent text);
INSERT INTO edges VALUES ('a', 'top'), ('b', 'top'), ('c', 'a');

SELECT create_taxonomy('job', '{"ANY": {"Service": ["nurse", "clerk"], "Manual": ["baker", "miner"]}}');
SELECT create_flat_taxonomy('mood', '{sad,so so,glad}');
SELECT create_prefix_taxonomy('zip', '{4,3,2}');
SELECT create_range_taxonomy('tens', 0, 1000, '{5,10,100}');
SELECT create_date_taxonomy('months', '{day,month,year}');
SELECT grant_taxonomy('job', 'public');

SELECT register_release('old', 'old', 'first');
SELECT create_sequential_policy('seq', 'src', 'id', '{job,age,d,num}', k => 4, sensitive => '{diag}', max_link => 0.9, label => 'diag', population => 'first',
  publish_as => 'fz.seq', options => '{"overlap": true, "dangling": "outer"}');
SELECT create_incremental_policy('inc', 'src2', 'id', '{age,job,num}', 4, sensitive => '{diag}', publish_as => 'fz.inc', population => 'inc');
SELECT create_incremental_policy('box', 'src3', 'id', '{job,age,d,zip}', 3, publish_as_is => '{diag}', publish_as => 'fz.box', population => 'box',
  options => '{"shape": "box", "categorical": "order", "object_id": true, "choice": "entropy"}');
SELECT create_incremental_policy('known', 'src2', 'id', '{age,job}', 3, publish_as => 'fz.known', population => 'known',
  options => '{"arrivals": "known", "domains": {"age": [20, 60]}, "keep": 2}');
SELECT create_incremental_policy('soon', 'src3', 'id', '{fl,ts}', 3, sensitive => '{m}', publish_as => 'fz.soon', population => 'soon',
  options => '{"erasure": "immediate", "changed_since": "stamp"}');
SELECT create_sequential_policy('join', 'src3', 'id', '{job,age}', publish_as => 'fz.join', population => 'join', previous => '{old}', options => '{"dangling": "outer"}',
  rules => '[{"kind": "anonymity", "x": ["job", "age", {"release": "old", "column": "job"}, {"release": "old", "column": "age"}], "y": ["person"], "min": 2}]');
SELECT create_sequential_policy('new', 'src', 'id', '{age,zip}', k => 5, population => 'new', publish_as => 'fz.new', options => '{"valid_split": true}');

CREATE VIEW policies_here AS SELECT name FROM unnest('{seq,inc,box,known,soon,join}'::text[]) AS name;
SELECT publish(name) FROM policies_here;
UPDATE src2 SET age = age + 1 WHERE id % 7 = 0;
INSERT INTO src2 SELECT id + 200, job, age, num, fl, d, ts, m, b, diag, zip, stamp FROM src WHERE id % 2 = 0;
INSERT INTO src3 SELECT id + 200, job, age, num, fl, d, ts, m, b, diag, zip, stamp + interval '1 day' FROM src WHERE id % 3 = 0;
SELECT publish(name) FROM policies_here WHERE name NOT IN ('seq', 'join');
DELETE FROM src2 WHERE id % 17 = 3;
DELETE FROM src3 WHERE id = 83;
UPDATE src3 SET age = age + 2, stamp = stamp + interval '2 days' WHERE id % 11 = 0;
INSERT INTO src3 SELECT id + 400, job, age, num, fl, d, ts, m, b, diag, zip, stamp + interval '3 days' FROM src WHERE id % 4 = 0;
SELECT publish(name) FROM policies_here WHERE name NOT IN ('seq', 'join');
UPDATE src SET age = age + 1 WHERE id % 5 = 0;
SELECT publish('seq');
SELECT retire_release('inc/1');
SELECT declare_inconsistent('job', 'nurse', 'diag', 'HIV');
SELECT grant_population('first', 'fuzz_dbo');
GRANT SELECT ON seq, inc, old TO fuzz_analyst;

RESET ROLE;
SET ROLE fuzz_other;
SET search_path = fz, anon_seq;
CREATE TABLE theirs AS SELECT i AS id, 20 + i * 3 % 40 AS age, 'd' || i % 4 AS diag FROM generate_series(1, 60) AS i;
SELECT create_sequential_policy('their policy', 'theirs', 'id', '{age}', k => 4, sensitive => '{diag}', population => 'theirs', publish_as => 'fz.their_release');
SELECT publish('their policy');
SELECT register_release('their old', 'theirs', 'theirs too', '{"age": "age"}');

-- What is left to publish is the same whatever a session has set: an error unless it has this digest. 
RESET ROLE;
CREATE FUNCTION fz.expect(policy text, expected text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  got text := (SELECT digest FROM anon_seq.publish(policy));
  broken text := (SELECT string_agg(check_name || ' of ' || scope, ', ') FROM anon_seq.audit(policy) WHERE NOT ok AND check_name NOT IN ('unguarded'));
BEGIN
  IF got IS DISTINCT FROM expected THEN
    RAISE EXCEPTION 'the digest of % depends on the settings', policy USING ERRCODE = 'internal_error';
  ELSIF broken IS NOT NULL THEN
    RAISE EXCEPTION 'the audit of % depends on the settings: %', policy, broken USING ERRCODE = 'internal_error';
  END IF;
END $$;
-- Runs some SQL as a function's EXCEPTION block does: what it has done is undone if it fails, and nothing else.
CREATE TABLE fz.probe (a int);
CREATE TABLE fz.kept (a int);
GRANT ALL ON fz.probe, fz.kept TO PUBLIC;
CREATE FUNCTION fz.attempt(call text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  state text; said text;
BEGIN
  INSERT INTO fz.probe VALUES (1);
  BEGIN
    INSERT INTO fz.probe VALUES (2);
    EXECUTE call;
    RAISE SQLSTATE '01FZZ';
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, said = MESSAGE_TEXT;
  END;
  IF (SELECT array_agg(a ORDER BY a) FROM fz.probe) IS DISTINCT FROM '{1}' THEN
    RAISE EXCEPTION 'an EXCEPTION block undid something else than its own' USING ERRCODE = 'internal_error', DETAIL = said;
  END IF;
  DELETE FROM fz.probe;
  IF state <> '01FZZ' THEN
    RAISE EXCEPTION USING ERRCODE = state, MESSAGE = said;
  END IF;
END $$;

-- Takes triggers from a table of one's own, and constraints as far as nothing depends on them.
CREATE FUNCTION fz.unbind(regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE x text;
BEGIN
  EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', $1);
  FOR x IN SELECT format('DROP CONSTRAINT %I', conname) FROM pg_constraint WHERE conrelid = $1
    UNION ALL SELECT format('ALTER %I DROP NOT NULL', attname) FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND attnotnull LOOP
    BEGIN
      EXECUTE format('ALTER TABLE %s %s', $1, x);
    EXCEPTION WHEN dependent_objects_still_exist OR invalid_table_definition THEN NULL;
    END;
  END LOOP;
END $$;
-- Sums over a ledger's rows would notice most damage: what lies behind them is tried where they are taken anew, as far as the library can.
DO $$ BEGIN
  CREATE FUNCTION fz.sum_anew(ledger text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_sum_anew';
EXCEPTION WHEN undefined_function THEN
  CREATE FUNCTION fz.sum_anew(ledger text) RETURNS void LANGUAGE sql AS '';
END $$;
-- Gives fuzz_dbo a copy of somebody's ledger, as he could have made it up, and a population of his own.
CREATE FUNCTION fz.copy_ledger(old text, new text, population text, distance int) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE x record; made text;
BEGIN
  FOR x IN SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind IN ('r', 'v') AND starts_with(relname, old || '_') ORDER BY relkind, relname LOOP
    made := format('anon_seq_ledger.%I', new || substr(x.relname, length(old) + 1));
    EXECUTE CASE x.relkind WHEN 'r' THEN format('CREATE TABLE %1$s (LIKE anon_seq_ledger.%2$I INCLUDING ALL); INSERT INTO %1$s TABLE anon_seq_ledger.%2$I', made, x.relname)
                           ELSE format('CREATE VIEW %s AS %s', made, replace(pg_get_viewdef(x.oid), old || '_', new || '_')) END;
    EXECUTE format('ALTER TABLE %s OWNER TO fuzz_dbo', made);
  END LOOP;
  made := format('anon_seq_ledger.n%s_population', distance + (SELECT p.id FROM anon_seq.population AS p WHERE p.name = $3));
  EXECUTE 'CREATE SEQUENCE ' || made;
  EXECUTE format('ALTER SEQUENCE %s OWNER TO fuzz_dbo', made);
END $$;
GRANT SELECT ON ALL TABLES IN SCHEMA fz TO fuzz_dbo;
