-- What should not have been released is taken back: a registration that nothing rests on, a version that nobody but its owner could read.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE ROLE regress_wd_owner;
CREATE ROLE regress_wd_member IN ROLE regress_wd_owner;
CREATE ROLE regress_wd_other;
CREATE ROLE regress_wd_reader;
SELECT anon_seq.grant_publish(r) FROM unnest('{regress_wd_owner,regress_wd_other}'::text[]) AS r;
CREATE SCHEMA release_withdraw AUTHORIZATION regress_wd_owner;
GRANT USAGE ON SCHEMA release_withdraw TO PUBLIC;
CREATE SCHEMA withdraw_other AUTHORIZATION regress_wd_other;
SET search_path = release_withdraw, anon_seq;
SET ROLE regress_wd_owner;
CREATE TABLE visit AS SELECT i AS id, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + i % 4] AS job, 20 + i % 40 AS age, (ARRAY['flu', 'cough', 'cold'])[1 + i % 3] AS disease FROM generate_series(1, 120) AS i;
CREATE TABLE old AS SELECT job, disease AS dx FROM visit;
SELECT create_taxonomy('withdraw job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
CREATE VIEW shown AS SELECT name, version, relations, retired_at IS NOT NULL AS retired, withdrawn_by, withdrawn_reason, withdrawn_at IS NOT NULL AS withdrawn FROM (SELECT policy AS name, * FROM releases) AS r;

-- A registration that was wrong: taken back, and made again under its name. Nothing of the copy stays.
SELECT register_release('wd old', 'old', 'wd', '{"dx": "dx", "place of work": "job"}');
SELECT create_sequential_policy('wd', 'visit', 'id', '{job,age}', k => 5, taxonomies => '{"job": "withdraw job"}', population => 'wd');
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT withdraw_release(NULL, 'x')$$, $$SELECT withdraw_release('wd old', NULL)$$, $$SELECT withdraw_release('wd old', ' ')$$, $$SELECT withdraw_release('wd old', repeat('x', 1001))$$, $$SELECT withdraw_release('nothing', 'x')$$]) AS sql;
SELECT withdraw_release('wd old', 'job is mapped to another attribute');
SELECT * FROM shown WHERE name = 'wd old';
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT withdraw_release('wd old', 'again')$$, $$SELECT count(*) FROM release_rows('wd old')$$,
  $$SELECT create_sequential_policy('wd 2', 'visit', 'id', '{age}', k => 5, population => 'wd', rules => '[{"kind": "anonymity", "x": ["age"], "y": ["person"], "min": 2, "with": ["wd old"]}]')$$]) AS sql;
RESET ROLE;
SELECT sum(pg_relation_size(c.oid)) FROM anon_seq.release AS r, pg_class AS c WHERE r.name = 'wd old' AND c.relname = r.ledger || '_cell';
SELECT count(*) FROM pg_class AS c, LATERAL (SELECT 1 FROM anon_seq.release AS r WHERE r.name = 'wd old' AND c.relname = r.ledger || '_cell') AS r;
SET ROLE regress_wd_owner;
SELECT register_release('wd old', 'old', 'wd', '{"dx": "dx", "job": {"column": "job", "taxonomy": "withdraw job"}}');
SELECT pg_temp.fails($$SELECT register_release('wd old', 'old', 'wd')$$);
SELECT describe_policy('wd') -> 'common', describe_policy('wd') -> 'unnamed';

