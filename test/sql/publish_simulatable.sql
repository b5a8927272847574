-- Sequential policies whose decisions tell a reader of the code nothing: the option, what it is not offered with, the
-- audit's row, and audit_minimality of sequential releases.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_ps_other;
CREATE SCHEMA publish_simulatable;
GRANT USAGE ON SCHEMA publish_simulatable TO regress_ps_other;
SET search_path = publish_simulatable, anon_seq;
SET client_min_messages = error;
SELECT create_taxonomy('ps job', '{"*": ["nurse", "clerk"]}');
-- Declares and publishes a policy of a population of its own.
CREATE FUNCTION published(name text, source regclass, options jsonb DEFAULT NULL, max_link numeric DEFAULT NULL, rules jsonb DEFAULT NULL, k int DEFAULT 2, quasi text[] DEFAULT '{job}', sensitive text[] DEFAULT '{illness}', as_is text[] DEFAULT NULL) RETURNS text
  LANGUAGE plpgsql AS $$ BEGIN
  PERFORM create_sequential_policy(name, source, 'id', quasi, sensitive => sensitive, k => k, max_link => max_link, rules => rules, publish_as_is => as_is, taxonomies => '{"job": "ps job"}', population => name, options => options);
  RETURN (SELECT p.published || ' rows, ' || p.classes || ' classes' FROM publish(name) AS p); END $$;
CREATE FUNCTION reader(policy text) RETURNS TABLE (required text, observed text, ok boolean, detail jsonb)
  LANGUAGE sql AS $$ SELECT required, observed, ok, detail FROM audit(policy) WHERE check_name = 'reader' $$;
\set hiv '[{"kind": "linkability", "x": ["job"], "y": ["illness"], "values": ["HIV"], "max": 0.5}]'

-- Two nurses, four clerks, two with HIV. Only where both nurses have it there is no cut, by the paper: it tells.
CREATE TABLE six (id int, job text, illness text);
INSERT INTO six VALUES (1, 'nurse', 'HIV'), (2, 'nurse', 'HIV'), (3, 'clerk', 'flu'), (4, 'clerk', 'flu'), (5, 'clerk', 'fever'), (6, 'clerk', 'fever');
SELECT published('ps paper', 'six', rules => :'hiv');
SELECT * FROM audit_minimality('ps paper');
SELECT * FROM reader('ps paper');
SELECT published('ps link', 'six', '{"dangling": "outer"}', 0.6);
SELECT published('ps sim', 'six', '{"decisions": "simulatable"}', rules => :'hiv');
SELECT * FROM audit_minimality('ps sim');
SELECT * FROM reader('ps sim');
SELECT published('ps named', 'six', '{"decisions": "paper"}', rules => :'hiv');
SELECT options FROM policy WHERE name LIKE 'ps %' ORDER BY name;

-- A cut is made where all holders may fall into either part.
CREATE TABLE forty AS SELECT i AS id, CASE WHEN i <= 20 THEN 'nurse' ELSE 'clerk' END AS job, 20 + i AS age, CASE WHEN i % 20 = 7 THEN 'HIV' ELSE 'd' || i % 13 END AS illness,
  CASE WHEN i % 2 = 0 THEN 'here' ELSE 'there' END AS place, i % 4 AS stage FROM generate_series(1, 40) AS i;
SELECT published('ps forty', 'forty', '{"decisions": "simulatable"}', 0.25, quasi => '{job,age}');
SELECT exact, tried, accepted, worst_posterior <= bound AS kept, bound, persons_above, meaning FROM audit_minimality('ps forty', 60);
SELECT published('ps forty paper', 'forty', NULL, 0.25, quasi => '{job,age}');
SELECT exact, accepted <= tried AS some, bound FROM audit_minimality('ps forty paper', 60);
SELECT assert_audit('ps forty');

-- What is published as it is is part of a class: max_link speaks of it, too. Two sensitive columns; NULL; a list of bounds.
SELECT published('ps as is', 'forty', '{"decisions": "simulatable"}', 0.25, quasi => '{job,age}', as_is => '{place}');
SELECT observed, ok, detail FROM reader('ps as is');
SELECT acceptance, worst_posterior <= bound AS kept, persons_above FROM audit_minimality('ps as is', 60);
SELECT published('ps two', 'forty', '{"decisions": "simulatable"}', quasi => '{job,age}', sensitive => '{illness,stage}', rules => '[{"kind": "linkability", "x": ["job", "age"], "y": ["illness"], "values": {"HIV": 0.2, "d3": 0.5}}, {"kind": "linkability", "x": ["job", "age"], "y": ["stage", "illness"], "max": 0.4, "nulls": true}, {"kind": "linkability", "x": ["job"], "y": ["stage"], "max": 0.5}]');
SELECT observed, ok, detail FROM reader('ps two');
SELECT acceptance, worst_posterior <= 0.5 AS kept, bound, persons_above FROM audit_minimality('ps two', 60);
-- Nothing is bounded of who is in which class: no row, nothing to measure.
SELECT published('ps k', 'forty', '{"decisions": "simulatable"}', quasi => '{job}');
SELECT count(*) FROM reader('ps k');
SELECT pg_temp.fails($$SELECT audit_minimality('ps k')$$);

