-- audit_join_relations: the examples of KDD'06 and the counterexamples of doc/semantics.md, each by
-- the short cut where there is one, and by the general way.
CREATE SCHEMA audit_join;
SET search_path = audit_join, anon_seq, public;
CREATE FUNCTION both_ways(relations regclass[], x jsonb, y jsonb, attributes jsonb DEFAULT NULL, options jsonb DEFAULT '{}')
  RETURNS TABLE (a numeric, l numeric, matches numeric, dangling jsonb) LANGUAGE sql AS $$
  SELECT smallest_anonymity, round(largest_linkability, 6), matches, dangling FROM audit_join_relations($1, $2, $3, $4, $5)
  UNION SELECT smallest_anonymity, round(largest_linkability, 6), matches, dangling FROM audit_join_relations($1, $2, $3, $4, $5 || '{"general": true}') $$;

-- KDD'06 Table 1: 7 matches, Alice-Cancer 4, Bob-HIV 1, Bob-Cancer 1, Cathy-HIV 1.
CREATE TABLE t1 (pid int, name text, job text, class text);
INSERT INTO t1 VALUES (1, 'Alice', 'Banker', 'c1'), (2, 'Alice', 'Banker', 'c1'), (3, 'Bob', 'Clerk', 'c2'), (4, 'Bob', 'Driver', 'c3'), (5, 'Cathy', 'Engineer', 'c4');
CREATE TABLE t2 (pid int, job text, disease text);
INSERT INTO t2 VALUES (1, 'Banker', 'Cancer'), (2, 'Banker', 'Cancer'), (3, 'Clerk', 'HIV'), (4, 'Driver', 'Cancer'), (5, 'Engineer', 'HIV');
SELECT * FROM both_ways('{t1,t2}', '["name"]', '[{"release": "t2", "column": "disease"}]', '{"job": {}}');
SELECT * FROM audit_join_relations('{t1,t2}', '["name"]', '[{"release": "t2", "column": "disease"}]', '{"job": {}}');
SELECT * FROM both_ways('{t1,t2}', '["name"]', '[{"release": "t2", "column": "disease"}]', '{"job": {}}', '{"values": ["HIV"]}');
SELECT * FROM both_ways('{t1,t2}', '["name"]', '[{"release": "t2", "column": "disease"}]', '{"job": {}}', '{"values": ["HIV", "flu"], "each": true}');
SELECT * FROM both_ways('{t1,t2}', '["name"]', '[{"release": "t2", "column": "disease"}]', '{"job": {}}', '{"values": ["Cancer", "HIV"]}');
-- The group {Alice, Cancer}: 4 records of the join, 2 persons of T1.
CREATE VIEW alice AS SELECT * FROM t1 WHERE name = 'Alice';
SELECT * FROM both_ways('{alice,t2}', '["name", {"release": "t2", "column": "disease"}]', '[{"release": "alice"}, {"release": "t2"}]', '{"job": {}}');
SELECT * FROM both_ways('{alice,t2}', '["name", {"release": "t2", "column": "disease"}]', '[{"release": "alice", "person": "pid"}]', '{"job": {}}');
-- Without "attributes" columns of one name match, the key as well.
SELECT * FROM both_ways('{t1,t2}', '["name"]', '[{"release": 2, "column": "disease"}]');

-- Section 4: A goes up from 1 to 2, but T1 and T2 are not population-related then.
SELECT create_taxonomy('audit_d', '{"ANY": {"d": ["d1", "d2"], "d3": []}}');
CREATE TABLE s1 (c text, d text);
CREATE TABLE s2 (d text, y text);
INSERT INTO s1 VALUES ('c1', 'd3'), ('c2', 'd');
INSERT INTO s2 VALUES ('d3', 'y3'), ('d3', 'y2'), ('d1', 'y1');
SELECT * FROM audit_join_relations('{s1,s2}', '["c", "d", {"release": "s2", "column": "d"}]', '[{"release": "s2"}]', '{"d": {"taxonomy": "audit_d"}}');
UPDATE s1 SET d = 'd2' WHERE d = 'd';
SELECT * FROM audit_join_relations('{s1,s2}', '["c", "d", {"release": "s2", "column": "d"}]', '[{"release": "s2"}]', '{"d": {"taxonomy": "audit_d"}}');
SELECT * FROM both_ways('{s1,s2}', '["c", "d", {"release": "s2", "column": "d"}]', '[{"release": "s1"}]', '{"d": {"taxonomy": "audit_d"}}', '{"outer": true}');

