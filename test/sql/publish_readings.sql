-- What doc/semantics.md decides, where algorithm and audit once read a rule differently, or not as an attacker does.
CREATE SCHEMA publish_readings;
SET search_path = publish_readings, anon_seq, public;
SET client_min_messages = warning;
\a \t
SELECT create_taxonomy('rd_job', '{"*": ["a", "b", "c", "d"]}'), create_range_taxonomy('rd_q', 0, 8, '{4}'), create_taxonomy('rd_s', '{"*": ["s1", "s2"]}');
CREATE FUNCTION pg_temp.fails(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE detail text; hint text;
BEGIN
  EXECUTE statement;
  RETURN NEXT 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN NEXT sqlstate || ' ' || sqlerrm;
  IF detail <> '' THEN RETURN NEXT '  detail: ' || detail; END IF;
  IF hint <> '' THEN RETURN NEXT '  hint: ' || hint; END IF;
END $$;
-- What an audit finds, k, rows and ledger aside.
CREATE VIEW found AS SELECT p.name, a.* FROM policies AS p, audit(p.name, everything => true) AS a WHERE p.name LIKE 'rd%' AND a.check_name NOT IN ('rows', 'ledger', 'unchanged');

-- Numbers of two releases are compared unless that is waived; the join tells no more than it may, in our own attack on it.
CREATE TABLE people AS SELECT i AS id, 18 + i * 37 % 60 AS age, (ARRAY['a', 'b'])[1 + i * 7 % 2] AS job, (ARRAY['c', 'd'])[1 + i / 3 % 2] AS town, (ARRAY['flu', 'hiv', 'ok', 'bp', 'no'])[1 + i * i % 5] AS diag FROM generate_series(1, 400) AS i;
SELECT create_sequential_policy('rd1', 'people', 'id', '{age,job}', 10, sensitive => '{diag}', max_link => 0.5, taxonomies => '{"job": "rd_job"}', population => 'rd people');
SELECT published FROM publish('rd1');
SELECT create_sequential_policy('rd2', 'people', 'id', '{age,town}', 10, sensitive => '{diag}', max_link => 0.5, taxonomies => '{"town": "rd_job"}', population => 'rd people');
SELECT create_sequential_policy('rd3', 'people', 'id', '{age,town}', 10, sensitive => '{diag}', max_link => 0.5, taxonomies => '{"town": "rd_job"}', population => 'rd people', options => '{"overlap": false}');
SELECT published FROM publish('rd2');
SELECT round(largest_linkability, 3), largest_linkability <= 0.5 FROM audit_join('{rd2,rd1}', '["age", "town"]', '["diag"]');
SELECT published FROM publish('rd3');
SELECT check_name, scope, observed, ok FROM found WHERE name IN ('rd2', 'rd3') AND (check_name = 'waived' OR NOT ok);
SELECT pg_temp.fails($$SELECT assert_audit('rd3', everything => true)$$);
SELECT pg_temp.fails($$SELECT alter_policy('rd2', '{"options": {"overlap": false}}')$$);

-- Another policy of the population shows the column in labels of a range taxonomy: the older one goes on, and so do both.
SELECT create_range_taxonomy('rd_age', 0, 100, '{5,20}');
SELECT create_sequential_policy('rd4', 'people', 'id', '{age,town}', 10, sensitive => '{diag}', max_link => 0.6, taxonomies => '{"age": "rd_age", "town": "rd_job"}', population => 'rd forms', options => '{"dangling": "outer"}');
SELECT create_sequential_policy('rd5', 'people', 'id', '{age,job}', 10, sensitive => '{diag}', max_link => 0.6, taxonomies => '{"job": "rd_job"}', population => 'rd forms', options => '{"dangling": "outer"}');
SELECT published FROM publish('rd5');
SELECT published FROM publish('rd4');
DELETE FROM people WHERE id = 400;
SELECT version, published FROM publish('rd5');
SELECT version, published FROM publish('rd4');
SELECT name, count(*), bool_and(ok) FROM found WHERE name IN ('rd4', 'rd5') GROUP BY 1 ORDER BY 1;

-- A number, and an earlier release with labels.
CREATE TABLE n (id int, q int, e text);
INSERT INTO n VALUES (0, 5, 'z'), (1, 3, 'z'), (2, 3, 'y');
CREATE TABLE n_then AS SELECT CASE WHEN q < 4 THEN '[0,4)' ELSE '[4,8)' END AS rd_q, e FROM n;
SELECT register_release('rd n then', 'n_then', 'rd n', '{"q": {"column": "rd_q", "taxonomy": "rd_q"}, "e": "e"}');
SELECT create_sequential_policy('rd6', 'n', 'id', '{q}', 1, max_link => 1, population => 'rd n');
SELECT published FROM publish('rd6');
-- Labels of a tree are no ranges; nor is a text.
CREATE TABLE words AS SELECT 'a'::text AS q;
SELECT register_release('rd words', 'words', 'rd words', '{"q": {"column": "q", "taxonomy": "rd_job"}}');
SELECT create_sequential_policy('rd7', 'n', 'id', '{q}', 1, sensitive => '{e}', max_link => 1, population => 'rd words');
SELECT pg_temp.fails($$SELECT publish('rd7')$$);

-- Empty partners: which release is named first plays no part, and nobody counts as a record that is not there.
CREATE TABLE o (id int, job text, s text);
INSERT INTO o VALUES (1, 'a', 'y'), (2, 'b', 'z');
CREATE TABLE o1 (s text); INSERT INTO o1 VALUES ('y'), ('y'), ('z'), ('z'), ('z');
CREATE TABLE o2 (s text); INSERT INTO o2 VALUES ('y'), ('y');
SELECT register_release('rd o1', 'o1', 'rd o'), register_release('rd o2', 'o2', 'rd o');
SELECT create_sequential_policy('rd8', 'o', 'id', '{job}', 2, population => 'rd o', sensitive => '{s}', max_link => 0.7, taxonomies => '{"job": "rd_job"}', options => '{"dangling": "outer", "allow_unique": ["s"]}');
SELECT published FROM publish('rd8');
SELECT required, observed, ok, count(*) FROM found WHERE name = 'rd8' GROUP BY 1, 2, 3 ORDER BY 1, 2;
CREATE TABLE o3 (s text, e text); INSERT INTO o3 VALUES ('y', 'e');
SELECT register_release('rd o3', 'o3', 'rd o3');
SELECT create_sequential_policy('rd9', 'o', 'id', '{job}', population => 'rd o3', sensitive => '{s}', taxonomies => '{"job": "rd_job"}', options => '{"dangling": "outer", "allow_unique": ["s"]}',
  rules => '[{"kind": "anonymity", "x": ["s"], "partial_x": true, "y": ["person", {"release": "rd o3", "column": "e"}], "min": 1}]');
SELECT pg_temp.fails($$SELECT publish('rd9')$$);
SELECT alter_policy('rd9', '{"rules": [{"kind": "anonymity", "x": ["job"], "y": ["person", {"release": "rd o3"}], "min": 2}]}');
SELECT pg_temp.fails($$SELECT publish('rd9')$$);

-- A quasi column in y is what is published of it: a root says nothing.
CREATE TABLE c (id int, job text, city text);
INSERT INTO c VALUES (1, 'a', 'c'), (2, 'b', 'd'), (3, 'a', 'd'), (4, 'b', 'c');
SELECT create_sequential_policy('rd10', 'c', 'id', '{job,city}', 2, population => 'rd c', taxonomies => '{"job": "rd_job", "city": "rd_job"}',
  rules => '[{"kind": "linkability", "x": ["job"], "y": ["city"], "max": 0.5}, {"kind": "linkability", "x": ["city"], "y": ["job"], "values": ["a"], "max": 0.4}]');
SELECT published FROM publish('rd10');
TABLE rd10;
SELECT scope, observed, ok FROM found WHERE name = 'rd10' AND check_name = 'linkability';
SELECT pg_temp.fails($$SELECT create_sequential_policy('rd x', 'n', 'id', '{q}', 1, population => 'rd c', rules => '[{"kind": "linkability", "x": ["e"], "y": ["q"], "values": ["3"], "max": 0.5}]', publish_as_is => '{e}')$$);

-- Unknown is below every root, whatever is declared of its leaves.
CREATE TABLE u (id int, q int, s text, c text);
INSERT INTO u VALUES (1, 0, NULL, 'z'), (2, 0, NULL, 'z');
CREATE TABLE u_then AS SELECT '*'::text AS s FROM u;
SELECT register_release('rd u then', 'u_then', 'rd u', '{"s": {"column": "s", "taxonomy": "rd_s"}}');
SELECT declare_inconsistent('c', 'z', 's', 's1'), declare_inconsistent('c', 'z', 's', 's2');
SELECT create_sequential_policy('rd11', 'u', 'id', '{q}', 2, population => 'rd u', sensitive => '{s}', publish_as_is => '{c}', max_link => 1, taxonomies => '{"s": "rd_s"}', options => '{"allow_unique": ["c", "s"]}');
SELECT published FROM publish('rd11');
SELECT withdraw_inconsistent('c', 'z', 's', 's1'), withdraw_inconsistent('c', 'z', 's', 's2');

-- NULL is a value that max_link bounds, unless it is public; a rule may list it.
CREATE TABLE d (id int, age int, diag text);
INSERT INTO d SELECT i, 20 + i % 4, CASE WHEN i % 4 > 0 THEN 'd' || i % 5 END FROM generate_series(1, 80) AS i;
SELECT create_sequential_policy('rd12', 'd', 'id', '{age}', 5, sensitive => '{diag}', max_link => 0.3);
SELECT published FROM publish('rd12');
SELECT max(share) FROM (SELECT avg((diag IS NULL)::int) AS share FROM rd12 GROUP BY age) AS s;
SELECT scope, observed, ok FROM found WHERE name = 'rd12' AND check_name = 'linkability';
SELECT create_sequential_policy('rd16', 'd', 'id', '{age}', 5, sensitive => '{diag}', max_link => 0.3, population => 'rd d');
SELECT feasible, classes FROM preview('rd16', ARRAY['{"max_link": 0.2}', '{"max_link": 0.2, "options": {"null_is_public": true}}', '{"max_link": 0.3, "options": {"null_is_public": true}}',
  '{"max_link": null, "rules": [{"kind": "linkability", "x": ["age"], "y": ["diag"], "values": [null], "max": 0.3}]}', '{"max_link": null, "rules": [{"kind": "linkability", "x": ["age"], "y": ["diag"], "values": ["d1", null], "max": 0.3}]}']::jsonb[]);

-- Listed values: numbers and dates where a column is compared by ranges; a value that nobody has leaves the rule what it is.
CREATE TABLE l (id int, q date, n numeric, job text);
INSERT INTO l VALUES (1, '2020-01-16', 5, 'a'), (2, '2020-01-16', 5, 'a'), (3, '2020-01-20', 6, 'b'), (4, '2020-01-20', 7, 'b');
CREATE TABLE l_then AS SELECT q, n, job FROM l;
SELECT register_release('rd l then', 'l_then', 'rd l');
SELECT create_sequential_policy('rd13', 'l', 'id', '{q,n,job}', 2, population => 'rd l', taxonomies => '{"job": "rd_job"}', rules => '[
  {"kind": "linkability", "x": ["job"], "partial_x": true, "y": [{"release": "rd l then", "column": "q"}], "values": ["2020-01-16"], "max": 1},
  {"kind": "linkability", "x": ["job"], "partial_x": true, "y": [{"release": "rd l then", "column": "n"}], "values": ["5.0", "8"], "max": 1}]');
SELECT published FROM publish('rd13');
SELECT observed, ok FROM found WHERE name = 'rd13' AND check_name = 'linkability';
SELECT largest_linkability FROM audit_join('{rd13,rd l then}', '["job"]', '[{"release": 2, "column": "n"}]', options => '{"values": ["5.00"]}');
CREATE TABLE l_more AS SELECT q, n, job FROM l UNION ALL SELECT '2021-01-01', 9, 'c';
SELECT register_release('rd l more', 'l_more', 'rd l more');
SELECT create_sequential_policy('rd14', 'l', 'id', '{job}', 1, population => 'rd l more', publish_as_is => '{n}', taxonomies => '{"job": "rd_job"}', options => '{"allow_unique": ["n"], "flat": false}',
  rules => '[{"kind": "linkability", "x": ["n"], "partial_x": true, "y": [{"release": "rd l more", "column": "job"}], "values": {"d": 1}}]');
SELECT pg_temp.fails($$SELECT publish('rd14')$$);

-- Bounds of an earlier release count as they are: [20,30] holds 30, and 31 is not in it; empty holds nothing.
CREATE TABLE b (id int, age int);
INSERT INTO b VALUES (1, 20), (2, 30), (3, 40);
CREATE TABLE b_then (age numrange, ill text);
INSERT INTO b_then VALUES ('[20,30]', 'flu'), ('(30,40]', 'hiv'), ('(10,20]', 'ok');
SELECT register_release('rd b then', 'b_then', 'rd b');
SELECT create_sequential_policy('rd15', 'b', 'id', '{age}', 1, max_link => 1, population => 'rd b', options => '{"valid_split": true}');
SELECT published FROM publish('rd15');
SELECT matches, dangling FROM audit_join('{rd15,rd b then}', '["age"]', '[{"release": 2, "column": "ill"}]');
SELECT age FROM rd15;

-- Dates, timestamps and texts have no value in common: SQL compares them, so what is equal to us must be, or it is refused.
CREATE TABLE t_then AS SELECT timestamp '2024-01-01' + i % 4 * interval '1 day' AS at, 'g' || i % 4 AS ill FROM generate_series(1, 40) AS i;
CREATE TABLE t (id int, sex text, at date);
INSERT INTO t SELECT i, (ARRAY['s1', 's2'])[1 + i % 2], date '2024-01-01' + i % 4 FROM generate_series(1, 40) AS i;
SELECT register_release('rd t then', 't_then', 'rd t');
SELECT create_sequential_policy('rd17', 't', 'id', '{sex}', 2, publish_as_is => '{at}', population => 'rd t', taxonomies => '{"sex": "rd_s"}', rules => '[{"kind": "linkability", "x": ["at"], "partial_x": true, "y": [{"release": "rd t then", "column": "ill"}], "max": 0.5}]', options => '{"dangling": "outer"}');
SELECT pg_temp.fails($$SELECT publish('rd17')$$);
SELECT pg_temp.fails($$SELECT audit_join_relations('{t,t_then}', '["sex"]', '[{"release": 2, "column": "ill"}]')$$);
-- max_link that speaks of nothing says so; what it promised of NULL stays promised.
SELECT create_sequential_policy('rd18', 't', 'id', '{sex}', 2, max_link => 0.5, population => 'rd t 18', taxonomies => '{"sex": "rd_s"}');
SET client_min_messages = notice;
SELECT published FROM publish('rd18');
SET client_min_messages = warning;
SELECT pg_temp.fails($$SELECT alter_policy('rd12', '{"options": {"null_is_public": true}}')$$);

-- Numbers and moments that no double tells apart are told apart, by the algorithm as by the audit.
CREATE TABLE far_then AS SELECT numrange(z, z, '[]') AS size, tsrange(t, t, '[]') AS at, 'g' || i % 2 AS ill FROM generate_series(1, 8) AS i, LATERAL (SELECT 9007199254740992 + i % 2 * 2, timestamp '9000-01-01' + i % 2 * interval '2 us') AS x (z, t);
CREATE TABLE far AS SELECT i AS id, 9007199254740992 + i % 2 AS size, timestamp '9000-01-01' + i % 2 * interval '1 us' AS at, (ARRAY['s1', 's2'])[1 + i % 2] AS sex FROM generate_series(1, 8) AS i;
SELECT register_release('rd far then', 'far_then', 'rd far');
SELECT create_sequential_policy('rd19', 'far', 'id', '{sex}', 2, publish_as_is => '{size}', population => 'rd far', taxonomies => '{"sex": "rd_s"}', rules => '[{"kind": "linkability", "x": ["size"], "partial_x": true, "y": [{"release": "rd far then", "column": "ill"}], "max": 0.5}]', options => '{"dangling": "outer", "not_common": ["at"]}');
SELECT create_sequential_policy('rd20', 'far', 'id', '{sex}', 2, publish_as_is => '{at}', population => 'rd far', taxonomies => '{"sex": "rd_s"}', rules => '[{"kind": "linkability", "x": ["at"], "partial_x": true, "y": [{"release": "rd far then", "column": "ill"}], "max": 1}]', options => '{"dangling": "outer", "not_common": ["size"]}');
SELECT pg_temp.fails($$SELECT publish('rd19')$$);
SELECT published FROM publish('rd20');
SELECT matches, dangling FROM audit_join('{rd20,rd far then}', '["at"]', '[{"release": 2, "column": "ill"}]');
SELECT check_name, scope, observed FROM found WHERE name = 'rd20' AND NOT ok;