-- Another release of the same people, which shows something else: rows count as often as they have partners.
CREATE TABLE races AS SELECT id, job, CASE WHEN id % 3 = 0 THEN 'a' ELSE 'b' END AS race FROM forty;
SELECT create_sequential_policy('ps races', 'races', 'id', '{job}', sensitive => '{race}', k => 2, taxonomies => '{"job": "ps job"}', population => 'ps shared');
SELECT published FROM publish('ps races');
SELECT create_sequential_policy('ps joined', 'forty', 'id', '{age}', sensitive => '{illness}', k => 2, max_link => 0.8, publish_as_is => '{job}', population => 'ps shared', options => '{"decisions": "simulatable"}',
  rules => '[{"kind": "linkability", "x": ["age"], "y": ["illness"], "with": ["ps races"], "values": ["HIV"], "max": 0.5, "partial_x": true}]');
SELECT published, classes FROM publish('ps joined');
SELECT check_name, observed, ok FROM audit('ps joined') ORDER BY 1, 2;
SELECT acceptance, persons_above FROM audit_minimality('ps joined', 40);
-- But one that shows the sensitive column of the same people tells who has partners: refused, unless it is left out of account, which every audit says.
SET client_min_messages = warning;
SELECT create_sequential_policy('ps again', 'forty', 'id', '{job}', sensitive => '{illness}', k => 2, max_link => 0.8, taxonomies => '{"job": "ps job"}', population => 'ps shared', options => '{"decisions": "simulatable"}');
SET client_min_messages = error;
SELECT pg_temp.fails($$SELECT publish('ps again')$$);
SELECT reason FROM preview('ps again');
SELECT alter_policy('ps again', '{"options": {"decisions": "simulatable", "unguarded": ["ps joined"]}}');
SELECT published, classes FROM publish('ps again');
SELECT check_name, observed, ok FROM audit('ps again') WHERE NOT ok ORDER BY 1, 2;
-- Nor beside a statement of what nobody has together with the column.
SELECT create_sequential_policy('ps apart races', 'races', 'id', '{job}', sensitive => '{race}', k => 2, taxonomies => '{"job": "ps job"}', population => 'ps apart');
SELECT published FROM publish('ps apart races');
SELECT create_sequential_policy('ps apart', 'forty', 'id', '{age}', sensitive => '{illness}', k => 2, max_link => 0.8, publish_as_is => '{job}', population => 'ps apart', options => '{"decisions": "simulatable"}');
SELECT declare_inconsistent('race', 'a', 'illness', 'HIV');
SELECT pg_temp.fails($$SELECT publish('ps apart')$$);
SELECT withdraw_inconsistent('race', 'a', 'illness', 'HIV');
SELECT published FROM publish('ps apart');
-- So a second version, too.
UPDATE six SET illness = 'cold' WHERE id = 6;
SELECT pg_temp.fails($$SELECT publish('ps sim')$$);
SELECT version FROM publish('ps link');
SELECT pg_temp.fails($$SELECT audit_minimality('ps sim')$$);
SELECT pg_temp.fails($$SELECT audit_minimality('ps link/1')$$);
SELECT accepted > 0 AS measured FROM audit_minimality('ps link/2');
UPDATE six SET illness = 'fever' WHERE id = 6;
SELECT accepted FROM audit_minimality('ps sim');

-- Measured against an earlier version that shows the sensitive column, too: an arrangement in which a record of that has no match would be refused,
-- and is not accepted. Of all six ways to deal out two colds and two flus four have one of each at either age, as the first version shows.
CREATE TABLE four AS SELECT i AS id, (i + 1) / 2 AS age, (ARRAY['cold', 'flu'])[1 + i % 2] AS illness FROM generate_series(1, 4) AS i;
SELECT create_sequential_policy('ps four', 'four', 'id', '{age}', sensitive => '{illness}', k => 2, max_link => 0.5, population => 'ps four');
SELECT classes FROM publish('ps four');
SELECT alter_policy('ps four', '{"k": 4}');
SELECT version, classes FROM publish('ps four');
SELECT exact, tried, accepted, worst_posterior FROM audit_minimality('ps four');

