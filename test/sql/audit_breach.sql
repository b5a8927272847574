-- audit_breach_relations: how likely a person has ever had a value, over anybody's relations with groups.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA audit_breach;
SET search_path = audit_breach, anon_seq, public;

-- The paper's tables: Figure 2, groups of two, and Figure 4, groups of four; who is who stands beside.
CREATE TABLE fig2_t1 (id text, sex text, zipcode text, disease text);
INSERT INTO fig2_t1 VALUES ('o1', 'M', '6500*', 'flu'), ('o2', 'M', '6500*', 'chlamydia'), ('o3', 'F', '6501*', 'flu'), ('o4', 'F', '6501*', 'fever');
CREATE TABLE fig2_t2 (LIKE fig2_t1);
INSERT INTO fig2_t2 VALUES ('o1', 'M', '6500*', 'chlamydia'), ('o2', 'M', '6500*', 'flu'), ('o3', 'F', '6501*', 'fever'), ('o5', 'F', '6501*', 'flu');
CREATE TABLE fig4_t1 AS SELECT id, 'M/F'::text AS sex, '650**'::text AS zipcode, disease FROM fig2_t1;
CREATE TABLE fig4_t2 AS SELECT id, 'M/F'::text AS sex, '650**'::text AS zipcode, disease FROM fig2_t2;
\pset format aligned
\pset tuples_only off
SELECT * FROM audit_breach_relations('{fig2_t1,fig2_t2}', '{sex,zipcode}', 'id', 'disease', '{chlamydia}');
SELECT * FROM audit_breach_relations('{fig4_t1,fig4_t2}', '{sex,zipcode}', 'id', 'disease', '{chlamydia}');
-- Each release keeps 1/2; both together do only with groups of four. Of every value that cannot be kept: flu.
SELECT * FROM audit_breach_relations('{fig4_t1,fig4_t2}', '{sex,zipcode}', 'id', 'disease') WHERE person IN ('o2', 'o4');
SELECT * FROM audit_breach_relations('{fig4_t2,fig2_t1}', '{sex,zipcode}', 'id', 'disease', '{chlamydia,fever}', 'transient') WHERE person < 'o3' OR person = 'o4';
-- One relation: its shares. A bound is met by equality, with thirds too.
CREATE TABLE thirds AS SELECT i AS id, (i - 1) / 3 AS g, CASE i % 3 WHEN 0 THEN 'HIV' ELSE 'flu' END AS s FROM generate_series(1, 9) AS i;
SELECT p, localized, count(*), bool_and(p <= 1 / 3.0) AS kept, bool_and(exact) AS exact FROM audit_breach_relations('{thirds}', '{g}', 'id', 's', '{HIV}') GROUP BY p, localized;

-- Values that stay: a with flu, b with HIV; then a among people without HIV.
CREATE TABLE stay1 AS SELECT * FROM (VALUES ('a', 1, 'flu'), ('b', 1, 'HIV')) AS v (id, g, s);
CREATE TABLE stay2 AS SELECT * FROM (VALUES ('a', 1, 'flu'), ('c', 1, 'cold')) AS v (id, g, s);
SELECT model, b.* FROM unnest('{transient,permanent}'::text[]) AS model, audit_breach_relations('{stay1,stay2}', '{g}', 'id', 's', '{HIV}', model) AS b;
SELECT * FROM audit_breach_relations('{stay1,stay2}', '{g}', 'id', 's', model => 'permanent');
-- Three worlds: y is 1, 2 or 3 of the first group, and 4 and 5 go with that.
CREATE TABLE ring1 AS SELECT * FROM (VALUES (1, 1, 'x'), (2, 1, 'x'), (3, 1, 'y'), (4, 2, 'y'), (5, 2, 'x')) AS v (id, g, s);
CREATE TABLE ring2 AS SELECT id, CASE WHEN id IN (1, 4) THEN 1 ELSE 2 END AS g, s FROM ring1;
SELECT * FROM audit_breach_relations('{ring1,ring2}', '{g}', 'id', 's', model => 'permanent');
-- Somebody's value has changed: told, and left out; those whom he met are estimated.
CREATE TABLE moved1 AS SELECT * FROM (VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'z')) AS v (id, g, s);
CREATE TABLE moved2 AS SELECT * FROM (VALUES (1, 1, 'z'), (2, 2, 'y'), (3, 2, 'z')) AS v (id, g, s);
SELECT * FROM audit_breach_relations('{moved1,moved2}', '{g}', 'id', 's', model => 'permanent');
-- Too many worlds to count: what is left in all groups of theirs, never less in all than 1.
CREATE TABLE wide1 AS SELECT i AS id, i % 4 AS g, CASE WHEN i = 4 THEN 'rare' ELSE (ARRAY['x', 'y', 'z'])[1 + i * i % 3] END AS s FROM generate_series(1, 80) AS i;
CREATE TABLE wide2 AS SELECT i AS id, i % 5 AS g, CASE WHEN i = 4 THEN 'rare' ELSE (ARRAY['x', 'y', 'z'])[1 + i * i % 3] END AS s FROM generate_series(1, 80) AS i;
SELECT value, count(*), count(*) FILTER (WHERE exact) AS exact, min(p) > 0 AND max(p) < 1 AS open FROM audit_breach_relations('{wide1,wide2}', '{g}', 'id', 's', model => 'permanent') GROUP BY value ORDER BY value;
SELECT count(*) AS off FROM (SELECT person, sum(p) AS p FROM audit_breach_relations('{wide1,wide2}', '{g}', 'id', 's', model => 'permanent') GROUP BY person) AS s WHERE p < 0.99999;

