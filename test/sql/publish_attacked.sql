-- Incremental versions under attack by a reader who holds any of them and recognises everybody in all of them, by a value that nobody else has:
-- whoever stayed where he was keeps k candidates. Counted in SQL from what is published.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_attacked;
SET search_path = publish_attacked, anon_seq;
SET client_min_messages = error;

-- Somebody who moved is no cover for who was there: with a rare value he is seen not to be one of them.
CREATE TABLE rare (id int, q int, s text);
INSERT INTO rare VALUES (1, 1, 'porphyria'), (2, 2, 'flu'), (3, 7, 'flu'), (4, 8, 'flu');
SELECT create_incremental_policy('rare', 'rare', 'id', '{q}', 2, sensitive => '{s}', publish_as => 'rare_out', population => 'rare');
SELECT version, published, waiting, deferred FROM publish('rare');
-- As long as his old row has to stay, his new one is not shown.
UPDATE rare SET q = 20 WHERE id = 1;
SELECT version, published, waiting, deferred FROM publish('rare');
SELECT q, s FROM rare_out WHERE s = 'porphyria';
INSERT INTO rare VALUES (5, 21, 'hiv'), (6, 3, 'flu');
SELECT version, published, waiting, deferred FROM publish('rare');
SELECT q, s FROM rare_out ORDER BY 1, 2;
-- Back again he is no cover either; nor after a while away, nor forgotten.
UPDATE rare SET q = 1 WHERE id = 1;
SELECT version, published, waiting, deferred FROM publish('rare');
DELETE FROM rare WHERE id IN (1, 6);
SELECT version, published, waiting, deferred FROM publish('rare');
INSERT INTO rare VALUES (1, 2, 'porphyria');
SELECT version, published, waiting, deferred FROM publish('rare');
SELECT scope, observed, ok FROM audit('rare', everything => true) WHERE check_name = 'anonymity';
SELECT count(*) FROM forget('rare', '1');
SELECT scope, observed, ok FROM audit('rare', everything => true) WHERE check_name IN ('anonymity', 'inference');
-- Another row of the same person, counted where it should not be, is found by his key and by the links between his objects.
SELECT 'anon_seq_ledger.p' || id AS ledger FROM policy WHERE name = 'rare' \gset
BEGIN;
SELECT count(*) FROM forget('rare', '2');
CREATE FUNCTION alter_ledger(what text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE what; END $$;
SELECT alter_ledger(format('ALTER TABLE %s_moved DISABLE TRIGGER ALL; ALTER TABLE %1$s_gone DISABLE TRIGGER ALL; ALTER TABLE %1$s_member DISABLE TRIGGER ALL; ALTER TABLE %1$s_gone DROP CONSTRAINT %2$s_gone_pkey; ALTER TABLE %1$s_moved DROP CONSTRAINT %2$s_moved_pkey', :'ledger', split_part(:'ledger', '.', 2)));
SELECT alter_ledger(format($$INSERT INTO %1$s_gone (region, since, object, rejoined, elsewhere, persons) SELECT r.region, 1, u.object, false, true, '{NULL}' FROM %1$s_region AS r, (SELECT unnest(objects) AS object, region FROM %1$s_member WHERE since = 1) AS u WHERE r.region > 0 AND u.region <> r.region$$, :'ledger'));
SELECT alter_ledger(format('INSERT INTO %1$s_moved SELECT a.object, b.object, false FROM (SELECT unnest(objects) AS object, region FROM %1$s_member WHERE since = 1) AS a, (SELECT unnest(objects) AS object, region FROM %1$s_member WHERE since = 1) AS b WHERE a.region <> b.region', :'ledger'));
SELECT bool_and(ok) FROM audit('rare', everything => true) WHERE check_name = 'anonymity';
ROLLBACK;

-- Who was forgotten and returns, elsewhere or where they were, is no cover, now and later. The audit finds them by itself.
CREATE TABLE back (id int, q int, s text);
INSERT INTO back VALUES (1, 1, 'rare'), (2, 2, 'b'), (3, 3, 'c'), (4, 6, 'd'), (5, 7, 'e'), (6, 10, 'f');
SELECT create_incremental_policy('back', 'back', 'id', '{q}', 2, publish_as_is => '{s}', publish_as => 'back_out', population => 'back');
SELECT create_incremental_policy('back known', 'back', 'id', '{q}', 2, publish_as_is => '{s}', publish_as => 'back_known', population => 'back known', options => '{"arrivals": "known"}');
SELECT version FROM publish('back') UNION ALL SELECT version FROM publish('back known');
DELETE FROM back WHERE id = 1;
SELECT count(*) FROM forget('back', '1') UNION ALL SELECT count(*) FROM forget('back known', '1') UNION ALL SELECT count(*) FROM forget('back', '77');
-- A digest of the key is left, and nobody is listed by it.
SELECT 'anon_seq_ledger.p' || id || '_forgotten' AS digests, 'anon_seq_ledger.p' || id || '_moved' AS moved FROM policy WHERE name = 'back' \gset
SELECT count(*), min(length(digest)), min(since) FROM :digests;
SELECT version FROM publish('back');
INSERT INTO back VALUES (1, 11, 'rare');
SELECT version, published, waiting FROM publish('back');
SELECT q, s FROM back_out ORDER BY 2;
SELECT before, apart FROM :moved;
SELECT version, published, waiting FROM publish('back known');
SELECT observed, ok FROM audit('back') WHERE check_name = 'anonymity';
-- The audit does not believe the ledger's links.
BEGIN;
ALTER TABLE :moved DISABLE TRIGGER ALL;
DELETE FROM :moved;
SELECT observed FROM audit('back') WHERE check_name = 'anonymity';
ROLLBACK;
-- So it stays: whoever else comes, leaves and returns; forgotten twice; back where they were.
INSERT INTO back VALUES (7, 12, 'g');
SELECT version, published, waiting FROM publish('back');
SELECT q, count(*) FROM back_out GROUP BY 1 ORDER BY 1;
DELETE FROM back WHERE id = 1;
SELECT count(*) > 0 FROM forget('back', '1');
INSERT INTO back VALUES (1, 1, 'rare'), (8, 2, 'h');
SELECT version, published, waiting FROM publish('back');
SELECT q, count(*) FROM back_out GROUP BY 1 ORDER BY 1;
SELECT check_name, observed, ok FROM audit('back', everything => true) WHERE check_name IN ('anonymity', 'inference', 'damage');
-- Keys of any type are known again: of several columns, numbers with zeros behind them, texts.
CREATE TABLE keys (a numeric, b text, c uuid, d date, q int);
INSERT INTO keys SELECT i + 0.50, 'Key "' || i, md5(i::text)::uuid, DATE '2024-01-01' + i, i FROM generate_series(1, 12) AS i;
CREATE FUNCTION key_returns(by text, key text) RETURNS TABLE (apart bigint, moved text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM create_incremental_policy('keys ' || by, 'keys', by, '{q}', 3, publish_as => 'keys_' || md5(by), population => 'keys ' || by);
  PERFORM publish('keys ' || by);
  DELETE FROM keys WHERE q = 4;
  PERFORM forget('keys ' || by, key);
  PERFORM publish('keys ' || by);
  INSERT INTO keys VALUES (4.5, 'Key "4', md5('4')::uuid, '2024-01-05', 4);
  PERFORM publish('keys ' || by);
  EXECUTE format('SELECT count(*) FROM anon_seq_ledger.p%s_moved WHERE apart', (SELECT p.id FROM policy AS p WHERE p.name = 'keys ' || by)) INTO apart;
  moved := (SELECT substring(observed FROM '\d+ of them moved') FROM audit('keys ' || by) WHERE check_name = 'anonymity' ORDER BY scope DESC LIMIT 1);
  PERFORM drop_policy('keys ' || by);
  DELETE FROM keys WHERE q = 4;
  INSERT INTO keys VALUES (4.50, 'Key "4', md5('4')::uuid, '2024-01-05', 4);
  RETURN NEXT;
END $$;
SELECT person, r.* FROM (VALUES ('a', '4.500'), ('b', 'Key "4'), ('c', md5('4')), ('d', '2024-01-05'), ('{b,a}', '{"Key \"4",4.5}')) AS v (person, key), key_returns(person, key) AS r;
SELECT drop_policy('back'), drop_policy('back known');

-- Whoever was forgotten keeps k candidates, or the publish is refused.
CREATE TABLE forgotten (id int, q int);
INSERT INTO forgotten VALUES (1, 1), (2, 9);
SELECT create_incremental_policy('forgotten', 'forgotten', 'id', '{q}', 2, publish_as => 'forgotten_out', population => 'forgotten', options => '{"erasure": "immediate"}');
SELECT version FROM publish('forgotten');
DELETE FROM forgotten WHERE id = 1;
SELECT release, still_shown FROM forget('forgotten', '1');
-- Nothing of him is left but the region.
SELECT x FROM policy AS p, LATERAL query_to_xml(format('SELECT m.persons, encode(m.points, ''hex'') AS points, g.persons AS gone, g.since FROM anon_seq_ledger.p%s_member AS m JOIN anon_seq_ledger.p%1$s_gone AS g USING (region)', p.id), false, true, '') AS x WHERE p.name = 'forgotten';
INSERT INTO forgotten VALUES (3, 2), (4, 3), (5, 8);
SELECT version FROM publish('forgotten');
DELETE FROM forgotten WHERE id IN (3, 4);
INSERT INTO forgotten VALUES (6, 8);
SELECT pg_temp.fails($$SELECT publish('forgotten')$$);
INSERT INTO forgotten VALUES (7, 1), (8, 2);
SELECT version FROM publish('forgotten');
SELECT observed, ok FROM audit('forgotten', everything => true) WHERE check_name = 'inference';
SELECT reading, inferred -> 'at_risk', group_size FROM unnest('{cover,equal}'::text[]) AS reading, audit_inference('{forgotten}', 2, reading) WHERE object IS NULL;

-- Immediate erasure, seven versions, of which three leave one candidate.
CREATE TABLE seven (id text, q int);
SELECT create_incremental_policy('seven', 'seven', 'id', '{q}', 2, publish_as => 'seven_out', population => 'seven', options => '{"erasure": "immediate"}');
INSERT INTO seven VALUES ('v', 1), ('a', 40), ('b', 20);
SELECT version FROM publish('seven');
DELETE FROM seven WHERE id = 'v';
INSERT INTO seven VALUES ('c', 21), ('a2', 41);
SELECT version FROM publish('seven');
DELETE FROM seven WHERE id IN ('a', 'a2');
SELECT version FROM publish('seven');
INSERT INTO seven VALUES ('d', 2), ('e', 3);
SELECT version FROM publish('seven');
INSERT INTO seven VALUES ('f', 22);
SELECT version FROM publish('seven');
DELETE FROM seven WHERE id = 'f';
SELECT version FROM publish('seven');
DELETE FROM seven WHERE id IN ('d', 'e');
SELECT pg_temp.fails($$SELECT publish('seven')$$);
SELECT observed, ok FROM audit('seven', everything => true) WHERE check_name = 'inference';

-- Random histories: people come, leave, move, move back, come again, are forgotten. Of a night that is refused nothing is shown.
CREATE TABLE person (id int, q1 int, q2 int, tag text);
CREATE TABLE was (id int, q1 int, q2 int);
CREATE TABLE shown (policy text, version int, tag text, q1 int4range, q2 int4range);
CREATE FUNCTION night(policy text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  v := (publish(policy)).version;
  EXECUTE format('INSERT INTO shown SELECT %L, %s, tag, q1, q2 FROM publish_attacked.%I', policy, v, policy);
  RETURN 'published';
EXCEPTION WHEN data_exception THEN RETURN 'refused';
END $$;
SELECT setseed(0.4);
INSERT INTO person SELECT i, random() * 40, random() * 40, 't' || i FROM generate_series(1, 60) AS i;
INSERT INTO was SELECT id, q1, q2 FROM person;
SELECT create_incremental_policy(name, 'person', 'id', '{q1,q2}', 3, sensitive => '{tag}', population => name, options => o || '{"allow_unique": ["tag"]}')
  FROM (VALUES ('attacked_plain', '{}'::jsonb), ('attacked_box', '{"shape": "box"}'), ('attacked_known', '{"arrivals": "known"}')) AS p (name, o);
CREATE PROCEDURE nights() LANGUAGE plpgsql AS $$
DECLARE i int; gone int;
BEGIN
  FOR i IN 1..6 LOOP
    PERFORM night('attacked_' || p) FROM unnest('{plain,box,known}'::text[]) AS p;
    DELETE FROM person WHERE random() < 0.08;
    UPDATE person SET q1 = random() * 40, q2 = random() * 40 WHERE random() < 0.15;
    UPDATE person AS p SET q1 = w.q1, q2 = w.q2 FROM was AS w WHERE w.id = p.id AND random() < 0.1;
    INSERT INTO person SELECT DISTINCT ON (id) id, q1, q2, 't' || id FROM was WHERE id NOT IN (SELECT id FROM person) AND id > 20 AND random() < 0.3 ORDER BY id;
    INSERT INTO person SELECT 100 * i + j, random() * 40, random() * 40, 't' || 100 * i + j FROM generate_series(1, 12) AS j;
    SELECT min(w.id) INTO gone FROM was AS w WHERE w.id BETWEEN i AND 20 AND w.id NOT IN (SELECT id FROM person);
    PERFORM forget('attacked_' || p, gone::text) FROM unnest('{plain,box,known}'::text[]) AS p WHERE gone IS NOT NULL;
    INSERT INTO was SELECT id, q1, q2 FROM person EXCEPT SELECT * FROM was;
  END LOOP;
END $$;
CALL nights();
-- Those who leave at once are fewer, or every night would be refused.
CREATE TABLE calm AS SELECT i + 1000 AS id, (random() * 60)::int AS q1, (random() * 60)::int AS q2, 't' || i + 1000 AS tag FROM generate_series(1, 80) AS i;
SELECT create_incremental_policy('attacked_now', 'calm', 'id', '{q1,q2}', 2, sensitive => '{tag}', population => 'attacked_now', options => '{"erasure": "immediate", "allow_unique": ["tag"]}');
CREATE PROCEDURE calm_nights() LANGUAGE plpgsql AS $$
DECLARE i int; one int; other int;
BEGIN
  FOR i IN 1..20 LOOP
    INSERT INTO was SELECT id, q1, q2 FROM calm EXCEPT SELECT * FROM was;
    EXIT WHEN night('attacked_now') = 'published' AND (SELECT count(*) FROM releases WHERE policy = 'attacked_now') = 6;
    SELECT id INTO one FROM calm ORDER BY md5(id || ' goes ' || i) LIMIT 1;
    SELECT id INTO other FROM calm WHERE id <> one ORDER BY md5(id || ' moves ' || i) LIMIT 1;
    DELETE FROM calm WHERE id = one;
    IF i % 2 = 0 THEN PERFORM forget('attacked_now', one::text); END IF;
    UPDATE calm SET q1 = random() * 60 WHERE id = other AND i % 3 = 0;
    INSERT INTO calm SELECT 1000 + 100 * i + j, random() * 60, random() * 60, 't' || 1000 + 100 * i + j FROM generate_series(1, 5) AS j;
  END LOOP;
END $$;
CALL calm_nights();
SELECT policy, count(DISTINCT version) FROM shown GROUP BY 1 ORDER BY 1;
-- Per victim who never moved and person seen: the versions that show him, and those that show him elsewhere.
CREATE TABLE sight AS SELECT s.policy, v.id AS victim, s.tag, s.tag = 't' || v.id AS self, bit_or(1 << s.version) AS seen, coalesce(bit_or(1 << s.version) FILTER (WHERE NOT (s.q1 @> v.q1 AND s.q2 @> v.q2)), 0) AS missed
  FROM shown AS s, (SELECT id, min(q1) AS q1, min(q2) AS q2 FROM was GROUP BY id HAVING count(*) = 1) AS v GROUP BY 1, 2, 3, 4;
CREATE TABLE set AS SELECT i << 1 AS versions FROM generate_series(1, 63) AS i;
CREATE FUNCTION fewest(policy text, known boolean) RETURNS TABLE (victims bigint, fewest bigint) LANGUAGE sql AS $$
  SELECT count(DISTINCT victim), min(candidates) FROM (
    SELECT v.victim, t.versions, count(*) FILTER (WHERE s.seen & t.versions <> 0 AND s.missed & t.versions = 0 AND (NOT known OR s.seen & t.versions = v.seen & t.versions)) AS candidates
      FROM sight AS v JOIN set AS t ON v.seen & t.versions <> 0 JOIN sight AS s ON s.policy = v.policy AND s.victim = v.victim WHERE v.policy = $1 AND v.self GROUP BY 1, 2) AS c $$;
SELECT p, victims > 50 AS many, fewest >= CASE p WHEN 'now' THEN 2 ELSE 3 END AS k FROM unnest('{plain,box,now}'::text[]) AS p, fewest('attacked_' || p, false) ORDER BY 1;
SELECT p, string_agg(check_name || ' of ' || scope || ': ' || observed, '; ') AS unsound FROM unnest('{plain,box,known,now}'::text[]) AS p, audit('attacked_' || p, everything => true) WHERE NOT ok GROUP BY 1;
SELECT p, count(*) FILTER (WHERE observed LIKE '%moved%') > 0 AS moved FROM unnest('{plain,box,now}'::text[]) AS p, audit('attacked_' || p, everything => true) GROUP BY 1 ORDER BY 1;
-- Who knows when people came and went too: of those who came once and stayed, or left for good.
SELECT fewest >= 3 AS k FROM fewest('attacked_known', true);

-- A row counts where it is, not where its label says that it might be: (,) for unknown values stands beside what was cut off, as the others of a cut
-- stand beside their sisters. 15 leaves and 16 becomes 32: porphyria is seen there, so asthma would be alone.
CREATE TABLE placed (id int, age int, tag text);
INSERT INTO placed VALUES (1, 1, 'acne'), (2, NULL, 'lupus'), (3, 15, 'asthma'), (4, 16, 'porphyria'), (5, 30, 'flu'), (6, 31, 'gout');
SELECT create_incremental_policy('placed', 'placed', 'id', '{age}', 2, sensitive => '{tag}', publish_as => 'placed_out', population => 'placed', options => '{"erasure": "immediate", "allow_unique": ["tag"]}');
SELECT version, published FROM publish('placed');
SELECT * FROM placed_out ORDER BY age, tag;
DELETE FROM placed WHERE id = 3;
UPDATE placed SET age = 32 WHERE id = 4;
SELECT pg_temp.fails($$SELECT publish('placed')$$);
INSERT INTO placed VALUES (7, 15, 'angina'), (8, 16, 'mumps');
SELECT version, published FROM publish('placed');
SELECT observed, ok FROM audit('placed', everything => true) WHERE check_name = 'inference';
SELECT group_size, count(*) FROM audit_inference('{placed}', 2, 'cover') WHERE object IS NOT NULL GROUP BY 1;

-- Small random histories with unknown values and a taxonomy, erased at once: whoever did not move keeps k candidates by place. Where a point lies is
-- found by the cuts, one after the other.
SELECT create_taxonomy('trade', '{"all": {"office": ["clerk", "boss"], "field": ["farmer", "miner"], "sea": ["sailor"]}}');
CREATE FUNCTION is_below(v text, nodes text[]) RETURNS boolean LANGUAGE sql AS $$
  SELECT CASE WHEN v IS NULL THEN array_position(nodes, NULL) IS NOT NULL ELSE v = ANY (nodes) OR generalize('trade', v, 1) = ANY (nodes) END $$;
CREATE FUNCTION leaf(ledger text, q int, job text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE r int := 0; n int;
BEGIN
  LOOP
    EXECUTE format('SELECT k.region FROM %s_region AS k WHERE k.parent = $1 AND CASE k.side WHEN ''unknown'' THEN $2 IS NULL WHEN ''known'' THEN $2 IS NOT NULL'
      ' WHEN ''below'' THEN coalesce($2 < k.bound::int, true) WHEN ''from'' THEN $2 >= k.bound::int WHEN ''nodes'' THEN publish_attacked.is_below($3, k.nodes)'
      ' ELSE NOT EXISTS (SELECT FROM %1$s_region AS s WHERE s.parent = k.parent AND s.nodes IS NOT NULL AND publish_attacked.is_below($3, s.nodes)) END', ledger) INTO n USING r, q, job;
    IF n IS NULL THEN RETURN r; END IF;
    r := n;
  END LOOP;
END $$;
CREATE TABLE small (id int, q int, job text, tag text);
CREATE TABLE stood (policy text, id int, q int, job text);
CREATE TABLE seen (policy text, version int, tag text, region int);
CREATE FUNCTION job_of(r float8) RETURNS text LANGUAGE sql AS $$ SELECT ('{clerk,boss,farmer,miner,sailor,NULL}'::text[])[1 + floor(6 * r)::int] $$;
CREATE PROCEDURE small_histories() LANGUAGE plpgsql AS $$
DECLARE p text; h int;
BEGIN
  FOR h IN 1..16 LOOP
    p := 'small_' || h;
    DELETE FROM small;
    INSERT INTO small SELECT i, CASE WHEN random() < 0.8 THEN (random() * 30)::int END, job_of(random()), 't' || i FROM generate_series(1, 12 + h % 5) AS i;
    PERFORM create_incremental_policy(p, 'small', 'id', '{q,job}', 2, sensitive => '{tag}', population => p, taxonomies => '{"job": "trade"}',
      options => jsonb_build_object('erasure', 'immediate', 'allow_unique', '{tag}'::text[], 'shape', CASE h % 3 WHEN 0 THEN 'box' ELSE 'region' END));
    FOR i IN 1..5 LOOP
      INSERT INTO stood SELECT p, id, q, job FROM small EXCEPT SELECT * FROM stood;
      BEGIN
        PERFORM publish(p);
      EXCEPTION WHEN data_exception THEN NULL;
      END;
      DELETE FROM small WHERE random() < 0.12;
      UPDATE small SET q = CASE WHEN random() < 0.8 THEN (random() * 30)::int END WHERE random() < 0.1;
      UPDATE small SET job = job_of(random()) WHERE random() < 0.06;
      INSERT INTO small SELECT 100 * i + j, (random() * 30)::int, job_of(random()), 't' || 100 * i + j FROM generate_series(1, 3) AS j;
    END LOOP;
  END LOOP;
END $$;
CALL small_histories();
DO $$ DECLARE p record; BEGIN
  FOR p IN SELECT name, id FROM policy WHERE name LIKE 'small\_%' LOOP
    EXECUTE format('INSERT INTO seen SELECT %L, version, c3, region FROM anon_seq_ledger.p%s_object', p.name, p.id);
    EXECUTE format($q$CREATE TABLE path_%1$s AS WITH RECURSIVE up AS (SELECT s.id AS victim, leaf('anon_seq_ledger.p%2$s', s.q, s.job) AS region FROM (SELECT id, min(q) AS q, min(job) AS job FROM stood
      WHERE policy = %1$L GROUP BY id HAVING count(*) = 1) AS s UNION ALL SELECT up.victim, r.parent FROM up JOIN anon_seq_ledger.p%2$s_region AS r USING (region) WHERE r.parent >= 0)
      SELECT %1$L::text AS policy, victim, region FROM up$q$, p.name, p.id);
  END LOOP;
END $$;
DO $$ BEGIN
  EXECUTE 'CREATE VIEW path AS ' || (SELECT string_agg('TABLE path_' || name, ' UNION ALL ') FROM policy WHERE name LIKE 'small\_%');
END $$;
TRUNCATE sight;
INSERT INTO sight SELECT s.policy, v.victim, s.tag, s.tag = 't' || v.victim, bit_or(1 << s.version), coalesce(bit_or(1 << s.version) FILTER (WHERE h.region IS NULL), 0)
  FROM seen AS s JOIN (SELECT DISTINCT policy, victim FROM path) AS v USING (policy) LEFT JOIN path AS h ON h.policy = s.policy AND h.victim = v.victim AND h.region = s.region GROUP BY 1, 2, 3, 4;
SELECT count(*) AS policies, sum(versions) > 40 AS many_versions, min(fewest) AS fewest, sum(victims) > 100 AS many
  FROM (SELECT policy, count(DISTINCT version) AS versions FROM seen GROUP BY 1) AS p, fewest(p.policy, false);
SELECT count(*) AS audits, bool_and(ok) AS ok FROM (SELECT DISTINCT policy FROM seen) AS p, audit(p.policy, everything => true) WHERE check_name = 'inference';
SELECT count(drop_policy(name)) FROM policy WHERE name LIKE 'small\_%';

SELECT drop_policy(p) FROM unnest('{placed,rare,forgotten,seven,attacked_plain,attacked_box,attacked_known,attacked_now}'::text[]) AS p;
DROP SCHEMA publish_attacked CASCADE;
