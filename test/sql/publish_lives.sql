-- Serial policies with persistence 'permanent': classes for life.
\pset null NULL
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = warning;
CREATE SCHEMA publish_lives;
SET search_path = publish_lives, anon_seq, public;
CREATE TABLE ward (id int PRIMARY KEY, age int, zip text, illness text);

\echo -- what is no part of it
SELECT pg_temp.fails($$SELECT create_serial_policy('w', 'ward', 'id', '{age}', '{illness}', '{HIV}', 3, 'generalized', persistence => 'permanent')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('w', 'ward', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', persistence => 'eternal')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('w', 'ward', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', 'fixed', 12, persistence => 'permanent')$$);
SELECT pg_temp.fails(format($$SELECT create_serial_policy('w', 'ward', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', persistence => 'permanent', options => '{%s}')$$, o))
FROM unnest(ARRAY['"cohorts": "cut"', '"withhold_below": 0.1', '"stale_share": 0.1', '"cohort_min": 0', '"window": 3']) AS o;

\echo -- version 1: who is there, all together or not at all
SELECT create_serial_policy('w', 'ward', 'id', '{age,zip}', '{illness}', '{HIV}', 3, 'projections', persistence => 'permanent', options => '{"cohort_min": 3}', population => 'w');
SELECT pg_temp.fails($$SELECT publish('w')$$);
INSERT INTO ward SELECT i, 20 + i, 'z' || i % 3, 'flu' FROM generate_series(1, 8) AS i;
SELECT pg_temp.fails($$SELECT publish('w')$$);
SELECT feasible, reason, published FROM preview('w');
INSERT INTO ward VALUES (9, 29, 'z0', 'HIV'), (10, 30, 'z1', 'HIV'), (11, 31, 'z2', 'HIV'), (12, 32, NULL, 'HIV');
UPDATE ward SET illness = 'HIV' WHERE id = 8;
SELECT pg_temp.fails($$SELECT publish('w')$$);
UPDATE ward SET illness = NULL WHERE id = 8;
SELECT count(*) FROM releases WHERE policy = 'w';
SELECT feasible, published, withheld, classes FROM preview('w');
SELECT version, published, withheld, waiting, classes, smallest_class FROM publish('w');
SELECT class_id, count(*) FROM w_nss GROUP BY 1 ORDER BY 1;
SELECT class_id, max(n) FROM w_ss WHERE illness = 'HIV' GROUP BY 1 ORDER BY 1;
SET client_min_messages = notice;
SELECT version FROM publish('w');
SELECT l || '_life' AS w_life, l || '_note' AS w_note, l || '_forgotten' AS w_forgotten, l || '_secret' AS w_secret, l || '_row' AS w_row
FROM (SELECT 'anon_seq_ledger.p' || id AS l FROM policy WHERE name = 'w') AS p \gset
CREATE VIEW lives AS SELECT l.class_id, l.persons[1] AS id, l.c3 AS illness, l.since FROM :w_life AS l;
CREATE TABLE seen (version int, class_id int, illness text, n bigint);
INSERT INTO seen SELECT 1, * FROM w_ss;
CREATE TABLE first AS SELECT * FROM lives;

\echo -- version 2: two left, one has another illness, one is older, two are new
DELETE FROM ward WHERE id IN (1, 2);
UPDATE ward SET illness = 'HIV' WHERE id = 3;
UPDATE ward SET age = 99 WHERE id = 4;
INSERT INTO ward VALUES (101, 50, 'z1', 'HIV'), (102, 51, 'z1', 'cold');
SELECT feasible, published, withheld, classes FROM preview('w');
SELECT version, published, withheld, waiting, classes, smallest_class FROM publish('w');
INSERT INTO seen SELECT 2, * FROM w_ss;
SELECT age, zip FROM w_nss ORDER BY 1, 2;
SELECT illness, sum(n) FROM w_ss GROUP BY 1 ORDER BY 1;
SELECT n.detail ->> 'present', n.detail ->> 'counterfeits', n.detail ->> 'stale' FROM :w_note AS n WHERE version = 2;

\echo -- version 3: a class has left, new persons that do not fit refuse all, then they fit
SET client_min_messages = warning;
SELECT class_id AS gone, max(id) AS who FROM lives WHERE class_id NOT IN (SELECT class_id FROM lives WHERE id IN (1, 2)) GROUP BY 1 ORDER BY 1 LIMIT 1 \gset
DELETE FROM ward WHERE id IN (SELECT id FROM lives WHERE class_id = :gone);
INSERT INTO ward SELECT i, i - 50, 'z1', CASE WHEN i < 106 THEN 'HIV' ELSE 'cold' END FROM generate_series(103, 109) AS i;
SELECT pg_temp.fails($$SELECT publish('w')$$);
SELECT feasible, reason FROM preview('w');
SELECT count(*), (SELECT count(*) FROM lives) FROM releases WHERE policy = 'w';
UPDATE ward SET illness = 'cold' WHERE id IN (104, 105);
SELECT version, published, waiting, classes, smallest_class FROM publish('w');
INSERT INTO seen SELECT 3, * FROM w_ss;
SELECT class_id, count(*), count(age) FROM w_nss WHERE class_id > 4 GROUP BY 1 ORDER BY 1;
INSERT INTO first SELECT * FROM lives WHERE since = 3;

\echo -- version 4: forgotten, and back; who left is back too, and his class
SELECT release, still_shown FROM forget('w', '101') ORDER BY 1;
SELECT release, still_shown FROM forget('w', '1') ORDER BY 1;
SELECT release FROM forget('w', '1');
SELECT release FROM forget('w', '4711');
SELECT count(*), count(DISTINCT digest) FROM :w_forgotten;
SELECT count(*) FROM lives WHERE id IN (1, 101);
INSERT INTO ward VALUES (1, 21, 'back', 'cold'), (:who, 32, 'back', 'cold');
DELETE FROM ward WHERE id IN (105, 106);
SELECT version, published, waiting, classes FROM publish('w');
INSERT INTO seen SELECT 4, * FROM w_ss;
SELECT count(*) FROM :w_forgotten;
SELECT id FROM lives EXCEPT SELECT id FROM first;
SELECT zip, count(*) FROM w_nss WHERE class_id IN (SELECT class_id FROM first WHERE id IN (1, :who)) AND zip = 'back' GROUP BY 1;

\echo -- version 5: forgotten and not there: his place stays
SELECT count(*) FROM forget('w', '102');
SELECT count(*) FROM forget('w', '106');
DELETE FROM ward WHERE id = 102;
SELECT version, published, waiting, classes FROM publish('w');
INSERT INTO seen SELECT 5, * FROM w_ss;
SELECT count(*) FROM :w_forgotten;
SELECT count(*) FROM lives AS l JOIN first AS f USING (id) WHERE l.class_id <> f.class_id OR l.illness IS DISTINCT FROM f.illness;
SELECT count(*) FROM (SELECT class_id FROM (SELECT class_id, version, string_agg(format('%s:%s', illness, n), ',' ORDER BY illness) AS bag FROM seen GROUP BY 1, 2) AS b GROUP BY 1 HAVING count(DISTINCT bag) > 1) AS d;
SELECT check_name, scope, observed, ok, offending FROM audit('w', true) WHERE check_name <> 'correlation' ORDER BY scope COLLATE "C", check_name COLLATE "C";
SELECT string_agg(check_name, ' ' ORDER BY check_name COLLATE "C") FROM audit('w', false);

\echo -- budgets are no part of it
SELECT pg_temp.fails($$SELECT budget('w')$$);
SELECT pg_temp.fails($$SELECT forecast('w', 2)$$);

\echo -- others of the same people
SELECT create_serial_policy('w second', 'ward', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', persistence => 'permanent', options => '{"cohort_min": 1}', population => 'w');
SELECT pg_temp.fails($$SELECT publish('w second')$$);
SELECT create_serial_policy('w spends', 'ward', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', population => 'w');
SELECT pg_temp.fails($$SELECT publish('w spends')$$);
SELECT pg_temp.fails($$SELECT budget('w spends')$$);
SELECT pg_temp.fails($$SELECT forecast('w spends', 2)$$);
SELECT drop_policy('w second'), drop_policy('w spends');
CREATE TABLE few AS SELECT i AS id, i AS age, CASE WHEN i = 1 THEN 'HIV' ELSE 'cold' END AS illness FROM generate_series(1, 30) AS i;
SELECT create_serial_policy('spends', 'few', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', population => 'few');
SELECT published FROM publish('spends');
SELECT create_serial_policy('lives', 'few', 'id', '{age}', '{illness}', '{HIV}', 3, 'projections', persistence => 'permanent', options => '{"cohort_min": 1}', population => 'few');
SELECT pg_temp.fails($$SELECT publish('lives')$$);

\echo -- what may change
SELECT pg_temp.fails(format($$SELECT alter_policy('w', '%s')$$, c))
FROM unnest(ARRAY['{"options": {"cohort_min": 3, "k": 4}}', '{"persistence": "transient"}', '{"l": 2}', '{"sensitive_values": ["cold"]}', '{"plan": "fixed", "horizon": 3}', '{"options": {"cohorts": "cut"}}']) AS c;
SELECT alter_policy('w', '{"sensitive_values": ["HIV", "flu"]}');
SELECT version, published, classes FROM publish('w');
INSERT INTO seen SELECT 6, * FROM w_ss;
SELECT scope, observed, offending FROM audit('w') WHERE NOT ok ORDER BY 1;
SELECT check_name, offending FROM audit('w', false) WHERE NOT ok;
-- What is listed now bounds what is new; the warning was given once.
INSERT INTO ward SELECT i, i, 'z1', 'flu' FROM generate_series(201, 209) AS i;
SELECT pg_temp.fails($$SELECT publish('w')$$);
UPDATE ward SET illness = 'cold' WHERE id BETWEEN 204 AND 209;
SELECT version, published, classes FROM publish('w');
SELECT max(n) FROM w_ss WHERE class_id > 7 AND illness = 'flu';
SELECT check_name, offending FROM audit('w', false) WHERE NOT ok;
-- Fewer at once: who waits depends on their number alone, so it is no refusal that was tried again.
SELECT alter_policy('w', '{"options": {"cohort_min": 1}}');
INSERT INTO ward VALUES (301, 60, 'z1', 'flu'), (302, 61, 'z1', 'cold'), (303, 62, 'z1', 'cold');
SELECT version, published, waiting, classes FROM publish('w');
SELECT check_name, offending FROM audit('w', false) WHERE NOT ok ORDER BY 1;

\echo -- versions that are gone go on counting
SELECT retire_release('w/1'), retire_release('w/7');
SELECT check_name, scope, observed FROM audit('w', true) WHERE scope IN ('w/1', 'w/7', 'w') AND check_name <> 'correlation' ORDER BY scope COLLATE "C", check_name COLLATE "C";
SELECT withdraw_release('w/8', 'too early');
SELECT version, published, classes FROM publish('w');
SELECT version, published, classes FROM publish('w');
SELECT check_name, scope, offending FROM audit('w', true) WHERE NOT ok ORDER BY scope COLLATE "C", check_name COLLATE "C";

\echo -- a ledger in another place
BEGIN;
UPDATE ledger_home SET place = 'elsewhere' WHERE ledger = (SELECT 'p' || id FROM policy WHERE name = 'w');
UPDATE ward SET age = age + 1;
SELECT pg_temp.fails($$SELECT publish('w')$$);
SELECT confirm_ledger('w', 9);
SELECT version, published FROM publish('w');
ROLLBACK;

\echo -- a damaged ledger
DROP VIEW lives;
ALTER TABLE :w_life DISABLE TRIGGER USER;
ALTER TABLE :w_forgotten DISABLE TRIGGER USER;
CREATE FUNCTION without_keys(damage text) RETURNS text LANGUAGE sql AS $$
  SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname), '; '), 'SELECT') FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
  WHERE c.contype = 'p' AND t.relnamespace = 'anon_seq_ledger'::regnamespace AND t.relname = substring(damage FROM 'anon_seq_ledger[.](p\d+_(?:member|gone|moved|life|row))') $$;
-- Sums over rows, which notice all of it, are taken anew: what lies behind them is tried here.
CREATE FUNCTION sum_anew(ledger text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_sum_anew';
CREATE FUNCTION after(damage text, statement text DEFAULT $$SELECT publish('w')$$) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    EXECUTE without_keys(damage);
    EXECUTE damage;
    PERFORM sum_anew('p' || p.id) FROM policy AS p WHERE p.name = 'w';
    UPDATE ward SET age = age + 1;
    RETURN QUERY SELECT regexp_replace(f, '\d+ of \d+', '...', 'g') FROM pg_temp.fails(statement) AS f WHERE f NOT LIKE '  hint: Nothing was published. Please%';
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
  END;
END $$;
SELECT d, after(format('%s', replace(d, 'LIFE', :'w_life')))
FROM unnest(ARRAY['UPDATE LIFE SET place = place + 1', 'UPDATE LIFE SET class_id = 0 WHERE class_id = 1', 'UPDATE LIFE SET place = 1 WHERE class_id = 1 AND place = 3',
  'UPDATE LIFE SET persons = ''{201}'' WHERE class_id = 5', 'UPDATE LIFE SET persons = ''{}'' WHERE class_id = 1', 'UPDATE LIFE SET persons = ''{1,2}'' WHERE class_id = 1',
  'ALTER TABLE LIFE ALTER place DROP NOT NULL; UPDATE LIFE SET place = NULL WHERE class_id = 1', 'ALTER TABLE LIFE ALTER c3 TYPE int USING 1',
  'ALTER TABLE LIFE ALTER persons TYPE text[]', 'UPDATE LIFE SET c3 = ''secret'' WHERE class_id = 1 AND place = 2', 'UPDATE LIFE SET c3 = ''HIV'' WHERE class_id = 5']) WITH ORDINALITY AS t (d, i) ORDER BY i;
SELECT after(format('INSERT INTO %s SELECT sha256(convert_to(encode(secret, ''hex'') || ''999'', getdatabaseencoding())), c, 1 FROM %s, unnest(ARRAY[%s]) AS c; INSERT INTO ward VALUES (999, 1, ''z'', ''cold'')', :'w_forgotten', :'w_secret', c))
FROM unnest('{1,99}'::int[]) AS c;
-- What audits see.
ALTER TABLE :w_row DISABLE TRIGGER USER;
CREATE FUNCTION seen(damage text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    EXECUTE without_keys(damage);
    EXECUTE damage;
    REFRESH MATERIALIZED VIEW w_r9_ss;
    RETURN QUERY SELECT check_name FROM audit('w', false) WHERE NOT ok AND check_name <> 'listed_late' ORDER BY check_name COLLATE "C";
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
  END;
END $$;
SELECT 'moved', seen(format('UPDATE %s SET class_id = 3 - class_id WHERE class_id IN (1, 2)', :'w_life'));
SELECT 'two places', seen(format('UPDATE %s SET persons = %L WHERE class_id = 5', :'w_life', '{201}'));
SELECT 'another value', seen(format('UPDATE %s SET c3 = %L WHERE persons = %L', :'w_life', 'secret', '{201}'));
SELECT 'no places', seen(format('DELETE FROM %s WHERE class_id = (SELECT class_id FROM %1$s WHERE persons = %L)', :'w_life', '{201}'));
SELECT 'another bag', seen(format('UPDATE %s SET c3 = %L WHERE version = 9 AND c4 = (SELECT class_id FROM %s WHERE persons = %L) AND c3 = %L', :'w_row', 'secret', :'w_life', '{107}', 'cold'));
SELECT 'too many', seen(format('INSERT INTO %s SELECT version, place, c1, c2, c3, c4 FROM %1$s WHERE version = 9 AND c4 = 9 AND c3 = %L LIMIT 1', :'w_row', 'flu'));
DROP SCHEMA publish_lives CASCADE;
