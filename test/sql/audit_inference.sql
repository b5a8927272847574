-- audit_inference_relations: the tables of SSDBM'07, the counterexamples of doc/semantics.md, what published values mean, every error.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
\pset format aligned
\pset tuples_only off
CREATE SCHEMA audit_inference;
SET search_path = audit_inference, anon_seq, public;

-- Tables 2 and 5, and the Table 6 that they give away.
CREATE TABLE table2 (case_id int, zipcode text, gender text, age text, disease text);
CREATE TABLE table5 (LIKE table2);
CREATE TABLE table6 (LIKE table2);
INSERT INTO table2 VALUES (1, '2043*', 'NA', '[21-48]', 'bird-flu'), (2, '2043*', 'NA', '[21-48]', 'HIV'), (3, '2043*', 'female', '[26-31]', 'insomnia'), (4, '2043*', 'female', '[26-31]', 'cancer');
INSERT INTO table5 VALUES (1, '20433', 'female', '[21-26]', 'bird-flu'), (2, '20437', 'male', '[48-54]', 'HIV'), (3, '20433', 'female', '[21-26]', 'insomnia'), (4, '2043*', 'female', '31', 'cancer'), (5, '20437', 'male', '[48-54]', 'obesity'), (6, '2043*', 'female', '31', 'SARS');
INSERT INTO table6 VALUES (1, '20433', 'female', '[21-26]', 'bird-flu'), (2, '20437', 'male', '48', 'HIV'), (3, '20433', 'female', '26', 'insomnia'), (4, '2043*', 'female', '31', 'cancer'), (5, '20437', 'male', '[48-54]', 'obesity'), (6, '2043*', 'female', '31', 'SARS');
SELECT create_taxonomy('gender', '{"NA": ["male", "female"]}');
SELECT * FROM audit_inference_relations('{table2,table5}', 'case_id', '{zipcode,gender,age}', 2);
SELECT count(*) AS as_in_table6 FROM audit_inference_relations('{table2,table5}', 'case_id', '{zipcode,gender,age}', 2) AS i
  JOIN table6 AS t ON t.case_id::text = i.object AND i.inferred = to_jsonb(t) - 'case_id' - 'disease';
SELECT object, group_size FROM audit_inference_relations('{table2,table5}', 'case_id', '{zipcode,gender,age}', 2, 'contain') WHERE NOT safe;
SELECT object, group_size FROM audit_inference_relations('{table2,table5}', 'case_id', '{zipcode,gender,age}', 2, 'cover') WHERE NOT safe;
-- The same with a prefix taxonomy, and with ranges; in any order of the relations.
SELECT create_prefix_taxonomy('zipcode', '{4}');
CREATE VIEW ranges2 AS SELECT case_id AS id, zipcode AS "Zip", gender, replace(age, '-', ',')::int4range AS years FROM table2;
CREATE VIEW ranges5 AS SELECT case_id AS id, zipcode AS "Zip", gender, CASE WHEN age LIKE '%-%' THEN replace(age, '-', ',') ELSE '[' || age || ',' || age || ']' END::int4range AS years FROM table5;
SELECT * FROM audit_inference_relations('{ranges5,ranges2}', 'id', '{zip,gender,age}', 2, 'cover', '{"zip": {"column": "Zip", "taxonomy": "zipcode"}, "age": {"column": "years"}}');
SELECT drop_taxonomy('zipcode');
-- Each table by itself is 2-anonymous; Method 1, which publishes the update by itself, is consistent.
SELECT inferred, group_size, safe FROM unnest('{table2,table5}'::regclass[]) AS r, audit_inference_relations(ARRAY[r], 'case_id', '{zipcode,gender,age}', 2) WHERE object IS NULL;
CREATE TABLE method1 AS TABLE table2;
INSERT INTO method1 VALUES (5, '2043*', 'NA', '[31-54]', 'obesity'), (6, '2043*', 'NA', '[31-54]', 'SARS');
SELECT inferred, group_size, safe FROM audit_inference_relations('{table2,method1}', 'case_id', '{zipcode,gender,age}', 2) WHERE object IS NULL;