-- CE-1: l_y is 3/5 with D at ANY, 1/2 once D is split; 2/3 and 1/2 with T2's copy in X.
CREATE TABLE c1 (d text, e text, s text);
CREATE TABLE c2 (d text, e text);
INSERT INTO c1 VALUES ('ANY', 'e1', 'y'), ('ANY', 'e2', 'n'), ('ANY', 'e1', 'y'), ('ANY', 'e1', 'n');
INSERT INTO c2 VALUES ('d1', 'e1'), ('d1', 'e2'), ('d2', 'e1'), ('d2', 'e1');
CREATE TABLE c1_split AS TABLE c1 WITH NO DATA;
INSERT INTO c1_split VALUES ('d1', 'e1', 'y'), ('d1', 'e2', 'n'), ('d2', 'e1', 'y'), ('d2', 'e1', 'n');
SELECT * FROM both_ways('{c1,c2}', '["d"]', '["s"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}', '{"values": ["y"]}');
SELECT * FROM both_ways('{c1_split,c2}', '["d"]', '["s"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}', '{"values": ["y"]}');
SELECT * FROM both_ways('{c1,c2}', '["d", {"release": "c2", "column": "d"}]', '["s"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}', '{"values": ["y"]}');
SELECT * FROM both_ways('{c1_split,c2}', '["d", {"release": "c2", "column": "d"}]', '["s"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}', '{"values": ["y"]}');

-- CE-2: A of {K1, K2} is 2 with D at ANY and 3 once it is split, in the paper's own Case 1.
CREATE TABLE b1 (c text, d text);
CREATE TABLE b2 (d text);
INSERT INTO b1 VALUES ('c1', 'ANY'), ('c1', 'ANY'), ('c1', 'ANY'), ('c1', 'ANY'), ('c2', 'ANY');
INSERT INTO b2 VALUES ('d1'), ('d1'), ('d1'), ('d2'), ('d2');
CREATE TABLE b1_split (c text, d text);
INSERT INTO b1_split VALUES ('c1', 'd1'), ('c1', 'd1'), ('c1', 'd2'), ('c1', 'd2'), ('c2', 'd1');
SELECT * FROM both_ways('{b1,b2}', '["c", "d", {"release": "b2", "column": "d"}]', '[{"release": "b1"}, {"release": "b2"}]', '{"d": {"taxonomy": "audit_d"}}');
SELECT * FROM both_ways('{b1_split,b2}', '["c", "d", {"release": "b2", "column": "d"}]', '[{"release": 1}, {"release": "b2"}]', '{"d": {"taxonomy": "audit_d"}}');

-- CE-3: the join attribute E is itself Y: 2/3, then 1/2.
CREATE TABLE e1 (d text, e text);
CREATE TABLE e2 (d text, e text);
INSERT INTO e2 VALUES ('d1', 'e1'), ('d1', 'e2'), ('d2', 'e1'), ('d2', 'e3');
INSERT INTO e1 SELECT 'ANY', e FROM e2;
SELECT * FROM both_ways('{e1,e2}', '["d"]', '["e"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}');
SELECT * FROM both_ways('{e1,e2}', '["d", {"release": 2, "column": "d"}]', '["e"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}');
CREATE VIEW e1_split AS TABLE e2;
SELECT * FROM both_ways('{e1_split,e2}', '["d"]', '["e"]', '{"d": {"taxonomy": "audit_d"}, "e": {}}');

-- Case 2: Y = K2 where one P2 meets several P1 of an x: 2, not 4. Case 3: Y = K1: each P1 once, 3, not 2.
SELECT create_flat_taxonomy('audit_e', '{e1,e2}');
CREATE TABLE k1 (c text, e text);
CREATE TABLE k2 (e text, u text);
INSERT INTO k1 VALUES ('c1', 'e1'), ('c1', 'e2');
INSERT INTO k2 VALUES ('ANY', 'u'), ('ANY', 'v');
SELECT * FROM both_ways('{k1,k2}', '["c"]', '[{"release": "k2"}]', '{"e": {"taxonomy": "audit_e"}}');
INSERT INTO k1 VALUES ('c1', 'e2');
SELECT * FROM both_ways('{k1,k2}', '["c"]', '[{"release": "k1"}]', '{"e": {"taxonomy": "audit_e"}}');

