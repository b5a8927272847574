-- Serial policies: what they share, what may change later, what audits notice.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE ROLE regress_serial_a;
CREATE ROLE regress_serial_b;
SELECT anon_seq.grant_publish('regress_serial_a'), anon_seq.grant_publish('regress_serial_b');
CREATE SCHEMA publish_serial_terms;
GRANT USAGE, CREATE ON SCHEMA publish_serial_terms TO regress_serial_a, regress_serial_b;
SET search_path = publish_serial_terms, anon_seq, public;
SET ROLE regress_serial_a;
-- 600 people; 4 have HIV, 4 others XDR, which is listed later.
CREATE TABLE "Ward 1" ("no" int PRIMARY KEY, age int, "Illness" text, stage text);
INSERT INTO "Ward 1" SELECT i, 20 + i % 50, CASE WHEN i % 150 = 0 THEN 'HIV' WHEN i % 150 = 1 THEN 'XDR' WHEN i % 7 > 0 THEN 'd' || i % 7 END, 'I' FROM generate_series(1, 600) AS i;
GRANT SELECT ON "Ward 1" TO regress_serial_b;
SELECT grant_population('terms', 'regress_serial_b') FROM (SELECT create_serial_policy('w1', '"Ward 1"', 'no', '{age}', '{Illness}', '{HIV}', 2, 'projections', 'fixed', 4, population => 'terms')) AS made;

-- The other method's wish: the same terms.
SELECT version, published, withheld, smallest_class >= 7 AS large FROM publish('w1');
SELECT sum(n) FROM w1_ss WHERE "Illness" = 'HIV';
SELECT attribute, value, persons >= 28 AS persons, largest <= 1.0 / 7 AS largest, spent, rows_for_one, versions_left FROM budget('w1');
RESET ROLE;
SET ROLE regress_serial_b;
SET search_path = publish_serial_terms, anon_seq, public;
SELECT create_serial_policy('w2', '"Ward 1"', 'no', '{age}', '{Illness}', '{HIV}', 3, 'generalized', 'fixed', 4, population => 'terms');
SELECT pg_temp.fails($$SELECT publish('w2')$$);
SELECT alter_policy('w2', '{"l": 2, "plan": "harmonic", "horizon": null}');
SELECT pg_temp.fails($$SELECT publish('w2')$$);
SELECT alter_policy('w2', '{"plan": "fixed", "horizon": 4, "sensitive_values": ["HIV", "XDR"]}');
SELECT pg_temp.fails($$SELECT publish('w2')$$);
SELECT alter_policy('w2', '{"sensitive_values": ["HIV"]}');
SELECT version, published FROM publish('w2');
-- Who met it in both is charged for both; each owner is told of all of it.
SELECT check_name, scope, ok, offending FROM audit('w2') ORDER BY 1, 2;
RESET ROLE;
SET ROLE regress_serial_a;
SET search_path = publish_serial_terms, anon_seq, public;
SELECT b.persons = a.persons AS same, b.largest = a.largest AS largest FROM budget('w1') AS a, LATERAL (SELECT * FROM budget('w1')) AS b;
SELECT pg_temp.fails($$SELECT * FROM budget('w2')$$);

-- What may change after the first version.
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"l": 3}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"form": "generalized"}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"plan": "harmonic", "horizon": null}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"horizon": 5}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"persistence": "permanent"}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"sensitive_values": ["XDR"]}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"options": {"any": true}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"options": {"k": 1}}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('w1', '{"quasi": ["stage"]}')$$);
RESET ROLE;

