-- Who is withheld by a serial policy: whose budget needs larger classes than options.withhold_below allows, whatever his value; and what is refused charges nothing.
\pset null NULL
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = error;
CREATE SCHEMA publish_withheld;
SET search_path = publish_withheld, anon_seq, public;
CREATE TABLE person AS SELECT i AS id, 20 + i % 10 AS age, CASE WHEN i = 1 THEN 'hiv' ELSE 'flu' END AS ill FROM generate_series(1, 12) AS i;
CREATE FUNCTION falls_ill(who int[]) RETURNS void LANGUAGE sql AS $$ UPDATE person SET ill = CASE WHEN id = ANY (who) THEN 'hiv' ELSE 'cold' END $$;

\echo -- what would withhold everybody: under harmonic the first class has 6 rows
SELECT pg_temp.fails($$SELECT create_serial_policy('withheld p', 'person', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": 0.3}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('withheld p', 'person', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": 0.1667}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('withheld p', 'person', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": 0}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('withheld p', 'person', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": 1.5}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('withheld p', 'person', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": "a lot"}')$$);

\echo -- 10 rows at most: who has met it once needs 16
SELECT create_serial_policy('withheld p', 'person', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": 0.1}');
SELECT version, published, withheld, classes FROM publish('withheld p');
SELECT persons, spent, rows_for_one FROM budget('withheld p');
SELECT falls_ill('{13}');
SELECT version, published, withheld FROM publish('withheld p');
INSERT INTO person SELECT i, 20 + i % 10, 'cold' FROM generate_series(13, 20) AS i;
SELECT falls_ill('{13}');
SELECT version, published + withheld AS all FROM publish('withheld p');
SELECT check_name, ok FROM audit('withheld p', true) ORDER BY 1;

\echo -- everybody
CREATE TABLE pair AS TABLE person LIMIT 6;
UPDATE pair SET ill = CASE WHEN id = (SELECT min(id) FROM pair) THEN 'hiv' ELSE 'flu' END;
SELECT create_serial_policy('q', 'pair', 'id', '{age}', '{ill}', '{hiv}', 3, 'projections', options => '{"withhold_below": 0.1}');
SELECT version, published, withheld, classes FROM publish('q');
UPDATE pair SET ill = 'cold';
SELECT pg_temp.fails('SELECT version FROM publish(''q'')');
SELECT version, feasible, reason FROM forecast('q', 3);

\echo -- a value that is too frequent
UPDATE person SET ill = CASE WHEN id % 2 = 0 THEN 'hiv' ELSE 'flu' END;
CREATE FUNCTION ledger() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  said text;
BEGIN
  EXECUTE (SELECT 'SELECT ' || string_agg(format('(SELECT %L || '' '' || count(*) || '' '' || coalesce(md5(string_agg(x::text, '' '' ORDER BY x::text)), '''') FROM anon_seq_ledger.%I AS x)', relname, relname), ' || '', '' || ' ORDER BY relname)
    FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind IN ('r', 'v') AND relname LIKE format('p%s\_%%', (SELECT id FROM anon_seq.policy WHERE name = 'withheld p'))) INTO said;
  RETURN said || (SELECT string_agg(oid || relname, ' ' ORDER BY oid) FROM pg_class WHERE relnamespace = 'publish_withheld'::regnamespace AND relname LIKE 'p%');
END $$;
SELECT ledger() AS before \gset
SELECT regexp_replace(line, '\d+ of \d+ persons', 'so many persons') FROM pg_temp.fails('SELECT version FROM publish(''withheld p'')') AS line;
SELECT ledger() = :'before' AS unchanged;
SELECT version, feasible, reason FROM forecast('withheld p', 3);
SELECT ledger() = :'before' AS unchanged;

SELECT drop_policy(p) FROM unnest('{withheld p,q}'::text[]) AS p;
DROP SCHEMA publish_withheld CASCADE;
