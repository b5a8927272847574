-- Lossy join: NSS and SS, their classes, what is refused, what audits say.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_pl_reader;
CREATE SCHEMA publish_lossy;
GRANT USAGE ON SCHEMA publish_lossy TO regress_pl_reader;
SET search_path = publish_lossy, anon_seq, public;

-- Table 1 of the paper.
CREATE TABLE patient (id int, job text, birth int, postcode int, illness text);
INSERT INTO patient VALUES (1, 'clerk', 1975, 4350, 'HIV'), (2, 'manager', 1955, 4350, 'flu'), (3, 'clerk', 1955, 5432, 'flu'),
  (4, 'factory worker', 1955, 5432, 'fever'), (5, 'factory worker', 1975, 4350, 'flu'), (6, 'technical supporter', 1940, 4350, 'fever');
SET client_min_messages = warning;  -- not which other populations there are
SELECT create_lossy_join_policy('pl', 'patient', 'id', '{job,birth,postcode}', '{illness}', 0.5, 2, 'projections', publish_as => 'out');
RESET client_min_messages;
SELECT c->>'column', c->>'role', c->>'type' FROM policies, jsonb_array_elements(columns) AS c WHERE name = 'pl';
SELECT parameters FROM policies WHERE name = 'pl';
SELECT feasible, reason, published, withheld, classes, smallest_class, measures FROM preview('pl');
SELECT policy, version, relations, published, withheld, classes, smallest_class FROM publish('pl');
-- NSS is the projection, SS has the values; which class is which is left to chance.
SELECT job, birth, postcode FROM out_nss EXCEPT ALL SELECT job, birth, postcode FROM patient;
SELECT count(*), count(DISTINCT class_id), min(class_id), max(class_id) FROM out_nss;
SELECT illness, sum(n) FROM out_ss GROUP BY illness ORDER BY illness;
SELECT class_id, sum(n) >= 2 AND 2 * max(n) <= sum(n) AS holds, sum(n) = (SELECT count(*) FROM out_nss AS p WHERE p.class_id = s.class_id) AS same FROM out_ss AS s GROUP BY class_id ORDER BY class_id;
SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute AS a WHERE attrelid = 'out_joined'::regclass AND attnum > 0 ORDER BY attnum;
-- Weights count everybody once, and each value as often as it is there.
SELECT illness, round(sum(weight)::numeric, 6) FROM out_joined GROUP BY illness ORDER BY illness;
SELECT round(sum(weight)::numeric, 6) FROM out_joined;
-- Rows stand in the order of their values, and of nothing else.
SELECT (SELECT array_agg(p ORDER BY p.ctid) FROM out_r1_nss AS p) = (SELECT array_agg(p ORDER BY class_id, job COLLATE "C", birth, postcode) FROM out_r1_nss AS p) AS nss,
       (SELECT array_agg(s ORDER BY s.ctid) FROM out_r1_ss AS s) = (SELECT array_agg(s ORDER BY class_id, illness COLLATE "C") FROM out_r1_ss AS s) AS ss;
SELECT check_name, scope, required, regexp_replace(observed, '(share|for \d).*', ''), ok, offending FROM audit('pl');
SELECT assert_audit('pl');
SELECT regexp_replace(obj_description('out_r1_nss'::regclass), 'of \d+-\d+-\d+', 'of today') AS nss;
SELECT regexp_replace(obj_description('out_r1_ss'::regclass), 'of \d+-\d+-\d+', 'of today') AS ss;
SELECT obj_description('out_joined'::regclass);
SELECT col_description('out_nss'::regclass, 2), col_description('out_ss'::regclass, 3), col_description('out_joined'::regclass, 6);
SELECT metric, value >= 1 FROM measure('pl') WHERE metric = 'c_avg';
SELECT count(*) FROM cut('pl');
SELECT count(*) FROM trace('pl');
SELECT count(*) FROM release_rows('pl/1');