-- Equal is not monotone in the set of releases: unsafe for the first two, safe for all three.
CREATE TABLE e1 AS SELECT * FROM (VALUES ('a', int4range(1, 6)), ('b', int4range(3, 10))) AS v (o, r);
CREATE TABLE e2 AS SELECT * FROM (VALUES ('a', int4range(3, 10)), ('b', int4range(3, 10))) AS v (o, r);
CREATE TABLE e3 AS SELECT * FROM (VALUES ('a', int4range(3, 6)), ('b', int4range(3, 6))) AS v (o, r);
SELECT * FROM audit_inference_relations('{e1,e2,e3}', 'o', '{r}', 2);
SELECT * FROM audit_inference_relations('{e1,e2,e3}', 'o', '{r}', 2, options => '{"subsets": "prefixes"}');
SELECT * FROM audit_inference_relations('{e1,e2,e3}', 'o', '{r}', 2, options => '{"subsets": "full"}');
-- Withholding a leaf that fell below k: who reads releases 1 and 3 has a alone below 5.
CREATE TABLE w1 AS SELECT o, int4range(0, 10) AS r FROM unnest('{a,b}'::text[]) AS o;
CREATE TABLE w2 AS SELECT o, CASE WHEN o IN ('a', 'c') THEN int4range(0, 5) ELSE int4range(5, 10) END AS r FROM unnest('{a,b,c,d}'::text[]) AS o;
CREATE TABLE w3 AS SELECT * FROM w2 WHERE o IN ('b', 'd');
SELECT * FROM audit_inference_relations('{w1,w2,w3}', 'o', '{r}', 2, 'cover');
INSERT INTO w3 SELECT * FROM w2 WHERE o IN ('a', 'c');
SELECT inferred FROM audit_inference_relations('{w1,w2,w3}', 'o', '{r}', 2, 'cover') WHERE object IS NULL;
-- Every release and every prefix is fine under contain, releases 2 and 3 together are not.
CREATE TABLE c1 AS SELECT o, int4range(5, 10) AS r FROM unnest('{a,b,c,d}'::text[]) AS o;
CREATE TABLE c2 AS SELECT o, CASE WHEN o IN ('a', 'b') THEN int4range(0, 13) ELSE int4range(1, 10) END AS r FROM unnest('{a,b,c,d}'::text[]) AS o;
CREATE TABLE c3 AS SELECT o, CASE WHEN o IN ('a', 'c') THEN int4range(2, 11) ELSE int4range(5, 21) END AS r FROM unnest('{a,b,c,d}'::text[]) AS o;
SELECT * FROM audit_inference_relations('{c1,c2,c3}', 'o', '{r}', 2, 'contain');
SELECT inferred FROM audit_inference_relations('{c1,c2,c3}', 'o', '{r}', 2, 'contain', options => '{"subsets": "prefixes"}') WHERE object IS NULL;

-- A contradiction, and an object in one of many releases: beyond six they are sampled, unless all are asked for.
CREATE TABLE d1 AS SELECT o, int4range(0, 5) AS r FROM unnest('{a,b,c}'::text[]) AS o;
CREATE TABLE d2 AS SELECT o, CASE o WHEN 'a' THEN int4range(5, 9) ELSE int4range(0, 5) END AS r FROM unnest('{a,b,c}'::text[]) AS o;
SELECT * FROM audit_inference_relations('{d1,d2}', 'o', '{r}', 2);
SELECT inferred, group_size, safe FROM audit_inference_relations('{d1,d1,d1,d1,d1,d1,d2}', 'o', '{r}', 2) WHERE object IS NULL;
SELECT inferred, group_size, safe FROM audit_inference_relations('{d1,d1,d1,d1,d1,d1,d2}', 'o', '{r}', 2, options => '{"subsets": "all"}') WHERE object IS NULL;
SELECT object, inferred FROM audit_inference_relations('{d1,d1,d2}', 'o', '{r}', 2) WHERE object = 'a';

