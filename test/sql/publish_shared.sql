-- Versions that are stored once: views of the ledger's rows, equal to copies row for row, from which no reader learns of later ones.
CREATE SCHEMA publish_shared;
SET search_path = publish_shared, anon_seq, public;
SET client_min_messages = warning;
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE TABLE guest (id text PRIMARY KEY, "the Age" int, weight numeric(5,1), job text, day date, "Ill, or not" text, n2 numeric);
CREATE FUNCTION arrive(first int, last int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO guest SELECT 'g ' || i, CASE WHEN i % 31 > 0 THEN 18 + (i * 7919) % 61 END, 40 + ((i * 104729) % 600) / 10.0, (ARRAY['nurse', 'the "boss"', 'baker', 'miner', NULL])[1 + (i * 31) % 5],
    date '2024-01-01' + (i * 6007) % 400, (ARRAY['flu', E'tab\t', NULL, ''])[1 + i % 4], (ARRAY[1.50, NULL, 2])[1 + i % 3] FROM generate_series(first, last) AS i $$;
SELECT create_taxonomy('shared_job', '{"ANY": {"Service": ["nurse", "the \"boss\""], "Manual": ["baker", "miner"]}}');
-- The same policy twice in three shapes: copied, and shared under an odd name.
SELECT create_incremental_policy(shape || ' ' || storage, 'guest', 'id', '{"the Age",weight,job,day}', 4, sensitive => '{"Ill, or not"}', publish_as_is => '{n2}', taxonomies => '{"job": "shared_job"}',
    publish_as => format('publish_shared.%I', CASE storage WHEN 'copied' THEN 'c ' || shape ELSE 'S "' || shape END), population => shape || storage,
    options => CASE shape WHEN 'children' THEN '{}' WHEN 'order' THEN '{"categorical": "order"}' ELSE '{"shape": "box", "categorical": "order"}' END::jsonb || jsonb_build_object('storage', storage))
  FROM unnest('{children,order,box}'::text[]) AS shape, unnest('{copied,shared}'::text[]) AS storage;
-- Both of a version that leaves nothing to chance; then each version against what it was when it was new, and against the cells.
CREATE FUNCTION lines(relation text) RETURNS text[] LANGUAGE plpgsql AS $$ DECLARE all_lines text[]; BEGIN EXECUTE format('SELECT array_agg(r::text) FROM publish_shared.%I AS r', relation) INTO all_lines; RETURN all_lines; END $$;
CREATE FUNCTION sorted(lines text[]) RETURNS text[] LANGUAGE sql AS $$ SELECT array_agg(l ORDER BY l COLLATE "C") FROM unnest(lines) AS l $$;
CREATE TABLE new_lines (shape text, version int, lines text[]);
CREATE FUNCTION night() RETURNS TABLE (shape text, version int, published bigint, copies boolean) LANGUAGE plpgsql AS $$
DECLARE made record;
BEGIN
  FOREACH shape IN ARRAY '{children,order,box}'::text[] LOOP
    SELECT * INTO made FROM anon_seq.publish(shape || ' shared') AS p;
    version := made.version; published := made.published; copies := NULL;
    INSERT INTO new_lines SELECT shape, made.version, lines(format('S "%s_r%s', shape, made.version)) WHERE NOT EXISTS (SELECT FROM new_lines AS n WHERE n.shape = night.shape AND n.version = made.version);
    IF version < 3 THEN
      SELECT c.digest = made.digest AND lines(format('c %s_r%s', shape, made.version)) = lines(format('S "%s_r%s', shape, made.version)) AND lines('c ' || shape) = lines('S "' || shape) AND sorted(lines('c ' || shape || '_flat')) = sorted(lines('S "' || shape || '_flat'))
        INTO copies FROM anon_seq.publish(shape || ' copied') AS c;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
CREATE FUNCTION differing() RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT n.shape || '/' || n.version || ': rows' FROM new_lines AS n WHERE lines(format('S "%s_r%s', n.shape, n.version)) <> n.lines;
  RETURN QUERY SELECT n.shape || '/' || n.version || ': cells' FROM new_lines AS n WHERE cardinality(n.lines) <> (SELECT count(*) FROM anon_seq.release_rows(n.shape || ' shared/' || n.version));
  RETURN QUERY SELECT n.shape || '/' || n.version || ': name' FROM new_lines AS n WHERE n.version = (SELECT max(version) FROM new_lines) AND n.lines <> lines(format('S "%s', n.shape));
  RETURN QUERY SELECT n.shape || '/' || n.version || ': companion' FROM new_lines AS n WHERE n.version = (SELECT max(version) FROM new_lines) AND cardinality(n.lines) <> (SELECT sum((regexp_match(l, '(\d+)\)$'))[1]::int) FROM unnest(lines(format('S "%s_flat', n.shape))) AS l);
  RETURN QUERY SELECT a.check_name || ' of ' || a.scope || ': ' || observed FROM unnest('{children,order,box}'::text[]) AS s, anon_seq.audit(s || ' shared', everything => s = 'order') AS a WHERE NOT ok;
END $$;
-- Counts and digests of shared versions are made of the regions that change alone, as where no others are in memory.
CREATE FUNCTION leaves_in_part(in_part boolean) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_in_part';
SELECT leaves_in_part(true);
SELECT arrive(1, 150);
SELECT * FROM night();
SELECT arrive(151, 200);
SELECT * FROM night();
-- Who comes, leaves, moves and falls ill.
DELETE FROM guest WHERE length(id) = 4 AND "the Age" < 40;
UPDATE guest SET job = 'miner' WHERE "the Age" = 44;
SELECT count(*) FROM night();
UPDATE guest SET "Ill, or not" = 'none' WHERE weight > 80;
UPDATE guest SET "the Age" = "the Age" + 1, n2 = 3.10 WHERE "the Age" % 7 = 0;
DELETE FROM guest WHERE day > '2024-12-20';
SELECT forget(shape || 'shared', 'g 199') IS NOT NULL FROM unnest('{children,order,box}'::text[]) AS shape;
DELETE FROM guest WHERE id = 'g 199';
SELECT arrive(201, 220);
SELECT count(*) FROM night();
-- k is lowered.
SELECT alter_policy(shape || ' shared', '{"k": 3}') FROM unnest('{children,order,box}'::text[]) AS shape;
SELECT count(*) FROM night();
SELECT differing();
-- Its counts and its digest come of what is kept of each region, of which only what changed is written.
SELECT 'anon_seq_ledger.p' || p.id || '_leaf' AS leaf FROM policy AS p WHERE name = 'box shared' \gset
CREATE TABLE kept AS SELECT region, xmin AS written FROM :leaf;
SELECT (SELECT count(*) = classes AND sum(n) = published AND min(n) = smallest_class AND bool_and(length(leaves) % 32 = 0) FROM :leaf) FROM releases WHERE policy = 'box shared' AND version = 5;
INSERT INTO guest SELECT 'late ' || i, "the Age", weight, job, day, 'flu', 2 FROM (SELECT * FROM guest WHERE "the Age" IS NOT NULL ORDER BY id COLLATE "C" LIMIT 1) AS g, generate_series(1, 2) AS i;
SELECT version FROM publish('box shared');
SELECT count(*) > 20, count(*) FILTER (WHERE k.written IS NULL) BETWEEN 1 AND 3 FROM :leaf AS l LEFT JOIN kept AS k ON k.region = l.region AND k.written = l.xmin;
-- With all in memory, what was altered there is written anew, and what was not theirs is taken out.
ALTER TABLE :leaf DISABLE TRIGGER ALL;
UPDATE :leaf SET leaves = '\x00', n = -1;
INSERT INTO :leaf VALUES (1000000, 1, '\x00');
ALTER TABLE :leaf ENABLE TRIGGER ALL;
SELECT leaves_in_part(false);
DELETE FROM guest WHERE id LIKE 'late %';
SELECT version FROM publish('box shared');
SELECT (SELECT count(*) = classes AND sum(n) = published AND min(n) = smallest_class AND bool_and(length(leaves) % 32 = 0) FROM :leaf) FROM releases WHERE policy = 'box shared' AND version = 7;
SELECT bool_and(ok) FROM audit('box shared', everything => true);
-- A night without news makes no version, and the names are as they were.
SELECT count(*) FROM night();
SELECT policy, version, shown FROM releases WHERE policy = 'order shared' ORDER BY 2;
-- What it is: for everybody who reads it.
SELECT count(*) FROM about('publish_shared."S ""order"') AS a WHERE meaning ~ '^Release order shared/5 of';
SELECT count(*) FROM about('publish_shared."S ""order_flat"') AS a WHERE meaning ~ '^Release order shared/5 of';
SELECT count(*) FROM about('publish_shared."S ""order_r2"') AS a WHERE meaning ~ '^Release order shared/2 of';
SELECT count(*) FILTER (WHERE fits('publish_shared."S ""order"', 'the Age', "the Age", '(,)')) > 0, count(*) FILTER (WHERE may_be('publish_shared."S ""order_r2"', 'job', job, 'nurse')) > 0 FROM "S ""order";
SELECT count(*) FILTER (WHERE may_be('publish_shared."S ""order_flat"', 'n2', job, 'nurse')) FROM "S ""order_flat" WHERE false;

-- Storage changes for versions to come; the names are swapped once.
SELECT alter_policy('order shared', '{"options": {"categorical": "order", "storage": "copied"}}');
SELECT version FROM publish('order shared');
SELECT lines('S "order_r5') = lines('S "order'), lines('S "order_r5') = lines('S "order_r6');
SELECT r.version, r.shown, c.relkind FROM releases AS r JOIN pg_class AS c ON c.oid = r.relations[1]::regclass WHERE policy = 'order shared' ORDER BY 1;
SELECT sum(n) FROM "S ""order_flat";
SELECT alter_policy('order shared', '{"options": {"categorical": "order", "storage": "shared"}}');
SET anon_seq.swap_timeout = 0;
SET client_min_messages = notice;
SELECT version FROM publish('order shared');
SET client_min_messages = warning;
SELECT version, shown FROM releases WHERE policy = 'order shared' AND version > 4 ORDER BY 1;
RESET anon_seq.swap_timeout;
SELECT anon_seq.point('order shared');
SELECT version, shown FROM releases WHERE policy = 'order shared' AND version > 4 ORDER BY 1;
SELECT lines('S "order_r5') = lines('S "order');
SELECT sum(n) FROM "S ""order_flat";
-- Rehearsed: nobody sees it.
BEGIN;
SELECT arrive(421, 425);
SELECT version FROM publish('order shared');
SELECT version FROM releases WHERE policy = 'order shared' AND shown;
ROLLBACK;
SELECT version FROM releases WHERE policy = 'order shared' AND shown;
-- Withdrawn: to a version stored in the same way, in another one, and the last of all.
SELECT withdraw_release('order shared/7', 'a rehearsal');
SELECT version, shown FROM releases WHERE policy = 'order shared' AND shown IS NOT NULL ORDER BY 1;
SELECT lines('S "order') = lines('S "order_r6'), sum(n) = cardinality(lines('S "order_r6')) FROM "S ""order_flat";
SELECT withdraw_release('order shared/6', 'another');
SELECT withdraw_release('order shared/5', 'a third');
SELECT version, shown FROM releases WHERE policy = 'order shared' AND shown IS NOT NULL ORDER BY 1;
SELECT lines('S "order') = lines('S "order_r4'), sum(n) = cardinality(lines('S "order_r4')) FROM "S ""order_flat";
SELECT string_agg(substring(c.relname from '_.*'), ', ' ORDER BY c.relname COLLATE "C") FROM pg_class AS c, policy AS p WHERE p.name = 'order shared' AND c.relname ~ ('^p' || p.id || '_shown');
-- Retired by hand and by `keep`; what somebody rests on stays.
SELECT retire_release('order shared/1');
SELECT pg_temp.fails($$SELECT retire_release('order shared/4')$$);
SELECT count(*) > 100 FROM release_rows('order shared/1');
CREATE VIEW mine AS SELECT * FROM "S ""children_r1";
SELECT alter_policy('children shared', '{"options": {"storage": "shared", "keep": 1}}');
SET client_min_messages = notice;
SELECT version FROM publish('children shared');
SET client_min_messages = warning;
SELECT version, relations FROM releases WHERE policy = 'children shared' ORDER BY 1;
DROP VIEW mine;
SELECT pg_temp.fails($$SELECT count(*) FROM "S ""children_r2"$$);
SELECT lines('S "children') = lines('S "children_r6');
SELECT check_name, observed FROM audit('children shared', everything => true) WHERE NOT ok;
-- What cannot be: indexes would be on all versions, ids would need the rows of persons.
SELECT pg_temp.fails($$SELECT create_incremental_policy('pi', 'guest', 'id', '{day}', 4, population => 'pi', options => '{"storage": "shared", "indexes": ["day"]}')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pi', 'guest', 'id', '{day}', 4, population => 'pi', options => '{"storage": "shared", "object_id": true}')$$);
SELECT pg_temp.fails($$SELECT create_incremental_policy('pi', 'guest', 'id', '{day}', 4, population => 'pi', options => '{"storage": "elsewhere"}')$$);

-- An analyst who may read a version, and nothing else.
CREATE TABLE stay AS SELECT i AS id, 20 + i % 40 AS age, (ARRAY['flu', 'gout'])[1 + i % 2] AS ill FROM generate_series(1, 80) AS i;
SELECT create_incremental_policy('read', 'stay', 'id', '{age}', 5, sensitive => '{ill}', population => 'read', options => '{"storage": "shared"}');
SELECT version FROM publish('read');
INSERT INTO stay SELECT 1000 + i, 20 + i % 40, 'secret' FROM generate_series(1, 200) AS i;
SELECT version FROM publish('read');
ANALYZE;
CREATE ROLE regress_shared_analyst;
GRANT USAGE ON SCHEMA publish_shared, anon_seq TO regress_shared_analyst;
GRANT SELECT ON read_r1 TO regress_shared_analyst;
GRANT ALL ON SCHEMA publish_shared TO regress_shared_analyst;
SELECT 'p' || id AS ledger FROM policy WHERE name = 'read' \gset
SET ROLE regress_shared_analyst;
-- A function of his that is called with whatever it is given.
CREATE TABLE seen (value text);
CREATE FUNCTION leak(value text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN INSERT INTO publish_shared.seen VALUES (value); RETURN true; END $$;
SELECT count(*) FROM read_r1 WHERE leak(ill);
SELECT DISTINCT value FROM seen ORDER BY 1;
CREATE FUNCTION plan(query text, analyzed boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; plan text := '';
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (ANALYZE %s, COSTS %s, TIMING off, SUMMARY off) %s', analyzed::text, (NOT analyzed)::text, query) LOOP plan := plan || regexp_replace(line, '''[^'']*''|Memory Usage.*|Memory: .*', '', 'g') || E'\n'; END LOOP;
  RETURN plan;
END $$;
-- Plans are the same for a value that later versions show, and one that nobody has; so are counts of rows on the way.
SELECT query, plan(format(query, 'secret'), a) = plan(format(query, 'nobody'), a) AS alike FROM unnest(ARRAY['SELECT * FROM publish_shared.read_r1 WHERE ill = %L', 'SELECT * FROM publish_shared.read_r1 WHERE ill IN (%L, ''x'')', 'SELECT count(*) FROM publish_shared.read_r1 WHERE ill LIKE %L', 'SELECT FROM publish_shared.read_r1 AS r JOIN publish_shared.read_r1 AS o USING (ill) WHERE ill = %L',
  'SELECT FROM publish_shared.read_r1 JOIN (VALUES (%L)) AS v (ill) USING (ill)', 'SELECT ill FROM publish_shared.read_r1 GROUP BY ill HAVING ill = %L']) AS query, unnest('{t,f}'::boolean[]) AS a;
SELECT plan('SELECT * FROM publish_shared.read_r1 WHERE ill = ''nobody''', true) ~ 'Index';
-- (On the rows themselves, if they had statistics, they would not be.)
RESET ROLE;
CREATE TABLE bare AS SELECT c2 FROM (SELECT 'gout' AS c2, generate_series(1, 50)) AS x UNION ALL SELECT 'secret' FROM generate_series(1, 500);
ANALYZE bare;
SELECT plan('SELECT * FROM publish_shared.bare WHERE c2 = ''secret''', false) = plan('SELECT * FROM publish_shared.bare WHERE c2 = ''nobody''', false);
SET ROLE regress_shared_analyst;
-- Neither the ledger, nor its statistics, nor the stable names.
SELECT pg_temp.fails(format('SELECT count(*) FROM %s', r)) FROM unnest(ARRAY['read', 'read_flat', 'read_r2']) AS r;
SELECT left(pg_temp.fails(format('SELECT count(*) FROM anon_seq_ledger.%s_%s', :'ledger', r)), 30) FROM unnest(ARRAY['shown', 'shown_1', 'current', 'count']) AS r;
SELECT count(*) FROM pg_stats WHERE schemaname = 'anon_seq_ledger';
RESET ROLE;
SELECT tablename LIKE '%count', string_agg(attname, ', ' ORDER BY attname) FROM pg_stats WHERE schemaname = 'anon_seq_ledger' AND tablename IN (:'ledger' || '_count', :'ledger' || '_region') GROUP BY 1 ORDER BY 1;
GRANT SELECT ON read, read_flat TO regress_shared_analyst;
SET ROLE regress_shared_analyst;
SELECT (SELECT count(*) FROM read) = (SELECT sum(n) FROM read_flat), (SELECT count(*) FROM read_r1);
RESET ROLE;
SELECT pg_temp.fails($$SELECT withdraw_release('read/2', 'too late')$$);

-- Whoever owns the ledger alters it: audits see it.
CREATE FUNCTION sees(damage text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE seen text;
BEGIN
  BEGIN
    EXECUTE damage;
    SELECT string_agg(DISTINCT check_name, ', ') INTO seen FROM anon_seq.audit('read', everything => true) WHERE NOT ok;
    RAISE 'undo' USING ERRCODE = 'ZZ999';
  EXCEPTION WHEN SQLSTATE 'ZZ999' THEN RETURN seen;
  WHEN OTHERS THEN RETURN SQLSTATE;
  END;
END $$;
SELECT what, sees(format(what, :'ledger')) FROM unnest(ARRAY[
  'SELECT 1',
  'ALTER TABLE anon_seq_ledger.%s_count DISABLE TRIGGER ALL; UPDATE anon_seq_ledger.%1$s_count SET n = n + 1 WHERE since = 1',
  'ALTER TABLE anon_seq_ledger.%s_count DISABLE TRIGGER ALL; UPDATE anon_seq_ledger.%1$s_count SET c2 = ''gout'' WHERE since = 1',
  'ALTER TABLE anon_seq_ledger.%s_region DISABLE TRIGGER ALL; UPDATE anon_seq_ledger.%1$s_region SET c1 = ''[20,21)'' WHERE region = (SELECT min(region) FROM anon_seq_ledger.%1$s_region WHERE since = 1)',
  'ALTER TABLE anon_seq_ledger.%s_region DISABLE TRIGGER ALL; UPDATE anon_seq_ledger.%1$s_region SET until = NULL',
  'ALTER TABLE anon_seq_ledger.%s_member DISABLE TRIGGER ALL; UPDATE anon_seq_ledger.%1$s_member SET codes = array_replace(codes, 2, 1)',
  'ALTER TABLE anon_seq_ledger.%s_member DISABLE TRIGGER ALL; UPDATE anon_seq_ledger.%1$s_member SET codes = codes[2:]',
  'ALTER TABLE anon_seq_ledger.%s_value DISABLE TRIGGER ALL; DELETE FROM anon_seq_ledger.%1$s_value WHERE attribute = 2',
  'CREATE OR REPLACE VIEW anon_seq_ledger.%s_shown_1 AS SELECT * FROM anon_seq_ledger.%1$s_shown_2 OFFSET 0',
  'ALTER VIEW anon_seq_ledger.%s_shown_1 RESET (security_barrier)',
  'ALTER VIEW anon_seq_ledger.%s_shown SET (security_barrier = false)',
  'GRANT SELECT ON anon_seq_ledger.%s_shown_1 TO regress_shared_analyst',
  'ALTER VIEW anon_seq_ledger.%s_shown_1 OWNER TO regress_shared_analyst',
  'DROP VIEW anon_seq_ledger.%s_shown_2 CASCADE',
  'CREATE OR REPLACE VIEW publish_shared.read_r1 AS SELECT age, ill FROM publish_shared.read_r2',
  'CREATE OR REPLACE VIEW publish_shared.read_r1 AS SELECT c1 AS age, c2 AS ill FROM anon_seq_ledger.%s_shown_1']) AS what;
SELECT bool_and(ok) FROM audit('read', everything => true);
-- What was spoiled while it was written is not published.
INSERT INTO stay SELECT 9000 + i, 20 + i % 40, 'gout' FROM generate_series(1, 100) AS i;
CREATE FUNCTION spoil(assignment text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_spoil';
SELECT spoil('n = n + 1');
SELECT pg_temp.fails($$SELECT publish('read')$$);
CREATE FUNCTION spoiled(assignment text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM publish_shared.spoil(assignment); RETURN (SELECT string_agg(substring(f FROM 'failed: \w+|no error|^[0-9A-Z]{5} [^a].*'), ' ') FROM pg_temp.fails('SELECT publish(''read'')') AS f); END $$;
SELECT assignment, spoiled(assignment) FROM unnest(ARRAY['n = 0', 'n = -n', 'until = since', 'region = region + 1', $$c2 = 'other'$$]) AS assignment;
-- Nor what was written of its people: one twice, one missing, another value, another region, or in a region that they were not in.
CREATE FUNCTION spoil_member() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := current_setting('spoiled.member');
BEGIN
  IF NEW.region % 3 <> 0 OR cardinality(NEW.persons) < 2 THEN RETURN NEW; END IF;
  IF what = 'twice' THEN NEW.persons[2] := NEW.persons[1]; END IF;
  IF what = 'missing' THEN NEW.persons := NEW.persons[2:]; NEW.objects := NEW.objects[2:]; NEW.codes := NEW.codes[3:]; END IF;
  IF what = 'value' THEN NEW.codes[2] := 1 + NEW.codes[2] % 3; END IF;
  IF what = 'region' THEN NEW.region := 1; END IF;
  IF what = 'arrival' THEN NEW.codes[1] := 1; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION spoiled_member(what text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('spoiled.member', what, true); RETURN (SELECT string_agg(substring(f FROM 'failed: \w+|no error|^[0-9A-Z]{5} [^a].*'), ' ') FROM pg_temp.fails('SELECT publish(''read'')') AS f); END $$;
CREATE FUNCTION spoil_members(ledger text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('CREATE TRIGGER spoil BEFORE INSERT ON anon_seq_ledger.%s_member FOR EACH ROW EXECUTE FUNCTION publish_shared.spoil_member(); ALTER TABLE anon_seq_ledger.%1$s_member DROP CONSTRAINT %1$s_member_pkey', ledger); END $$;
BEGIN;
SELECT spoil_members(:'ledger');
SELECT what, spoiled_member(what) FROM unnest('{twice,missing,value,region,arrival}'::text[]) AS what;
ROLLBACK;
SELECT version, published FROM publish('read');

-- So many rows that indexes are made once they are there: they find all of them, in this version and the next.
CREATE TABLE many AS SELECT i AS id, i * 3 AS x FROM generate_series(1, 20000) AS i;
SELECT create_incremental_policy('many', 'many', 'id', '{x}', 2, publish_as => 'many_out', population => 'many', options => '{"storage": "shared"}');
SELECT published, classes >= 8192 AS many FROM publish('many');
SELECT 'p' || id AS many FROM policy WHERE name = 'many' \gset
CREATE FUNCTION by_index(relation text, by_index boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
  PERFORM set_config('enable_seqscan', (NOT by_index)::text, true), set_config('enable_indexscan', by_index::text, true), set_config('enable_indexonlyscan', by_index::text, true), set_config('enable_bitmapscan', by_index::text, true);
  EXECUTE format('SELECT count(*) FROM anon_seq_ledger.%s AS r WHERE r.region >= 0%s', relation, CASE WHEN relation !~ '_region$' THEN ' AND until IS NULL' END) INTO found;
  RETURN found;
END $$;
SELECT t, by_index(:'many' || '_' || t, true) = by_index(:'many' || '_' || t, false), by_index(:'many' || '_' || t, true) >= 8192 FROM unnest('{region,count,member}'::text[]) AS t;
-- Tables that hold something are locked against nobody: who reads a version does not wait for the next one.
BEGIN;
INSERT INTO many SELECT 200000 + i, i * 30 + 2 FROM generate_series(1, 12000) AS i;
SELECT classes >= 8192 AS many FROM publish('many');
SELECT c.relname FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation WHERE l.pid = pg_backend_pid() AND l.mode = 'AccessExclusiveLock' AND c.relname = ANY (ARRAY[:'many' || '_region', :'many' || '_count', :'many' || '_member']);
ROLLBACK;
INSERT INTO many SELECT 100000 + i, i * 30 + 1 FROM generate_series(1, 1000) AS i;
SELECT published FROM publish('many');
SELECT t, by_index(:'many' || '_' || t, true) = by_index(:'many' || '_' || t, false) FROM unnest('{region,count,member}'::text[]) AS t;

-- The owner changes, and all of it with him.
CREATE ROLE regress_shared_owner;
CREATE ROLE regress_shared_heir;
SELECT grant_publish(r) FROM unnest('{regress_shared_owner,regress_shared_heir}'::text[]) AS r;
GRANT ALL ON SCHEMA publish_shared TO regress_shared_owner, regress_shared_heir;
-- What he makes is open to all by default; the ledger is not.
ALTER DEFAULT PRIVILEGES FOR ROLE regress_shared_owner GRANT SELECT ON TABLES TO PUBLIC;
SET ROLE regress_shared_owner;
CREATE TABLE own AS SELECT i AS id, i % 50 AS age FROM generate_series(1, 200) AS i;
SELECT create_incremental_policy('given', 'own', 'id', '{age}', 5, options => '{"storage": "shared"}');
SELECT version, published FROM publish('given');
RESET ROLE;
SELECT string_agg(substring(c.relname from '_.*'), ', ') FROM pg_class AS c, policy AS p, aclexplode(c.relacl) AS a WHERE p.name = 'given' AND c.relname ~ ('^p' || p.id || '_') AND a.grantee <> c.relowner;
REASSIGN OWNED BY regress_shared_owner TO regress_shared_heir;
SET ROLE regress_shared_heir;
INSERT INTO own SELECT 1000 + i, i % 50 FROM generate_series(1, 100) AS i;
SELECT version, published FROM publish('given');
SELECT count(*), (SELECT sum(n) FROM given_flat), (SELECT count(*) FROM given_r1) FROM given;
SELECT check_name, observed FROM audit('given', everything => true) WHERE NOT ok;
RESET ROLE;
REVOKE ALL ON SCHEMA publish_shared, anon_seq FROM regress_shared_analyst;
DROP OWNED BY regress_shared_analyst CASCADE;
DROP ROLE regress_shared_analyst;
DROP SCHEMA publish_shared CASCADE;
SELECT drop_policy(p.name) FROM policy AS p WHERE source_schema = 'publish_shared';
DROP OWNED BY regress_shared_owner, regress_shared_heir CASCADE;
DROP ROLE regress_shared_owner, regress_shared_heir;