-- A list that grows: what the first version told of XDR is charged now.
SET ROLE regress_serial_a;
SET search_path = publish_serial_terms, anon_seq, public;
CREATE TABLE alone AS SELECT no, age, CASE WHEN age >= 60 AND "Illness" LIKE 'd%' THEN 'd9' ELSE "Illness" END AS "Illness", stage FROM "Ward 1";
SELECT create_serial_policy('grow', 'alone', 'no', '{age}', '{Illness}', '{HIV}', 2, 'projections', 'fixed', 3, population => 'grow');
SELECT version FROM publish('grow');
UPDATE alone SET age = age + 1 WHERE no = 7;
SELECT alter_policy('grow', '{"sensitive_values": ["HIV", "XDR"]}');
SELECT version FROM publish('grow');
SELECT value, persons > 20 AS charged, largest < 0.5 AS holds FROM budget('grow');
SELECT check_name, scope, ok FROM audit('grow', true) ORDER BY 1, 2;
-- One that an earlier version told already: who is above 1/l stays out, and audits count him.
UPDATE alone SET age = age + 1 WHERE no = 7;
SELECT alter_policy('grow', '{"sensitive_values": ["HIV", "XDR", "d9"]}');
SELECT version, published < 600 AS fewer, withheld > 0 AS withheld FROM publish('grow');
SELECT value, spent > 0 AS spent FROM budget('grow') ORDER BY 1;
SELECT check_name, scope, offending > 0 AS counted FROM audit('grow') WHERE NOT ok;

-- The end of a horizon, and its beginning again.
SELECT create_serial_policy('short', 'alone', 'no', '{age}', '{Illness}', '{HIV}', 2, 'projections', 'fixed', 1, population => 'short');
SELECT version FROM publish('short');
UPDATE alone SET age = age + 1 WHERE no = 7;
SELECT pg_temp.fails($$SELECT publish('short')$$);
SELECT feasible, reason FROM preview('short');
SELECT versions_left FROM budget('short');
SELECT alter_policy('short', '{"options": {"renewals": 1}}');
SELECT version FROM publish('short');
SELECT check_name, ok FROM audit('short', true) ORDER BY 1, scope;
SELECT pg_temp.fails($$SELECT alter_policy('short', '{"options": {"renewals": 0}}')$$);

-- The same with other parameters than before: told.
SELECT create_serial_policy('again', 'alone', 'no', '{age}', '{Illness}', '{HIV}', 2, 'projections', 'harmonic', population => 'again');
SELECT version FROM publish('again');
SELECT alter_policy('again', '{"options": {"k": 3, "withhold_below": 0.001}}');
UPDATE alone SET age = age + 1 WHERE no = 7;
SELECT version FROM publish('again');
SELECT check_name, scope, required, observed FROM audit('again') WHERE NOT ok;

-- A window goes on for ever; what it promises is told when it is declared.
SET client_min_messages = warning;
SELECT create_serial_policy('win', 'alone', 'no', '{age}', '{Illness}', '{HIV}', 2, 'generalized', 'window', population => 'win', options => '{"window": 2}');
SET client_min_messages = error;
SELECT version, smallest_class >= 2 AS large FROM publish('win');
UPDATE alone SET "Illness" = CASE "Illness" WHEN 'HIV' THEN 'd1' WHEN 'd1' THEN CASE WHEN no % 100 = 8 THEN 'HIV' ELSE 'd1' END ELSE "Illness" END;
SELECT version FROM publish('win');
UPDATE alone SET age = age + 1 WHERE no = 7;
SELECT version FROM publish('win');
SELECT check_name, scope, ok FROM audit('win', true) WHERE check_name IN ('breach', 'budget', 'history') ORDER BY 1, 2;

-- Any of the listed values, in two columns: one merged value.
SELECT create_serial_policy('any', 'alone', 'no', '{age}', '{Illness,stage}', NULL, 2, 'projections', 'fixed', 2, population => 'any',
  options => '{"any": true, "sensitive_values": {"Illness": ["HIV"], "stage": ["IV"]}}');
UPDATE alone SET stage = 'IV' WHERE no IN (10, 20);
SELECT version FROM publish('any');
SELECT attribute, value, persons > 0 AS met, largest FROM budget('any');
SELECT check_name, scope, ok FROM audit('any') ORDER BY 1, 2;

