-- Numbers at the end of their type: what is measured stays a number, and two versions, audits and previews work.
CREATE SCHEMA publish_extreme;
SET search_path = publish_extreme, anon_seq;
SET client_min_messages = error;
\pset format unaligned
\pset tuples_only on
CREATE TABLE doubles AS SELECT i AS id, CASE i % 10 WHEN 0 THEN 1.7e308 WHEN 1 THEN -1.7e308 WHEN 2 THEN '1.7976931348623157e308'::float8 WHEN 3 THEN '-1.7976931348623157e308'::float8
  WHEN 4 THEN NULL WHEN 5 THEN '5e-324'::float8 ELSE i END::float8 AS v, 'x' || i % 3 AS ill FROM generate_series(1, 300) AS i;
CREATE TABLE reals AS SELECT i AS id, CASE i % 10 WHEN 0 THEN 3.4e38 WHEN 1 THEN -3.4e38 WHEN 2 THEN '3.4028235e38'::float4 WHEN 5 THEN '1e-45'::float4 ELSE i END::float4 AS v, 'x' || i % 3 AS ill FROM generate_series(1, 300) AS i;
CREATE TABLE numerics AS SELECT i AS id, CASE i % 10 WHEN 0 THEN 1e400 WHEN 1 THEN -1e400 WHEN 4 THEN NULL ELSE i END::numeric AS v, 'x' || i % 3 AS ill FROM generate_series(1, 300) AS i;
-- Of two values alone, each at one end.
CREATE TABLE ends AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 1.7e308 ELSE -1.7e308 END::float8 AS v, 'x' || i % 3 AS ill FROM generate_series(1, 20) AS i;

-- Of values just below the end, so that a round bound above them is beyond it.
CREATE TABLE top AS SELECT i AS id, 3.3e38::float4 + i % 5 * 1e36::float4 AS v, 'x' || i % 3 AS ill FROM generate_series(1, 50) AS i;
CREATE FUNCTION finite(measures jsonb) RETURNS boolean LANGUAGE sql AS $$
  SELECT bool_and(value::text::float8 BETWEEN 0 AND 1e6 AND (key NOT IN ('ncp', 'suppression') OR value::text::float8 <= 1)) FROM jsonb_each(measures) $$;
-- Declares, previews, publishes and audits; an incremental policy twice, with rows that go, come and change in between.
CREATE FUNCTION try(source text, number int, kind text, options jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  name text := source || ' ' || number; previewed text; p record; audited boolean; measured boolean;
BEGIN
  IF kind LIKE 'incremental%' THEN
    PERFORM create_incremental_policy(name, source::regclass, 'id', '{v}', 3, sensitive => '{ill}', population => name, options => options);
  ELSE
    PERFORM create_sequential_policy(name, source::regclass, 'id', '{v}', 3, sensitive => '{ill}', population => name, options => options,
      objective => kind, label => CASE kind WHEN 'entropy' THEN 'ill' END);
  END IF;
  SELECT feasible::text || ' ' || finite(measures) INTO previewed FROM preview(name);
  p := publish(name);
  IF kind LIKE 'incremental%' THEN
    EXECUTE format('UPDATE %1$I SET v = (SELECT min(v) FROM %1$I WHERE v > 0) WHERE id %% 10 = 3; DELETE FROM %1$I WHERE id %% 10 = 1 AND id > 50; INSERT INTO %1$I SELECT 1000 + i, (SELECT max(v) FROM %1$I), ''x'' FROM generate_series(1, 9) AS i', source);
    p := publish(name);
    EXECUTE format('DELETE FROM %1$I; INSERT INTO %1$I TABLE %2$I', source, source || '_kept');
  END IF;
  SELECT bool_and(ok) INTO audited FROM audit(name, everything => true);
  SELECT finite(jsonb_object_agg(metric, value)) INTO measured FROM measure(name);
  RETURN format('%s %s %s: preview %s, version %s, in classes %s, audit %s, measures %s', source, kind, regexp_replace(options::text, '0{9,}', '..', 'g'), previewed, p.version, p.classes > 1, audited, measured);
END $$;
CREATE TABLE doubles_kept AS TABLE doubles;
CREATE TABLE reals_kept AS TABLE reals;
CREATE TABLE top_kept AS TABLE top;
CREATE TABLE numerics_kept AS TABLE numerics;
CREATE TABLE ends_kept AS TABLE ends;
SELECT try(source, j, kind, options) FROM unnest(ARRAY['doubles', 'reals', 'numerics', 'ends', 'top']) WITH ORDINALITY AS s (source, i),
  (VALUES (1, 'distortion', '{}'::jsonb), (2, 'entropy', '{"overlap": true}'), (3, 'discernibility', '{}'), (4, 'distortion', '{"domains": {"v": [-1.7976931348623157e308, 1.7976931348623157e308]}}'),
    (5, 'incremental', '{}'), (6, 'incremental', '{"shape": "box", "choice": "entropy"}'), (7, 'incremental', '{"domains": {"v": [-3.4e38, 3.4e38]}}')) AS k (j, kind, options) ORDER BY i, j;
SELECT count(drop_policy(name)) FROM policies WHERE name LIKE ANY (ARRAY['doubles %', 'reals %', 'numerics %', 'ends %', 'top %']);
