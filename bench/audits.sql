-- What an audit costs beside a publish, for each method and tables of 2, 8 and 20 quasi columns; and a night without changes.
-- psql -v rows=10000 -f bench/audits.sql, in a new database. Seconds are of the backend's CPU where the system tells them.
-- -v methods='{incremental,shared}' and -v shapes='{2,8}' pick some.
\if :{?rows}
\else
\set rows 10000
\endif
\if :{?methods}
\else
\set methods '{label,default,local,max_link,incremental,shared,regional,anatomy,topdown,serial,serial_generalized}'
\endif
\if :{?shapes}
\else
\set shapes '{2,8,20}'
\endif
CREATE EXTENSION IF NOT EXISTS anon_seq;
SET client_min_messages = error;
SET anon_seq.max_memory = '4GB';
\set QUIET 1
\o /dev/null
CREATE FUNCTION pg_temp.draw(i int, salt int, n int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT ((hashint8extended(i, salt) & 1048575) * n / 1048576)::int $$;
CREATE TABLE result (i int GENERATED ALWAYS AS IDENTITY, what text, measured float8, "limit" float8);
CREATE TABLE cost (i int GENERATED ALWAYS AS IDENTITY, method text, columns int, step text, publish float8, audit float8, error text);
SELECT set_config('bench.rows', :'rows', false), set_config('bench.methods', :'methods', false), set_config('bench.shapes', :'shapes', false);
-- One table for each shape: the first quasi column has 60 values, the others 2 to 9.
DO $do$
DECLARE n int;
BEGIN
  FOREACH n IN ARRAY current_setting('bench.shapes')::int[] LOOP
    EXECUTE format($$CREATE TABLE people_%s AS SELECT i AS id, %s, (ARRAY['flu', 'asthma', 'ulcer', 'hiv', 'gout', 'cold', 'burn', 'none'])[1 + pg_temp.draw(i, 77, 8)] AS dx
                       FROM generate_series(1, %s) AS i$$,
                   n, (SELECT string_agg(format('20 + pg_temp.draw(i, %1$s, %2$s) AS q%1$s', c, CASE c WHEN 1 THEN 60 ELSE 2 + c % 8 END), ', ') FROM generate_series(1, n) AS c), current_setting('bench.rows'));
    EXECUTE format('ALTER TABLE people_%s ADD PRIMARY KEY (id)', n);
    EXECUTE format('ANALYZE people_%s', n);
  END LOOP;
END $do$;
-- Seconds of CPU that this backend took so far; of the clock where nobody tells.
CREATE FUNCTION pg_temp.spent() RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
  RETURN split_part(pg_read_file('/proc/' || pg_backend_pid() || '/schedstat'), ' ', 1)::float8 / 1e9;
EXCEPTION WHEN OTHERS THEN
  RETURN extract(epoch FROM clock_timestamp());
END $$;
CREATE FUNCTION pg_temp.declare(method text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  name text := method || n; source text := 'people_' || n;
  quasi text := (SELECT '{' || string_agg('q' || c, ',') || '}' FROM generate_series(1, n) AS c);
BEGIN
  CASE method
    WHEN 'label' THEN PERFORM anon_seq.create_sequential_policy(name, source::regclass, 'id', quasi::text[], 10, label => 'dx', publish_as_is => '{dx}', population => name, publish_as => name);
    WHEN 'default' THEN PERFORM anon_seq.create_sequential_policy(name, source::regclass, 'id', quasi::text[], 10, publish_as_is => '{dx}', population => name, publish_as => name);
    WHEN 'local' THEN PERFORM anon_seq.create_sequential_policy(name, source::regclass, 'id', quasi::text[], 10, publish_as_is => '{dx}', population => name, publish_as => name, options => '{"recoding": "local"}');
    WHEN 'max_link' THEN PERFORM anon_seq.create_sequential_policy(name, source::regclass, 'id', quasi::text[], 10, 0.5, sensitive => '{dx}', population => name, publish_as => name);
    WHEN 'incremental' THEN PERFORM anon_seq.create_incremental_policy(name, source::regclass, 'id', quasi::text[], 10, publish_as_is => '{dx}', population => name, publish_as => name);
    WHEN 'shared' THEN PERFORM anon_seq.create_incremental_policy(name, source::regclass, 'id', quasi::text[], 10, publish_as_is => '{dx}', population => name, publish_as => name, options => '{"storage": "shared"}');
    WHEN 'anatomy' THEN PERFORM anon_seq.create_lossy_join_policy(name, source::regclass, 'id', quasi::text[], '{dx}', NULL, 2, 'projections', 'anatomy', l => 2, population => name, publish_as => name);
    WHEN 'regional', 'topdown' THEN PERFORM anon_seq.create_lossy_join_policy(name, source::regclass, 'id', quasi::text[], '{dx}', 0.5, 10, 'projections', method, sensitive_values => '{hiv}', population => name, publish_as => name);
    WHEN 'serial' THEN PERFORM anon_seq.create_serial_policy(name, source::regclass, 'id', quasi::text[], '{dx}', '{hiv}', 2, 'projections', population => name, publish_as => name);
    WHEN 'serial_generalized' THEN PERFORM anon_seq.create_serial_policy(name, source::regclass, 'id', quasi::text[], '{dx}', '{hiv}', 2, 'generalized', population => name, publish_as => name);
  END CASE;
  RETURN name;
END $$;
-- In one percent of the persons something changes: a third comes, goes, and moves.
CREATE FUNCTION pg_temp.change(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE rows int := current_setting('bench.rows')::int; few int := greatest(rows / 300, 1);
BEGIN
  EXECUTE format('DELETE FROM people_%s WHERE id IN (SELECT 1 + pg_temp.draw(i, 5, %s) FROM generate_series(1, %s) AS i)', n, rows, few);
  EXECUTE format('INSERT INTO people_%1$s SELECT id + 10 * %2$s, %3$s, dx FROM people_%1$s WHERE id <= %2$s ORDER BY id LIMIT %4$s ON CONFLICT DO NOTHING', n, rows,
                 (SELECT string_agg('q' || c, ', ') FROM generate_series(1, n) AS c), few);
  EXECUTE format('UPDATE people_%s SET q1 = 20 + (q1 + 17) %% 60 WHERE id IN (SELECT 1 + pg_temp.draw(i, 6, %s) FROM generate_series(1, %s) AS i)', n, rows, few);
END $$;
-- Steps: 1 first version, 2 one percent changed, 3 the source is watched, 4 a publish and an audit that follow the watch, 5 a night on which nothing changed.
CREATE PROCEDURE pg_temp.measure(method text, n int, step int) LANGUAGE plpgsql AS $$
DECLARE name text := method || n; began float8; published float8; audited float8; failed text;
BEGIN
  IF EXISTS (SELECT FROM cost AS c WHERE c.method = measure.method AND c.columns = n AND c.step = 'refused') THEN RETURN; END IF;
  IF step = 1 THEN PERFORM pg_temp.declare(method, n);
  ELSIF step = 2 THEN PERFORM pg_temp.change(n);
  ELSIF step = 3 THEN PERFORM anon_seq.watch_source(('people_' || n)::regclass, '{id}'); RETURN;
  END IF;
  began := pg_temp.spent();
  PERFORM anon_seq.publish(name);
  published := pg_temp.spent();
  IF step = 5 THEN failed := anon_seq.audit_failures(name);
  ELSE SELECT string_agg(check_name, ', ') INTO failed FROM anon_seq.audit(name) WHERE NOT ok; END IF;
  audited := pg_temp.spent();
  IF step = 4 THEN RETURN; END IF;
  INSERT INTO cost (method, columns, step, publish, audit, error)
  VALUES (method, n, CASE step WHEN 1 THEN 'first version' WHEN 2 THEN 'one percent changed' ELSE 'watched, nothing changed' END, published - began, audited - published, failed);
EXCEPTION WHEN OTHERS THEN
  INSERT INTO cost (method, columns, step, error) VALUES (method, n, 'refused', sqlerrm);
END $$;
SELECT format('CALL pg_temp.measure(%L, %s, %s)', m, n, step)
  FROM unnest(current_setting('bench.shapes')::int[]) WITH ORDINALITY AS s (n, i), unnest(current_setting('bench.methods')::text[]) WITH ORDINALITY AS t (m, j), generate_series(1, 5) AS step
 WHERE step = 1 OR m IN ('incremental', 'shared') ORDER BY s.i, t.j, step
\gexec
INSERT INTO result (what, measured, "limit")
SELECT format('audit of %s, %s columns, %s: publishes', method, columns, step), audit / nullif(publish, 0), 2 FROM cost WHERE step IN ('first version', 'one percent changed') ORDER BY i;
INSERT INTO result (what, measured, "limit")
SELECT format('unchanged night of %s, %s columns: s', method, columns), publish + audit, 0.1 FROM cost WHERE step = 'watched, nothing changed' ORDER BY i;
\o
SELECT method, columns, step, round(publish::numeric, 3) AS publish, round(audit::numeric, 3) AS audit, round((audit / nullif(publish, 0))::numeric, 2) AS ratio, error AS failed FROM cost ORDER BY i;
