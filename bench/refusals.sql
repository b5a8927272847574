-- What a refusal costs beside a publish of the same table, and what other splits cost by default. Makes its own tables; run by a superuser in a new database with
-- the extension. Seconds are those of the backend's processor: pg_read_file of /proc, so Linux only. -v rows=20000 -v cubic='{2000,3000,6000}'.
\set QUIET on
\set ON_ERROR_STOP on
\if :{?rows} \else
\set rows 20000
\endif
\if :{?cubic} \else
\set cubic '{2000,3000,6000}'
\endif
SET client_min_messages = error;
CREATE SCHEMA refusals;
SET search_path = refusals, public;
CREATE FUNCTION cpu() RETURNS numeric LANGUAGE sql AS $$ SELECT (s[14]::numeric + s[15]::numeric) / 100 FROM string_to_array(regexp_replace(pg_read_file('/proc/' || pg_backend_pid() || '/stat'), '\([^)]*\)', 'x'), ' ') AS s $$;
CREATE TABLE ran (i serial, what text, rows int, took numeric, said text);
CREATE FUNCTION run(what text, rows int, policy text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE began numeric := cpu(); said text;
BEGIN
  BEGIN
    EXECUTE format('SELECT classes || '' classes'' FROM anon_seq.publish(%L)', policy) INTO said;
  EXCEPTION WHEN OTHERS THEN said := 'refused: ' || left(SQLERRM, 90);
  END;
  INSERT INTO ran (what, rows, took, said) VALUES (what, rows, cpu() - began, said);
END $$;

CREATE FUNCTION people(rows int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DROP TABLE IF EXISTS p, o;
  CREATE TABLE p AS SELECT i AS id, (ARRAY['a', 'b', 'c'])[1 + i % 3] AS job, (i::bigint * 7919) % 100003 AS income, (i * 31) % 97 AS age,
    CASE WHEN i % 5 = 0 THEN 'HIV' ELSE 'flu' END AS illness, (ARRAY['x', 'y'])[1 + i % 2] AS ward FROM generate_series(1, rows) AS i;
  CREATE TABLE o AS SELECT job, ward FROM p;
END $$;
SELECT anon_seq.create_flat_taxonomy('rf_job', '{a,b,c}');

-- A policy that can be met, and the same that cannot: `tight` in place of `loose`.
CREATE PROCEDURE pair(what text, rows int, quasi text[], loose text, tight text, options jsonb, k int DEFAULT NULL, as_is text[] DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
  name text := 'rf ' || what || ' ' || rows; rules text;
BEGIN
  PERFORM people(rows);
  PERFORM anon_seq.register_release(name || ' old', 'refusals.o', name, '{"job": {"taxonomy": "rf_job"}, "ward": {}}');
  rules := format('[{"kind": "linkability", "x": %s, "y": ["illness"], "values": ["HIV"], "max": 0.21}]', to_jsonb(quasi) || jsonb_build_object('release', name || ' old', 'column', 'job'));
  PERFORM anon_seq.create_sequential_policy(name || n, 'refusals.p', 'id', quasi, k => k, sensitive => '{illness}', publish_as_is => coalesce(as_is, '{ward}'), taxonomies => '{"job": "rf_job"}', population => name,
      publish_as => format('refusals.%I', 'out ' || what || rows || n), options => options || jsonb_build_object('unguarded', jsonb_build_array(name || ' loose')), rules => replace(rules, '0.21', b)::jsonb)
    FROM (VALUES (' loose', loose), (' tight', tight)) AS b (n, b);
  COMMIT;
  PERFORM run(what || ', publish', rows, name || ' loose');
  PERFORM run(what || ', refusal', rows, name || ' tight');
  COMMIT;
END $$;
CALL pair('paper''s options', :rows, '{job,income}', '0.21', '0.1', '{"pruning": "paper", "valid_split": false}');
CALL pair('default options', :rows, '{job,income}', '0.21', '0.1', '{}');
CALL pair('two numbers', :rows, '{job,income,age}', '0.21', '0.1', '{}');
CALL pair('with k', :rows, '{job,income}', '0.21', '0.1', '{}', k => 20);
CALL pair('ceilings', :rows, '{job,income,age}', '0.21', '0.1', '{"coarsest": {"job": 1}}');

CREATE PROCEDURE cubic(sizes int[]) LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  FOREACH n IN ARRAY sizes LOOP
    CALL pair('by default', n, '{job,income}', '0.21', '0.1', '{}');
    CALL pair('without other splits', n, '{job,income}', '0.21', '0.1', '{"valid_split": false}');
  END LOOP;
END $$;
CALL cubic(:'cubic');

\echo refusals beside publishes
SELECT split_part(a.what, ', publish', 1) AS policy, a.rows, a.took AS publish, b.took AS refusal, round(b.took / nullif(a.took, 0), 2) AS ratio, a.said, b.said AS refused
  FROM ran AS a JOIN ran AS b ON b.what = replace(a.what, ', publish', ', refusal') AND b.rows = a.rows WHERE a.what LIKE '%, publish' ORDER BY a.i;
DROP SCHEMA refusals CASCADE;
