-- Who may do and see what with policies and releases, and what a reader sees besides the rows: each line of that table in doc/architecture.md.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = warning;
CREATE ROLE regress_seq_owner;
CREATE ROLE regress_seq_member IN ROLE regress_seq_owner;
CREATE ROLE regress_seq_noinherit NOINHERIT IN ROLE regress_seq_owner;
CREATE ROLE regress_seq_publisher;
CREATE ROLE regress_seq_analyst;
CREATE ROLE regress_seq_stranger;
CREATE ROLE regress_seq_reader IN ROLE pg_read_all_data;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO regress_seq_owner, regress_seq_publisher;
GRANT USAGE ON SCHEMA anon_seq_ledger TO regress_seq_owner;
CREATE SCHEMA release_rights AUTHORIZATION regress_seq_owner;
GRANT USAGE ON SCHEMA release_rights TO PUBLIC;
GRANT CREATE ON SCHEMA release_rights TO regress_seq_publisher;
SET search_path = release_rights, anon_seq;
-- An owner who is generous by default: that must not open the ledger.
ALTER DEFAULT PRIVILEGES FOR ROLE regress_seq_owner GRANT ALL ON TABLES TO regress_seq_analyst, PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_seq_owner IN SCHEMA anon_seq_ledger GRANT SELECT ON TABLES TO regress_seq_analyst;

SET ROLE regress_seq_owner;
CREATE TABLE visit (id int PRIMARY KEY, job text, disease text, day date);
INSERT INTO visit SELECT i, (ARRAY['nurse', 'cook'])[1 + i % 2], (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3], date '2024-01-01' + i FROM generate_series(1, 60) AS i;
REVOKE ALL ON visit FROM PUBLIC, regress_seq_analyst;
SELECT create_flat_taxonomy('rights_job', '{nurse,cook}');
SELECT create_sequential_policy('rights', 'visit', 'id', '{job}', k => 5, sensitive => '{disease}', max_link => 0.9, taxonomies => '{"job": "rights_job"}', population => 'rights');
SELECT version FROM publish('rights');
UPDATE visit SET disease = 'cold' WHERE id = 1;
RESET ROLE;
-- A member publishes; everything belongs to the owner. One without INHERIT has to SET ROLE first.
SET ROLE regress_seq_member;
SELECT version FROM publish('rights');
RESET ROLE;
SET ROLE regress_seq_noinherit;
SELECT pg_temp.fails($$SELECT publish('rights')$$);
RESET ROLE;
SELECT c.relnamespace::regnamespace, regexp_replace(c.relname, '^p\d+', 'p#'), c.relkind, c.relowner::regrole, replace(c.relacl::text, 'm/', '/') AS relacl FROM pg_class AS c -- m, MAINTAIN, is of 17
 WHERE c.relname ~ '^rights' OR c.relname ~ (SELECT '^p' || id || '_' FROM policy WHERE name = 'rights') ORDER BY 1, 2;

CREATE FUNCTION tries(who text) RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
  call text; result text; ledger text := (SELECT 'p' || id FROM policy WHERE name = 'rights');
BEGIN
  EXECUTE format('SET LOCAL ROLE %I', who);
  RETURN NEXT who;
  FOREACH call IN ARRAY ARRAY['(SELECT count(*) FROM policies WHERE name = ''rights'')', '(SELECT count(*) FROM releases WHERE policy = ''rights'')', '(SELECT count(*) FROM progress)',
      'describe_policy(''rights'') IS NOT NULL', 'alter_policy(''rights'', ''{"k": 6}'')', '(SELECT feasible FROM preview(''rights''))', '(SELECT version FROM publish(''rights''))', '(SELECT bool_and(ok) FROM audit(''rights'', everything => true))', 'assert_audit(''rights'', everything => true)',
      '(SELECT count(*) > 0 FROM measure(''rights''))', '(SELECT count(*) > 0 FROM trace(''rights''))', '(SELECT count(*) > 0 FROM cut(''rights''))', '(SELECT count(*) FROM release_rows(''rights/1''))',
      'retire_release(''rights/1'')', '(SELECT count(*) FROM forget(''rights'', ''2''))', 'drop_policy(''rights'')',
      'create_sequential_policy(''mine'', ''visit'', ''id'', ''{day}'', 5)', 'register_release(''theirs'', ''release_rights.rights_r1'', ''rights'')', 'declare_inconsistent(''a'', ''b'', ''c'', ''d'')',
      '(SELECT count(*) FROM release_rights.rights)', '(SELECT count(*) FROM release_rights.rights_r1)', '(SELECT count(*) FROM visit)',
      '(SELECT count(*) FROM anon_seq_ledger.' || ledger || '_cell)', '(SELECT count(*) FROM anon_seq_ledger.' || ledger || '_person)', '(SELECT count(*) FROM anon_seq_ledger.' || ledger || '_note)',
      '(SELECT count(*) > 0 FROM policy)', '(SELECT count(*) > 0 FROM release)', '(SELECT count(*) > 0 FROM population)', '(SELECT count(*) >= 0 FROM inconsistency)', 'nextval(''policy_id_seq'') > 0',
      '(SELECT count(*) FROM pg_stats WHERE schemaname = ''anon_seq_ledger'' AND tablename LIKE ''' || ledger || '_%'') > 0'] LOOP
    BEGIN
      EXECUTE 'SELECT ' || call INTO result;
      RETURN NEXT '  ' || replace(call, ledger || '_', 'p#_') || ': ' || CASE coalesce(result, '') WHEN '' THEN 'done' ELSE result END;
      RAISE SQLSTATE 'UNDO1';
    EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
              WHEN OTHERS THEN RETURN NEXT '  ' || replace(call, ledger || '_', 'p#_') || ': ' || SQLSTATE || ' ' || replace(SQLERRM, ledger || '_', 'p#_');
    END;
  END LOOP;
  RESET ROLE;