-- Several rows of a person, also in several groups of a relation: chances that one of them has it. Not of values that stay.
CREATE TABLE twice AS SELECT * FROM (VALUES ('a', 1, 'x'), ('a', 1, 'y'), ('b', 1, 'y'), ('c', 1, 'y'), ('a', 2, 'x'), ('d', 2, 'y')) AS v (id, g, s);
SELECT * FROM audit_breach_relations('{twice}', '{g}', 'id', 's', '{x}');
SELECT * FROM audit_breach_relations('{twice,thirds}', '{g}', 'id', 's', '{x}') WHERE releases > 0;
\pset format unaligned
\pset tuples_only on
SELECT pg_temp.fails($$SELECT audit_breach_relations('{twice}', '{g}', 'id', 's', model => 'permanent')$$);
\pset format aligned
\pset tuples_only off

-- NULL is a value, and in a group it is one; nobody is meant by a row without a person, which counts. Numbers are told apart as numbers.
CREATE TABLE gaps (id numeric, g numeric, s numeric(5, 2));
INSERT INTO gaps VALUES (1.0, NULL, NULL), (1.50, NULL, 2), (NULL, NULL, 2), (NULL, 1, 2), (3, 1, 4);
CREATE TABLE gaps_again AS SELECT id::int AS id, g::text AS g, s::int AS s FROM gaps WHERE id IN (1, 3);
SELECT * FROM audit_breach_relations('{gaps,gaps_again}', '{g}', 'id', 's');
SELECT * FROM audit_breach_relations('{gaps}', '{g}', 'id', 's', '{2}');
-- Of a list it is told what nowhere occurs.
SELECT * FROM audit_breach_relations('{gaps}', '{g}', 'id', 's', '{2.00,4,5}');
-- No rows; one group of all; columns of any name and type.
CREATE VIEW nothing AS SELECT * FROM gaps WHERE false;
SELECT * FROM audit_breach_relations('{nothing}', '{g}', 'id', 's');
SELECT * FROM audit_breach_relations('{nothing}', '{g}', 'id', 's', model => 'permanent');
SELECT * FROM audit_breach_relations('{nothing,stay1}', '{}', 'id', 's', '{HIV}');
CREATE TYPE mood AS ENUM ('sad', 'so "so"');
CREATE TABLE "Odd, {name}" AS SELECT ARRAY[int4range(0, 5 * (i % 2))] AS "G ""1""", json_build_object('i', i % 2) AS "g,2", 'päon ' || i AS "Who'S", (ARRAY['sad', 'so "so"'])[1 + i / 2 % 2]::mood AS "S" FROM generate_series(1, 8) AS i;
SELECT person, value, p FROM audit_breach_relations(ARRAY['"Odd, {name}"']::regclass[], '{"G \"1\"","g,2"}', 'Who''S', 'S', '{"so \"so\""}');
\pset format unaligned
\pset tuples_only on

-- What SQL finds, over three relations of many groups.
CREATE TABLE many (version int, id int, g int, s text);
INSERT INTO many SELECT v, i, (i * (7 + v) + i / 3) % (40 * v) % 53, (ARRAY['x', 'y', 'z', 'w', NULL])[1 + (i * i + v * i) % 97 % 5] FROM generate_series(1, 3) AS v, generate_series(1, 400) AS i WHERE (i + v) % 9 > 0;
CREATE VIEW many1 AS SELECT * FROM many WHERE version = 1;
CREATE VIEW many2 AS SELECT * FROM many WHERE version = 2;
CREATE VIEW many3 AS SELECT * FROM many WHERE version = 3;
WITH grp AS (SELECT version, g, count(*) AS n FROM many GROUP BY 1, 2),
  bag AS (SELECT version, g, s, count(*) AS c FROM many GROUP BY 1, 2, 3),
  met AS (SELECT m.id, b.s, 1.0 * b.c / n AS share FROM many AS m JOIN grp USING (version, g) JOIN bag AS b USING (version, g)),
  found AS (SELECT id, s, CASE WHEN max(share) = 1 THEN 1 ELSE 1 - exp(sum(ln(1 - nullif(share, 1)))) END AS p, max(share) AS localized, count(*) AS releases FROM met GROUP BY 1, 2)
