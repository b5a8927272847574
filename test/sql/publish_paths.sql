-- However a version learns what has changed, the release is the same, row for row: by reading the whole source, by a column that says when rows
-- changed, or by keys that were noted. Random histories; a difference is shown with the seed and the night that made it.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
\set grid default
\getenv grid ANON_SEQ_GRID
SELECT CASE :'grid' WHEN 'full' THEN 14 ELSE 4 END AS nights \gset
CREATE SCHEMA publish_paths;
SET search_path = publish_paths, anon_seq, public;
SET client_min_messages = error;
CREATE FUNCTION watch(policies text, keys text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_watch';
CREATE FUNCTION foresee(objects boolean) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_foresee';
SELECT create_taxonomy('pp_place', '{"*": {"north": ["n1", "n2", "n3"], "south": ["s1", "s2"], "west": ["w1", "w2", "w3"]}}');

-- Who changed, by triggers of the test's own.
CREATE TABLE noted (key int);
CREATE TABLE visit (id int, age int, weight numeric, place text, ill text, stamp bigint);
CREATE INDEX ON visit (id);
CREATE SEQUENCE clock;
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO noted VALUES (OLD.id); END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  INSERT INTO noted VALUES (NEW.id);
  NEW.stamp := nextval('clock');
  RETURN NEW;
END $$;
CREATE TRIGGER note BEFORE INSERT OR UPDATE OR DELETE ON visit FOR EACH ROW EXECUTE FUNCTION note();

-- Somebody of so many, with rare NULLs, and values that nobody had before.
CREATE TABLE odds (of_unknown float8);
INSERT INTO odds VALUES (0);
CREATE FUNCTION somebody(id int) RETURNS visit LANGUAGE sql VOLATILE AS $$
  SELECT id, CASE WHEN random() < 0.05 THEN NULL ELSE 20 + (random() * random() * 70)::int END, CASE WHEN random() < 0.03 THEN NULL ELSE round((40 + random() * 60)::numeric, (random() * 1.2)::int) END,
    CASE WHEN random() < 0.05 THEN NULL WHEN random() < (SELECT of_unknown FROM odds) THEN 'nowhere' ELSE (ARRAY['n1', 'n2', 'n3', 's1', 's2', 'w1', 'w2', 'w3'])[1 + (random() * 7.99)::int] END,
    CASE WHEN random() < 0.02 THEN 'rare ' || (random() * 1000)::int WHEN random() < 0.02 THEN NULL ELSE (ARRAY['flu', 'cold', 'gout'])[1 + (random() * 2.99)::int] END, 0::bigint $$;

-- A night: some leave, come, come back, move, fall ill; or a few come who are much like each other, so that little but their own leaf is cut.
CREATE FUNCTION night(share float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first int := 22 + (random() * 30)::int;
BEGIN
  IF share = 0 THEN
    INSERT INTO visit SELECT i, first + (random() * 4)::int, 60 + (random() * 3)::int, 'n1', 'flu', 0 FROM generate_series(2000 + (random() * 900)::int, 2990, 75) AS i WHERE i NOT IN (SELECT id FROM visit);
  END IF;
  DELETE FROM visit WHERE random() < share;
  INSERT INTO visit SELECT (somebody(i)).* FROM (SELECT DISTINCT 1 + (random() * 400)::int AS i FROM generate_series(1, (share * 400)::int) ORDER BY 1) AS s WHERE i NOT IN (SELECT id FROM visit);
  UPDATE visit SET ill = 'gout' WHERE random() < share;
  UPDATE visit AS v SET (age, weight, place) = (SELECT n.age, n.weight, n.place FROM somebody(v.id) AS n) WHERE random() < share;
  UPDATE visit SET age = age WHERE random() < share;
  UPDATE visit SET id = id + 1000 WHERE id < 1000 AND random() < share / 20;
END $$;

-- Policies that differ in how they learn of changes alone: pp_all reads everything.
CREATE FUNCTION declare_all(options jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  path record;
BEGIN
  FOR path IN SELECT * FROM (VALUES ('pp_all', '{}'::jsonb), ('pp_since', '{"changed_since": "stamp"}'), ('pp_w_copied', '{}'), ('pp_w_shared', '{"storage": "shared"}')) AS p (policy, own) LOOP
    PERFORM anon_seq.create_incremental_policy(path.policy, 'visit', 'id', '{age,weight,place}', 4, publish_as_is => '{ill}', publish_as => path.policy || '_out',
      population => path.policy, taxonomies => '{"place": "pp_place"}', options => options || path.own);
  END LOOP;
END $$;

-- What differs from pp_all; nothing, if all is well.
CREATE FUNCTION differing() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  path text;
  same boolean;
BEGIN
  FOREACH path IN ARRAY '{pp_since,pp_w_copied,pp_w_shared}'::text[] LOOP
    EXECUTE format('SELECT NOT EXISTS ((TABLE pp_all_out EXCEPT ALL TABLE %1$I_out) UNION ALL (TABLE %1$I_out EXCEPT ALL TABLE pp_all_out))', path) INTO same;
    IF NOT same THEN RETURN NEXT path || ': rows'; END IF;
    IF (SELECT (r.version, r.published, r.waiting, r.withheld, r.deferred, r.classes, r.smallest_class, r.digest) FROM anon_seq.releases AS r WHERE r.policy = path ORDER BY r.version DESC LIMIT 1) IS DISTINCT FROM
       (SELECT (r.version, r.published, r.waiting, r.withheld, r.deferred, r.classes, r.smallest_class, r.digest) FROM anon_seq.releases AS r WHERE r.policy = 'pp_all' ORDER BY r.version DESC LIMIT 1)
    THEN RETURN NEXT path || ': catalog'; END IF;
  END LOOP;
END $$;

-- The versions of a policy that were made without all members in memory.
CREATE FUNCTION in_part(of text) RETURNS SETOF int LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT version FROM anon_seq_ledger.p%s_note WHERE (detail->>''in_part'')::boolean ORDER BY 1', (SELECT id FROM anon_seq.policy WHERE name = of));
END $$;

-- What a history of so many nights found. Now and then a key is forgotten, of somebody who is there or was.
CREATE FUNCTION history(seed float8, options jsonb, nights int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  policy text;
  said text;
  results text[];
BEGIN
  PERFORM setseed(seed), foresee(true), watch('pp_w', 'SELECT key FROM publish_paths.noted');
  TRUNCATE visit, noted;
  UPDATE odds SET of_unknown = CASE WHEN options @> '{"unknown_values": "wait"}' THEN 0.03 ELSE 0 END;
  INSERT INTO visit SELECT (somebody(i)).* FROM generate_series(1, 250) AS i;
  PERFORM declare_all(options);
  FOR n IN 1 .. nights LOOP
    IF n > 1 THEN PERFORM night((ARRAY[0, 0.001, 0.03, 0.15])[1 + (random() * 3.99)::int]); END IF;
    IF n = 3 AND seed > 0.5 THEN PERFORM anon_seq.alter_policy(p, '{"k": 3}') FROM unnest('{pp_all,pp_since,pp_w_copied,pp_w_shared}'::text[]) AS p; END IF;
    results := '{}';
    FOREACH policy IN ARRAY '{pp_all,pp_since,pp_w_copied,pp_w_shared}'::text[] LOOP
      BEGIN
        SELECT v.version || ' ' || v.published INTO said FROM anon_seq.publish(policy) AS v;
      EXCEPTION WHEN OTHERS THEN
        said := regexp_replace(sqlerrm, policy, '', 'g');
      END;
      results := results || said;
    END LOOP;
    IF results[1] <> ALL (results) THEN RETURN NEXT format('seed %s, night %s: %s', seed, n, results); END IF;
    RETURN QUERY SELECT format('seed %s, night %s: ', seed, n) || d FROM differing() AS d;
    IF results[1] ~ '^\d' THEN DELETE FROM noted; END IF;
    IF random() < 0.15 THEN
      SELECT (random() * 250)::int::text INTO said;
      PERFORM anon_seq.forget(p, said) FROM unnest('{pp_all,pp_since,pp_w_copied,pp_w_shared}'::text[]) AS p;
    END IF;
  END LOOP;
  IF nights > 3 AND options = '{}' AND NOT EXISTS (SELECT FROM in_part('pp_w_shared')) THEN RETURN NEXT format('seed %s: no version in part', seed); END IF;
  RETURN QUERY SELECT format('seed %s: audit of %s: %s', seed, p, a.check_name) FROM unnest('{pp_w_shared}'::text[]) AS p, anon_seq.audit(p, everything => true) AS a
    WHERE NOT a.ok AND a.check_name NOT IN ('waived', 'unguarded');
END $$;
-- Policies keep their releases, so each history is taken back.
BEGIN;
SELECT history(0.1, '{}', :nights);
ROLLBACK;
BEGIN;
SELECT history(0.6, '{"unknown_values": "wait", "max_leavers": 0.08, "max_newcomers": 0.2}', :nights);
ROLLBACK;

-- It is what was noted that counts: of rows that change, those that were not are not read. Nor is it known who waits, once somebody was forgotten.
BEGIN;
SELECT count(*) FROM history(0.3, '{}', 2);
ALTER TABLE visit DISABLE TRIGGER note;
INSERT INTO noted SELECT id FROM visit WHERE age IS NOT NULL AND id < 200 ORDER BY id LIMIT 20;
UPDATE visit SET ill = 'new' WHERE id IN (SELECT id FROM visit WHERE age IS NOT NULL AND id < 200 ORDER BY id LIMIT 40);
SELECT (publish(p)).version FROM unnest('{pp_all,pp_w_copied}'::text[]) AS p;
SELECT (SELECT count(*) FROM pp_all_out WHERE ill = 'new') AS read, (SELECT count(*) FROM pp_w_copied_out WHERE ill = 'new') AS watched;
SELECT count(*) > 0 AS forgotten FROM forget('pp_w_copied', (SELECT max(id)::text FROM visit WHERE id < 250));
UPDATE visit SET ill = 'newer' WHERE ill = 'new';
SELECT (publish(p)).version FROM unnest('{pp_all,pp_w_copied}'::text[]) AS p;
SELECT (SELECT count(*) FROM pp_all_out WHERE ill = 'newer') AS read, (SELECT count(*) FROM pp_w_copied_out WHERE ill = 'newer') AS watched;
-- Whose key is there twice, is nowhere, or is NULL: told as by whoever reads everything.
TRUNCATE noted;
INSERT INTO visit SELECT * FROM visit WHERE id = (SELECT min(id) FROM visit);
INSERT INTO noted SELECT min(id) FROM visit;
SELECT pg_temp.fails($$SELECT publish('pp_w_copied')$$);
DELETE FROM visit WHERE id = (SELECT min(id) FROM visit);
INSERT INTO visit VALUES (NULL, 30, 60, 'n1', 'flu');
INSERT INTO noted VALUES (NULL);
SELECT pg_temp.fails($$SELECT publish('pp_w_copied')$$);
-- All leave.
TRUNCATE noted;
INSERT INTO noted SELECT id FROM visit WHERE id IS NOT NULL UNION SELECT generate_series(1, 420);
DELETE FROM visit;
SELECT pg_temp.fails($$SELECT publish('pp_w_copied')$$);
ROLLBACK;
SELECT watch('pp_w', ''), foresee(false);

-- Persons that several columns name are found by these.
BEGIN;
CREATE TABLE stay (clinic text, "no" numeric, age int, ill text, PRIMARY KEY (clinic, "no"));
INSERT INTO stay SELECT (ARRAY['a "b"', 'c,d', ''])[1 + i % 3], i / 3 + 0.50, 20 + i % 40, 'flu' FROM generate_series(1, 120) AS i;
CREATE TABLE noted_stays (key text);
SELECT create_incremental_policy('pp_stay', 'stay', '{clinic,no}', '{age}', 4, publish_as_is => '{ill}', population => 'pp_stay', publish_as => 'pp_stay_out');
SELECT (publish('pp_stay')).version;
SELECT watch('pp_stay', 'SELECT key FROM publish_paths.noted_stays');
UPDATE stay SET ill = 'seen' WHERE "no" = 7.5;
UPDATE stay SET ill = 'not seen' WHERE "no" = 8.5;
INSERT INTO noted_stays SELECT format('{%s,7.5}', CASE clinic WHEN '' THEN '""' WHEN 'c,d' THEN '"c,d"' ELSE '"a \"b\""' END) FROM stay WHERE "no" = 7.5;
SELECT (publish('pp_stay')).version;
SELECT ill, count(*) FROM pp_stay_out GROUP BY ill ORDER BY ill;
ROLLBACK;
SELECT watch('pp_stay', '');

-- A source that is watched by its own triggers, and a view of it, which is read as a whole.
SELECT count(foresee(true));
CREATE TABLE ward (id int PRIMARY KEY, age int, ill text);
CREATE VIEW ward_view AS SELECT * FROM ward;
INSERT INTO ward SELECT i, 20 + i * 7 % 60, 'flu' FROM generate_series(1, 300) AS i;
SELECT create_incremental_policy('pp_ward', 'ward', 'id', '{age}', 5, publish_as_is => '{ill}', population => 'pp_ward', publish_as => 'pp_ward_out', options => '{"storage": "shared"}');
SELECT create_incremental_policy('pp_ward_view', 'ward_view', 'id', '{age}', 5, publish_as_is => '{ill}', population => 'pp_ward_view', publish_as => 'pp_ward_view_out');
SELECT watch_source('ward', '{id}');
SELECT (publish(p)).version FROM unnest('{pp_ward,pp_ward_view}'::text[]) AS p;
CREATE PROCEDURE ward_nights() LANGUAGE plpgsql AS $$
BEGIN
  FOR n IN 2 .. 5 LOOP
    DELETE FROM ward WHERE id % 50 = n;
    INSERT INTO ward SELECT 1000 * n + i, 30 + i, 'cold' FROM generate_series(1, 7) AS i;
    UPDATE ward SET age = age + 5 WHERE id % 60 = n;
    UPDATE ward SET id = id + 500 WHERE id % 70 = n AND id < 500;
    UPDATE ward SET ill = 'gout' WHERE id % 40 = n;
    COMMIT;
    PERFORM anon_seq.publish(p) FROM unnest('{pp_ward,pp_ward_view}'::text[]) AS p;
    COMMIT;
    IF EXISTS ((TABLE publish_paths.pp_ward_out EXCEPT ALL TABLE publish_paths.pp_ward_view_out) UNION ALL (TABLE publish_paths.pp_ward_view_out EXCEPT ALL TABLE publish_paths.pp_ward_out)) THEN
      RAISE WARNING 'night %: other rows', n;
    END IF;
  END LOOP;
END $$;
SET client_min_messages = warning;
CALL ward_nights();
SELECT policy, version, digest = first_value(digest) OVER (PARTITION BY version ORDER BY policy) AS same FROM releases WHERE policy IN ('pp_ward', 'pp_ward_view') AND version > 2 ORDER BY 2, 1;
SELECT in_part('pp_ward') AS "without all members";
SELECT check_name, scope, observed FROM audit('pp_ward', everything => true) WHERE NOT ok;
SELECT count(foresee(false));
SELECT unwatch_source('ward');
SET client_min_messages = error;
DROP SCHEMA publish_paths CASCADE;
