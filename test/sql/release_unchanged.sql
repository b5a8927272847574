-- Nights on which nothing changed: the result of the last good audit stands, with its date; and when an audit is full.
\getenv dir PG_ABS_SRCDIR
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE SCHEMA release_unchanged;
SET search_path = release_unchanged, anon_seq, public;
\i :dir/data/fails.sql
CREATE ROLE regress_unchanged;
CREATE ROLE regress_unchanged_reader;
CREATE ROLE regress_unchanged_dbo;
GRANT USAGE, CREATE ON SCHEMA release_unchanged TO regress_unchanged;
SELECT grant_publish('regress_unchanged');
-- What the last line of `audits` is: counted on that night, or standing since an earlier one; and whether it was full, which takes its mark back.
CREATE VIEW release_unchanged.last AS
  SELECT p.name, CASE WHEN a.counted_at IS NULL THEN 'counted' ELSE 'stands' END AS result, a.ok, r.runs, r.wanted - r.heeded AS wanted, r.good, r.versions
    FROM anon_seq.policy AS p JOIN LATERAL (SELECT * FROM anon_seq.audit_result AS a WHERE a.policy = p.name ORDER BY a.at DESC LIMIT 1) AS a ON true JOIN anon_seq.audit_record AS r ON r.policy = p.id
   WHERE p.population IN (SELECT u.population FROM anon_seq.policy AS u WHERE u.name = 'unchanged' OR u.source_schema = 'release_unchanged');
GRANT SELECT ON release_unchanged.last TO PUBLIC;
SET ROLE regress_unchanged;
CREATE TABLE visit AS SELECT i AS id, 20 + i % 30 AS age, (ARRAY['flu', 'hiv'])[1 + i % 2] AS ill FROM generate_series(1, 60) AS i;
SELECT create_taxonomy('unchanged ill', '{"ANY": {"A": ["flu"], "B": ["hiv"]}}');
SELECT create_incremental_policy('unchanged', 'visit', 'id', '{age,ill}', 5, publish_as => 'unchanged', population => 'unchanged', taxonomies => '{"ill": "unchanged ill"}', options => '{"full_audit_every": 1000}');
CALL nightly('unchanged');
TABLE last;
-- Nothing changed.
CALL nightly('unchanged');
TABLE last;
SELECT count(DISTINCT at) AS nights, count(DISTINCT counted_at) AS counted, bool_and(counted_at <= at) AS earlier FROM audits WHERE policy = 'unchanged';
SELECT audited_at > counted_at AS stands, audit_ok FROM status WHERE policy = 'unchanged';
-- Who asks by hand is not told of yesterday.
SELECT bool_and(ok) FROM audit('unchanged');
TABLE last;
CALL nightly('unchanged');
TABLE last;

