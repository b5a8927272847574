-- Rows that the owner of the extension may add to the catalog, for a restore: what stands in them becomes no code, and belongs to the policy that it says.
SET client_min_messages = error;
CREATE SCHEMA release_forged;
SET search_path = release_forged, anon_seq, public;
CREATE FUNCTION fails(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE statement;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE SEQUENCE mark;  -- survives a rollback
CREATE FUNCTION act() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('release_forged.mark'); RETURN ''; END $$;
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE clinic AS SELECT i AS id, 20 + i % 60 AS age, (i % 4)::numeric(6, 2) AS stage, (ARRAY['flu', 'gout', 'asthma', 'HIV', 'ulcer'])[1 + i % 5] AS illness, (enum_range(NULL::mood))[1 + i % 2] AS mood, ('v' || i % 3)::varchar(9) COLLATE "C" AS word FROM generate_series(1, 300) AS i;
SELECT create_lossy_join_policy('fo proj', 'clinic', 'id', '{age}', '{illness,stage}', 0.5, 4, 'projections', publish_as => 'release_forged.proj', population => 'fo proj');
SELECT create_sequential_policy('fo seq', 'clinic', 'id', '{age}', sensitive => '{illness}', publish_as_is => '{mood,word,stage}', k => 4, publish_as => 'release_forged.seq', population => 'fo seq');
SELECT create_incremental_policy('fo one', 'clinic', 'id', '{age}', 5, publish_as => 'release_forged.one', publish_as_is => '{mood,word,stage}', population => 'fo one');
SELECT create_incremental_policy('fo two', 'clinic', 'id', '{age}', 5, publish_as => 'release_forged.two', population => 'fo two', options => '{"storage": "shared"}');
SELECT p, (publish(p)).version FROM unnest('{fo proj,fo seq,fo one,fo two}'::text[]) AS p ORDER BY p;
DELETE FROM clinic WHERE id % 41 = 2;
SELECT p, (publish(p)).version FROM unnest('{fo one,fo two}'::text[]) AS p ORDER BY p;

-- A copy of a release's row, but for what is given, and what then is done with the policy.
CREATE FUNCTION forge(of text, differs jsonb, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE got text;
BEGIN
  INSERT INTO anon_seq.release SELECT r.* FROM anon_seq.release AS o, jsonb_populate_record(o, jsonb_build_object('id', nextval('anon_seq.release_id_seq'), 'version', o.version + 1) || differs) AS r
   WHERE o.name = of ORDER BY o.version DESC LIMIT 1;
  got := fails(format(statement, of));
  RAISE SQLSTATE 'UNDO1';
EXCEPTION WHEN SQLSTATE 'UNDO1' THEN RETURN got;
END $$;
CREATE FUNCTION types(policy text, of text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('columns', (SELECT jsonb_agg(jsonb_set(e, '{type}', to_jsonb(replace(of, '%', e->>'type')))) FROM jsonb_array_elements(columns) AS e)) FROM anon_seq.release WHERE name = policy ORDER BY version DESC LIMIT 1 $$;
-- A type that is SQL; another type than that of the ledger; one that no policy publishes.
SELECT p, t, forge(p, types(p, t), 'SELECT audit(%L)') FROM unnest('{fo proj,fo seq,fo one}'::text[]) AS p, unnest(ARRAY['%||act()::text', '% COLLATE "C"||act()', 'bigint', 'pg_class']) AS t ORDER BY p, t;
-- Of a version that the policy has made, the row that is there is changed: by nobody but the catalog's owner.
CREATE FUNCTION change(policy text, differs jsonb, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE got text;
BEGIN
  UPDATE anon_seq.release AS o SET columns = differs->'columns' WHERE o.name = policy;
  got := fails(format(statement, policy));
  RAISE SQLSTATE 'UNDO1';
EXCEPTION WHEN SQLSTATE 'UNDO1' THEN RETURN got;
END $$;
SELECT p, t, change(p, types(p, t), 'SELECT audit(%L, everything => true)') FROM unnest('{fo proj,fo seq,fo one}'::text[]) AS p, unnest(ARRAY['%||act()::text', 'bigint']) AS t ORDER BY p, t;
SELECT is_called FROM mark;
-- The ledger of another policy, another method, a version that the policy has not made.
SELECT d, forge('fo one', d, 'SELECT audit(%L)') FROM unnest(ARRAY['{"method": "sequential"}', '{"version": 2000}', '{"ledger": "p2000000000"}']::jsonb[]) AS d;
SELECT forge('fo one', jsonb_build_object('version', 2000, 'ledger', (SELECT 'p' || id FROM policy WHERE name = 'fo two')), 'SELECT audit(%L)');
SELECT forge('fo one', jsonb_build_object('name', 'fo other', 'version', 1), 'SELECT audit(%L)');
-- The ledger of a policy that was dropped is no other's.
SELECT drop_policy('fo seq');
CREATE FUNCTION take_over(differs jsonb, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE got text;
BEGIN
  INSERT INTO anon_seq.policy SELECT p.* FROM anon_seq.policy AS o, jsonb_populate_record(o, jsonb_build_object('id', (SELECT substr(ledger, 2)::int FROM anon_seq.release WHERE name = 'fo seq'), 'name', 'fo new', 'target_name', 'fo_new') || differs) AS p
   WHERE o.name = 'fo one';
  got := fails(statement);
  RAISE SQLSTATE 'UNDO1';
EXCEPTION WHEN SQLSTATE 'UNDO1' THEN RETURN got;
END $$;
SELECT take_over('{}', $$SELECT audit('fo new')$$), take_over('{"version": 0}', $$SELECT drop_policy('fo new')$$), take_over('{"name": "fo seq"}', $$SELECT audit('fo seq')$$);
-- What is there is right.
SELECT p, bool_and(ok) FROM unnest('{fo proj,fo one,fo two}'::text[]) AS p, audit(p, everything => true) WHERE check_name <> 'unguarded' GROUP BY p ORDER BY p;
SELECT drop_policy(p) FROM unnest('{fo proj,fo one,fo two}'::text[]) AS p;
DROP SCHEMA release_forged CASCADE;