-- What values mean. One relation says x, the other y: what is left?
CREATE FUNCTION left_of(type_x text, x text, type_y text, y text) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
BEGIN
  DROP TABLE IF EXISTS x, y;
  EXECUTE format('CREATE TABLE x AS SELECT 1 AS id, %L::%s AS v', x, type_x);
  EXECUTE format('CREATE TABLE y AS SELECT 1 AS id, %L::%s AS v', y, type_y);
  RETURN QUERY EXECUTE $q$SELECT inferred -> 'v' FROM audit_inference_relations('{x,y}', 'id', '{v}', 1, options => '{"subsets": "full"}') WHERE object = '1'$q$;
END $$;
SET client_min_messages = warning;
SELECT v.*, left_of(type_x, x, type_y, y) FROM (VALUES
  ('int4range', '[1,5]', 'int4range', '(2,9)'), ('int4range', '(,5)', 'int4range', '[3,)'), ('int4range', '(,5)', 'int4range', NULL), ('int4range', '[1,5)', 'int4range', NULL),
  ('int4range', '[-2147483648,5)', 'int4range', NULL), ('int4range', '[-2147483648,5)', 'int4range', '(,3)'), ('int8range', '[-9223372036854775808,5)', 'int4range', '(,3)'),
  ('int4range', 'empty', 'int4range', '(,)'), ('int4range', '[1,5)', 'int4', '4'), ('int4', '7', 'int8', '7'), ('int8', '9223372036854775807', 'int8range', '[5,)'),
  ('int4range', '[1,9)', 'numrange', '(2.5,7]'), ('numrange', '[1.0,2.50]', 'numrange', '[2.5,3)'), ('numrange', '[1,2)', 'numrange', '[2,3)'), ('numrange', '[-infinity,2)', 'numrange', '(,1.50)'),
  ('float8', '0.1', 'numeric', '0.10'), ('float4', 'NaN', 'numeric', 'NaN'),
  ('daterange', '[2024-01-01,2024-02-01)', 'daterange', '(2024-01-15,)'), ('date', '2024-01-31', 'daterange', '[2024-01-01,2024-01-31]'), ('daterange', '[-infinity,2024-02-01)', 'daterange', NULL),
  ('tsrange', '[2024-01-01 00:00,2024-02-01 00:00)', 'tsrange', '(2024-01-15 12:00,)'), ('tstzrange', '[2024-01-01 00:00+00,)', 'timestamptz', '2024-01-01 01:00+01'),
  ('int4multirange', '{[1,3),[5,9)}', 'int4range', '[2,7)'), ('int4multirange', '{}', 'int4range', '[2,7)'), ('int4multirange', '{(,3),[5,9)}', 'int4multirange', '{(,1),[7,)}'),
  ('text', '[20, 30[', 'text', '[25-40]'), ('text', '*', 'text', ']20;30]'), ('text', '[20,30)', 'int4range', '[25,50)'), ('text', '25', 'int4range', '[25,50)'),
  ('text', '2043*', 'text', '20433'), ('text', '204**', 'text', '2043*'), ('text', '*', 'text', NULL), ('text', '2043*', 'text', '2053*'), ('text', 'a', 'text', 'b'), ('text', '20433', 'text', '20433'),
  ('text[]', '{a,b,NULL}', 'text[]', '{b,c,NULL}'), ('text[]', '{a,b}', 'text', 'b'), ('text[]', '{}', 'text', 'b'), ('text[]', '{a*,b}', 'text[]', '{ab,ac}'), ('boolean', 't', 'text', 'true')) AS v (type_x, x, type_y, y);
