-- Who owns a ledger, or the extension, may have altered it: what is read from there is checked before it is used. Every line here ended the
-- server process once.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA release_damaged;
SET search_path = release_damaged, anon_seq;
SET client_min_messages = error;
CREATE TABLE visit AS SELECT i AS id, 20 + i % 50 AS age, (ARRAY['nurse', 'baker', 'miner'])[1 + i % 3] AS job, (ARRAY['flu', 'cold'])[1 + i % 2] AS disease FROM generate_series(1, 200) AS i;
SELECT create_flat_taxonomy('damaged_job', '{nurse,baker,miner}');
SELECT create_sequential_policy('dam seq', 'visit', 'id', '{age,job}', sensitive => '{disease}', k => 5, max_link => 0.9, publish_as => 'dam_seq', population => 'dam seq', taxonomies => '{"job": "damaged_job"}', options => '{"overlap": true, "dangling": "outer"}');
SELECT create_incremental_policy('dam inc', 'visit', 'id', '{age,job}', 5, sensitive => '{disease}', publish_as => 'dam_inc', population => 'dam inc', taxonomies => '{"job": "damaged_job"}');
SELECT publish('dam seq') IS NULL, publish('dam inc') IS NULL;
UPDATE visit SET age = 33 WHERE id < 9;
SELECT publish('dam seq') IS NULL, publish('dam inc') IS NULL;
SELECT 'anon_seq_ledger.p' || id AS seq FROM policy WHERE name = 'dam seq' \gset
SELECT 'anon_seq_ledger.p' || id AS inc FROM policy WHERE name = 'dam inc' \gset

-- What every function says after a statement on the ledger, which is taken back again. Errors that speak of the ledger's own tables
-- are of the server; what matters is that there is an end, and that it is none of XX000.
-- A primary key stands in the way of some damage, as long as it is there.
CREATE FUNCTION without_keys(damage text) RETURNS text LANGUAGE sql AS $$
  SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname), '; '), 'SELECT') FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
  WHERE c.contype = 'p' AND t.relnamespace = 'anon_seq_ledger'::regnamespace AND t.relname = substring(damage FROM 'anon_seq_ledger[.](p\d+_(?:member|gone|moved|life|row))') $$;