-- A version is measured against it: it counts for good; unless that version goes itself.
SELECT alter_policy('wd', '{"rules": [{"kind": "linkability", "x": ["job", "age"], "y": [{"release": "wd old", "column": "dx"}], "max": 0.5, "partial_x": true}]}');
SELECT version, published FROM publish('wd');
SELECT pg_temp.fails($$SELECT withdraw_release('wd old', 'too late')$$);
SELECT pg_temp.fails($$SELECT withdraw_release('wd', 'which?')$$);
SELECT withdraw_release('wd/1', 'never shown to anybody');
SELECT * FROM shown WHERE name = 'wd';
SELECT to_regclass('wd'), to_regclass('wd_r1'), (SELECT count(*) FROM release_rows('wd/1')), (SELECT version FROM policies WHERE name = 'wd');
SELECT pg_temp.fails(sql) FROM unnest(ARRAY[$$SELECT withdraw_release('wd/1', 'again')$$, $$SELECT retire_release('wd/1')$$]) AS sql;
SELECT check_name, scope, observed, ok FROM audit('wd', everything => true);
SELECT pg_temp.fails($$SELECT assert_audit('wd', everything => true)$$);
SELECT withdraw_release('wd old', 'it was another clinic''s');
-- A rule that speaks of what has gone may go too; what no release has promised may be taken back.
SELECT pg_temp.fails($$SELECT publish('wd')$$);
SELECT alter_policy('wd', '{"rules": null, "k": 4}');
-- Withdrawn, a version goes on counting. Unchanged content is no repetition of it; its number is not used again.
SELECT pg_temp.fails($$SELECT publish('wd')$$);
SELECT alter_policy('wd', '{"rules": [{"kind": "anonymity", "x": ["job", "age", {"release": "wd", "column": "job"}, {"release": "wd", "column": "age"}], "y": ["id"], "min": 4}]}');
SELECT version, relations FROM publish('wd');
SELECT check_name, scope, observed, ok FROM audit('wd', everything => true) WHERE check_name IN ('withdrawn', 'unguarded', 'dangling', 'released');
SELECT withdraw_release('wd/2', 'the same again');
-- Unless its owner leaves it out of account, version by version, of which every audit tells.
SELECT pg_temp.fails($$SELECT alter_policy('wd', '{"options": {"unguarded": ["wd"]}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('wd', '{"options": {"unguarded": ["wd/3"]}}')$$);
SELECT alter_policy('wd', '{"options": {"unguarded": ["wd/1", "wd/2"]}, "rules": null}');
SELECT version FROM publish('wd');
SELECT check_name, scope, observed, ok FROM audit('wd', everything => true);
SELECT pg_temp.fails($$SELECT alter_policy('wd', '{"options": {"unguarded": ["wd/1", "wd/2", "wd/3"]}}')$$);

-- The stable name shows the version before. It cannot go while something rests on it.
CREATE FUNCTION publish_next() RETURNS int LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ DECLARE v int; BEGIN UPDATE visit SET age = age + 1 WHERE id = (SELECT min(id) FROM visit WHERE age < 50); SELECT version INTO v FROM publish('wd'); RETURN v; END $$;
SELECT alter_policy('wd', '{"rules": [{"kind": "anonymity", "x": ["job", "age", {"release": "wd", "column": "job"}, {"release": "wd", "column": "age"}], "y": ["id"], "min": 4}], "options": {"dangling": "outer"}}');
SELECT publish_next();
CREATE VIEW mine AS SELECT job FROM wd;
CREATE VIEW on_version AS SELECT job FROM wd_r4;
SELECT pg_temp.fails($$SELECT withdraw_release('wd/4', 'x')$$);
DROP VIEW on_version;
SELECT withdraw_release('wd/4', 'wrong month');
SELECT count(*), (SELECT count(*) FROM mine) FROM wd;
SELECT pg_get_viewdef('wd'::regclass) ~ 'wd_r3', to_regclass('wd_r4');
SELECT pg_temp.fails($$SELECT retire_release('wd/3')$$);
SELECT pg_temp.fails($$SELECT withdraw_release('wd/3', 'x')$$);
SELECT publish_next();
SELECT count(*) FROM mine;
SELECT check_name, count(*), bool_and(ok) FROM audit('wd', everything => true) GROUP BY 1 ORDER BY 1;

-- Who could read it: a grant on the relation, on its columns, on the stable name, on a view of a view; given and taken back; a function with
-- the owner's rights; a policy of another table. A grant to the owner is none, nor is it a grant if rights were as they are when it was published.
CREATE FUNCTION tried(setup text) RETURNS SETOF text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE what text;
BEGIN
  EXECUTE setup;
  BEGIN
    PERFORM withdraw_release('wd/5', 'x');
    RETURN NEXT setup || ': withdrawn';
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL; WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS what = PG_EXCEPTION_DETAIL;
    RETURN NEXT setup || ': ' || SQLSTATE || ' ' || SQLERRM || ' ' || what;
  END;
  RAISE SQLSTATE 'UNDO1';
EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
END $$;
SELECT tried(sql) FROM unnest(ARRAY['SELECT 1', 'GRANT SELECT ON wd_r5 TO regress_wd_reader', 'GRANT SELECT ON wd TO PUBLIC', 'GRANT SELECT (job) ON wd TO regress_wd_reader', 'GRANT SELECT ON mine TO regress_wd_reader',
  'CREATE VIEW deep AS SELECT * FROM mine; GRANT SELECT ON deep TO regress_wd_reader', 'GRANT SELECT ON wd TO regress_wd_member', 'GRANT SELECT ON wd TO regress_wd_reader; REVOKE SELECT ON wd FROM regress_wd_reader', 'GRANT SELECT ON wd_r5 TO regress_wd_owner',
  'CREATE FUNCTION told() RETURNS bigint LANGUAGE sql SECURITY DEFINER BEGIN ATOMIC SELECT count(*) FROM wd; END', 'CREATE FUNCTION asks() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM wd; END',
  'CREATE TABLE t (a int); CREATE POLICY p ON t USING (EXISTS (SELECT FROM wd))', 'DROP VIEW mine, wd_flat, wd; CREATE VIEW wd AS SELECT * FROM wd_r5', 'GRANT SELECT ON wd TO regress_wd_reader; DROP VIEW mine, wd_flat, wd',
  'GRANT SELECT ON wd_r5 TO regress_wd_reader; DROP MATERIALIZED VIEW wd_r5 CASCADE; CREATE MATERIALIZED VIEW wd_r5 AS SELECT job, age FROM visit; CREATE VIEW wd AS SELECT * FROM wd_r5',
  'DO $do$ BEGIN EXECUTE (SELECT format(''GRANT SELECT ON %s TO regress_wd_reader'', max(oid)::regclass) FROM pg_class WHERE relname ~ ''^p[0-9]+_cell$'' AND relowner = ''regress_wd_owner''::regrole); END $do$']) AS sql;
-- Grants that were there, and default privileges, when it was published.
GRANT SELECT ON wd TO regress_wd_owner;
REVOKE ALL ON wd FROM PUBLIC;
SELECT publish_next();
SELECT withdraw_release('wd/6', 'rights of the owner alone, as they were');
ALTER DEFAULT PRIVILEGES IN SCHEMA release_withdraw GRANT SELECT ON TABLES TO regress_wd_reader;
SELECT publish_next();
ALTER DEFAULT PRIVILEGES IN SCHEMA release_withdraw REVOKE SELECT ON TABLES FROM regress_wd_reader;
REVOKE SELECT ON wd_r7 FROM regress_wd_reader;
SELECT pg_temp.fails($$SELECT withdraw_release('wd/7', 'x')$$);
GRANT SELECT ON mine TO regress_wd_reader;
SELECT publish_next();
REVOKE SELECT ON mine FROM regress_wd_reader;
SELECT pg_temp.fails($$SELECT withdraw_release('wd/8', 'x')$$);
-- Retired: whom it was open to is gone. A relation dropped by hand: the same.
SELECT retire_release('wd/7');
SELECT pg_temp.fails($$SELECT withdraw_release('wd/7', 'x')$$);
SELECT publish_next();
DROP MATERIALIZED VIEW wd_r9 CASCADE;
SELECT pg_temp.fails($$SELECT withdraw_release('wd/9', 'x')$$);

-- Members may, others do not see it.
RESET ROLE;
SET ROLE regress_wd_other;
SELECT pg_temp.fails($$SELECT withdraw_release('wd/5', 'x')$$);
RESET ROLE;
SET ROLE regress_wd_owner;
SELECT register_release('wd later', 'old', 'wd 3', '{"dx": "dx"}');
SELECT grant_population('wd 3', 'regress_wd_other');
RESET ROLE;
CREATE TABLE withdraw_other.visit AS TABLE visit;
ALTER TABLE withdraw_other.visit OWNER TO regress_wd_other;
SET ROLE regress_wd_other;
SELECT create_sequential_policy('wd other', 'withdraw_other.visit', 'id', '{age}', k => 5, max_link => 0.9, population => 'wd 3', publish_as => 'withdraw_other.out');
SELECT version FROM publish('wd other');
SELECT pg_temp.fails($$SELECT withdraw_release('wd later', 'not mine')$$);
RESET ROLE;
SET ROLE regress_wd_member;
SELECT pg_temp.fails($$SELECT withdraw_release('wd later', 'of others, too')$$);
SELECT register_release('wd last', 'old', 'wd 3', '{"dx": "dx"}');
SELECT withdraw_release('wd last', 'a member''s');
RESET ROLE;
SET ROLE regress_wd_other;
SELECT check_name, scope, observed, ok FROM audit('wd other', everything => true) WHERE check_name IN ('withdrawn', 'unguarded');
RESET ROLE;

-- Incremental: the newest version only. What it cut stays cut, and it goes on counting; keep counts what is shown.
SET ROLE regress_wd_owner;
SELECT create_incremental_policy('wd grows', 'visit', 'id', '{age}', 5, population => 'wd grows', options => '{"keep": 2}');
CREATE FUNCTION grow() RETURNS int LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ DECLARE v int; BEGIN INSERT INTO visit SELECT max(id) + 1, 'nurse', 30, 'flu' FROM visit; SELECT version INTO v FROM publish('wd grows'); RETURN v; END $$;
SELECT grow(), grow(), grow();
SELECT pg_temp.fails($$SELECT withdraw_release('wd grows/2', 'x')$$);
SELECT withdraw_release('wd grows/3', 'half of the clinics were missing');
SELECT version FROM publish('wd grows');
SELECT name, version, retired, withdrawn_reason FROM shown WHERE name = 'wd grows' ORDER BY 2;
SELECT check_name, scope, ok FROM audit('wd grows', everything => true) WHERE check_name IN ('withdrawn', 'inference', 'released') OR NOT ok;
SELECT withdraw_release('wd grows/4', 'x');
SELECT withdraw_release('wd grows/2', 'x');
SELECT check_name, scope, ok FROM audit('wd grows', everything => true) WHERE check_name IN ('withdrawn', 'released') OR NOT ok;
SELECT to_regclass('"wd grows"');
-- A sequential policy of its population waives it as any incremental release.
SELECT pg_temp.fails($$SELECT create_sequential_policy('wd beside', 'visit', 'id', '{age}', k => 5, population => 'wd grows')$$);
-- A policy that was dropped: its versions can still be withdrawn; the stable name goes with the last.
SELECT create_sequential_policy('wd dropped', 'visit', 'id', '{age}', k => 5, population => 'wd dropped');
SELECT version FROM publish('wd dropped');
SELECT drop_policy('wd dropped');
SELECT withdraw_release('wd dropped/1', 'dropped');
SELECT to_regclass('"wd dropped"');
SELECT pg_temp.fails($$SELECT create_sequential_policy('wd dropped', 'visit', 'id', '{age}', k => 5, population => 'wd dropped')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('wd grows', 'visit', 'id', '{age}', k => 5, population => 'wd dropped')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('wd later', 'visit', 'id', '{age}', k => 5, population => 'wd dropped')$$);
-- The name of a withdrawn registration is free.
SELECT create_sequential_policy('wd last', 'visit', 'id', '{age}', k => 5, population => 'wd last');
RESET ROLE;
-- Whether later versions rest on a registration is asked of all of them, whatever their options speak of.
CREATE TABLE weighed AS SELECT i AS id, i % 5 AS age FROM generate_series(1, 20) AS i;
SELECT register_release('wd aside', 'weighed', 'wd aside', '{"age": "age"}');
SELECT create_sequential_policy('wd weighed', 'weighed', 'id', '{age}', k => 2, population => 'wd weighed', options => '{"weights": {"age": 3}}');
SELECT version FROM publish('wd weighed');
SELECT withdraw_release('wd aside', 'a test');

DROP SCHEMA release_withdraw, withdraw_other CASCADE;
DROP OWNED BY regress_wd_owner, regress_wd_other, regress_wd_reader, regress_wd_member;
DROP ROLE regress_wd_owner, regress_wd_member, regress_wd_other, regress_wd_reader;