SELECT count(*), count(*) FILTER (WHERE abs(a.p - f.p) < 1e-12 AND abs(a.localized - f.localized) < 1e-12 AND a.releases = f.releases AND a.exact) AS same, (SELECT count(*) FROM found) AS all
  FROM audit_breach_relations('{many1,many2,many3}', '{g}', 'id', 's') AS a LEFT JOIN found AS f ON f.id::text = a.person AND f.s IS NOT DISTINCT FROM a.value;
-- Worst first, then by person and value.
SELECT bool_and((p, person, value) IS NOT DISTINCT FROM (q, w, v)) FROM (SELECT p, person, value, nth_value(p, n::int) OVER o AS q, nth_value(person, n::int) OVER o AS w, nth_value(value, n::int) OVER o AS v
  FROM (SELECT *, row_number() OVER () AS n FROM audit_breach_relations('{many1,many2,many3}', '{g}', 'id', 's')) AS a WINDOW o AS (ORDER BY p DESC, person COLLATE "C", value COLLATE "C" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS x;
-- Many releases: what no fraction holds is rounded up, and said to be.
CREATE TABLE large AS SELECT i AS id, 0 AS g, CASE WHEN i <= 3 THEN 'x' ELSE 'y' END AS s FROM generate_series(1, 10007) AS i;
DO $$ BEGIN FOR i IN 1..20 LOOP EXECUTE format('CREATE VIEW large%s AS SELECT * FROM large WHERE id < %s', i, 3001 + 350 * i); END LOOP; END $$;
SELECT exact, p >= q AND p < q + 1e-12 AS close FROM audit_breach_relations((SELECT array_agg(('large' || i)::regclass) FROM generate_series(1, 20) AS i), '{g}', 'id', 's', '{x}'),
  (SELECT 1 - exp(sum(ln(1 - 3.0 / (3000 + 350 * i)))) AS q FROM generate_series(1, 20) AS i) AS e LIMIT 1;

-- Errors; what is met while reading shows no value.
SELECT pg_temp.fails('SELECT audit_breach_relations(' || a || ')') FROM unnest(ARRAY['NULL, ''{g}'', ''id'', ''s''', '''{thirds}'', NULL, ''id'', ''s''', '''{thirds}'', ''{g}'', NULL, ''s''', '''{thirds}'', ''{g}'', ''id'', NULL', '''{thirds}'', ''{g}'', ''id'', ''s'', NULL, NULL',
  '''{}'', ''{g}'', ''id'', ''s''', '''{thirds,NULL}'', ''{g}'', ''id'', ''s''', '''{thirds,stay1,thirds}'', ''{g}'', ''id'', ''s''', '''{thirds}'', ''{g,NULL}'', ''id'', ''s''', '''{thirds}'', ''{h}'', ''id'', ''s''', '''{thirds}'', ''{g}'', ''key'', ''s''', '''{thirds,fig2_t1}'', ''{g}'', ''id'', ''s''',
  '''{thirds}'', ''{g}'', ''id'', ''t''', '''{thirds}'', ''{g,id}'', ''id'', ''s''', '''{thirds}'', ''{g,g}'', ''id'', ''s''', '''{thirds}'', ''{g}'', ''s'', ''s''', '''{thirds}'', ''{g}'', ''id'', ''s'', ''{}''', '''{thirds}'', ''{g}'', ''id'', ''s'', ''{x,NULL}''', '''{thirds}'', ''{g}'', ''id'', ''s'', NULL, ''lasting''']) AS a;
CREATE VIEW bad AS SELECT id, ('secret' || disease)::int AS g, disease AS s FROM fig2_t1;
SELECT pg_temp.fails($$SELECT audit_breach_relations('{bad}', '{g}', 'id', 's')$$);
SET anon_seq.max_memory = '1MB';
CREATE TABLE big AS SELECT 'person number ' || i AS id, i / 4 AS g, i % 3 AS s FROM generate_series(1, 60000) AS i;
SELECT pg_temp.fails($$SELECT audit_breach_relations('{big}', '{g}', 'id', 's')$$);
RESET anon_seq.max_memory;
SELECT count(*), min(p), max(p) FROM audit_breach_relations('{big}', '{g}', 'id', 's');
-- It can be stopped.
SET statement_timeout = '30ms';
SELECT audit_breach_relations('{big}', '{g}', 'id', 's');
RESET statement_timeout;
-- It reads as its caller.
CREATE ROLE regress_ab_stranger;
GRANT USAGE ON SCHEMA audit_breach TO regress_ab_stranger;
GRANT SELECT (id, g) ON thirds TO regress_ab_stranger;
SET ROLE regress_ab_stranger;
SELECT pg_temp.fails($$SELECT anon_seq.audit_breach_relations('{audit_breach.thirds}', '{g}', 'id', 's')$$);
SELECT pg_temp.fails($$SELECT anon_seq.audit_breach_relations('{audit_breach.gaps}', '{g}', 'id', 's')$$);
RESET ROLE;
SET client_min_messages = error;
DROP SCHEMA audit_breach CASCADE;
DROP ROLE regress_ab_stranger;
