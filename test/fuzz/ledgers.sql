-- Ledgers to damage: a policy of every method, form and storage, with versions in which people come, go, move, change, wait, return and are
-- forgotten. Run by a superuser in a new database; roles.sql has made the roles.
\set ON_ERROR_STOP on
SET client_min_messages = error;
CREATE EXTENSION anon_seq;
SELECT anon_seq.grant_publish('fuzz_pub');
CREATE SCHEMA dm AUTHORIZATION fuzz_pub;
SET ROLE fuzz_pub;
SET search_path = dm, anon_seq;

CREATE FUNCTION people(int, int) RETURNS TABLE (id int, job text, age int, ill text, diag text) LANGUAGE sql AS $$
  SELECT i, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i * 31 % 4], 20 + i * 7 % 50, CASE WHEN i % 60 = 7 THEN 'HIV' ELSE (ARRAY['flu', 'gout', 'asthma'])[1 + i % 3] END,
         (ARRAY['flu', 'asthma', 'fracture', 'gout', 'ulcer'])[1 + (i * 7919 % 1009) % 5] FROM generate_series($1, $2) AS i $$;
SELECT create_taxonomy('job', '{"ANY": {"Service": ["nurse", "clerk"], "Manual": ["baker", "miner"]}}');
-- What is damaged and published alone has a source alone.
CREATE TABLE policy (name text PRIMARY KEY, source text, again boolean DEFAULT true);
CREATE FUNCTION declared(name text, call text, again boolean DEFAULT true) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE dm.%I AS SELECT * FROM dm.people(1, 150)', 's_' || $1);
  EXECUTE format('ALTER TABLE dm.%I ADD PRIMARY KEY (id)', 's_' || $1);
  IF $1 LIKE 'watched%' THEN PERFORM anon_seq.watch_source(('dm.s_' || $1)::regclass, '{id}'); END IF;
  EXECUTE format(replace(call, '%s', '%1$s'), $1);
  INSERT INTO dm.policy VALUES ($1, 's_' || $1, $3);
END $$;
CREATE TABLE other AS SELECT job, age, diag FROM people(1, 60);
SELECT register_release('registered', 'other', 'beside');
SELECT declared('seq', $$SELECT anon_seq.create_sequential_policy('%s', 'dm.s_%s', 'id', '{job,age}', k => 5, sensitive => '{diag}', max_link => 0.9, publish_as => 'dm.%s', population => 'beside', options => '{"dangling": "outer"}')$$);
SELECT declared('local', $$SELECT anon_seq.create_sequential_policy('%s', 'dm.s_%s', 'id', '{job,age}', k => 5, sensitive => '{diag}', publish_as => 'dm.%s', population => '%s', options => '{"recoding": "local"}')$$, false);
SELECT declared('simulatable', $$SELECT anon_seq.create_sequential_policy('%s', 'dm.s_%s', 'id', '{job,age}', k => 5, sensitive => '{diag}', max_link => 0.8, publish_as => 'dm.%s', population => '%s', options => '{"decisions": "simulatable"}')$$, false);
SELECT declared('inc', $$SELECT anon_seq.create_incremental_policy('%s', 'dm.s_%s', 'id', '{job,age}', 4, publish_as_is => '{diag}', publish_as => 'dm.%s', population => '%s')$$);
SELECT declared('box', $$SELECT anon_seq.create_incremental_policy('%s', 'dm.s_%s', 'id', '{job,age}', 3, publish_as_is => '{diag}', publish_as => 'dm.%s', population => '%s', options => '{"shape": "box", "object_id": true}')$$);
SELECT declared('known', $$SELECT anon_seq.create_incremental_policy('%s', 'dm.s_%s', 'id', '{job,age}', 3, publish_as => 'dm.%s', population => '%s', options => '{"arrivals": "known"}')$$);
SELECT declared('soon', $$SELECT anon_seq.create_incremental_policy('%s', 'dm.s_%s', 'id', '{job,age}', 3, publish_as => 'dm.%s', population => '%s', options => '{"erasure": "immediate"}')$$);
SELECT declared('shared', $$SELECT anon_seq.create_incremental_policy('%s', 'dm.s_%s', 'id', '{job,age}', 4, publish_as_is => '{diag}', publish_as => 'dm.%s', population => '%s', options => '{"storage": "shared"}')$$);
SELECT declared('watched', $$SELECT anon_seq.create_incremental_policy('%s', 'dm.s_%s', 'id', '{job,age}', 4, publish_as_is => '{diag}', publish_as => 'dm.%s', population => '%s', options => '{"storage": "shared"}')$$);
SELECT declared('projections', $$SELECT anon_seq.create_lossy_join_policy('%s', 'dm.s_%s', 'id', '{job,age}', '{diag}', alpha => 0.5, k => 4, form => 'projections', publish_as => 'dm.%s', population => '%s', options => '{"unguarded_again": true}')$$);
SELECT declared('generalized', $$SELECT anon_seq.create_lossy_join_policy('%s', 'dm.s_%s', 'id', '{job,age}', '{diag}', alpha => 0.5, k => 4, form => 'generalized', publish_as => 'dm.%s', population => '%s', options => '{"unguarded_again": true}')$$);
SELECT declared('fixed', $$SELECT anon_seq.create_serial_policy('%s', 'dm.s_%s', 'id', '{age}', '{ill}', '{HIV}', l => 2, form => 'projections', plan => 'fixed', horizon => 12, publish_as => 'dm.%s', population => '%s')$$);
SELECT declared('window', $$SELECT anon_seq.create_serial_policy('%s', 'dm.s_%s', 'id', '{age}', '{ill}', '{HIV}', l => 2, form => 'projections', plan => 'window', publish_as => 'dm.%s', population => '%s', options => '{"window": 4}')$$);
SELECT declared('harmonic', $$SELECT anon_seq.create_serial_policy('%s', 'dm.s_%s', 'id', '{age}', '{ill}', '{HIV}', l => 2, form => 'generalized', plan => 'harmonic', publish_as => 'dm.%s', population => '%s')$$);
SELECT declared('permanent', $$SELECT anon_seq.create_serial_policy('%s', 'dm.s_%s', 'id', '{age}', '{ill}', '{HIV}', l => 2, form => 'projections', persistence => 'permanent', publish_as => 'dm.%s', population => '%s')$$);

