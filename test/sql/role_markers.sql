-- What belongs to a role follows ALTER ROLE RENAME and REASSIGN OWNED, has no owner after DROP OWNED, and goes to no new role of an old name.
SET client_min_messages = error;
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_rm_one; CREATE ROLE regress_rm_reader; CREATE ROLE regress_rm_other;
CREATE SCHEMA role_markers AUTHORIZATION regress_rm_one;
SET search_path = role_markers, anon_seq, public;
SELECT grant_publish('regress_rm_one'), grant_publish('regress_rm_other');
CREATE TABLE town AS SELECT i AS id, 20 + i AS age FROM generate_series(1, 20) AS i;
ALTER TABLE town OWNER TO regress_rm_one;
SET ROLE regress_rm_one;
SELECT create_flat_taxonomy('rm job', '{nurse,cook}'), create_range_taxonomy('rm age', 0, 100, '{5,10}'), declare_inconsistent('rm job', 'nurse', 'rm sex', 'M'), register_population('rm town', 'town'), grant_taxonomy('rm job', 'regress_rm_reader'), grant_taxonomy('rm age', 'public');
RESET ROLE;
CREATE FUNCTION pg_temp.state() RETURNS TABLE (name text, owner text, readers text[]) LANGUAGE sql AS $$
  SELECT t.name, t.owner, t.readers FROM anon_seq.taxonomies AS t WHERE t.name LIKE 'rm %'
  UNION ALL SELECT p.name, p.owner, NULL FROM anon_seq.population_tables AS p WHERE p.name LIKE 'rm %'
  UNION ALL SELECT 'inconsistency', anon_seq.marked_role(i.declared_by), NULL FROM anon_seq.inconsistency AS i WHERE i.attribute_a = 'rm job' ORDER BY 1 $$;
SELECT * FROM pg_temp.state();
CREATE TEMP TABLE readers AS SELECT relation::regclass::text AS relation FROM ledger WHERE name IN (SELECT 't' || t.id FROM taxonomy AS t WHERE t.name LIKE 'rm %');
GRANT SELECT ON readers TO PUBLIC;
-- One marker for each role; only the role itself owns it, and it opens nothing.
SELECT marked_role(substr(name, 2)::int) AS role, count(*), bool_and(c.relkind = 'S' AND NOT EXISTS (SELECT FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner)) AS closed FROM ledger AS l JOIN pg_class AS c ON c.oid = l.relation WHERE l.name LIKE 'o%' AND marked_role(substr(name, 2)::int) LIKE 'regress\_rm%' GROUP BY 1 ORDER BY 1;
ALTER ROLE regress_rm_one RENAME TO regress_rm_new;
CREATE ROLE regress_rm_one;
SELECT grant_publish('regress_rm_one');
SELECT * FROM pg_temp.state();
SET ROLE regress_rm_one;
SELECT name FROM taxonomies WHERE name LIKE 'rm %' ORDER BY 1;
SELECT name FROM population_tables WHERE name LIKE 'rm %';
SELECT pg_temp.fails($$SELECT add_to_taxonomy('rm job', 'ANY', 'smith')$$), pg_temp.fails($$SELECT drop_taxonomy('rm age')$$), pg_temp.fails($$SELECT withdraw_population('rm town')$$);
SELECT withdraw_inconsistent('rm job', 'nurse', 'rm sex', 'M');
SET ROLE regress_rm_new;
SELECT add_to_taxonomy('rm job', 'ANY', 'smith');
SET ROLE regress_rm_reader;
-- Who may read a taxonomy has no lock that keeps it from being dropped.
SELECT pg_temp.fails('SELECT FROM ' || relation) ~ 'permission denied' AS closed FROM readers;
SELECT name, owner FROM taxonomies WHERE name LIKE 'rm %' ORDER BY 1;
RESET ROLE;
-- All of it moves at once, also to a role that has a marker.
SET ROLE regress_rm_other;
SELECT create_flat_taxonomy('rm ward', '{a,b}');
RESET ROLE;
REASSIGN OWNED BY regress_rm_new TO regress_rm_other;
SELECT * FROM pg_temp.state();
SET ROLE regress_rm_other;
SELECT create_flat_taxonomy('rm more', '{a,b}'), grant_taxonomy('rm more', 'regress_rm_other'), revoke_taxonomy('rm more', 'regress_rm_other');
RESET ROLE;
SELECT owner, count(*) FROM pg_temp.state() GROUP BY 1;
-- Dropped with what they own: a reader reads nothing, nor does a new one of that name; what an owner leaves is the extension owner's to use.
DROP OWNED BY regress_rm_reader; DROP ROLE regress_rm_reader; CREATE ROLE regress_rm_reader;
DROP OWNED BY regress_rm_new, regress_rm_other CASCADE; DROP ROLE regress_rm_new, regress_rm_other; CREATE ROLE regress_rm_other;
SELECT grant_publish('regress_rm_other');
SELECT * FROM pg_temp.state();
SET ROLE regress_rm_reader;
SELECT name FROM taxonomies WHERE name LIKE 'rm %' ORDER BY 1;
SET ROLE regress_rm_other;
SELECT name FROM taxonomies WHERE name LIKE 'rm %' ORDER BY 1;
SELECT withdraw_inconsistent('rm job', 'nurse', 'rm sex', 'M');
RESET ROLE;
SELECT revoke_taxonomy('rm age', 'public'), revoke_taxonomy('rm job', 'regress_rm_reader');
SELECT * FROM pg_temp.state();
SELECT withdraw_inconsistent('rm job', 'nurse', 'rm sex', 'M'), withdraw_population('rm town');
SELECT drop_taxonomy(name) FROM taxonomies WHERE name LIKE 'rm %';
SELECT count(*) FROM pg_temp.state();
DROP OWNED BY regress_rm_one, regress_rm_reader, regress_rm_other;
DROP ROLE regress_rm_one, regress_rm_reader, regress_rm_other;