-- Decisions are chosen before the first release.
SELECT pg_temp.fails($$SELECT alter_policy('ps paper', '{"options": {"decisions": "simulatable"}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('ps sim', '{"options": {"decisions": "paper"}}')$$);
SELECT alter_policy('ps sim', '{"options": {"decisions": "simulatable", "pruning": "paper"}}');
SELECT feasible, reason FROM preview('ps paper', ARRAY['{"options": {"decisions": "simulatable"}}']::jsonb[]) ORDER BY variant;
SELECT create_sequential_policy('ps later', 'six', 'id', '{job}', sensitive => '{illness}', k => 2, rules => :'hiv', taxonomies => '{"job": "ps job"}', population => 'ps later');
SELECT alter_policy('ps later', '{"options": {"decisions": "simulatable"}}');
SELECT classes FROM publish('ps later');
SELECT withdraw_release('ps later/1', 'nobody has read it');
SELECT alter_policy('ps later', '{"options": {"decisions": "simulatable", "unguarded": ["ps later/1"]}}');
INSERT INTO six VALUES (7, 'clerk', 'fever');
SELECT version FROM publish('ps later');
SELECT check_name, ok FROM audit('ps later') WHERE check_name IN ('reader', 'unguarded') ORDER BY 1;

-- Refused where it is declared.
CREATE FUNCTION declared(options text, more text DEFAULT '') RETURNS SETOF text LANGUAGE sql AS $$
  SELECT pg_temp.fails('SELECT create_sequential_policy(''ps no'', ''forty'', ''id'', ''{job,age}'', sensitive => ''{illness,stage}'', taxonomies => ''{"job": "ps job"}'', population => ''ps no'', options => ' || quote_literal(options) || more || ')') $$;
SELECT declared('{"decisions": "clever"}', ', k => 2');
SELECT declared('{"decisions": true}', ', k => 2');
SELECT declared('{"decisions": "simulatable", "search": true}', ', k => 2');
SELECT declared('{"decisions": "simulatable", "null_is_public": true}', ', max_link => 0.5');
SELECT declared('{"decisions": "simulatable"}', ', max_link => 0.5, label => ''illness''');
SELECT declared('{"decisions": "simulatable"}', ', k => 2, label => ''place''');
SELECT declared('{"decisions": "simulatable"}', $$, rules => '[{"kind": "linkability", "x": ["job", "stage"], "y": ["illness"], "max": 0.5}]'$$);
SELECT declared('{"decisions": "simulatable"}', $$, rules => '[{"kind": "anonymity", "x": ["job"], "y": ["illness"], "min": 2}]'$$);
SELECT declared('{"decisions": "simulatable"}', $$, rules => '[{"kind": "linkability", "x": ["job"], "y": ["illness", "age"], "max": 0.5}]'$$);
SELECT declared('{"decisions": "simulatable"}', $$, rules => '[{"kind": "linkability", "x": ["job"], "y": ["illness", {"release": "ps races", "column": "race"}], "max": 0.5}]'$$);
-- Or when it is published.
CREATE TABLE twice AS SELECT id / 2 AS id, job, illness FROM forty;
SELECT pg_temp.fails($$SELECT published('ps twice', 'twice', '{"decisions": "simulatable"}', 0.9)$$);
SELECT pg_temp.fails($$SELECT published('ps tight', 'six', '{"decisions": "simulatable"}', 0.25)$$);

-- Rights, and what is not measured.
SET ROLE regress_ps_other;
SELECT pg_temp.fails($$SELECT anon_seq.audit_minimality('ps sim')$$);
RESET ROLE;
GRANT SELECT ON "ps sim" TO regress_ps_other;
SET ROLE regress_ps_other;
SELECT pg_temp.fails($$SELECT anon_seq.audit_minimality('ps sim')$$);
RESET ROLE;
SELECT pg_temp.fails($$SELECT audit_minimality('ps sim', 0)$$);
SELECT retire_release('ps link/1');
SELECT pg_temp.fails($$SELECT audit_minimality('ps link/1')$$);
-- A ledger that was altered.
SELECT 'anon_seq_ledger.p' || id || '_note' AS note FROM policy WHERE name = 'ps forty' \gset
ALTER TABLE :note DISABLE TRIGGER USER;
UPDATE :note SET fingerprint = '';
SELECT pg_temp.fails($$SELECT audit_minimality('ps forty', 30)$$);
DELETE FROM :note;
SELECT pg_temp.fails($$SELECT audit_minimality('ps forty', 30)$$);
ALTER TABLE :note ENABLE TRIGGER USER;

DROP SCHEMA publish_simulatable CASCADE;
DROP ROLE regress_ps_other;
