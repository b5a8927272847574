-- What people whose quasi values change cost in detail and in waiting: k = 10, ten versions of a table that begins with 20,000 persons of Adult, each
-- with 2 % newcomers and 1 % leavers, and a share of movers: `far` take the quasi values of somebody else, `near` are a year older. Needs table adult
-- and the taxonomies of its columns. Beside each, the same nights without movers.
CREATE TABLE moved (share numeric, kind text, shape text, version int, published bigint, waiting bigint, deferred bigint, ncp float8);
CREATE PROCEDURE nights(share numeric, kind text, shape text) LANGUAGE plpgsql AS $$
DECLARE
  name text := format('%s_%s_%s', kind, replace(share::text, '.', '_'), shape);
  made record;
BEGIN
  PERFORM setseed(0.5);
  DROP TABLE IF EXISTS person;
  CREATE TABLE person AS SELECT id, age, hours_per_week, education, workclass, marital_status, sex, native_country FROM adult WHERE id <= 20000;
  PERFORM anon_seq.create_incremental_policy(name, 'person', 'id', '{age,hours_per_week,education,workclass,marital_status,sex,native_country}', 10, population => name,
    options => jsonb_build_object('shape', shape));
  FOR v IN 1..10 LOOP
    SELECT * INTO made FROM anon_seq.publish(name);
    INSERT INTO moved SELECT share, kind, shape, v, made.published, made.waiting, made.deferred, (SELECT value FROM anon_seq.measure(name) WHERE metric = 'ncp');
    DELETE FROM person WHERE id IN (SELECT id FROM person ORDER BY md5(id || ' left ' || v) LIMIT 200);
    CREATE TEMP TABLE mover AS SELECT id, row_number() OVER () AS i FROM (SELECT id FROM person ORDER BY md5(id || ' moved ' || v) LIMIT share * 200) AS s;
    UPDATE person AS p SET age = o.age, hours_per_week = o.hours_per_week, education = o.education, workclass = o.workclass, marital_status = o.marital_status, sex = o.sex, native_country = o.native_country
      FROM mover AS m, adult AS o WHERE kind = 'far' AND p.id = m.id AND o.id = 1 + (m.id::bigint * 7919 + v * 104729) % 30000;
    UPDATE person AS p SET age = age + 1 FROM mover AS m WHERE kind = 'near' AND p.id = m.id;
    DROP TABLE mover;
    INSERT INTO person SELECT id, age, hours_per_week, education, workclass, marital_status, sex, native_country FROM adult WHERE id > 20000 + 400 * (v - 1) AND id <= 20000 + 400 * v;
  END LOOP;
END $$;
SET client_min_messages = error;
SELECT format('CALL nights(%s, %L, %L)', share, kind, shape) FROM (VALUES (0, 'far'), (1, 'far'), (5, 'far'), (1, 'near'), (5, 'near')) AS s (share, kind), unnest('{region,box}'::text[]) AS shape \gexec
SELECT shape, kind, share AS "movers, % a version", round(100 * ncp::numeric, 2) AS "NCP %, version 10", (SELECT round(100 * m.ncp::numeric, 2) FROM moved AS m WHERE (m.share, m.kind, m.shape, m.version) = (x.share, x.kind, x.shape, 1)) AS "version 1", waiting, deferred, published
  FROM moved AS x WHERE version = 10 ORDER BY shape DESC, kind, share;
