-- Erasure and return under a serial policy: who is forgotten leaves the ledger, and has the budget that he left with when he comes again.
\pset null NULL
SET client_min_messages = error;
CREATE SCHEMA release_serial;
SET search_path = release_serial, anon_seq, public;
CREATE TABLE patient (id text PRIMARY KEY, age int, disease text);
CREATE FUNCTION come(VARIADIC names text[]) RETURNS void LANGUAGE sql AS $$ INSERT INTO patient SELECT n, 20 + length(n), 'flu' FROM unnest(names) AS n $$;
-- Values drawn anew: somebody else is ill.
CREATE FUNCTION falls_ill(name text) RETURNS void LANGUAGE sql AS $$ UPDATE patient SET disease = CASE WHEN id = name THEN 'hiv' ELSE 'flu' END $$;
-- Of one person, all that the ledger of a policy has: version, how often he stood beside it, and what is kept.
CREATE FUNCTION accounts(policy text, name text) RETURNS TABLE (version int, met int, kept text) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT p.version, u.met, u.num || ''/'' || u.den FROM anon_seq_ledger.p%s_pair AS p, unnest(p.persons, p.met, p.num, p.den) AS u (person, met, num, den) WHERE u.person::text = $1 ORDER BY 1',
    (SELECT id FROM anon_seq.policy AS p WHERE p.name = $1)) USING name;
END $$;
-- In how many rows of the ledger a text stands, in which of its relations.
CREATE FUNCTION traces(policy text, name text) RETURNS TABLE (relation text, n bigint) LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  FOR r IN SELECT c.oid::regclass AS name, regexp_replace(c.relname, '^p\d+_', '') AS short FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind IN ('r', 'v', 'm')
      AND c.relname LIKE format('p%s\_%%', (SELECT id FROM anon_seq.policy AS p WHERE p.name = $1)) ORDER BY 1::text LOOP
    RETURN QUERY EXECUTE format('SELECT %L::text, count(*) FROM %s AS x WHERE strpos(x::text, $1) > 0 HAVING count(*) > 0', r.short, r.name) USING name;
  END LOOP;
END $$;
CREATE FUNCTION audited(policy text) RETURNS text LANGUAGE sql AS $$ SELECT coalesce(string_agg(check_name || ': ' || observed, '; '), 'nothing') FROM audit(policy, true) WHERE NOT ok $$;