-- Sums over rows, which would notice most of it, are taken anew: what lies behind them is tried here.
CREATE FUNCTION sum_anew(ledger text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_sum_anew';
CREATE FUNCTION after(damage text, policy text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE call text; state text;
BEGIN
  FOREACH call IN ARRAY ARRAY['SELECT publish(%L)', 'SELECT preview(%L)', 'SELECT preview(%L, ARRAY[''{"k": 7}'']::jsonb[])', 'SELECT count(*) FROM audit(%L, everything => true)', 'SELECT audit_join(ARRAY[%L], ''["age"]'', ''["disease"]'')', 'SELECT count(*) FROM audit_inference(ARRAY[%L], 2)',
    'SELECT count(*) FROM audit_arrivals(ARRAY[%L])', 'SELECT count(*) FROM measure(%L)', 'SELECT count(*) FROM cut(%L)', 'SELECT count(*) FROM trace(%L)', 'SELECT count(*) FROM release_rows(%L)', 'SELECT count(*) FROM forget(%L, ''9'')', 'SELECT describe_policy(%L)', 'SELECT alter_policy(%L, ''{"k": 9}'')',
    'SELECT retire_release(%L || ''/1'')', 'SELECT drop_policy(%L)'] LOOP
    BEGIN
      EXECUTE without_keys(damage);
      EXECUTE damage;
      PERFORM sum_anew('p' || p.id) FROM policy AS p WHERE p.name = $2;
      INSERT INTO visit VALUES (0, 30, 'nurse', 'flu');  -- without news a publish does not look
      BEGIN
        EXECUTE format(call, policy);
        state := 'done';
      EXCEPTION WHEN OTHERS THEN
        state := SQLSTATE;
        IF state = 'XX000' THEN RETURN NEXT format(call, policy) || ': ' || SQLERRM; END IF;
        IF state = 'XX001' THEN RETURN NEXT 'refused: ' || regexp_replace(SQLERRM, 'p\d+_', 'p#_'); END IF;
      END;
      RAISE 'undo' USING ERRCODE = 'ZZ999';
    EXCEPTION WHEN SQLSTATE 'ZZ999' THEN NULL;
    END;
  END LOOP;
END $$;
CREATE FUNCTION what_says(damage text, policy text) RETURNS SETOF text LANGUAGE sql AS $$ SELECT t FROM (SELECT DISTINCT t FROM after($1, $2) AS t) AS d ORDER BY t COLLATE "C" $$;

-- A note, a column, a type that is missing; numbers that are no index.
SELECT what_says(format('ALTER TABLE %s_note DISABLE TRIGGER ALL; DELETE FROM %1$s_note WHERE version = 2', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_note DISABLE TRIGGER ALL; DELETE FROM %1$s_note', :'seq'), 'dam seq');
SELECT what_says(format('DROP TABLE %s_note CASCADE', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_person DROP COLUMN persons', :'seq'), 'dam seq');
SELECT what_says(format('ALTER TABLE %s_person ALTER persons TYPE text[]', :'seq'), 'dam seq');
SELECT what_says(format('DROP TABLE %s_person', :'seq'), 'dam seq');
SELECT what_says(format('DROP MATERIALIZED VIEW dam_seq_r1, dam_seq_r2 CASCADE; ALTER TABLE %s_cell ALTER c1 TYPE text', :'seq'), 'dam seq');
SELECT what_says(format('DROP MATERIALIZED VIEW dam_seq_r1, dam_seq_r2 CASCADE; ALTER TABLE %s_cell ALTER c2 TYPE int USING 1', :'seq'), 'dam seq');
SELECT what_says(format('ALTER TABLE %s_cell DISABLE TRIGGER ALL; UPDATE %1$s_cell SET c1 = NULL, n = -5', :'seq'), 'dam seq');
SELECT what_says(format('ALTER TABLE %s_member DISABLE TRIGGER ALL; UPDATE %1$s_member SET codes = codes[2:]', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_member DISABLE TRIGGER ALL; UPDATE %1$s_member SET points = ''\x00''', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_member DISABLE TRIGGER ALL; UPDATE %1$s_member SET objects = ARRAY[objects], persons = ARRAY[persons]', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_member DISABLE TRIGGER ALL; UPDATE %1$s_member SET region = 1000000', :'inc'), 'dam inc');
SELECT what_says(format('DROP VIEW %s_object; ALTER TABLE %1$s_member ALTER objects TYPE text[], ALTER codes TYPE text', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_value DISABLE TRIGGER ALL; UPDATE %1$s_value SET code = -code', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_value DISABLE TRIGGER ALL; UPDATE %1$s_value SET attribute = 1000000 + attribute', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_value DISABLE TRIGGER ALL; DELETE FROM %1$s_value', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_region DROP COLUMN made; UPDATE visit SET age = 61 WHERE id < 20', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_count RENAME region TO odd; UPDATE visit SET age = 61 WHERE id < 20', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_region ALTER made TYPE text; INSERT INTO visit SELECT i, 20 + i %% 50, ''nurse'', ''flu'' FROM generate_series(1001, 1200) AS i', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_gone DISABLE TRIGGER ALL; UPDATE %1$s_gone SET %s', :'inc', damage), 'dam inc') FROM unnest(ARRAY['persons = ''{}''', 'persons = persons || persons', 'region = 1000000', 'region = -1', 'object = 0', 'since = 0']) AS damage;
SELECT what_says(format('ALTER TABLE %s_moved DISABLE TRIGGER ALL; INSERT INTO %1$s_moved SELECT %s FROM (SELECT unnest(objects) AS o, lead FROM (SELECT objects, lead(objects[1]) OVER () FROM %1$s_member) AS m) AS m', :'inc', damage), 'dam inc') FROM unnest(ARRAY['o, o, true', 'o, coalesce(lead, o), true', 'o, 0, false', 'coalesce(lead, o), o, false']) AS damage;
SELECT what_says(format('DROP TABLE %s_moved', :'inc'), 'dam inc');
SELECT what_says(format('ALTER TABLE %s_gone ALTER persons TYPE text[]', :'inc'), 'dam inc');
-- Regions that are no tree of cuts.
SELECT what_says(format('ALTER TABLE %s_region DISABLE TRIGGER ALL; UPDATE %1$s_region SET %s', :'inc', damage), 'dam inc') FROM unnest(ARRAY[
  $$nodes = '{a}', attribute = 1000000 WHERE region = 0$$, 'attribute = 2 WHERE attribute = 1', 'attribute = -1', 'parent = -1', 'parent = region + 1', $$side = 'others'$$, $$side = 'unknown'$$, 'bound = NULL', $$bound = 'x'$$, 'parent = 0 WHERE region > 0',
  $$nodes = '{nobody}' WHERE nodes IS NOT NULL$$, $$nodes = '{NULL,NULL}' WHERE nodes IS NOT NULL$$, 'until = 1', 'since = NULL', 'since = 1000000', 'region = region + 1000000', 'region = -region']) AS damage;
SELECT what_says(format('ALTER TABLE %s_region DISABLE TRIGGER ALL; DELETE FROM %1$s_region', :'inc'), 'dam inc');

-- Rows that are not those that were written: keys that are lost (who moves would be published twice), budgets that are set back, whatever stands
-- where nothing else looks. Each is noticed by publishing or by a full audit.
CREATE TABLE ward AS SELECT i AS id, 20 + i % 60 AS age, CASE WHEN i % 100 = 7 THEN 'HIV' ELSE (ARRAY['flu', 'gout', 'asthma'])[1 + i % 3] END AS ill FROM generate_series(1, 400) AS i;
SELECT watch_source('ward', '{id}');
SELECT create_incremental_policy('dam shared', 'ward', 'id', '{age}', 5, publish_as_is => '{ill}', publish_as => 'dam_shared', population => 'dam shared', options => '{"storage": "shared"}');
SELECT create_serial_policy('dam serial', 'ward', 'id', '{age}', '{ill}', '{HIV}', l => 3, form => 'projections', publish_as => 'dam_serial', population => 'dam serial');
SELECT publish('dam shared') IS NULL, publish('dam serial') IS NULL;
UPDATE ward SET age = age + 1 WHERE id % 50 = 3;
SELECT publish('dam shared') IS NULL, publish('dam serial') IS NULL;
SELECT 'anon_seq_ledger.p' || id AS shared FROM policy WHERE name = 'dam shared' \gset
SELECT 'anon_seq_ledger.p' || id AS serial FROM policy WHERE name = 'dam serial' \gset
CREATE FUNCTION noticed(damage text, policy text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE state text; said text; why text;
BEGIN
  BEGIN
    SET LOCAL session_replication_role = replica;
    EXECUTE damage;
    SET LOCAL session_replication_role = origin;
    RETURN QUERY SELECT 'full audit: ' || observed FROM audit(policy, everything => true) WHERE check_name = 'damage';
    UPDATE ward SET age = CASE WHEN age < 50 THEN age + 20 ELSE age - 20 END WHERE id BETWEEN 100 AND 107;
    BEGIN
      PERFORM publish(policy);
      RETURN NEXT 'published';
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, said = MESSAGE_TEXT, why = PG_EXCEPTION_DETAIL;
      RETURN NEXT state || ' ' || said || ': ' || why;
    END;
    RETURN QUERY SELECT 'full audit: ' || observed FROM audit(policy, everything => true) WHERE check_name = 'damage';
    RAISE 'undo' USING ERRCODE = 'ZZ999';
  EXCEPTION WHEN SQLSTATE 'ZZ999' THEN NULL;
  END;
END $$;
SELECT noticed('SELECT 1', 'dam shared');
SELECT noticed('SELECT 1', 'dam serial');
SELECT noticed(format('DELETE FROM %s_key WHERE persons[1] BETWEEN 100 AND 107', :'shared'), 'dam shared');
SELECT noticed(format('UPDATE %s_key SET region = 0 WHERE persons[1] = 100', :'shared'), 'dam shared');
SELECT noticed(format('UPDATE %s_key SET region = (SELECT max(region) FROM %1$s_key) WHERE persons[1] = 100', :'shared'), 'dam shared');
SELECT noticed(format('UPDATE %s_member SET codes = array_append(codes[2:], codes[1]) WHERE ctid = (SELECT min(ctid::text)::tid FROM %1$s_member WHERE codes <> array_append(codes[2:], codes[1]))', :'shared'), 'dam shared');
SELECT noticed(format('UPDATE %s_note SET deferred = ''{1}'' WHERE version = 1', :'shared'), 'dam shared');
SELECT noticed(format('UPDATE %s_pair SET num = den, met = array_fill(1, ARRAY[cardinality(met)])', :'serial'), 'dam serial');
SELECT noticed(format('DELETE FROM %s_sum WHERE relation = ''pair''', :'serial'), 'dam serial');
-- Publishing in a session that replays the changes of others damages nothing, nor does switching triggers off and on.
SET session_replication_role = replica;
UPDATE ward SET age = age + 1 WHERE id % 50 = 4;
SELECT publish('dam shared') IS NULL, publish('dam serial') IS NULL;
SET session_replication_role = origin;
CREATE FUNCTION run(what text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE what; END $$;
SELECT run(format('ALTER TABLE %s_member DISABLE TRIGGER ALL; ALTER TABLE %1$s_member ENABLE TRIGGER ALL', :'shared'));
UPDATE ward SET age = age + 1 WHERE id % 50 = 5;
SELECT publish('dam shared') IS NULL, publish('dam serial') IS NULL;
SELECT count(*) FROM forget('dam shared', '11');
SELECT count(*) FROM forget('dam serial', '12');
SELECT observed FROM audit('dam shared', everything => true) WHERE check_name = 'damage' UNION ALL SELECT observed FROM audit('dam serial', everything => true) WHERE check_name = 'damage';
-- The function of the trigger is for ledgers alone.
SELECT pg_temp.fails('SELECT anon_seq.sum_rows()');
CREATE TRIGGER odd BEFORE INSERT ON ward FOR EACH ROW EXECUTE FUNCTION anon_seq.sum_rows();
SELECT pg_temp.fails($$INSERT INTO ward VALUES (1000, 20, 'flu')$$);
DROP TRIGGER odd ON ward;
CREATE TRIGGER odd AFTER INSERT ON ward REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION anon_seq.sum_rows();
INSERT INTO ward VALUES (1000, 20, 'flu');
SELECT drop_policy('dam shared'), drop_policy('dam serial');

-- Values of types that cannot be compared by their place: ours and an earlier release's.
CREATE TABLE young AS SELECT 'young'::text AS age;
CREATE TABLE born AS SELECT DATE '2000-01-01' AS age;
CREATE TABLE told AS SELECT int4range(20, 30) AS age;
CREATE TYPE orange AS ENUM ('20', '30');
CREATE TABLE oranges AS SELECT '20'::orange AS age;
SELECT register_release('dam ' || t, t::regclass, 'dam types ' || t) FROM unnest(ARRAY['young', 'born', 'told', 'oranges']) AS t;
SELECT create_sequential_policy('dam types ' || t, 'visit', 'id', '{age}', k => 5, publish_as => 'dam_types_' || t, population => 'dam types ' || t, options => '{"overlap": true, "dangling": "outer"}',
  rules => jsonb_build_array(jsonb_build_object('kind', 'anonymity', 'x', '["age"]'::jsonb, 'y', '["person"]'::jsonb, 'min', 2, 'partial_x', true, 'with', jsonb_build_array('dam ' || t)))) FROM unnest(ARRAY['young', 'born', 'told', 'oranges']) AS t;
SELECT t, pg_temp.fails(format('SELECT publish(%L)', 'dam types ' || t)) FROM unnest(ARRAY['young', 'born', 'told', 'oranges']) AS t;
SELECT t, feasible, reason FROM unnest(ARRAY['young', 'born', 'told', 'oranges']) AS t, preview('dam types ' || t);
SELECT t, u, pg_temp.fails(format('SELECT audit_join_relations(ARRAY[%L, %L]::regclass[], ''["age"]'', ''[{"release": 2}]'', options => ''{"overlap": true}'')', t, u)) FROM unnest(ARRAY['young', 'born', 'told', 'oranges']) AS t, unnest(ARRAY['young', 'born', 'told', 'oranges', 'visit']) AS u WHERE t <> u;
SELECT drop_policy('dam types ' || t) FROM unnest(ARRAY['young', 'born', 'told', 'oranges']) AS t;

-- A source that publishes its own policy while it is read.
CREATE FUNCTION again(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF i = 5 THEN PERFORM anon_seq.publish('dam again'); END IF; RETURN i; END $$;
CREATE VIEW again AS SELECT again(id) AS id, age FROM visit;
SELECT create_incremental_policy('dam again', 'again', 'id', '{age}', 5, publish_as => 'dam_again', population => 'dam again');
SELECT pg_temp.fails($$SELECT publish('dam again')$$);
CREATE OR REPLACE FUNCTION again(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
  IF i = 5 THEN BEGIN PERFORM anon_seq.publish('dam again'); EXCEPTION WHEN OTHERS THEN NULL; END; END IF; RETURN i; END $$;
SELECT version FROM publish('dam again');
SELECT bool_and(ok) FROM audit('dam again', everything => true);
SELECT drop_policy('dam again');

-- Rows of the catalog that its owner wrote, which is what a restore does: names that become SQL are constrained, the rest is checked.
CREATE FUNCTION inserted(what text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE what; RETURN 'inserted'; EXCEPTION WHEN check_violation THEN RETURN 'refused'; END $$;
SELECT inserted(format($$INSERT INTO release (name, version, ledger, method, population, relations, published_at, published, classes, parameters, columns, digest) VALUES ('dam c', 0, %L, 'registered', 'dam c', %L, now(), 1, 1, '{}', '[]', 'x')$$, ledger, relations))
  FROM (VALUES ('f(1)', '[]'), ('p1; DROP TABLE x', '[]'), ('r', '[]'), ('p01', '[]'), ('r99999999999', '[]'), ('n1', '[]'), ('r9', '{}'), ('r9', '"x"')) AS v (ledger, relations);
CREATE TABLE anon_seq_ledger.p900001_cell (version int, cell int, n bigint, c1 text);
CREATE TABLE anon_seq_ledger.p900002_cell (version int, cell int, n bigint, c1 text);
INSERT INTO ledger SELECT l, ('anon_seq_ledger.' || l || '_cell')::regclass, place() FROM unnest(ARRAY['p900001', 'p900002']) AS l;
INSERT INTO policy (id, name, method, source_schema, source_name, person, quasi, sensitive, publish_as_is, target_schema, target_name, population, parameters, options, columns, source_types, version) VALUES
  (900001, 'dam cx', 'sequential', 'release_damaged', 'visit', 'id', '{age,age,age}', '{}', '{}', 'release_damaged', 'cxo', 'dam cx', '{"k":5}', '{}', '[]', '{}', 0),
  (900002, 'dam cy', 'incremental', 'release_damaged', 'visit', 'id', '{age}', '{}', '{}', 'release_damaged', 'cyo', 'dam cy', '{"k":5}', '{}', '[]', '{}', 3),
  (900003, 'dam cm', 'serial', 'release_damaged', 'visit', 'id', '{age}', '{}', '{}', 'release_damaged', 'cmo', 'dam cm', '{"k":5}', '{}', '[]', '{}', 0);
INSERT INTO release (name, version, ledger, method, population, relations, published_at, published, classes, parameters, columns, digest) VALUES
  ('dam cz', 0, 'p900001', 'registered', 'dam cz', '[]', now(), 1, 1, '{}', '[]', 'x'), ('dam cw', 3, 'p900001', 'sequential', 'dam cw', '[{"schema": "x"}]', now(), 1, 1, '{}', '{}', 'x'),
  ('dam cv', 1, 'p900001', 'incremental', 'dam cv', '[]', now(), 1, 1, '{"parameters":{"k":5},"options":{}}', '[{"column":"a","attribute":"a","taxonomy":null,"role":"quasi","type":"zzz"}]', 'x'),
  ('dam cu', 1, 'p900001', 'sequential', 'dam cu', '[{"schema": "pg_catalog", "name": "x; DROP TABLE release_damaged.visit"}]', now(), 1, 1, '{"parameters":{"k":5},"options":{}}', '[{"column":"a","attribute":"a","taxonomy":null,"role":"quasi","type":"text; DROP TABLE release_damaged.visit"}]', 'x'),
  ('dam ct', 1, 'p900001', 'sequential', 'dam ct', '[{"schema": "pg_catalog", "name": "x"}]', now(), 1, 1, '{"parameters":{"k":5},"options":{}}', '[{"column":"a","attribute":"a","taxonomy":null,"role":"owner","type":"text"}]', 'x');
SELECT p, c, pg_temp.fails(format(c, p)) FROM unnest(ARRAY['dam cx', 'dam cy', 'dam cm']) AS p, unnest(ARRAY['SELECT preview(%L)', 'SELECT audit(%L, everything => true)', 'SELECT publish(%L)', 'SELECT describe_policy(%L)', 'SELECT drop_policy(%L)']) AS c;
SELECT p, c, pg_temp.fails(format(c, p)) FROM unnest(ARRAY['dam cz', 'dam cw', 'dam cv', 'dam cu', 'dam ct']) AS p, unnest(ARRAY['SELECT audit_join(ARRAY[%L], ''["a"]'', ''[{"release": 1}]'')', 'SELECT release_rows(%L)', 'SELECT cut(%L)', 'SELECT audit_inference(ARRAY[%L], 2)', 'SELECT retire_release(%L)']) AS c;
SELECT count(*) FROM visit;
DELETE FROM release WHERE ledger = 'p900001';
DELETE FROM policy WHERE id > 900000;
DELETE FROM ledger WHERE name ~ '^p90000';
DROP TABLE anon_seq_ledger.p900001_cell, anon_seq_ledger.p900002_cell;
SELECT drop_policy('dam seq'), drop_policy('dam inc');
DROP SCHEMA release_damaged CASCADE;