CREATE FUNCTION everywhere(change text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE source text;
BEGIN
  FOR source IN SELECT p.source FROM dm.policy AS p LOOP EXECUTE replace(change, 'SRC', 'dm.' || source); END LOOP;
END $$;
CREATE FUNCTION publish_all() RETURNS void LANGUAGE sql AS $$ SELECT anon_seq.publish(name) FROM dm.policy WHERE again ORDER BY name COLLATE "C" $$;
SELECT publish(name) FROM policy ORDER BY name COLLATE "C";
SELECT everywhere('UPDATE SRC SET age = 20 + (age + 9) % 50 WHERE id % 17 = 3; INSERT INTO SRC SELECT * FROM dm.people(151, 190); DELETE FROM SRC WHERE id % 23 = 5');
SELECT publish_all();
SELECT everywhere('UPDATE SRC SET diag = ''cough'' WHERE id % 19 = 2; DELETE FROM SRC WHERE id = 60; UPDATE SRC SET ill = ''asthma'' WHERE id % 29 = 4');
SELECT publish_all();
RESET ROLE;
-- What a restore of a single table would bring back.
DO $$
DECLARE t text;
BEGIN
  FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind = 'r' AND relname ~ '^[pr][0-9]+_' LOOP EXECUTE format('CREATE TABLE dm.%I AS TABLE anon_seq_ledger.%1$I', t); END LOOP;
END $$;
SET ROLE fuzz_pub;
-- Who was forgotten comes back.
SELECT forget(population, '60') FROM policies ORDER BY name COLLATE "C";
SELECT forget(population, '62') FROM policies ORDER BY name COLLATE "C";
SELECT everywhere('INSERT INTO SRC SELECT id, job, 20 + (age + 25) % 50, ill, diag FROM dm.people(60, 60); UPDATE SRC SET age = 20 + (age + 30) % 50 WHERE id % 31 = 6; DELETE FROM SRC WHERE id = 62');
SELECT publish_all();
SELECT everywhere('UPDATE SRC SET age = 20 + (age + 1) % 50 WHERE id % 37 = 8; UPDATE SRC SET ill = ''flu'' WHERE id % 41 = 4; DELETE FROM SRC WHERE id = 75');
SELECT forget(population, '75') FROM policies ORDER BY name COLLATE "C";
SELECT publish_all();
RESET ROLE;

-- Damage of which nothing follows: rows of a table, by a condition on the row, and why.
CREATE TABLE dm.harmless (policy text, part text, condition text, reason text);
INSERT INTO dm.harmless VALUES
  ('%', 'sum', 'n = 0 AND bits = 0', 'the sum of no rows says what a missing one says'),
  ('shared', 'leaf', 'true', 'of a source that is not watched, each publish compares every row with what it shows, and writes anew what differs');

CREATE TYPE dm.victim AS (ledger text, part text, at tid);
-- One value instead of another, by its type; nothing where there is none.
CREATE FUNCTION dm.another(kind text, col text, type text, of text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN kind = 'null' THEN 'NULL'
    WHEN kind = 'shifted' THEN CASE
      WHEN type IN ('integer', 'bigint') THEN format('coalesce((SELECT max(%1$s) FROM %2$s), 0) + 1', col, of)
      WHEN type = 'text' THEN format('coalesce(%s, '''') || ''x''', col) WHEN type = 'boolean' THEN format('NOT %s', col)
      WHEN type = 'jsonb' THEN format('coalesce(%s, ''{}'') || ''{"odd": 1}''', col) WHEN type = 'bytea' THEN format('substring(%s FROM 2)', col)
      WHEN type LIKE '%[]' THEN format('%s[2:]', col) WHEN type LIKE '%range' THEN '''(,)''' END
    WHEN kind = 'flipped' THEN CASE
      WHEN type IN ('integer', 'bigint') THEN format('%s # 1', col) WHEN type = 'text' THEN format('overlay(%s PLACING chr(ascii(%1$s) # 1) FROM 1 FOR 1)', col)
      WHEN type = 'bytea' THEN format('set_byte(%s, length(%1$s) / 2, get_byte(%1$s, length(%1$s) / 2) # 4)', col)
      WHEN type LIKE '%[]' THEN format('array_append(%s[2:], %1$s[1])', col) WHEN type = 'jsonb' THEN format('regexp_replace(%s::text, ''([0-8])'', ''9'')::jsonb', col) END
  END $$;
-- Damages a row, or all; how many rows are not what they were.
CREATE FUNCTION dm.damage(t text, col text, kind text, at tid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  n bigint; type text; made text; of text := 'anon_seq_ledger.' || t; q text := quote_ident(col);
BEGIN
  IF col <> '' THEN
    SELECT format_type(a.atttypid, a.atttypmod) INTO type FROM pg_attribute AS a WHERE a.attrelid = of::regclass AND a.attname = col;
    BEGIN
      EXECUTE format('ALTER TABLE %s ALTER %s DROP NOT NULL', of, q);
    EXCEPTION WHEN OTHERS THEN NULL;  -- a primary key, or an identity, keeps it
    END;
  END IF;
  PERFORM set_config('session_replication_role', 'replica', true);
  CASE kind
    WHEN 'deleted' THEN EXECUTE format('DELETE FROM %s WHERE ctid = $1', of) USING at;
    WHEN 'emptied' THEN EXECUTE format('DELETE FROM %s', of);
    WHEN 'doubled' THEN EXECUTE format('INSERT INTO %s SELECT * FROM %1$s WHERE ctid = $1', of) USING at;
    WHEN 'older' THEN EXECUTE format('DELETE FROM %s', of); EXECUTE format('INSERT INTO %s OVERRIDING SYSTEM VALUE TABLE dm.%I', of, t);
    WHEN 'rotated' THEN EXECUTE format('UPDATE %1$s AS a SET %2$s = b.v FROM (SELECT x.ctid AS at, y.%2$s AS v FROM %1$s AS x, (SELECT ctid, %2$s FROM %1$s WHERE %2$s IS DISTINCT FROM (SELECT %2$s FROM %1$s WHERE ctid = $1) ORDER BY md5(ctid::text) LIMIT 1) AS y WHERE x.ctid = $1'
      || ' UNION ALL SELECT y.ctid, x.%2$s FROM %1$s AS x, (SELECT ctid, %2$s FROM %1$s WHERE %2$s IS DISTINCT FROM (SELECT %2$s FROM %1$s WHERE ctid = $1) ORDER BY md5(ctid::text) LIMIT 1) AS y WHERE x.ctid = $1) AS b WHERE a.ctid = b.at', of, q) USING at;
    ELSE
      made := dm.another(kind, q, type, of);
      IF made IS NULL THEN RETURN 0; END IF;
      EXECUTE format('UPDATE %s SET %s = %s WHERE ctid = $1 AND %2$s IS DISTINCT FROM %3$s', of, q, made) USING at;
  END CASE;
  GET DIAGNOSTICS n = ROW_COUNT;
  PERFORM set_config('session_replication_role', 'origin', true);
  RETURN n;
END $$;
CREATE FUNCTION dm.content(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c text;
BEGIN EXECUTE format('SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text COLLATE "C")) FROM anon_seq_ledger.%I AS x', t) INTO c; RETURN c; END $$;

CREATE FUNCTION dm.complaints(policy text, everything boolean) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(DISTINCT check_name, ', ' ORDER BY check_name) FROM anon_seq.audit(policy, everything) WHERE NOT ok AND check_name NOT IN ('unguarded', 'correlation') $$;
-- What becomes of damage to a table of a ledger: who noticed it, or "unnoticed". Nothing of it stays.
CREATE FUNCTION dm.outcome(policy text, t text, col text, kind text, at tid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  outcome text := 'unnoticed'; step text := 'damage'; before text; said text;
  source text := (SELECT p.source FROM dm.policy AS p WHERE p.name = outcome.policy); again boolean := (SELECT p.again FROM dm.policy AS p WHERE p.name = outcome.policy);
BEGIN
  BEGIN
    IF kind <> 'nothing' THEN
      before := dm.content(t);
      IF dm.damage(t, col, kind, at) = 0 OR dm.content(t) IS NOT DISTINCT FROM before THEN RAISE SQLSTATE 'DM001' USING MESSAGE = 'nothing changed'; END IF;
    END IF;
    step := 'audit';
    said := dm.complaints(policy, false);
    IF said IS NOT NULL THEN RAISE SQLSTATE 'DM001' USING MESSAGE = 'audit: ' || said; END IF;
    IF again THEN
      EXECUTE format('UPDATE dm.%I SET diag = ''cold'', ill = ''gout'' WHERE id %% 43 = 5; INSERT INTO dm.%1$I SELECT * FROM dm.people(191, 199)', source);
      IF policy <> 'soon' THEN EXECUTE format('UPDATE dm.%I SET age = 20 + (age + 3) %% 50 WHERE id %% 13 = 4; DELETE FROM dm.%1$I WHERE id = 100', source); END IF;  -- it would be refused
      step := 'publish';
      PERFORM anon_seq.publish(policy);
      step := 'audit afterwards';
      said := dm.complaints(policy, false);
      IF said IS NOT NULL THEN RAISE SQLSTATE 'DM001' USING MESSAGE = 'audit afterwards: ' || said; END IF;
    END IF;
    step := 'full audit';
    said := dm.complaints(policy, true);
    RAISE SQLSTATE 'DM001' USING MESSAGE = coalesce('full audit: ' || said, 'unnoticed');
  EXCEPTION
    WHEN SQLSTATE 'DM001' THEN outcome := SQLERRM;
    WHEN unique_violation OR not_null_violation OR check_violation THEN outcome := CASE step WHEN 'damage' THEN 'nothing changed' ELSE step || ': ' || SQLSTATE END;
    WHEN OTHERS THEN
      IF step = 'damage' OR SQLSTATE = 'XX000' THEN RAISE; END IF;
      outcome := step || ': ' || SQLSTATE;
  END;
  RETURN outcome;
END $$;
-- A case, by what it damages and a number that picks the row; an error if it goes unnoticed and is not listed as harmless.
CREATE FUNCTION dm.attempt(policy text, t text, col text, kind text, number int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  at tid; found text; harmless boolean := false; condition text;
BEGIN
  IF kind <> 'nothing' THEN EXECUTE format('SELECT ctid FROM anon_seq_ledger.%I ORDER BY md5(ctid::text || %s) LIMIT 1', t, number) INTO at; END IF;
  FOR condition IN SELECT h.condition FROM dm.harmless AS h WHERE attempt.policy LIKE h.policy AND h.part = regexp_replace(t, '^[a-z0-9]+_', '') LOOP EXECUTE format('SELECT $2 OR %s FROM anon_seq_ledger.%I WHERE ctid = $1', condition, t) INTO harmless USING at, harmless; END LOOP;
  found := dm.outcome(policy, t, col, kind, at);
  IF kind = 'nothing' THEN
    IF found <> 'unnoticed' THEN RAISE EXCEPTION 'policy % has nothing that is damaged, and yet: %', policy, found USING ERRCODE = 'internal_error'; END IF;
  ELSIF found = 'unnoticed' AND NOT coalesce(harmless, false) THEN
    RAISE EXCEPTION 'damage unnoticed: %, column "%", %, row %', t, col, kind, number USING ERRCODE = 'internal_error', DETAIL = policy;
  END IF;
  RETURN found;
END $$;