\echo -- a fixed horizon: 10 rows for one
SELECT come('o''Neil', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9');
SELECT falls_ill('a1');
SELECT create_serial_policy('fixed', 'patient', 'id', '{age}', '{disease}', '{hiv}', 2, 'projections', 'fixed', 6);
SELECT version, published, withheld, classes FROM publish('fixed');
SELECT * FROM accounts('fixed', 'o''Neil');
SELECT value, persons, largest, spent FROM budget('fixed');
SELECT release, still_shown FROM forget('release_serial.patient', 'o''Neil');
DELETE FROM patient WHERE id = 'o''Neil';
SELECT * FROM accounts('fixed', 'o''Neil');
SELECT * FROM traces('fixed', 'Neil');
SELECT value, persons FROM budget('fixed');
SELECT audited('fixed');
\echo -- he is away for a version, and returns for the third
SELECT come('b1', 'b2', 'b3'), falls_ill('a2');
SELECT version, published, withheld, classes FROM publish('fixed');
SELECT * FROM traces('fixed', 'Neil');
SELECT come('o''Neil'), falls_ill('a3');
SELECT version, published, withheld, classes FROM publish('fixed');
SELECT * FROM accounts('fixed', 'o''Neil');
SELECT * FROM accounts('fixed', 'a4');
SELECT value, persons, largest FROM budget('fixed');
SELECT audited('fixed');
\echo -- forgotten and back before the next version, and once more
SELECT release FROM forget('release_serial.patient', 'o''Neil');
SELECT falls_ill('a4');
SELECT version, published, withheld FROM publish('fixed');
SELECT * FROM accounts('fixed', 'o''Neil');
SELECT release FROM forget('release_serial.patient', 'o''Neil');
SELECT release FROM forget('release_serial.patient', 'o''Neil');
SELECT falls_ill('a5');
SELECT version, published, withheld FROM publish('fixed');
SELECT * FROM accounts('fixed', 'o''Neil');
SELECT audited('fixed');

\echo -- two policies of one population: he comes back to one of them, and what the other one charged counts
DELETE FROM patient;
SELECT come('o''Neil', 'a1', 'a2', 'a3', 'a4'), falls_ill('a1');
SELECT create_serial_policy('serial one', 'patient', 'id', '{age}', '{disease}', '{hiv}', 2, 'projections', 'fixed', 2, population => 'serial both');
SELECT create_serial_policy('serial two', 'patient', 'id', '{age}', '{disease}', '{hiv}', 2, 'projections', 'fixed', 2, population => 'serial both');
SELECT version, published, withheld FROM publish('serial one');
SELECT version, published, withheld FROM publish('serial two');
SELECT release FROM forget('serial both', 'o''Neil');
DELETE FROM patient WHERE id <> 'o''Neil';
SELECT come('c1', 'c2', 'c3', 'c4', 'c5'), falls_ill('c1');
SELECT withheld, published FROM forecast('serial one', 1);
SELECT version, published, withheld FROM publish('serial one');
SELECT * FROM accounts('serial one', 'o''Neil');
SELECT * FROM accounts('serial two', 'o''Neil');
SELECT version, published, withheld FROM publish('serial two');
SELECT * FROM accounts('serial two', 'o''Neil');
SELECT audited('serial one'), audited('serial two');

\echo -- a window of 3: charges of its versions, by themselves
DELETE FROM patient;
SELECT come('o''Neil', 'a1', 'a2', 'a3', 'a4', 'a5'), falls_ill('a1');
SELECT create_serial_policy('window', 'patient', 'id', '{age}', '{disease}', '{hiv}', 2, 'projections', 'window', options => '{"window": 3}', population => 'window');
SELECT version, published, withheld FROM publish('window');
SELECT release FROM forget('window', 'o''Neil');
SELECT * FROM traces('window', 'Neil');
SELECT falls_ill('a2');
DELETE FROM patient WHERE id = 'o''Neil';
SELECT version, published, withheld FROM publish('window');
SELECT come('o''Neil'), falls_ill('a3');
SELECT version, published, withheld FROM publish('window');
SELECT * FROM accounts('window', 'o''Neil');
SELECT value, persons, largest FROM budget('window');
SELECT audited('window');
\echo -- gone for longer than the window
SELECT release FROM forget('window', 'o''Neil');
DELETE FROM patient WHERE id = 'o''Neil';
SELECT falls_ill('a1');
SELECT version FROM publish('window');
SELECT falls_ill('a2');
SELECT version FROM publish('window');
SELECT come('o''Neil'), falls_ill('a3');
SELECT version FROM publish('window');
SELECT * FROM accounts('window', 'o''Neil');
SELECT audited('window');

\echo -- forgotten before a value is listed: charged as if he had stood beside it in each version until then
DELETE FROM patient;
SELECT come('o''Neil', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'b1', 'b2');
SELECT create_serial_policy('serial late', 'patient', 'id', '{age}', '{disease}', '{hiv}', 2, 'projections', 'fixed', 6, population => 'serial late');
UPDATE patient SET disease = 'mpox' WHERE id = 'a2';
SELECT version, classes FROM publish('serial late');
UPDATE patient SET disease = 'flu';
SELECT version, classes FROM publish('serial late');
SELECT count(*) FROM unnest('{o''Neil,b1}'::text[]) AS name, forget('serial late', name);
DELETE FROM patient WHERE id = 'b1';
SELECT version, classes FROM publish('serial late');
SELECT alter_policy('serial late', '{"sensitive_values": ["hiv", "mpox"]}');
-- Classes are of two here, so who was in one with it has nothing left: of the first version that may have been o'Neil, though he came back before it was listed.
SELECT come('c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'), falls_ill('a4');
SELECT version, published + withheld AS all, withheld BETWEEN 2 AND 3 AS withheld FROM publish('serial late');
SELECT met, kept FROM accounts('serial late', 'o''Neil') WHERE version = 4 ORDER BY kept;
SELECT come('b1'), falls_ill('a5');
SELECT version, published + withheld AS all, withheld BETWEEN 3 AND 4 AS withheld FROM publish('serial late');
SELECT name, a.* FROM unnest('{o''Neil,b1}'::text[]) AS name, accounts('serial late', name) AS a WHERE a.version = 5 ORDER BY name, kept;
SELECT audited('serial late');
\echo -- forgotten again before he came back for what was listed late: it is still his
SELECT create_serial_policy('serial twice', 'patient', 'id', '{age}', '{disease}', '{hiv}', 2, 'projections', 'fixed', 6, population => 'serial twice');
DELETE FROM patient;
SELECT come('o''Neil', 'a1', 'a2', 'a3');
UPDATE patient SET disease = 'mpox' WHERE id = 'a1';
SELECT version, classes FROM publish('serial twice');
SELECT count(*) FROM forget('serial twice', 'o''Neil');
SELECT come('c1', 'c2', 'c3', 'c4', 'c5', 'c6'), falls_ill('a2');
SELECT version, classes FROM publish('serial twice');
DELETE FROM patient WHERE id = 'o''Neil';
SELECT alter_policy('serial twice', '{"sensitive_values": ["hiv", "mpox"]}');
SELECT come('d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9'), falls_ill('a3');
SELECT version FROM publish('serial twice');
SELECT count(*) FROM forget('serial twice', 'o''Neil');
SELECT come('o''Neil'), falls_ill('c4');
SELECT version FROM publish('serial twice');
SELECT a.* FROM accounts('serial twice', 'o''Neil') AS a WHERE a.version = 4 ORDER BY kept;
SELECT audited('serial twice');

\echo -- a key of two columns
CREATE TABLE pupil AS SELECT CASE WHEN i % 2 = 0 THEN 'north' ELSE 'o"s,t' END AS region, i AS no, 6 + i % 3 AS age, CASE WHEN i = 1 THEN 'hiv' ELSE 'flu' END AS disease FROM generate_series(1, 10) AS i;
SELECT create_serial_policy('pupils', 'pupil', '{region,no}', '{age}', '{disease}', '{hiv}', 2, 'projections', 'fixed', 6);
SELECT version, published, withheld FROM publish('pupils');
SELECT release FROM forget('release_serial.pupil', '{"o\"s,t",3}');
SELECT value, persons FROM budget('pupils');
UPDATE pupil SET disease = CASE WHEN no = 2 THEN 'hiv' ELSE 'flu' END;
SELECT version, published, withheld FROM publish('pupils');
SELECT value, persons, largest FROM budget('pupils');
SELECT audited('pupils');

SELECT drop_policy(p) FROM unnest('{fixed,serial one,serial two,window,pupils}'::text[]) AS p;
-- That memory does not suffice says nothing of a version: of tables that grow, none is called infeasible.
CREATE TABLE growing AS SELECT i AS id, i % 90 AS age, CASE WHEN i % 100 = 7 THEN 'hiv' ELSE 'd' || i % 40 END AS ill FROM generate_series(1, 3000) AS i;
SELECT create_serial_policy('rs growing', 'growing', 'id', '{age}', '{ill}', '{hiv}', l => 2, form => 'generalized', population => 'rs growing', publish_as => 'growing_out');
CREATE FUNCTION forecast_within(megabytes int, people int) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO growing SELECT i, i % 90, CASE WHEN i % 100 = 7 THEN 'hiv' ELSE 'd' || i % 40 END FROM generate_series((SELECT max(id) + 1 FROM growing), people) AS i;
  PERFORM set_config('anon_seq.max_memory', megabytes || 'MB', true);
  RETURN (SELECT concat_ws(' ', bool_and(feasible), string_agg(reason, ', ')) FROM forecast('rs growing', 2));
EXCEPTION WHEN program_limit_exceeded THEN RETURN SQLERRM;
END $$;
SELECT forecast_within(1, n) AS said, count(*) > 0 AS some FROM generate_series(3000, 21000, 1500) AS n GROUP BY 1 ORDER BY 1;
SELECT drop_policy('rs growing');
DROP FUNCTION forecast_within;
DROP SCHEMA release_serial CASCADE;