END $f$;
SELECT tries('regress_seq_owner');
SELECT tries('regress_seq_member');
SELECT tries('regress_seq_publisher');
SELECT tries('regress_seq_analyst');
SELECT tries('regress_seq_stranger');
SELECT tries('regress_seq_reader');
-- Published or registered is decided by rights on what is read: nobody publishes what he may not select.
SET ROLE regress_seq_publisher;
SELECT pg_temp.fails($$SELECT create_sequential_policy('mine', 'visit', 'id', '{day}', 5)$$);
SELECT pg_temp.fails($$SELECT register_release('mine', 'visit', 'rights')$$);
RESET ROLE;
-- Who may no longer publish publishes no longer, with policies of old either.
REVOKE USAGE ON SEQUENCE anon_seq.publishers FROM regress_seq_owner;
SET ROLE regress_seq_owner;
UPDATE visit SET disease = 'flu' WHERE id = 4;
SELECT pg_temp.fails($$SELECT publish('rights')$$);
RESET ROLE;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO regress_seq_owner;

-- A ledger that somebody opened, by a table or by a column, is noticed by audits and stops the next publish.
SELECT format('anon_seq_ledger.p%s_person', id) AS person, format('anon_seq_ledger.p%s_cell', id) AS cell FROM policy WHERE name = 'rights' \gset
SET ROLE regress_seq_owner;
GRANT SELECT ON :cell TO regress_seq_analyst;
SELECT check_name, scope, observed, ok FROM audit('rights', everything => true) WHERE check_name = 'ledger' ORDER BY 2;
SELECT regexp_replace(f, 'p\d+_', 'p#_') FROM pg_temp.fails($$SELECT publish('rights')$$) AS f;
REVOKE SELECT ON :cell FROM regress_seq_analyst;
GRANT SELECT (persons) ON :person TO PUBLIC;
SELECT check_name, scope, observed, ok FROM audit('rights', everything => true) WHERE check_name = 'ledger' ORDER BY 2;
SELECT regexp_replace(f, 'p\d+_', 'p#_') FROM pg_temp.fails($$SELECT publish('rights')$$) AS f;
REVOKE SELECT (persons) ON :person FROM PUBLIC;
SELECT version FROM publish('rights');
RESET ROLE;