-- NULL is a leaf of its own below the root; in Y it counts in a(x) but is no value unless listed.
CREATE TABLE n1 (d text, s text);
CREATE TABLE n2 (d text);
INSERT INTO n1 VALUES (NULL, 'y'), ('ANY', NULL), ('d1', 'y'), ('d1', NULL);
INSERT INTO n2 VALUES (NULL), ('ANY'), ('d');
SELECT * FROM both_ways('{n1,n2}', '[]', '[{"release": "n1"}, {"release": "n2"}]', '{"d": {"taxonomy": "audit_d"}}');
SELECT * FROM both_ways('{n1,n2}', '["d"]', '["s"]', '{"d": {"taxonomy": "audit_d"}}');
SELECT * FROM both_ways('{n1,n2}', '["d"]', '["s"]', '{"d": {"taxonomy": "audit_d"}}', '{"values": [null]}');

-- Three tables: a star, and two earlier releases that share an attribute.
CREATE TABLE r3 (d text, z text);
INSERT INTO r3 VALUES ('d1', 'z1'), ('d2', 'z2'), ('d1', 'z2');
SELECT * FROM both_ways('{c1_split,k2,r3}', '["d"]', '[{"release": "r3"}]', '{"d": {"taxonomy": "audit_d"}, "e": {"taxonomy": "audit_e"}}');
SELECT * FROM both_ways('{c1,c2,r3}', '["d", {"release": "c2", "column": "d"}]', '[{"release": "c1"}, {"release": "r3"}]', '{"d": {"taxonomy": "audit_d"}, "e": {}}');

-- Ranges match where they overlap, if that is asked for; raw numbers and texts of other tools are ranges too.
CREATE TABLE a1 (age int4range, s text);
CREATE TABLE a2 (age int, z text);
CREATE TABLE a3 ("Age" text, z text);
INSERT INTO a1 VALUES ('[20,30)', 'y'), ('[30,)', 'n'), (NULL, 'n');
INSERT INTO a2 VALUES (25, 'z1'), (30, 'z2'), (29, 'z1'), (NULL, 'z2');
INSERT INTO a3 VALUES ('[20, 30[', 'z1'), (']20, 30]', 'z2'), ('*', 'z3'), ('41', 'z4');
SELECT * FROM both_ways('{a1,a2}', '["age"]', '["s"]', '{"age": {}}', '{"overlap": true}');
SELECT * FROM both_ways('{a1,a2}', '["age"]', '["s"]', '{"age": {}}');
SELECT * FROM both_ways('{a1,a3}', '["age"]', '[{"release": "a3", "column": "z"}]', '{"age": {"a1": {}, "a3": {"column": "Age", "interval": true}}}', '{"overlap": true}');
-- Labels in the spelling of others, in an open taxonomy.
SELECT create_range_taxonomy('audit_age', 0, 100, '{5,10}');
CREATE TABLE a4 (age text);
INSERT INTO a4 VALUES ('[20, 30['), ('[25,30)'), ('31'), ('*');
SELECT * FROM both_ways('{a4,a2}', '["age"]', '[{"release": 2}]', '{"age": {"taxonomy": "audit_age"}}');

-- A declared inconsistency, up and down the taxonomy: once neither F nor M goes with it, ANY does not either.
SELECT create_flat_taxonomy('audit_sex', '{F,M}');
CREATE TABLE i1 (name text, sex text);
CREATE TABLE i2 (cond text);
INSERT INTO i1 VALUES ('Ann', 'F'), ('Bob', 'M'), ('Carl', 'M'), ('Dora', 'ANY');
INSERT INTO i2 VALUES ('pregnant'), ('flu'), ('flu');
DO $$ BEGIN PERFORM declare_inconsistent('sex', 'M', 'cond', 'pregnant'); END $$;
SELECT * FROM both_ways('{i1,i2}', '["name"]', '[{"release": "i2", "column": "cond"}]', '{"sex": {"taxonomy": "audit_sex"}, "cond": {}}', '{"values": ["pregnant"]}');
DO $$ BEGIN PERFORM declare_inconsistent('cond', 'pregnant', 'sex', 'F'); END $$;
SELECT * FROM both_ways('{i1,i2}', '["name"]', '[{"release": "i2", "column": "cond"}]', '{"sex": {"taxonomy": "audit_sex"}, "cond": {}}', '{"values": ["pregnant"]}');
DELETE FROM anon_seq.inconsistency;