-- A trace of each kind: counted again, whether or not it was undone.
CREATE FUNCTION pg_temp.after(what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE failures text;
BEGIN
  EXECUTE what;
  failures := anon_seq.audit_failures('unchanged');
  RETURN (SELECT result || CASE WHEN ok THEN '' ELSE ', not ok' END FROM last WHERE name = 'unchanged');
END $$;
RESET ROLE;
SELECT set_config('unchanged.ledger', (SELECT 'anon_seq_ledger.p' || id FROM anon_seq.policy WHERE name = 'unchanged'), false) IS NOT NULL AS known;
CREATE FUNCTION pg_temp.on_ledger(what text) RETURNS text LANGUAGE sql AS $$ SELECT pg_temp.after(replace(what, '%l', current_setting('unchanged.ledger'))) $$;
SELECT pg_temp.after('SELECT 1') AS nothing;
SELECT what, pg_temp.on_ledger(what) AS first, pg_temp.after('SELECT 1') AS second
  FROM unnest(ARRAY[
    'GRANT SELECT ON %l_member TO regress_unchanged_reader',
    'REVOKE SELECT ON %l_member FROM regress_unchanged_reader',
    'ALTER TABLE %l_member DISABLE TRIGGER ALL',
    'ALTER TABLE %l_member ENABLE TRIGGER ALL',
    'GRANT SELECT (region) ON %l_region TO regress_unchanged_reader; REVOKE SELECT (region) ON %l_region FROM regress_unchanged_reader',
    'CREATE INDEX unchanged_index ON %l_note (version)',
    'ALTER TABLE %l_held SET (fillfactor = 90)',
    'REFRESH MATERIALIZED VIEW unchanged_r1',
    'GRANT SELECT ON unchanged_r1 TO regress_unchanged_reader',
    $$SELECT add_to_taxonomy('unchanged ill', 'A', 'cold')$$,
    $$SELECT grant_taxonomy('unchanged ill', 'regress_unchanged_reader')$$,
    $$SELECT declare_inconsistent('age', '20', 'ill', 'hiv')$$,
    $$SELECT withdraw_inconsistent('age', '20', 'ill', 'hiv')$$,
    $$SET anon_seq.max_memory = '900MB'$$,
    'GRANT regress_unchanged_reader TO regress_unchanged_dbo',
    'CREATE PUBLICATION unchanged_publication',
    'DROP PUBLICATION unchanged_publication',
    $$CREATE TABLE unchanged_old AS SELECT age FROM visit; SELECT register_release('unchanged old', 'unchanged_old', 'unchanged')$$,
    $$SELECT withdraw_release('unchanged old', 'never was one')$$]) WITH ORDINALITY AS t (what, i)
 ORDER BY i;
RESET anon_seq.max_memory;

-- A row that is changed past the triggers leaves no trace: the next full audit finds it. Here one audit in three is full.
SET ROLE regress_unchanged;
SELECT alter_policy('unchanged', '{"options": {"full_audit_every": 3}}');
CALL nightly('unchanged');
SELECT result, ok, runs FROM last;
RESET ROLE;
CREATE PROCEDURE pg_temp.damage(more int) LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL session_replication_role = replica;
  EXECUTE format('UPDATE %s_count SET n = n + %s WHERE (region, ctid) = (SELECT region, max(ctid) FROM %1$s_count WHERE until IS NULL GROUP BY region ORDER BY region LIMIT 1)', current_setting('unchanged.ledger'), more);
END $$;
BEGIN;
CALL pg_temp.damage(1);
COMMIT;
SELECT pg_temp.after('SELECT 1') AS one;
SELECT pg_temp.after('SELECT 1') AS two;
-- It stays due until it is good.
SELECT pg_temp.after('SELECT 1') AS three;
SELECT runs, good FROM last;
BEGIN;
CALL pg_temp.damage(-1);
COMMIT;
SELECT pg_temp.after('SELECT 1') AS mended;
SELECT runs, good FROM last;

-- Whoever was forgotten makes the next one full.
SET ROLE regress_unchanged;
SELECT count(*) FROM forget('unchanged', '7');
SELECT wanted, good FROM last;
CALL nightly('unchanged');
SELECT result, ok, wanted, runs FROM last;

-- What the owner has left out of account fails every night, and is told again; it is no reason to count again.
SELECT create_sequential_policy('by wish', 'visit', 'id', '{age}', 5, previous => '{}', population => 'unchanged wish', publish_as => 'by_wish');
CALL nightly('by wish');
CALL nightly('by wish');
SELECT result, ok, good FROM last WHERE name = 'by wish';

-- A version that nobody could read is withdrawn: what comes after is looked at beside the last one that binds.
INSERT INTO visit SELECT i, 20 + i % 30, 'flu' FROM generate_series(61, 80) AS i;
SELECT version FROM publish('unchanged');
SELECT check_name, scope, ok FROM audit('unchanged') WHERE check_name IN ('inference', 'nested', 'anonymity') ORDER BY 1;
SELECT withdraw_release('unchanged/3', 'too early');
INSERT INTO visit SELECT i, 20 + i % 30, 'flu' FROM generate_series(81, 99) AS i;
SELECT version FROM publish('unchanged');
SELECT check_name, scope, ok FROM audit('unchanged') WHERE check_name IN ('inference', 'nested', 'anonymity') ORDER BY 1;
SELECT versions FROM last WHERE name = 'unchanged';

-- The check `history` of a serial policy is part of full audits.
SELECT create_serial_policy('unchanged serial', 'visit', 'id', '{age}', '{ill}', '{hiv}', 1.2, 'projections', population => 'unchanged serial', publish_as => 'unchanged_serial', options => '{"full_audit_every": 2}');
CALL nightly('unchanged serial');
CALL nightly('unchanged serial');
CALL nightly('unchanged serial');
SELECT count(*) FILTER (WHERE check_name = 'history') AS histories, count(DISTINCT at) AS nights, count(DISTINCT counted_at) AS counted FROM audits WHERE policy = 'unchanged serial';

-- Nobody can write what the next audit rests on, the extension's owner neither; a result of theirs is shown, and decides nothing.
SELECT pg_temp.fails($$UPDATE anon_seq.audit_record SET runs = -1000000$$);
RESET ROLE;
SELECT (SELECT string_agg(a.privilege_type, ', ') FROM aclexplode(c.relacl) AS a WHERE a.grantee = e.extowner AND a.grantee <> c.relowner) AS rights, c.oid = ANY (e.extconfig) AS dumped
  FROM pg_extension AS e, pg_class AS c WHERE e.extname = 'anon_seq' AND c.oid = 'anon_seq.audit_record'::regclass;
UPDATE visit SET age = age WHERE id = 1;
GRANT SELECT ON unchanged_r4 TO regress_unchanged_dbo;
INSERT INTO anon_seq.audit_result (ledger, policy, version, ok, checks) SELECT ledger, policy, version, true, '[]' FROM anon_seq.audit_result WHERE policy = 'unchanged' ORDER BY at DESC LIMIT 1;
SELECT pg_temp.after('SELECT 1') AS forged;
-- In another place nothing is known: all is counted, in full.
SELECT pg_temp.after('SELECT 1') AS here, pg_temp.after($$UPDATE anon_seq.audit_record SET place = 'elsewhere'$$) AS restored;
SELECT runs FROM last WHERE name = 'unchanged';
-- In a read-only transaction nothing is stored.
BEGIN READ ONLY;
SELECT bool_and(ok) FROM audit('unchanged');
COMMIT;
SELECT runs FROM last WHERE name = 'unchanged';
SELECT pg_temp.fails($$SELECT alter_policy('unchanged', '{"options": {"full_audit_every": 0}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('unchanged', '{"options": {"full_audit_every": 1001}}')$$);
SET ROLE regress_unchanged;
SELECT drop_policy('unchanged');
RESET ROLE;
SELECT count(*) FROM anon_seq.audit_record AS r WHERE NOT EXISTS (SELECT FROM anon_seq.policy AS p WHERE p.id = r.policy);
DROP SCHEMA release_unchanged CASCADE;
SELECT revoke_publish('regress_unchanged');
DROP OWNED BY regress_unchanged, regress_unchanged_reader, regress_unchanged_dbo CASCADE;
DROP ROLE regress_unchanged, regress_unchanged_reader, regress_unchanged_dbo;