-- Unchanged content is the same version; changed content, or other demands, are refused.
SELECT version FROM publish('pl');
SELECT feasible, reason FROM preview('pl');
INSERT INTO patient VALUES (7, 'clerk', 1960, 4350, 'fever');
SELECT pg_temp.fails($$SELECT publish('pl')$$);
SELECT feasible, left(reason, 40) FROM preview('pl');
SELECT version FROM releases WHERE policy = 'pl';
SELECT pg_temp.fails($$SELECT alter_policy('pl', '{"alpha": 0.6}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl', '{"k": 1}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl', '{"classes": "topdown"}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl', '{"sensitive_values": ["HIV"]}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('pl', '{"quasi": ["job"]}')$$);
SELECT alter_policy('pl', '{"options": {"unguarded_again": true}}');
SELECT version, published FROM publish('pl');
SELECT scope, check_name, required, observed, ok FROM audit('pl', everything => true) WHERE NOT ok;
SELECT pg_temp.fails($$SELECT assert_audit('pl')$$);
SELECT count(*), round(sum(weight)::numeric, 6) FROM out_nss, (SELECT sum(weight) AS weight FROM out_joined) AS j GROUP BY weight;

-- Rights: of the owner alone, until he gives them; the ledger is closed.
SET ROLE regress_pl_reader;
SELECT pg_temp.fails('SELECT * FROM publish_lossy.out_' || part) FROM unnest('{nss,ss,joined}'::text[]) AS part;
SELECT pg_temp.fails($$SELECT anon_seq.publish('pl')$$);
RESET ROLE;
SELECT bool_or(has_table_privilege('regress_pl_reader', c.oid, 'SELECT')) FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind IN ('r', 'v');
GRANT SELECT ON out_nss, out_joined TO regress_pl_reader;
SET ROLE regress_pl_reader;
SELECT count(*) FROM publish_lossy.out_joined WHERE illness IS NULL;
SELECT count(*) FROM publish_lossy.out_nss;
RESET ROLE;

-- Parameters.
CREATE FUNCTION declare(alpha numeric DEFAULT 0.5, k int DEFAULT 2, form text DEFAULT 'projections', classes text DEFAULT NULL, l int DEFAULT NULL, listed text[] DEFAULT NULL,
    quasi text[] DEFAULT '{job}', sensitive text[] DEFAULT '{illness}', options jsonb DEFAULT NULL, person text DEFAULT 'id', publish_as text DEFAULT NULL, source regclass DEFAULT 'patient') RETURNS void
  LANGUAGE sql AS $$ SELECT create_lossy_join_policy('pl bad', source, person, quasi, sensitive, alpha, k, form, classes, l, listed, publish_as => publish_as, population => 'pl bad', options => options) $$;
SET client_min_messages = warning;
SELECT pg_temp.fails('SELECT declare(' || a || ')') FROM unnest(ARRAY['alpha => 0', 'alpha => 1.01', 'alpha => ''NaN''', 'alpha => NULL', 'k => 0', 'k => NULL', 'form => NULL', 'form => ''table''', 'form => ''generalized'', classes => ''regional'', quasi => ''{birth}''', 'form => ''generalized'', quasi => ''{birth}'', options => ''{"decisions": "all"}''', 'options => ''{"domains": {"job": [1, 2]}}''',
  'classes => ''mondrian''', 'l => 2', 'classes => ''topdown'', l => 2', 'classes => ''anatomy''', 'classes => ''anatomy'', l => 1', 'classes => ''anatomy'', l => 3', 'classes => ''anatomy'', l => 2, k => 3',
  'sensitive => ''{}''', 'sensitive => ''{job}''', 'sensitive => ''{nothing}''', 'listed => ''{}''', 'listed => ''{HIV,NULL}''', 'sensitive => ''{birth}'', listed => ''{1975,HIV}''',
  'sensitive => ''{illness,birth}'', listed => ''{HIV}''', 'options => ''{"each": true}''', 'options => ''{"nearby": 10}''', 'options => ''{"decisions": "paper"}''',
  'options => ''{"sensitive_values": {"birth": ["1975"]}}''', 'listed => ''{HIV}'', options => ''{"sensitive_values": {"illness": ["flu"]}}''', 'publish_as => ''out''']) AS a;
RESET client_min_messages;
CREATE VIEW named AS SELECT id, job AS class_id, illness AS n, birth AS weight FROM patient;
SELECT pg_temp.fails('SELECT declare(source => ''named'', ' || a || ')') FROM unnest(ARRAY['quasi => ''{class_id}'', sensitive => ''{weight}''', 'quasi => ''{class_id}'', sensitive => ''{n}''', 'quasi => ''{weight}'', sensitive => ''{n}''']) AS a;
CREATE VIEW taken_joined AS SELECT 1 AS x;
SELECT pg_temp.fails($$SELECT declare(publish_as => 'taken')$$);

-- What a source can be like.
CREATE FUNCTION tried(name text, source regclass, alpha numeric, k int, classes text DEFAULT NULL, l int DEFAULT NULL, listed text[] DEFAULT NULL, options jsonb DEFAULT NULL, person text DEFAULT NULL, quasi text[] DEFAULT '{job}', sensitive text[] DEFAULT '{illness}') RETURNS text
  LANGUAGE plpgsql AS $$ BEGIN
  SET LOCAL client_min_messages = error;
  PERFORM create_lossy_join_policy(name, source, person, quasi, sensitive, alpha, k, 'projections', classes, l, listed, population => name, options => options);
  RESET client_min_messages;
  PERFORM publish(name);
  RETURN (SELECT string_agg(check_name || ': ' || CASE WHEN check_name IN ('rows', 'ledger', 'correlation') THEN '' ELSE observed END || CASE WHEN ok THEN '' ELSE ' FAILS' END, '; ') FROM audit(name)); END $$;
-- Several rows of a person; too few rows; a value that is too frequent; nobody.
CREATE TABLE many AS SELECT 1 + i % 4 AS id, 'clerk' AS job, 'd' || i AS illness FROM generate_series(1, 12) AS i;
SELECT pg_temp.fails($$SELECT tried('pl many', 'many', 0.5, 2, person => 'id')$$);
SELECT tried('pl rows', 'many', 0.5, 2);
SELECT pg_temp.fails($$SELECT tried('pl k', 'many', 0.5, 13)$$);
CREATE TABLE frequent AS SELECT i AS id, 'j' || i % 3 AS job, CASE WHEN i <= 8 THEN 'flu' ELSE 'd' || i END AS illness FROM generate_series(1, 12) AS i;
SELECT pg_temp.fails($$SELECT tried('pl f', 'frequent', 0.5, 2)$$);
SELECT pg_temp.fails($$SELECT tried('pl f', 'frequent', 0.5, 2, 'topdown')$$);
SELECT pg_temp.fails($$SELECT tried('pl f', 'frequent', NULL, NULL, 'anatomy', 2)$$);
SELECT pg_temp.fails($$SELECT tried('pl f', 'frequent', NULL, NULL, 'anatomy', 13)$$);
CREATE TABLE nobody (job text, illness text);
SELECT pg_temp.fails($$SELECT tried('pl nobody', 'nobody', 0.5, 2)$$);
SELECT tried('pl all', 'frequent', 1, 3);
-- Classes of four hold one of a value under alpha 0.33, and so a quarter; of three, a third.
CREATE TABLE seventh AS SELECT i AS id, 'j' || i % 3 AS job, 'd' || i % 7 AS illness FROM generate_series(1, 84) AS i;
SELECT alpha, tried('pl under ' || alpha, 'seventh', alpha, 2) FROM unnest('{0.33,0.34}'::numeric[]) AS alpha;
-- NULL is a sensitive value; alpha/2, all equal, near, absent: said, not forbidden.
CREATE TABLE gaps AS SELECT i AS id, NULLIF('j' || i % 3, 'j0') AS job, CASE WHEN i % 3 > 0 THEN 'd' || i END AS illness, 30000 + i * 1.5 AS pay, 'same' AS same FROM generate_series(1, 30) AS i UNION ALL SELECT 31, NULL, NULL, 900000, 'same';
SELECT tried('pl null', 'gaps', 0.5, 2);
SELECT tried('pl gaps', 'gaps', 0.4, 2, 'topdown', quasi => '{job,pay}', options => '{"allow_unique": ["illness"]}');
SELECT sum(n) FROM "pl gaps_ss" WHERE illness IS NULL;
SELECT tried('pl pay', 'gaps', 0.2, 2, sensitive => '{pay}', options => '{"allow_unique": ["pay"]}');
SELECT tried('pl same', 'gaps', 1, 2, sensitive => '{same}');
SELECT tried('pl absent', 'gaps', 0.3, 2, listed => '{d1,d2,plague}');
SELECT pg_temp.fails($$SELECT tried('pl same', 'gaps', 0.9, 2, sensitive => '{same}')$$);
-- Anatomy: at most one of each value in a class.
CREATE TABLE even AS SELECT i AS id, i % 7 AS age, 'd' || i % 5 AS illness FROM generate_series(1, 103) AS i;
SELECT regexp_replace(tried('pl anatomy', 'even', NULL, NULL, 'anatomy', 4, person => 'id', quasi => '{age}'), '\d+ classes', 'so many classes', 'g');
SELECT max(n), min(size) FROM (SELECT n, sum(n) OVER (PARTITION BY class_id) AS size FROM "pl anatomy_ss") AS s;
SELECT regexp_replace(tried('pl quarter', 'even', 0.25, 4, 'anatomy', 4, quasi => '{age}'), '\d+ classes', 'so many classes', 'g');

-- Lists: any of them together, or each; a label of a taxonomy means all below it; equal by the type.
CREATE TABLE clinic AS SELECT i AS id, i % 10 AS age, (ARRAY['HIV', 'hepatitis', 'flu', 'cold', 'cough', 'fever'])[1 + i % 6] AS illness, (i % 4)::numeric(6, 2) AS stage, i % 9 = 0 AS deaf FROM generate_series(1, 120) AS i;
SELECT create_taxonomy('pl illness', '{"ANY": {"stigma": ["HIV", "hepatitis"], "other": ["flu", "cold", "cough", "fever"]}}');
SELECT tried('pl any', 'clinic', 0.4, 2, listed => '{HIV,hepatitis}', quasi => '{age}');
SELECT max(share) <= 0.4 FROM (SELECT sum(n) FILTER (WHERE illness IN ('HIV', 'hepatitis')) / sum(n) AS share FROM "pl any_ss" GROUP BY class_id) AS s;
SELECT pg_temp.fails($$SELECT tried('pl more', 'clinic', 0.3, 2, listed => '{HIV,hepatitis}', quasi => '{age}')$$);
SELECT tried('pl each', 'clinic', 0.3, 2, listed => '{HIV,hepatitis}', quasi => '{age}', options => '{"each": true}');
SET client_min_messages = error;
SELECT create_lossy_join_policy('pl label', 'clinic', 'id', '{age,deaf}', '{illness}', 0.4, 2, 'projections', sensitive_values => '{stigma}', taxonomies => '{"illness": "pl illness"}', population => 'pl label');
RESET client_min_messages;
SELECT published FROM publish('pl label');
SELECT observed, ok FROM audit('pl label') WHERE check_name = 'alpha_k';
SELECT tried('pl number', 'clinic', 0.4, 2, listed => '{1,2.0}', quasi => '{age}', sensitive => '{stage}', options => '{"each": true}');
-- Several sensitive columns: one class, an SS and a join for each.
SELECT tried('pl two', 'clinic', 0.5, 2, quasi => '{age}', sensitive => '{illness,stage}', options => '{"sensitive_values": {"illness": ["HIV"], "stage": ["3"]}}');
SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'publish_lossy'::regnamespace AND c.relname LIKE 'pl two%' ORDER BY c.relname;
SELECT max(held) FROM (SELECT count(*) AS held FROM "pl two_ss_illness" GROUP BY class_id, illness) AS s;
SELECT tried('pl both', 'clinic', 0.5, 2, quasi => '{age}', sensitive => '{illness,stage}');
SELECT round(sum(weight)::numeric, 3) FROM "pl both_joined_stage";

-- One table: nodes of taxonomies, ranges of numbers; NULL and all else are told apart or not at all.
SELECT create_taxonomy('pl job', '{"*": {"white-collar": ["clerk", "manager"], "blue-collar": ["factory worker", "technical supporter"]}}');
CREATE TABLE table1 AS SELECT * FROM patient WHERE id < 7;
SET client_min_messages = warning;
SELECT create_lossy_join_policy('pl table', 'table1', 'id', '{job,birth,postcode}', '{illness}', 0.5, 2, 'generalized', taxonomies => '{"job": "pl job"}', population => 'pl table');
SELECT c->>'column', c->>'role', c->>'type' FROM policies, jsonb_array_elements(columns) AS c WHERE name = 'pl table';
SELECT relations, published, smallest_class >= 2 AS holds FROM publish('pl table');
SELECT check_name, ok FROM audit('pl table');
SELECT smallest >= 2 AND largest_fraction <= 0.5 FROM audit_alpha_k('"pl table"', '{job,birth,postcode}', 'illness');
SELECT pg_temp.fails($$SELECT create_lossy_join_policy('pl as is', 'table1', 'id', '{birth}', '{illness}', 0.5, 2, 'generalized', publish_as_is => '{postcode}', population => 'pl as is')$$);
CREATE TABLE mixed AS SELECT i AS id, NULLIF(i % 50, 7) AS age, (ARRAY['clerk', 'manager', 'factory worker', 'technical supporter', NULL])[1 + i % 5] AS job, DATE '2024-01-01' + i % 90 AS seen, 'd' || i * 7 % 11 AS illness FROM generate_series(1, 400) AS i;
SELECT create_lossy_join_policy('pl simulatable', 'mixed', 'id', '{age,job,seen}', '{illness}', 0.3, 5, 'generalized', taxonomies => '{"job": "pl job"}', population => 'pl simulatable', options => '{"decisions": "simulatable"}');
RESET client_min_messages;
SELECT published, withheld, classes > 10 AS fine FROM publish('pl simulatable');
SELECT check_name, regexp_replace(observed, '\d+ classes, the smallest of .*', '...'), ok FROM audit('pl simulatable');
SELECT smallest >= 5 AND largest_fraction <= 0.3 AS holds FROM audit_alpha_k('"pl simulatable"', '{age,job,seen}', 'illness');
-- Everybody is in some row that may be his; rows stand in the order of what they show.
SELECT count(*) FROM mixed AS m WHERE NOT EXISTS (SELECT FROM "pl simulatable" AS r WHERE m.illness = r.illness AND (r.age @> m.age OR m.age IS NULL AND (r.age IS NULL OR r.age = '(,)')) AND r.seen @> m.seen
  AND (r.job = m.job OR r.job = '*' OR r.job IS NULL AND m.job IS NULL OR r.job = CASE WHEN m.job IN ('clerk', 'manager') THEN 'white-collar' ELSE 'blue-collar' END));
SELECT count(*) > 0 FROM "pl simulatable_flat";

-- Odd names.
CREATE TABLE "odd ""table" AS SELECT i AS "the ""key""", 'x' || i % 2 AS "Quasi Column", i % 5 AS "sensitive'; --", 'é' AS "ö" FROM generate_series(1, 40) AS i;
SET client_min_messages = error;
SELECT create_lossy_join_policy('odd "policy" ''é', '"odd ""table"', 'the "key"', '{Quasi Column}', ARRAY['sensitive''; --'], 0.25, 4, 'projections', publish_as_is => '{ö}', publish_as => '"odd ""out"');
RESET client_min_messages;
SELECT relations, published FROM publish('odd "policy" ''é');
SELECT count(*), min("ö") FROM "odd ""out_nss";
SELECT round(sum(weight)::numeric, 6) FROM "odd ""out_joined" WHERE "sensitive'; --" = 1;
SELECT bool_and(ok) FROM audit('odd "policy" ''é');

-- What is spoiled is not published.
CREATE FUNCTION spoil(assignment text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_spoil';
SET client_min_messages = error;
SELECT create_lossy_join_policy('pl spoiled', 'clinic', 'id', '{age}', '{illness}', 0.4, 3, 'projections', population => 'pl spoiled');
RESET client_min_messages;
SELECT spoil('c3 = c3 + 1000');
SELECT regexp_replace(e, '[1-9] cells', 'some cells', 'g') FROM pg_temp.fails($$SELECT publish('pl spoiled')$$) AS e;
SELECT version FROM releases WHERE policy = 'pl spoiled';
-- Each check sees what it is for: a class of one value; one of other sizes; a value twice; a class less; values, or classes, that two rows have swapped.
SELECT published FROM publish('pl spoiled');
SELECT 'anon_seq_ledger.p' || id || '_row' AS rows FROM policy WHERE name = 'pl spoiled' \gset
CREATE FUNCTION seen(damage text, repair text DEFAULT 'SELECT 1') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    EXECUTE damage;
    REFRESH MATERIALIZED VIEW "pl spoiled_r1_ss";
    EXECUTE repair;
    REFRESH MATERIALIZED VIEW "pl spoiled_r1_nss";
    RETURN QUERY SELECT check_name || CASE WHEN check_name = 'rows' THEN '' ELSE ': ' || offending END FROM audit('pl spoiled') WHERE NOT ok;
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
  END;
END $$;
ALTER TABLE :rows DISABLE TRIGGER USER;
SET client_min_messages = warning;
SELECT seen('SELECT 1');
SELECT seen(format('UPDATE %s SET c2 = ''HIV'' WHERE c3 = 1', :'rows'));
SELECT seen(format('CREATE TABLE kept AS SELECT * FROM %s WHERE place = 1; DELETE FROM %1$s WHERE place = 1', :'rows'), format('INSERT INTO %s TABLE kept', :'rows'));
SELECT seen(format($$DROP MATERIALIZED VIEW "pl spoiled_r1_ss" CASCADE; CREATE MATERIALIZED VIEW "pl spoiled_r1_ss" AS SELECT c3 AS class_id, c2 AS illness, count(*) AS n FROM %s GROUP BY 1, 2
  UNION ALL (SELECT c3, c2, 0 FROM %1$s LIMIT 1); CREATE VIEW "pl spoiled_r1_joined" AS SELECT$$, :'rows'));
SELECT seen(format('DELETE FROM %s WHERE c3 = 1', :'rows'));
RESET client_min_messages;
CREATE FUNCTION swapped(relation text, class text, "column" text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE noticed int := 0;
BEGIN
  FOR i IN 1 .. 20 LOOP
    BEGIN
      EXECUTE format('WITH p AS (SELECT ctid AS at, %2$I AS v, %4$I AS class, c2, row_number() OVER (ORDER BY ctid) AS o FROM %1$s), a AS (SELECT * FROM p WHERE o = %3$s),
          b AS (SELECT p.* FROM p, a WHERE p.v <> a.v AND p.class <> a.class AND p.c2 <> a.c2 ORDER BY p.o <= a.o, p.o LIMIT 1)
        UPDATE %1$s AS r SET %2$I = CASE WHEN r.ctid = a.at THEN b.v ELSE a.v END FROM a, b WHERE r.ctid IN (a.at, b.at)', relation, "column", i * 3, class);
      noticed := noticed + (SELECT NOT ok AND offending > 1 FROM audit('pl spoiled') WHERE check_name = 'rows')::int;
      RAISE SQLSTATE 'UNDO1';
    EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
    END;
  END LOOP;
  RETURN noticed;
END $$;
SELECT swapped(:'rows', 'c3', 'c1'), swapped(:'rows', 'c3', 'c2'), swapped(:'rows', 'c3', 'c3');
ALTER TABLE :rows ENABLE TRIGGER USER;

-- The same people elsewhere: named, or refused; audits of either say so.
SET client_min_messages = warning;
SELECT create_sequential_policy('pl ages', 'clinic', 'id', '{age}', k => 5, population => 'pl mixed');
SELECT published FROM publish('pl ages');
SELECT create_lossy_join_policy('pl mixed', 'clinic', 'id', '{age}', '{illness}', 0.4, 3, 'projections', population => 'pl mixed');
SELECT pg_temp.fails($$SELECT publish('pl mixed')$$);
SELECT alter_policy('pl mixed', '{"options": {"unguarded": ["pl ages"]}}');
SELECT published FROM publish('pl mixed');
SELECT scope, check_name, required, observed FROM audit('pl mixed') WHERE NOT ok;
SELECT scope, check_name, required, observed FROM audit('pl ages') WHERE NOT ok;
CREATE TABLE clinic2 AS SELECT * FROM clinic WHERE id > 3;
SELECT create_sequential_policy('pl later', 'clinic2', 'id', '{age}', k => 5, population => 'pl mixed', previous => '{}');
SELECT create_incremental_policy('pl grows', 'clinic2', 'id', '{age}', k => 5, population => 'pl mixed');
SELECT pg_temp.fails($$SELECT publish('pl grows')$$);

-- Which rows belong together nobody reads out of the ledger but its owner; what is shown as it is needs no fits().
SELECT pg_temp.fails($$SELECT * FROM audit_join('{pl mixed}', '["age"]', '["illness"]')$$);
SELECT grant_population('pl mixed', 'regress_pl_reader');
SET ROLE regress_pl_reader;
SELECT pg_temp.fails($$SELECT * FROM anon_seq.audit_join('{pl mixed}', '["age"]', '["illness"]')$$);
SELECT pg_temp.fails($$SELECT * FROM anon_seq.release_rows('pl mixed')$$);
RESET ROLE;
SELECT revoke_population('pl mixed', 'regress_pl_reader');
SELECT pg_temp.fails($$SELECT fits('out_nss', 'birth', birth, '1975') FROM out_nss$$);

-- Erasure, withdrawal, retirement.
SELECT release FROM forget('pl mixed', '3');
SELECT bool_and(ok) FILTER (WHERE check_name <> 'unguarded') FROM audit('pl mixed');
SELECT withdraw_release('pl mixed/1', 'a test');
SELECT to_regclass('"pl mixed_nss"'), to_regclass('"pl mixed_r1_ss"');
SELECT version FROM publish('pl mixed');
SELECT retire_release('pl/1');
SELECT check_name, scope, observed, ok FROM audit('pl', everything => true) WHERE scope = 'pl/1' AND check_name IN ('rows', 'projections', 'unguarded');
SELECT drop_policy('pl');
SELECT retire_release('pl/2');

SET client_min_messages = error;
DROP SCHEMA publish_lossy CASCADE;
DROP ROLE regress_pl_reader;