-- Two rows, a value that is too frequent, no budget left.
INSERT INTO alone SELECT * FROM alone LIMIT 1;
SELECT pg_temp.fails($$SELECT publish('win')$$);
DELETE FROM alone AS a USING alone AS b WHERE a.no = b.no AND a.ctid > b.ctid;
SELECT create_serial_policy('often', 'alone', 'no', '{age}', '{Illness}', '{d1}', 20, 'projections', population => 'often');
SELECT pg_temp.fails($$SELECT publish('often')$$);
SELECT feasible, left(reason, 60) FROM preview('often');
SELECT feasible, reason FROM forecast('often', 3);
SELECT pg_temp.fails($$SELECT * FROM forecast('often', 0)$$);
SELECT pg_temp.fails($$SELECT * FROM budget('nobody')$$);
SELECT create_incremental_policy('inc', 'alone', 'no', '{age}', 5, population => 'inc');
SELECT pg_temp.fails($$SELECT * FROM budget('inc')$$);
SELECT pg_temp.fails($$SELECT * FROM forecast('inc', 1)$$);
SELECT pg_temp.fails($$SELECT confirm_ledger('inc', -1)$$);
SELECT pg_temp.fails($$SELECT confirm_ledger('win', 1)$$);

-- Another method's releases have no joint guarantee.
SELECT create_incremental_policy('terms beside', 'alone', 'no', '{age}', 5, population => 'win');
SELECT pg_temp.fails($$SELECT publish('terms beside')$$);
RESET ROLE;

-- A ledger that says less than the classes.
SELECT 'anon_seq_ledger.p' || id || '_pair' AS pair FROM anon_seq.policy WHERE name = 'win' \gset
ALTER TABLE :pair DISABLE TRIGGER USER;
UPDATE :pair SET num = den WHERE ctid = (SELECT max(ctid) FROM :pair);
SELECT check_name, ok, offending > 0 AS noticed FROM anon_seq.audit('win') WHERE NOT ok ORDER BY 1;
UPDATE :pair SET num = num[2:];
SELECT pg_temp.fails($$SELECT anon_seq.audit('win')$$);
UPDATE alone SET age = age + 1 WHERE no = 7;
SELECT pg_temp.fails($$SELECT anon_seq.publish('win')$$);

-- A label in a list is one value: nobody is linked to any of its values together, in whatever plan and form. Lists at random, with one entry below
-- another and values beside; classes are counted again in SQL.
SET client_min_messages = error;
SELECT anon_seq.create_taxonomy('ills', '{"any": {"HIV": ["B20", "B21", "B22"], "lung": {"flu": ["J10", "J11"], "cold": ["J00"]}, "skin": ["L20"]}}');
CREATE TABLE many (no int, age int, ill text);
INSERT INTO many SELECT i, i * 7 % 50, (ARRAY['B20', 'B21', 'B22', 'J10', 'J11', 'J00'])[1 + i / 20] FROM generate_series(0, 119) AS i;
INSERT INTO many SELECT i, i * 7 % 50, CASE WHEN i % 9 = 0 THEN 'M54' WHEN i % 36 = 1 THEN 'R50' WHEN i % 7 = 0 THEN NULL ELSE 'L20' END FROM generate_series(120, 899) AS i;
CREATE TABLE listing AS SELECT * FROM (VALUES (1, '{HIV}'::text[], 'projections', 'harmonic', NULL::int, NULL), (2, '{HIV,B20,flu}', 'generalized', 'fixed', 3, NULL), (3, '{B21,J10,HIV,lung}', 'projections', 'fixed', 2, NULL),
  (4, '{M54,HIV}', 'projections', 'harmonic', NULL, 'permanent'), (5, '{lung,cold}', 'generalized', 'harmonic', NULL, NULL)) AS p (i, list, form, plan, horizon, life);
SELECT anon_seq.create_serial_policy('listing ' || i, 'many', 'no', '{age}', '{ill}', list, 2, form, plan, horizon, life, taxonomies => '{"ill": "ills"}', population => 'listing ' || i) FROM listing;
CREATE FUNCTION holds_one(ill text, entry text) RETURNS boolean LANGUAGE sql AS $$
  SELECT coalesce(ill = entry OR CASE entry WHEN 'HIV' THEN ill LIKE 'B2%' WHEN 'flu' THEN ill LIKE 'J1%' WHEN 'cold' THEN ill = 'J00' WHEN 'lung' THEN ill LIKE 'J%' END, false) $$;
