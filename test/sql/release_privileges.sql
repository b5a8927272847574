-- Who may what: every function, table, view and sequence of the extension has a line here, tried by every kind of role. A new one without a line
-- is listed at the end. The database belongs to somebody who is no superuser, and who made the extension.
\pset format unaligned
\pset tuples_only on
SELECT current_database() AS original \gset
SET client_min_messages = error;
CREATE ROLE regress_landlord LOGIN;
CREATE ROLE regress_owner;
CREATE ROLE regress_member IN ROLE regress_owner;
CREATE ROLE regress_guest;
CREATE ROLE regress_publisher;
CREATE ROLE regress_analyst;
CREATE ROLE regress_stranger;
CREATE ROLE regress_reads_all IN ROLE pg_read_all_data;
CREATE DATABASE regress_anon_seq_rights OWNER regress_landlord;
\c regress_anon_seq_rights
SET client_min_messages = error;
SET ROLE regress_landlord;
CREATE EXTENSION anon_seq;
SELECT anon_seq.grant_publish(r) FROM unnest('{regress_owner,regress_guest,regress_publisher}'::text[]) AS r;
RESET ROLE;
CREATE SCHEMA mine AUTHORIZATION regress_owner;
GRANT USAGE ON SCHEMA mine TO PUBLIC;
CREATE SCHEMA theirs;
GRANT ALL ON SCHEMA theirs TO PUBLIC;
SET search_path = anon_seq;
SET ROLE regress_owner;
CREATE TABLE mine.visit AS SELECT i AS id, 20 + i % 7 AS age, (ARRAY['nurse', 'cook'])[1 + i % 2] AS job, (ARRAY['flu', 'cold'])[1 + i % 2] AS disease FROM generate_series(1, 60) AS i;
CREATE TABLE mine.old AS SELECT job FROM mine.visit;
SELECT create_flat_taxonomy('mine job', '{nurse,cook}');
SELECT create_sequential_policy('mine', 'mine.visit', 'id', '{age,job}', k => 4, sensitive => '{disease}', max_link => 1, taxonomies => '{"job": "mine job"}', publish_as => 'mine.out', options => '{"dangling": "outer"}');
SELECT create_incremental_policy('growing', 'mine.visit', 'id', '{age}', 4, publish_as => 'mine.growing', population => 'growing');
SELECT publish('mine') IS NOT NULL, publish('growing') IS NOT NULL;
SELECT create_lossy_join_policy('lossy', 'mine.visit', 'id', '{age}', '{disease}', 0.9, 2, 'projections', population => 'lossy', publish_as => 'mine.lossy');
SELECT publish('lossy') IS NOT NULL;
SELECT create_serial_policy('serial', 'mine.visit', 'id', '{age}', '{disease}', '{HIV}', 2, 'projections', population => 'serial', publish_as => 'mine.serial');
SELECT publish('serial') IS NOT NULL;
UPDATE mine.visit SET age = 22 WHERE id < 9;
SELECT publish('mine') IS NOT NULL, publish('growing') IS NOT NULL;
GRANT SELECT ON mine.out_r2 TO regress_analyst;
SELECT watch_source('mine.visit', '{id}');
SELECT grant_population('mine.visit', 'regress_guest');
SELECT declare_inconsistent('mine a', 'a', 'mine b', 'b');
SELECT register_population('mine people', 'mine.visit');
RESET ROLE;
CREATE TABLE theirs.visit AS TABLE mine.visit;
GRANT ALL ON theirs.visit TO PUBLIC;
CREATE TABLE theirs.paths AS SELECT 'a' AS leaf, 'b' AS root;
CREATE TABLE theirs.edges AS SELECT 'a' AS child, 'b' AS parent;
GRANT ALL ON theirs.paths, theirs.edges TO PUBLIC;