-- Odd names, relations of one name, empty relations, no common attribute, counts beyond 64 bits.
CREATE SCHEMA "Odd ""schema";
CREATE TABLE "Odd ""schema"."Ta'ble" ("Co""l'umn" text, "k0" int, "n" bigint, "p" text, "Ünï" text);
CREATE TABLE "Ta'ble" AS TABLE "Odd ""schema"."Ta'ble";
INSERT INTO "Odd ""schema"."Ta'ble" VALUES ('\x''"', 1, 7, NULL, 'ä'), ('b', 2, 8, 'q', 'ö');
INSERT INTO "Ta'ble" SELECT * FROM "Odd ""schema"."Ta'ble";
SELECT * FROM audit_join_relations(ARRAY['"Odd ""schema"."Ta''ble"', '"Ta''ble"']::regclass[], '["Co\"l''umn", "n"]', '["Ünï", {"release": 2, "column": "k0"}]', '{"p": {}}');
SELECT * FROM both_ways('{s1,s2,s2}', '["c"]', '[{"release": 3, "column": "y"}]', '{"d": {"taxonomy": "audit_d"}}');
CREATE TABLE empty (LIKE s2);
SELECT * FROM both_ways('{s1,empty}', '["c"]', '[{"release": "empty"}]', '{"d": {"taxonomy": "audit_d"}}');
SELECT * FROM both_ways('{s1,empty}', '["c"]', '[{"release": "s1"}]', '{"d": {"taxonomy": "audit_d"}}', '{"outer": true}');
SELECT * FROM both_ways('{empty,empty}', '["y"]', '[{"release": 1}]');
CREATE TABLE big AS SELECT FROM generate_series(1, 100000);
SELECT * FROM both_ways('{big,big,big,big}', '[]', '[{"release": 1}, {"release": 2}, {"release": 3}, {"release": 4}]');

-- A column that nobody listed matches nothing; a bare string is a column of the first relation.
SELECT * FROM both_ways('{t1,t2}', '["class"]', '["name"]', '{}');

-- Texts that are intervals, in whatever spelling, are read as such, not compared by being equal; the same as if attributes said so.
CREATE TABLE arx (age text, sex text, s text);
INSERT INTO arx VALUES ('[20, 30[', 'F', 'flu'), ('[20-30]', 'F', 'HIV'), ('*', 'M', 'flu'), ('[30;40)', 'M', 'cold'), ('48', 'M', 'cold'), (NULL, 'F', 'flu');
CREATE TABLE arx2 (age text, sex text, t text);
INSERT INTO arx2 VALUES ('[20,40)', 'F', 'a'), ('[25,26]', 'M', 'b'), ('45', 'F', 'c'), (' ]40, 50] ', 'M', 'd');
CREATE TABLE exact (age int, u text);
INSERT INTO exact VALUES (25, 'p'), (48, 'q'), (90, 'r');
SELECT * FROM both_ways('{arx,arx2}', '["sex"]', '[{"release": "arx2", "column": "t"}]', '{"age": {}}');
SELECT * FROM both_ways('{arx,arx2}', '["sex"]', '[{"release": "arx2", "column": "t"}]', '{"age": {"interval": true}}');
SELECT count(*) AS matches FROM (VALUES (numrange(20, 30), 'F'), ('[20,30]', 'F'), ('(,)', 'M'), ('[30,40)', 'M'), ('[48,48]', 'M')) AS a (r, sex), (VALUES (numrange(20, 40)), ('[25,26]'), ('[45,45]'), ('(40,50]')) AS b (r) WHERE a.r && b.r;
SELECT * FROM both_ways('{arx,exact}', '["sex"]', '[{"release": "exact", "column": "u"}]');
-- One text that is none, and texts are texts. What does not meet at all is told, for it is no good news.
INSERT INTO arx2 VALUES ('unknown', 'F', 'e');
SELECT * FROM audit_join_relations('{arx,arx2}', '["s"]', '[{"release": "arx2", "column": "t"}]', '{"age": {}}');

SET client_min_messages = warning;
DROP SCHEMA audit_join, "Odd ""schema" CASCADE;
SELECT anon_seq.drop_taxonomy(t) FROM unnest('{audit_d,audit_e,audit_age,audit_sex}'::text[]) AS t;
