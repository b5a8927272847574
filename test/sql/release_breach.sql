-- audit_breach: how likely a person has ever had a value, class by class out of the ledgers of releases made here.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_rb_owner;
CREATE ROLE regress_rb_member IN ROLE regress_rb_owner;
CREATE ROLE regress_rb_other;
CREATE SCHEMA release_breach AUTHORIZATION regress_rb_owner;
GRANT USAGE ON SCHEMA release_breach TO PUBLIC;
SELECT anon_seq.grant_publish('regress_rb_owner');
SET search_path = release_breach, anon_seq, public;
SET client_min_messages = error;
SET ROLE regress_rb_owner;
CREATE TABLE visit AS SELECT i AS id, 20 + i % 11 AS age, i % 3 AS ward, (ARRAY['HIV', 'flu', 'cold', NULL])[1 + i * i % 7 % 4] AS disease FROM generate_series(1, 120) AS i;

-- A table in three versions, in which people come, go and change; another policy of the same people; and an incremental one.
SELECT create_sequential_policy('rb table', 'visit', 'id', '{age}', k => 12, sensitive => '{disease,ward}', publish_as => 'rb_table', previous => '{}', options => '{"unguarded": []}');
SELECT version, published FROM publish('rb table');
DELETE FROM visit WHERE id < 20;
INSERT INTO visit SELECT i, 20 + i % 13, i % 3, 'flu' FROM generate_series(121, 140) AS i;
UPDATE visit SET disease = 'HIV' WHERE id % 9 = 0;
SELECT version, published FROM publish('rb table');
UPDATE visit SET age = age + id % 2, disease = 'cold' WHERE id % 5 = 0;
SELECT version, published FROM publish('rb table');
SELECT create_lossy_join_policy('rb joined', 'visit', 'id', '{age}', '{disease}', 1, 4, 'projections', publish_as => 'rb_joined', population => 'release_breach.visit', options => '{"unguarded": ["rb table"]}');
SELECT version, published FROM publish('rb joined');
SELECT create_incremental_policy('rb growing', 'visit', 'id', '{age}', 5, sensitive => '{disease}', publish_as => 'rb_growing', population => 'rb growing');
SELECT version, published FROM publish('rb growing');
DELETE FROM visit WHERE id % 17 = 1;
UPDATE visit SET disease = 'flu' WHERE id % 4 = 1;
SELECT version, published FROM publish('rb growing');

-- What SQL finds in the ledgers: who was in which class, of how many, with how many of each value.
RESET ROLE;
CREATE TABLE place (policy text, version int, person text, class text);
CREATE TABLE held (policy text, version int, class text, value text, n numeric);
DO $$
DECLARE p record;
BEGIN
  FOR p IN SELECT name, 'anon_seq_ledger.p' || id AS ledger, CASE name WHEN 'rb table' THEN 'c1::text' WHEN 'rb joined' THEN 'c3::text' ELSE 'c1::text' END AS class, CASE name WHEN 'rb growing' THEN 'object' ELSE 'person' END AS persons FROM policy WHERE name LIKE 'rb %' LOOP
    EXECUTE format('INSERT INTO held SELECT %L, version, %s, c2, sum(n) FROM %s_cell GROUP BY 1, 2, 3, 4', p.name, p.class, p.ledger);
    EXECUTE CASE p.persons WHEN 'person' THEN format('INSERT INTO place SELECT %L, version, u.person::text, %s FROM %s_person JOIN %s_cell USING (version, cell), unnest(persons) AS u (person)', p.name, p.class, p.ledger, p.ledger)
                           ELSE format('INSERT INTO place SELECT %L, version, person::text, %s FROM %s_object', p.name, p.class, p.ledger) END;
  END LOOP;
END $$;
CREATE FUNCTION differing(releases text[], policies text[], newest int DEFAULT 99, at_all OUT bigint, differing OUT bigint) LANGUAGE sql AS $$
  WITH size AS (SELECT policy, version, class, sum(n) AS size FROM held GROUP BY 1, 2, 3),
    share AS (SELECT p.person, h.value, h.n / s.size AS share FROM place AS p JOIN held AS h USING (policy, version, class) JOIN size AS s USING (policy, version, class) WHERE p.policy = ANY (policies) AND p.version <= newest),
    found AS (SELECT person, value, CASE WHEN max(share) = 1 THEN 1 ELSE 1 - exp(sum(ln(1 - nullif(share, 1)))) END AS p, max(share) AS localized, count(*) AS releases FROM share WHERE share > 0 GROUP BY 1, 2)
  SELECT count(*), count(*) FILTER (WHERE NOT coalesce(abs(a.p - f.p) < 1e-12 AND abs(a.localized - f.localized) < 1e-12 AND a.releases = f.releases AND a.exact, false))
    FROM (SELECT * FROM anon_seq.audit_breach(releases) WHERE attribute = 'disease') AS a FULL JOIN found AS f ON f.person = a.person AND f.value IS NOT DISTINCT FROM a.value