-- What is tried: `of` is the function or relation that the line is about.
CREATE TABLE theirs.line (no serial, of text, call text);
INSERT INTO theirs.line (of, call) VALUES
  ('place', 'place() <> '''''), ('has_role', 'has_role(0, ''public'')'), ('ledger_relation', 'ledger_relation(''p1'') > 0'), ('ledger_owner', 'ledger_owner(''p1'') > 0'), ('owns_ledger', 'owns_ledger(0, ''p1'')'), ('heeds_declarations_of', 'heeds_declarations_of(0, 1)'), ('has_marker', 'has_marker(0, 1)'), ('marked_role', 'marked_role(0) IS NULL'), ('reads_taxonomy', 'reads_taxonomy(0, 1)'),
  ('watch_source', 'watch_source(''mine.visit'', ''{id}'')'), ('watch_source', 'watch_source(''theirs.visit'', ''{id}'')'), ('unwatch_source', 'unwatch_source(''mine.visit'')'), ('note_changes', 'note_changes()'), ('note_changes', 'has_function_privilege(''note_changes()'', ''EXECUTE'')'),
  ('takes_part', 'takes_part(0, ''mine.visit'')'), ('keep_ledger', 'keep_ledger()'), ('sum_rows', 'sum_rows()'),
  ('grant_publish', 'grant_publish(''regress_stranger'')'), ('revoke_publish', 'revoke_publish(''regress_owner'')'), ('grant_population', 'grant_population(''mine.visit'', ''public'')'), ('grant_population', 'grant_population(''new'', ''public'')'),
  ('revoke_population', 'revoke_population(''mine.visit'', ''regress_guest'')'), ('adopt_ledgers', '(SELECT count(*) FROM adopt_ledgers())'),
  ('create_taxonomy', 'create_taxonomy(''x'', ''{"ANY": ["a"]}'')'), ('create_taxonomy_from_paths', 'create_taxonomy_from_paths(''x'', ''theirs.paths'')'), ('create_taxonomy_from_edges', 'create_taxonomy_from_edges(''x'', ''theirs.edges'')'),
  ('create_flat_taxonomy', 'create_flat_taxonomy(''x'', ''{a}'')'), ('create_prefix_taxonomy', 'create_prefix_taxonomy(''x'', ''{2}'')'), ('create_range_taxonomy', 'create_range_taxonomy(''x'', 0, 10, ''{5}'')'), ('create_date_taxonomy', 'create_date_taxonomy(''x'', ''{day}'')'),
  ('add_to_taxonomy', 'add_to_taxonomy(''mine job'', ''ANY'', ''new'')'), ('drop_taxonomy', 'drop_taxonomy(''mine job'')'), ('grant_taxonomy', 'grant_taxonomy(''mine job'', ''public'')'), ('revoke_taxonomy', 'revoke_taxonomy(''mine job'', ''public'')'),
  ('suggest_taxonomy', 'suggest_taxonomy(''mine.visit'', ''job'')'), ('suggest_taxonomy', 'suggest_taxonomy(''theirs.visit'', ''job'')'), ('suggest_policy', 'suggest_policy(''mine.visit'')'), ('suggest_policy', 'suggest_policy(''theirs.visit'')'), ('taxonomy_tree', '(SELECT count(*) FROM taxonomy_tree(''mine job''))'), ('generalize', 'generalize(''mine job'', ''cook'', 1)'),
  ('create_sequential_policy', 'create_sequential_policy(''x'', ''mine.visit'', ''id'', ''{age}'', k => 4, population => ''x'', publish_as => ''theirs.x'')'), ('create_sequential_policy', 'create_sequential_policy(''x'', ''theirs.visit'', ''id'', ''{age}'', k => 4, population => ''mine.visit'', publish_as => ''theirs.x'')'),
  ('create_sequential_policy', 'create_sequential_policy(''x'', ''theirs.visit'', ''id'', ''{age}'', k => 4, population => ''x'', publish_as => ''theirs.x'')'), ('create_incremental_policy', 'create_incremental_policy(''x'', ''theirs.visit'', ''id'', ''{age}'', 4, population => ''growing'', publish_as => ''theirs.x'')'),
  ('create_lossy_join_policy', 'create_lossy_join_policy(''x'', ''mine.visit'', ''id'', ''{age}'', ''{disease}'', 0.9, 2, ''projections'', population => ''x'', publish_as => ''theirs.x'')'), ('create_lossy_join_policy', 'create_lossy_join_policy(''x'', ''theirs.visit'', ''id'', ''{age}'', ''{disease}'', 0.9, 2, ''projections'', population => ''growing'', publish_as => ''theirs.x'')'),
  ('create_serial_policy', 'create_serial_policy(''x'', ''mine.visit'', ''id'', ''{age}'', ''{disease}'', ''{HIV}'', 2, ''projections'', population => ''x'', publish_as => ''theirs.x'')'), ('create_serial_policy', 'create_serial_policy(''x'', ''theirs.visit'', ''id'', ''{age}'', ''{disease}'', ''{HIV}'', 2, ''projections'', population => ''growing'', publish_as => ''theirs.x'')'),
  ('budget', '(SELECT count(*) >= 0 FROM budget(''serial''))'), ('forecast', '(SELECT count(*) > 0 FROM forecast(''serial'', 1))'), ('confirm_ledger', 'confirm_ledger(''serial'', 1)'), ('confirm_ledgers', '(SELECT count(*) >= 0 FROM confirm_ledgers())'), ('is_confirmed', 'is_confirmed(''mine'')'),
  ('alter_policy', 'alter_policy(''mine'', ''{"k": 5}'')'), ('describe_policy', 'describe_policy(''mine'') IS NOT NULL'), ('drop_policy', 'drop_policy(''mine'')'), ('declare_inconsistent', 'declare_inconsistent(''c'', ''a'', ''d'', ''b'')'), ('withdraw_inconsistent', 'withdraw_inconsistent(''mine a'', ''a'', ''mine b'', ''b'')'),
  ('register_release', 'register_release(''x'', ''theirs.visit'', ''mine.visit'')'), ('register_release', 'register_release(''x'', ''theirs.visit'', ''x'')'), ('preview', '(SELECT feasible FROM preview(''mine''))'), ('publish', '(SELECT version FROM publish(''mine''))'), ('publish', '(SELECT version FROM publish(''growing''))'),
  ('audit', '(SELECT bool_and(ok) FROM audit(''mine'', everything => true))'), ('assert_audit', 'assert_audit(''growing'', everything => true)'), ('point', 'anon_seq.point(''growing'')'), ('audit_failures', 'coalesce(audit_failures(''growing''), ''none'')'), ('log_failure', 'log_failure(''growing'', ''audit'', ''by hand'')'), ('nightly', 'nightly(''growing'')'), ('about', '(SELECT count(*) > 0 FROM about(''mine.out_r2''))'), ('demanded_of', 'demanded_of(''mine.out_r2'') IS NULL'), ('shown_relation', 'shown_relation(''p2'') IS NULL'), ('fits', 'fits(''mine.out_r2'', ''age'', ''[1,2)''::int4range, ''1'')'), ('may_be', 'may_be(''mine.out_r2'', ''age'', ''[1,2)''::int4range, ''1'')'), ('measure', '(SELECT count(*) > 0 FROM measure(''mine''))'), ('trace', '(SELECT count(*) >= 0 FROM trace(''mine''))'), ('cut', '(SELECT count(*) > 0 FROM cut(''mine''))'), ('release_rows', '(SELECT count(*) FROM release_rows(''mine/1''))'),
  ('retire_release', 'retire_release(''mine/1'')'), ('withdraw_release', 'withdraw_release(''growing/2'', ''nobody has read it'')'), ('withdraw_release', 'withdraw_release(''mine/2'', ''granted'')'), ('forget', '(SELECT count(*) FROM forget(''mine.visit'', ''2''))'), ('audit_k', '(SELECT smallest FROM audit_k(''mine.out_r2'', ''{age}''))'), ('audit_alpha_k', '(SELECT smallest FROM audit_alpha_k(''mine.out_r2'', ''{age}'', ''disease''))'), ('audit_diversity', '(SELECT k FROM audit_diversity(''mine.out_r2'', ''{age}'', ''disease''))'), ('risk', '(SELECT records FROM risk(''mine''))'), ('risk', '(SELECT records FROM risk(''mine'', ''mine people''))'), ('audit_risk', '(SELECT records FROM audit_risk(''mine.out_r2'', ''{age}''))'), ('register_population', 'register_population(''x'', ''theirs.visit'')'), ('register_population', 'register_population(''x'', ''mine.visit'')'), ('withdraw_population', 'withdraw_population(''mine people'')'), ('population_tables', '(SELECT count(*) FROM population_tables)'), ('query_error', '(SELECT answered FROM query_error(''mine'', ''theirs.visit'', 10, 1, 1))'), ('audit_projections', '(SELECT differing FROM audit_projections(''mine.out_r2'', ''mine.out_r2'', ''age'', ''disease''))'), ('audit_minimality', '(SELECT tried > 0 FROM audit_minimality(''lossy''))'), ('audit_correlation', '(SELECT count(*) > 0 FROM audit_correlation(''lossy''))'), ('audit_join', '(SELECT matches FROM audit_join(''{mine}'', ''["age"]'', ''["disease"]''))'),
  ('audit_join', '(SELECT matches FROM audit_join(''{mine/1}'', ''["age"]'', ''["disease"]''))'), ('audit_join_relations', '(SELECT matches FROM audit_join_relations(''{mine.out_r2}'', ''["age"]'', ''["disease"]''))'), ('audit_inference', '(SELECT count(*) > 0 FROM audit_inference(''{growing}'', 2))'),
  ('audit_inference_relations', '(SELECT count(*) > 0 FROM audit_inference_relations(''{mine.visit}'', ''id'', ''{age}'', 2))'), ('audit_arrivals', '(SELECT count(*) > 0 FROM audit_arrivals(''{growing}''))'), ('audit_breach', '(SELECT count(*) > 0 FROM audit_breach(''{mine}''))'), ('audit_breach_relations', '(SELECT count(*) > 0 FROM audit_breach_relations(''{mine.visit}'', ''{age}'', ''id'', ''disease''))'),
  ('own_ledgers', '(SELECT count(*) FROM own_ledgers)'), ('ledger_owners', '(SELECT count(*) FROM ledger_owners)'), ('taxonomies', '(SELECT count(*) FROM taxonomies)'), ('policies', '(SELECT count(*) FROM policies)'), ('releases', '(SELECT count(*) FROM releases)'), ('progress', '(SELECT count(*) FROM progress)'), ('log', '(SELECT count(*) > 0 FROM log)'), ('audits', '(SELECT count(*) >= 0 FROM audits)'), ('status', '(SELECT count(*) FROM status)'), ('watches', '(SELECT count(*) FROM watches)');
-- The catalog: nobody but its owner, and the owner of the extension, who dumps it, reads it; nobody changes it.
INSERT INTO theirs.line (of, call) SELECT c.relname, format('(SELECT count(*) >= 0 FROM %I)', c.relname) FROM pg_class AS c WHERE c.relnamespace = 'anon_seq'::regnamespace AND c.relkind IN ('r', 'S') ORDER BY c.relname;
-- The ledger: persons and cells of both methods.
INSERT INTO theirs.line (of, call) SELECT 'ledger of a policy', format('(SELECT count(*) >= 0 FROM anon_seq_ledger.%I)', c.relname) FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind IN ('r', 'v', 'S') AND c.relname !~ '^[ot]' ORDER BY c.relname;
INSERT INTO theirs.line (of, call) VALUES ('marker of a population', 'nextval(''anon_seq_ledger.n1_population'')'), ('release', '(SELECT count(*) FROM mine.out_r2)'), ('release', '(SELECT count(*) FROM mine.out)'), ('source', '(SELECT count(*) FROM mine.visit)');

CREATE FUNCTION theirs.tried(who text, call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  BEGIN
    EXECUTE format('SET LOCAL ROLE %I', who);
    EXECUTE 'SELECT ' || call INTO result;
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN result := coalesce(nullif(result, ''), 'done'); WHEN OTHERS THEN result := SQLSTATE;
  END;
  RETURN left(result, 12);
END $$;
SELECT concat_ws(' ', rpad('stranger', 12), rpad('analyst', 12), rpad('publisher', 12), rpad('guest', 12), rpad('member', 12), rpad('owner', 12), rpad('landlord', 12), rpad('reads all', 12), 'what');
SELECT concat_ws(' ', (SELECT string_agg(rpad(theirs.tried('regress_' || r, call), 12), ' ' ORDER BY i) FROM unnest('{stranger,analyst,publisher,guest,member,owner,landlord,reads_all}'::text[]) WITH ORDINALITY AS u (r, i)), call) FROM theirs.line ORDER BY no;

-- Nothing of the extension is without a line.
SELECT p.oid::regprocedure FROM pg_proc AS p WHERE p.pronamespace = 'anon_seq'::regnamespace AND p.proname NOT IN (SELECT of FROM theirs.line);
SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'anon_seq'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'S') AND c.relname NOT IN (SELECT of FROM theirs.line);
-- Every function says what it is, and resolves names as it was written: SQL functions by a SET clause, those in C by their session.
SELECT p.oid::regprocedure FROM pg_proc AS p WHERE p.pronamespace = 'anon_seq'::regnamespace AND (obj_description(p.oid, 'pg_proc') IS NULL OR p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql') AND NOT coalesce(p.proconfig::text ~ 'search_path=pg_catalog, pg_temp', false));
\c :original
DROP DATABASE regress_anon_seq_rights;
DROP ROLE regress_landlord, regress_owner, regress_member, regress_guest, regress_publisher, regress_analyst, regress_stranger, regress_reads_all;