-- What everybody can look at.
SET ROLE regress_seq_stranger;
-- View definitions hold no constant but the release's number (and the 1 that counting begins with).
SELECT c.relname, array(SELECT m[1] FROM regexp_matches(pg_get_viewdef(c.oid), '(''[^'']*''|\m\d+\M)', 'g') AS m) FROM pg_class AS c WHERE c.relname ~ '^rights' AND c.relkind IN ('v', 'm') ORDER BY 1;
-- Rows that are withheld have no table of their own; sizes are those of what is published.
SELECT regexp_replace(c.relname, '^p\d+', 'p#'), c.reltuples FROM pg_class AS c WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind IN ('r', 'S') AND c.relname ~ ('^' || split_part(split_part(:'cell', '.', 2), '_', 1) || '_') ORDER BY 1;
-- No sequence counts versions: markers of populations and roles count nothing, nor does what a serial policy was refused.
SELECT count(*) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'anon_seq_ledger'::regnamespace AND relname !~ '_population$|_secret_refused_seq$|_owner$|_readers$|_forgotten_entry_seq$';
SELECT count(*) FROM pg_stats WHERE schemaname = 'anon_seq_ledger';
SELECT regexp_replace(obj_description(c.oid, 'pg_class'), '[0-9]{4}-[0-9]{2}-[0-9]{2}', 'DATE') FROM pg_class AS c WHERE c.relname ~ '^rights' ORDER BY c.relname;
SELECT pg_temp.fails($$SELECT pg_get_functiondef('anon_seq_ledger'::regproc)$$) LIKE '%' AS asked;
RESET ROLE;
-- Statistics of a release follow its rights.
SET ROLE regress_seq_owner;
SELECT count(*) > 0 FROM pg_stats WHERE tablename = 'rights_r1';
REVOKE ALL ON rights_r1, rights FROM PUBLIC, regress_seq_analyst;
GRANT SELECT ON rights TO regress_seq_analyst;
RESET ROLE;
SET ROLE regress_seq_analyst;
SELECT count(*) FROM pg_stats WHERE tablename = 'rights_r1';
SELECT count(*) FROM release_rights.rights;
SELECT pg_temp.fails('SELECT count(*) FROM release_rights.rights_r1');
RESET ROLE;
-- The stable name keeps its grants over versions.
SET ROLE regress_seq_owner;
UPDATE visit SET disease = 'cold' WHERE id = 7;
SELECT version FROM publish('rights');
RESET ROLE;
SET ROLE regress_seq_analyst;
SELECT count(*) FROM release_rights.rights;
RESET ROLE;

-- What an owner leaves in the way of others runs as himself, and leaves nothing behind that runs as they.
SET ROLE regress_seq_owner;
CREATE TABLE seen (who text);
CREATE FUNCTION spy(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO release_rights.seen VALUES (current_user); RETURN x; END $$;
CREATE FUNCTION escape(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CREATE TEMP TABLE left_behind (a int); RETURN x; END $$;
CREATE VIEW spying AS SELECT spy(id) AS id, job FROM visit;
CREATE VIEW escaping AS SELECT escape(id) AS id, job FROM visit;
SELECT create_sequential_policy('spying', 'spying', 'id', '{job}', k => 5, publish_as => 'spying_out', taxonomies => '{"job": "rights_job"}', population => 'spying');
SELECT create_sequential_policy('escaping', 'escaping', 'id', '{job}', k => 5, publish_as => 'escaping_out', taxonomies => '{"job": "rights_job"}', population => 'escaping');
RESET ROLE;
SELECT pg_temp.fails($$SELECT publish('spying')$$);
SELECT DISTINCT who FROM seen;
SELECT pg_temp.fails($$SELECT publish('escaping')$$);
SELECT pg_temp.fails($$SELECT count(*) FROM preview('spying')$$);
SELECT DISTINCT who FROM seen;
-- Row security: nobody publishes the part of a table that is left to him.
SET ROLE regress_seq_owner;
CREATE TABLE guarded AS TABLE visit;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
ALTER TABLE guarded FORCE ROW LEVEL SECURITY;
CREATE POLICY few ON guarded USING (id < 30);
SELECT pg_temp.fails($$SELECT create_sequential_policy('guarded', 'guarded', 'id', '{job}', k => 5, taxonomies => '{"job": "rights_job"}', publish_as => 'guarded_out'); SELECT publish('guarded')$$);
SELECT drop_policy(name) FROM policies WHERE name IN ('spying', 'escaping', 'rights', 'guarded');
RESET ROLE;

-- The owner is who owns the ledger: REASSIGN OWNED hands the policy over.
SET ROLE regress_seq_owner;
SELECT create_sequential_policy('handed', 'visit', 'id', '{job}', k => 5, taxonomies => '{"job": "rights_job"}', population => 'handed');
SELECT version FROM publish('handed');
RESET ROLE;
REASSIGN OWNED BY regress_seq_owner TO regress_seq_publisher;
GRANT ALL ON SCHEMA release_rights TO regress_seq_publisher;
SET ROLE regress_seq_owner;
SELECT count(*) FROM policies WHERE name = 'handed';
RESET ROLE;
SET ROLE regress_seq_publisher;
UPDATE visit SET job = 'nurse' WHERE id = 2;
SELECT alter_policy('handed', '{"rules": [{"kind": "anonymity", "x": ["job", {"release": "handed", "column": "job"}], "y": ["person"], "min": 2}]}');
SELECT version FROM publish('handed');
SELECT drop_policy('handed');
RESET ROLE;

DROP FUNCTION tries;
DROP SCHEMA release_rights CASCADE;
DROP OWNED BY regress_seq_owner, regress_seq_publisher CASCADE;
DROP ROLE regress_seq_owner, regress_seq_member, regress_seq_noinherit, regress_seq_publisher, regress_seq_analyst, regress_seq_stranger, regress_seq_reader;