-- Taxonomies: of the column's name, or of the mapping; nodes, arrays of nodes, the root, NULL.
SELECT create_taxonomy('inference_job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
CREATE TABLE j1 (id int, job text[]);
CREATE TABLE j2 (id int, "Job" text);
INSERT INTO j1 VALUES (1, '{Service,baker}'), (2, '{Service,baker}'), (3, '{ANY}'), (4, '{NULL,Manual}'), (5, NULL);
INSERT INTO j2 VALUES (1, 'Manual'), (2, '*'), (3, NULL), (4, 'ANY'), (5, 'nurse');
SELECT object, inferred FROM audit_inference_relations('{j1,j2}', 'id', '{job}', 1, 'equal', '{"job": {"j1": {"taxonomy": "inference_job"}, "2": {"column": "Job"}}}', '{"subsets": "full"}') ORDER BY object;

-- Odd names, many objects, order by bytes.
CREATE TABLE "Odd ""t'" ("o b" text, "Q'u""i" int, "releases" int);
INSERT INTO "Odd ""t'" VALUES ('ä', 1, 1), ('Z', 1, 1), ('a"\', 2, 1), ('b', 2, 1);
SELECT * FROM audit_inference_relations(ARRAY['"Odd ""t''"']::regclass[], 'o b', '{"Q''u\"i","releases"}', 2);
CREATE TABLE empty (LIKE table2);
SELECT * FROM audit_inference_relations('{empty}', 'case_id', '{zipcode}', 2, 'cover');
-- Against SQL: equal, and cover over whole numbers, on two releases of random ranges.
CREATE TABLE s1 AS SELECT i AS id, int4range(i * 7 % 5, i * 7 % 5 + 1 + i * 11 % 4) AS a, int4range(i % 4, i % 4 + 2 + i % 3) AS b FROM generate_series(1, 60) AS i;
CREATE TABLE s2 AS SELECT i AS id, int4range(i * 3 % 4, i * 3 % 4 + 3) AS a, int4range(i % 3, i % 3 + 3) AS b FROM generate_series(1, 75) AS i;
CREATE VIEW both_say AS SELECT id, coalesce(s1.a * s2.a, s2.a) AS a, coalesce(s1.b * s2.b, s2.b) AS b FROM s1 RIGHT JOIN s2 USING (id);
SELECT count(*) AS differences FROM audit_inference_relations('{s1,s2}', 'id', '{a,b}', 3, options => '{"subsets": "full"}') AS i JOIN both_say AS o ON o.id::text = i.object
 WHERE i.group_size <> CASE WHEN isempty(a) OR isempty(b) THEN 0 ELSE (SELECT count(*) FROM both_say AS x WHERE x.a = o.a AND x.b = o.b) END;
SELECT count(*) AS differences FROM audit_inference_relations('{s1,s2}', 'id', '{a,b}', 9, 'cover', options => '{"subsets": "full"}') AS i JOIN both_say AS o ON o.id::text = i.object
 WHERE i.group_size <> least(9, coalesce((SELECT min((SELECT count(*) FROM both_say AS x WHERE x.a @> p AND x.b @> q)) FROM generate_series(lower(o.a), upper(o.a) - 1) AS p, generate_series(lower(o.b), upper(o.b) - 1) AS q), 0));

-- Errors.
\pset format unaligned
\pset tuples_only on
CREATE TABLE bad (id int, age int4range, doc json, n int[], zip text);
INSERT INTO bad VALUES (1, '[1,2)', '{}', '{1}', '[1-'), (1, '[1,2)', '{}', '{1}', 'secret'), (NULL, '[1,2)', '{}', '{1}', 'secret');
CREATE TABLE twice AS SELECT id, zip AS age FROM bad WHERE id = 1;
CREATE TABLE text_age AS SELECT 1 AS id, 'secret'::text AS age, 'other'::text AS gender, current_date AS day;
CREATE TABLE date_age AS SELECT 1 AS id, current_date AS age, 'male'::text AS gender;
SELECT pg_temp.fails('SELECT audit_inference_relations(' || a || ')') FROM unnest(ARRAY[
  $$NULL, 'id', '{age}', 2$$, $$'{}', 'id', '{age}', 2$$, $$'{bad,NULL}', 'id', '{age}', 2$$, $$'{bad}', NULL, '{age}', 2$$, $$'{bad}', 'id', NULL, 2$$, $$'{bad}', 'id', '{}', 2$$, $$'{bad}', 'id', '{age,NULL}', 2$$,
  $$'{bad}', 'id', '{age}', NULL$$, $$'{bad}', 'id', '{age}', 0$$, $$'{bad}', 'id', '{age}', 2, NULL$$, $$'{bad}', 'id', '{age}', 2, 'similar'$$,
  $$'{bad}', 'id', '{age}', 2, options => '[]'$$, $$'{bad}', 'id', '{age}', 2, options => '{"subset": "all"}'$$, $$'{bad}', 'id', '{age}', 2, options => '{"subsets": "some"}'$$, $$'{bad}', 'id', '{age}', 2, options => '{"subsets": 3}'$$,
  $$'{bad}', 'gone', '{age}', 2$$, $$'{bad}', 'id', '{gone}', 2$$, $$'{bad}', 'id', '{age,age}', 2$$, $$'{bad}', 'id', '{id}', 2$$, $$'{bad}', 'id', '{age}', 2, attributes => '{"years": {"column": "age"}}'$$,
  $$'{bad}', 'id', '{age}', 2, attributes => '{"age": {"column": "gone"}}'$$, $$'{text_age}', 'id', '{age}', 2, attributes => '{"age": {"taxonomy": "gone"}}'$$,
  $$'{bad}', 'id', '{age}', 2$$, $$'{twice}', 'id', '{age}', 2$$, $$'{bad}', 'id', '{doc}', 2$$, $$'{bad}', 'id', '{n}', 2$$,
  $$'{text_age,text_age}', 'id', '{age}', 2, attributes => '{"age": {"1": {"column": "age", "taxonomy": "gender"}, "2": {"column": "age", "taxonomy": "inference_job"}}}'$$,
  $$'{text_age}', 'id', '{age}', 2, attributes => '{"age": {"taxonomy": "gender"}}'$$, $$'{text_age}', 'id', '{age}', 2, attributes => '{"age": {"interval": true}}'$$, $$'{text_age,date_age}', 'id', '{gender}', 2$$,
  $$'{text_age,date_age}', 'id', '{age}', 2$$, $$'{text_age,s1}', 'id', '{v}', 2, attributes => '{"v": {"1": {"column": "day"}, "2": {"column": "a"}}}'$$, $$'{text_age,s1}', 'id', '{v}', 2, attributes => '{"v": {"1": {"column": "age", "taxonomy": "gender"}, "2": {"column": "a"}}}'$$,
  $$array_fill('e1'::regclass, '{17}'), 'o', '{r}', 2, options => '{"subsets": "all"}'$$]) AS a;

-- As their caller: no right on the table, none on the taxonomy.
SET client_min_messages = warning;
CREATE ROLE regress_inference;
GRANT USAGE ON SCHEMA audit_inference TO regress_inference;
GRANT SELECT ON table2 TO regress_inference;
SET ROLE regress_inference;
SELECT pg_temp.fails($$SELECT audit_inference_relations('{table5}', 'case_id', '{zipcode}', 2)$$);
SELECT pg_temp.fails($$SELECT audit_inference_relations('{table2}', 'case_id', '{gender}', 2, attributes => '{"gender": {"taxonomy": "gender"}}')$$);
SELECT object, inferred FROM audit_inference_relations('{table2}', 'case_id', '{gender}', 2) WHERE object IS NOT NULL;
-- All nodes below the root and unknown are the root.
RESET ROLE;
CREATE TABLE rooted AS SELECT 1 AS id, '{male,female,NULL}'::text[] AS gender UNION ALL VALUES (2, '{NA}'::text[]);
SELECT object, inferred, group_size FROM audit_inference_relations('{rooted}', 'id', '{gender}', 2, attributes => '{"gender": {"taxonomy": "gender"}}') WHERE object IS NOT NULL;
DROP SCHEMA audit_inference CASCADE;
DROP ROLE regress_inference;
SELECT anon_seq.drop_taxonomy(t) FROM unnest('{gender,inference_job}'::text[]) AS t;