CREATE FUNCTION worst(i int, list text[], form text, version int) RETURNS TABLE (entry text, share numeric) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT e, max(held / size) FROM (SELECT class_id, e, sum(n) FILTER (WHERE holds_one(ill, e)) AS held, sum(n) AS size FROM (SELECT class_id, ill, %s AS n FROM %I) AS r,'
    ' unnest($1) AS e GROUP BY 1, 2) AS c GROUP BY 1', CASE form WHEN 'projections' THEN 'n::numeric' ELSE '1.0' END, 'listing ' || i || '_r' || version || CASE form WHEN 'projections' THEN '_ss' ELSE '' END) USING list;
END $$;
SELECT i, version FROM listing, anon_seq.publish('listing ' || i) ORDER BY i;
UPDATE many SET age = age + 1, ill = CASE WHEN no % 40 = 0 THEN 'B22' ELSE ill END;
SELECT i, version FROM listing, anon_seq.publish('listing ' || i) ORDER BY i;
SELECT i, max(share) <= 0.5 AS holds, 1 - exp(sum(ln(1 - share)) FILTER (WHERE entry = list[1])) <= 0.5 OR life IS NOT NULL AS over_both FROM listing, generate_series(1, 2) AS v, worst(i, list, form, v) GROUP BY i, life ORDER BY i;
SELECT i, string_agg(value, ' ' ORDER BY value COLLATE "C") FROM listing, anon_seq.budget('listing ' || i) WHERE life IS NULL GROUP BY i ORDER BY i;
SELECT i, check_name, observed FROM listing, anon_seq.audit('listing ' || i, everything => true) WHERE NOT ok ORDER BY 1, 2;
SELECT i, max(p) <= 0.5 AS holds FROM listing, anon_seq.audit_breach(ARRAY['listing ' || i], '{B20,B21,B22}') WHERE life IS NULL AND 'HIV' = ANY (list) GROUP BY i ORDER BY i;
-- More than half of them together: refused, where each of its values alone would pass.
CREATE TABLE most AS SELECT i AS no, i AS age, (ARRAY['B20', 'B21', 'B22', 'B20', 'J00'])[1 + i % 5] AS ill FROM generate_series(1, 20) AS i;
SELECT anon_seq.create_serial_policy('most', 'most', 'no', '{age}', '{ill}', '{HIV}', 1.25, 'projections', taxonomies => '{"ill": "ills"}', population => 'most');
SELECT e FROM pg_temp.fails($$SELECT anon_seq.publish('most')$$) AS e WHERE e LIKE '22%';
-- The taxonomy grows: what was published of the new value is charged to the label, though it was not listed then; together too.
SELECT anon_seq.create_serial_policy('grown ' || any_of, 'many', 'no', '{age}', '{ill}', '{HIV}', 1.25, 'projections', 'fixed', 4, taxonomies => '{"ill": "ills"}', population => 'grown ' || any_of, options => jsonb_build_object('any', any_of))
  FROM unnest('{true,false}'::boolean[]) AS any_of;
SELECT version FROM anon_seq.publish('grown true');
SELECT version FROM anon_seq.publish('grown false');
-- A value that nobody has had changes no account.
SELECT anon_seq.add_to_taxonomy('ills', 'HIV', 'B99');
SELECT p, check_name, observed FROM unnest('{grown true,grown false}'::text[]) AS p, anon_seq.audit(p, everything => true) WHERE NOT ok ORDER BY 1, 2;
SELECT anon_seq.add_to_taxonomy('ills', 'HIV', 'R50');
UPDATE many SET age = age + 1;
SELECT version FROM anon_seq.publish('grown true');
SELECT version FROM anon_seq.publish('grown false');
SELECT p, value, largest >= (SELECT round(max(b.p), 6) FROM unnest('{B20,B21,B22,R50}'::text[]) AS v, anon_seq.audit_breach(ARRAY[p], ARRAY[v]) AS b) AS charged FROM unnest('{grown true,grown false}'::text[]) AS p, anon_seq.budget(p);
SELECT p, check_name, observed FROM unnest('{grown true,grown false}'::text[]) AS p, anon_seq.audit(p, everything => true) WHERE NOT ok ORDER BY 1, 2;
SET client_min_messages = warning;
DROP OWNED BY regress_serial_a, regress_serial_b CASCADE;
DROP ROLE regress_serial_a, regress_serial_b;