$$;
GRANT SELECT ON place, held TO PUBLIC;
SET ROLE regress_rb_owner;
SELECT at_all > 0, differing FROM differing('{rb table}', '{rb table}');
SELECT at_all > 0, differing FROM differing('{rb table/2,rb table/1,rb table/2}', '{rb table}', 2);
SELECT at_all > 0, differing FROM differing('{rb joined}', '{rb joined}');
SELECT at_all > 0, differing FROM differing('{rb table,rb joined}', '{rb table,rb joined}');
SELECT at_all > 0, differing FROM differing('{rb growing}', '{rb growing}');
\pset format aligned
\pset tuples_only off
-- Several columns: each by itself; listed values of any of them.
SELECT attribute, value, count(*), min(releases), max(releases), round(max(p), 6) AS p, round(max(localized), 6) AS localized FROM audit_breach('{rb table}', '{HIV,1}') GROUP BY 1, 2 ORDER BY 1, 2;
SELECT attribute, max(releases) FROM audit_breach('{rb table,rb joined}') GROUP BY 1 ORDER BY 1;
-- One version promises less than all together.
SELECT r, round(max(p), 6) AS p, round(max(localized), 6) AS localized FROM unnest('{rb table/1,rb table/2,rb table/3,rb table}'::text[]) AS r, audit_breach(ARRAY[r], '{HIV}') GROUP BY 1 ORDER BY 1;
\pset format unaligned
\pset tuples_only on
-- Values that stay do not fit people who changed; where nobody did, they do.
SELECT count(*) > 0, bool_or(exact) FROM audit_breach('{rb table}', model => 'permanent') WHERE attribute = 'disease';
SELECT value, bool_and(exact), bool_and(p = localized) FROM audit_breach('{rb joined}', '{HIV}', 'permanent') GROUP BY 1;

-- Who is forgotten is not told of, but counts in his class; who was retired counts as before.
SELECT count(*) > 0 FROM audit_breach('{rb table}') WHERE person = '40';
CREATE TABLE before AS SELECT * FROM audit_breach('{rb table}') WHERE person <> '40';
SELECT count(*) FROM forget('release_breach.visit', '40');
SELECT retire_release('rb table/1');
SELECT count(*) FROM (TABLE before EXCEPT SELECT * FROM audit_breach('{rb table}')) AS missing;
SELECT count(*) FROM audit_breach('{rb table}') WHERE person = '40';

-- Not of releases that know no persons, of several populations, or without a sensitive column in common; nor of nothing.
SELECT create_sequential_policy('rb nobody', 'visit', NULL, '{age}', k => 4, sensitive => '{disease}', publish_as => 'rb_nobody', population => 'rb nobody', previous => '{}');
SELECT version FROM publish('rb nobody');
SELECT create_sequential_policy('rb ward', 'visit', 'id', '{age}', k => 4, sensitive => '{ward}', publish_as => 'rb_ward', population => 'release_breach.visit', previous => '{}', options => '{"unguarded": []}');
SELECT version FROM publish('rb ward');
SELECT create_sequential_policy('rb plain', 'visit', 'id', '{age}', k => 4, publish_as => 'rb_plain', population => 'release_breach.visit', previous => '{}', options => '{"unguarded": []}');
SELECT version FROM publish('rb plain');
CREATE TABLE elsewhere AS SELECT age, disease FROM visit;
SELECT register_release('rb elsewhere', 'elsewhere', 'rb elsewhere');
SELECT attribute, max(releases) FROM audit_breach('{rb table,rb ward}') GROUP BY 1 ORDER BY 1;
SELECT pg_temp.fails('SELECT audit_breach(' || a || ')') FROM unnest(ARRAY['NULL', '''{}''', '''{NULL}''', '''{nowhere}''', '''{rb table/9}''', '''{rb elsewhere}''', '''{rb nobody}''', '''{rb table,rb growing}''', '''{rb plain}''', '''{rb joined,rb ward}''', '''{rb table,rb plain}''',
  '''{rb table}'', ''{}''', '''{rb table}'', ''{HIV,NULL}''', '''{rb table}'', model => NULL', '''{rb table}'', model => ''lasting''']) AS a;
SET client_min_messages = notice;
SELECT count(*) FROM audit_breach('{rb table}', '{hiv}');
SET client_min_messages = error;

-- For those who may read the ledger.
SET ROLE regress_rb_member;
SELECT count(*) > 0 FROM audit_breach('{rb table}');
SET ROLE regress_rb_other;
SELECT pg_temp.fails($$SELECT anon_seq.audit_breach('{rb table}')$$);
RESET ROLE;
-- A ledger that was altered: members that no class has.
SELECT 'anon_seq_ledger.p' || id || '_cell' AS cell FROM policy WHERE name = 'rb table' \gset
ALTER TABLE :cell DISABLE TRIGGER USER;
BEGIN;
UPDATE :cell SET n = n - 1 WHERE version = 2;
SELECT pg_temp.fails($$SELECT audit_breach('{rb table}')$$);
ROLLBACK;
DROP SCHEMA release_breach CASCADE;
DROP OWNED BY regress_rb_owner CASCADE;
DROP ROLE regress_rb_owner, regress_rb_member, regress_rb_other;
