-- What belongs to another role is read as that role, restricted: whatever he put there runs as he, or not at all.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_seq_victim;
CREATE ROLE regress_seq_hostile;
CREATE ROLE regress_seq_looker;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO regress_seq_victim, regress_seq_hostile;
GRANT CREATE ON SCHEMA anon_seq_ledger TO regress_seq_hostile;  -- more than a publisher has: by the owner of the extension, for a restore
CREATE SCHEMA victim AUTHORIZATION regress_seq_victim;
CREATE SCHEMA hostile AUTHORIZATION regress_seq_hostile;
GRANT USAGE ON SCHEMA victim, hostile TO PUBLIC;
SET search_path = anon_seq;
SET client_min_messages = error;

-- spring() is said to be IMMUTABLE, so the planner runs it; it notes who it runs as, and takes what it can.
SET ROLE regress_seq_hostile;
CREATE TABLE hostile.seen (who text, what text);
GRANT INSERT ON hostile.seen TO PUBLIC;
CREATE FUNCTION hostile.act(what text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN
  INSERT INTO hostile.seen VALUES (current_user, what);
  PERFORM set_config('search_path', 'hostile, pg_catalog', false);
  PERFORM set_config('DateStyle', 'German', false);
  IF current_setting('is_superuser') = 'on' AND current_user <> 'regress_seq_hostile' THEN ALTER ROLE regress_seq_hostile SUPERUSER; END IF;
  RETURN 1;
EXCEPTION WHEN OTHERS THEN RETURN 1; END $$;
CREATE FUNCTION hostile.spring(what text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN hostile.act(what); END $$;
RESET ROLE;
CREATE FUNCTION seen() RETURNS SETOF text LANGUAGE sql AS $$ SELECT s FROM (SELECT DISTINCT who || ' ' || what AS s FROM hostile.seen) AS d ORDER BY s COLLATE "C" $$;
CREATE FUNCTION cell_of(policy text) RETURNS text LANGUAGE sql AS $$ SELECT format('anon_seq_ledger.p%s_cell', id) FROM anon_seq.policy WHERE name = $1 $$;

-- Two publishers of one population: the hostile one has springs on his ledger and on what he registered.
SET ROLE regress_seq_victim;
CREATE TABLE victim.patients AS SELECT i AS id, 20 + i % 50 AS age, (ARRAY['flu', 'asthma', 'fracture'])[1 + i % 3] AS diagnosis FROM generate_series(1, 300) AS i;
SELECT grant_population('victim.patients', 'regress_seq_hostile');
SELECT create_sequential_policy('patients', 'victim.patients', 'id', '{age}', sensitive => '{diagnosis}', k => 10, max_link => 0.9, publish_as => 'victim.patients_out', options => '{"overlap": true, "dangling": "outer"}');
SELECT version FROM publish('patients');
-- What another role registers knows no persons: it does not stop an erasure.
BEGIN;
SET LOCAL client_min_messages = error;
SET LOCAL ROLE regress_seq_hostile;
CREATE TABLE hostile.old AS SELECT 20 + i % 50 AS age FROM generate_series(1, 300) AS i;
SELECT register_release('no persons', 'hostile.old', 'victim.patients');
SET LOCAL ROLE regress_seq_victim;
SELECT count(*) FROM forget('victim.patients', '300');
ROLLBACK;
SET ROLE regress_seq_hostile;
CREATE TABLE hostile.bait AS SELECT i AS id, 20 + i % 50 AS age, (ARRAY['flu', 'asthma', 'fracture'])[1 + i % 3] AS diagnosis FROM generate_series(1, 300) AS i;
SELECT create_sequential_policy('bait', 'hostile.bait', 'id', '{age}', sensitive => '{diagnosis}', k => 10, population => 'victim.patients', previous => '{}', publish_as => 'hostile.bait_out');
SELECT version FROM publish('bait');
RESET ROLE;
SELECT cell_of('bait') AS cell \gset
SET ROLE regress_seq_hostile;
CREATE INDEX bait_index ON :cell ((hostile.spring('index expression')));
CREATE INDEX bait_predicate ON :cell (n) WHERE hostile.spring('index predicate') = 1;
CREATE STATISTICS hostile.bait_statistics ON (hostile.spring('statistics')), n FROM :cell;
TRUNCATE hostile.seen;
-- The victim publishes, previews, audits; he pays no attention to the other.
SET ROLE regress_seq_victim;
UPDATE victim.patients SET age = 21 WHERE id = 9;
SELECT version FROM publish('patients');
SELECT feasible FROM preview('patients');
SELECT count(*) > 0, bool_and(ok) FROM audit('patients', everything => true);
SELECT matches FROM audit_join('{patients,bait}', '["age"]', '["diagnosis"]', options => '{"overlap": true}');
SHOW search_path;
SHOW DateStyle;
RESET ROLE;
SELECT seen();
-- So does a superuser, whoever's policy it is, and who only looks.
TRUNCATE hostile.seen;
SELECT matches FROM audit_join('{bait,patients}', '["age"]', '["diagnosis"]', options => '{"overlap": true}');
-- What her ledger has that nobody gave it is not gone by for her own policy: its tables are read in many ways, and written.
SELECT s AS statement, regexp_replace(f, 'p[0-9]+_', 'p_') AS f FROM unnest(ARRAY[$$audit('bait', everything => true)$$, $$release_rows('bait/1')$$, $$audit_inference('{bait}', 2)$$, $$measure('bait/1')$$, $$cut('bait/1')$$]) AS s, pg_temp.fails('SELECT count(*) FROM ' || s) AS f WHERE f !~ 'hint:';
CREATE SCHEMA sup;
CREATE TABLE sup.staff AS TABLE victim.patients;
SELECT create_sequential_policy('staff', 'sup.staff', 'id', '{age}', sensitive => '{diagnosis}', k => 10, max_link => 0.9, population => 'victim.patients', publish_as => 'sup.staff_out', options => '{"overlap": true, "dangling": "outer"}');
SELECT version FROM publish('staff');
SELECT drop_policy('staff');
SELECT seen();
SELECT rolsuper FROM pg_roles WHERE rolname = 'regress_seq_hostile';
-- With a spring the release is a copy of texts: what is measured is the same.
DROP INDEX anon_seq_ledger.bait_index, anon_seq_ledger.bait_predicate;
DROP STATISTICS hostile.bait_statistics;
SELECT count(*) > 0 FROM audit('bait', everything => true);
SELECT count(*) FROM release_rows('bait/1');
SELECT bool_and(safe) FROM audit_inference('{bait}', 2);
SELECT count(*) > 0 FROM measure('bait/1'), cut('bait/1');
SET ROLE regress_seq_victim;
SELECT matches FROM audit_join('{patients,bait}', '["age"]', '["diagnosis"]', options => '{"overlap": true}');

-- A source of another role's: its indexes and statistics run as its owner. A view of his is the publisher's own decision.
SET ROLE regress_seq_hostile;
TRUNCATE hostile.seen;
CREATE TABLE hostile.source AS TABLE hostile.bait;
CREATE INDEX source_index ON hostile.source ((hostile.spring('source index')));
CREATE STATISTICS hostile.source_statistics ON (hostile.spring('source statistics')), age FROM hostile.source;
GRANT SELECT ON hostile.source TO regress_seq_victim;
SET ROLE regress_seq_victim;
SELECT create_incremental_policy('theirs', 'hostile.source', 'id', '{age}', 10, population => 'theirs', publish_as => 'victim.theirs');
SELECT feasible FROM preview('theirs');
SELECT version FROM publish('theirs');
SELECT bool_and(ok) FROM audit('theirs', everything => true);
SET client_min_messages = error;
SELECT register_release('registered', 'hostile.source', 'theirs too');
SELECT count(suggest_taxonomy('hostile.source', 'diagnosis'));
SELECT alter_policy('theirs', '{"options": {"unguarded": ["registered"]}}');
RESET ROLE;
SELECT seen();
SET ROLE regress_seq_victim;
SELECT drop_policy('theirs');

-- In a schema of somebody else it is refused: the schema could be renamed, and another relation put there. In public it is read as its owner.
RESET ROLE;
CREATE ROLE regress_seq_third;
CREATE SCHEMA third AUTHORIZATION regress_seq_third;
GRANT USAGE ON SCHEMA third TO PUBLIC;
CREATE TABLE third.source AS TABLE hostile.bait;
ALTER TABLE third.source OWNER TO regress_seq_hostile;
CREATE TABLE public.release_foreign_source AS TABLE hostile.bait;
ALTER TABLE public.release_foreign_source OWNER TO regress_seq_hostile;
GRANT CREATE ON SCHEMA third, public TO regress_seq_hostile;
SET ROLE regress_seq_hostile;
TRUNCATE hostile.seen;
CREATE INDEX third_index ON third.source ((hostile.spring('in the schema of a third')));
CREATE INDEX public_index ON public.release_foreign_source ((hostile.spring('in public')));
TRUNCATE hostile.seen;
GRANT SELECT ON third.source, public.release_foreign_source TO regress_seq_victim;
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT create_sequential_policy('of a third', 'third.source', 'id', '{age}', k => 10, population => 'of a third', publish_as => 'victim.of_a_third')$$);
SELECT create_sequential_policy('of all', 'public.release_foreign_source', 'id', '{age}', k => 10, population => 'of all', publish_as => 'victim.of_all');
SELECT drop_policy('of all');
-- Schema public belongs to the owner of the database, who could give its name to another schema while a read waits.
RESET ROLE;
SELECT current_database() AS database \gset
ALTER DATABASE :"database" OWNER TO regress_seq_third;
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT create_sequential_policy('of all', 'public.release_foreign_source', 'id', '{age}', k => 10, population => 'of all', publish_as => 'victim.of_all')$$);
RESET ROLE;
ALTER DATABASE :"database" OWNER TO CURRENT_USER;
RESET ROLE;
SELECT seen();
DROP TABLE public.release_foreign_source;
REVOKE CREATE ON SCHEMA public FROM regress_seq_hostile;
DROP SCHEMA third CASCADE;
DROP ROLE regress_seq_third;

-- What the owner may change at any time does not let his code run as the reader: row security, on a partition too, column grants, a view.
SET ROLE regress_seq_hostile;
CREATE TABLE hostile.parted (id int, age int) PARTITION BY RANGE (id);
CREATE TABLE hostile.part PARTITION OF hostile.parted FOR VALUES FROM (0) TO (1000);
INSERT INTO hostile.parted SELECT id, age FROM hostile.bait;
CREATE INDEX part_index ON hostile.part ((hostile.spring('partition')));
GRANT SELECT ON hostile.parted TO regress_seq_victim;
RESET ROLE;
SELECT register_release('sup old', 'hostile.parted', 'sup');
CREATE TABLE sup.other AS TABLE victim.patients;
SELECT create_sequential_policy('sup', 'sup.other', 'id', '{age}', k => 10, population => 'sup', publish_as => 'sup.sup_out', options => '{"unguarded": ["sup old"]}');
SELECT version FROM publish('sup');
SET ROLE regress_seq_victim;
SELECT create_sequential_policy('parted', 'hostile.parted', 'id', '{age}', k => 10, population => 'parted', publish_as => 'victim.parted_out');
SELECT version FROM publish('parted');
SET ROLE regress_seq_hostile;
TRUNCATE hostile.seen;
INSERT INTO hostile.parted VALUES (999, 30);
ALTER TABLE hostile.part ENABLE ROW LEVEL SECURITY;
TRUNCATE hostile.seen;
RESET ROLE;
SELECT check_name, observed FROM audit('sup', everything => true) WHERE check_name = 'unchanged';
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT publish('parted')$$);
SELECT pg_temp.fails($$SELECT suggest_taxonomy('hostile.parted', 'age')$$);
SET ROLE regress_seq_hostile;
ALTER TABLE hostile.part DISABLE ROW LEVEL SECURITY;
REVOKE SELECT ON hostile.parted FROM regress_seq_victim;
GRANT SELECT (id, age) ON hostile.parted TO regress_seq_victim;
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT publish('parted')$$);
SET ROLE regress_seq_hostile;
ALTER TABLE hostile.parted RENAME TO was_parted;
CREATE VIEW hostile.parted AS SELECT hostile.act('view in place') AS id, age FROM hostile.was_parted;
GRANT SELECT ON hostile.parted TO regress_seq_victim;
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT publish('parted')$$);
SELECT drop_policy('parted');
RESET ROLE;
SELECT seen();
SELECT drop_policy('sup');
-- An enum of another role is not published, as its casts are his; as a registered column it is its labels.
SET ROLE regress_seq_hostile;
CREATE TYPE hostile.mood AS ENUM ('low', 'high');
CREATE FUNCTION hostile.printed(m hostile.mood) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM hostile.act('cast'); RETURN 'x'; END $$;
CREATE CAST (hostile.mood AS text) WITH FUNCTION hostile.printed(hostile.mood);
SET ROLE regress_seq_victim;
CREATE TABLE victim.moody AS SELECT id, age, (ARRAY['low', 'high'])[1 + id % 2]::hostile.mood AS mood FROM victim.patients;
SELECT pg_temp.fails($$SELECT create_sequential_policy('moody', 'victim.moody', 'id', '{age,mood}', k => 10, publish_as => 'victim.moody_out')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('moody', 'victim.moody', 'id', '{age}', k => 10, sensitive => '{mood}', publish_as => 'victim.moody_out')$$);
SELECT register_release('moody', 'victim.moody', 'moody', '{"mood": "mood"}');
SELECT columns -> 0 ->> 'type' FROM (SELECT release_rows('moody') AS columns LIMIT 1) AS r;
SELECT matches FROM audit_join('{moody}', '["mood"]', '[{"release": "moody"}]');
RESET ROLE;
SELECT seen();

-- Values of every type meet those of another role's release as they meet one's own.
SET ROLE regress_seq_hostile;
CREATE TABLE hostile.types AS SELECT i AS id, i % 7 AS i, (i % 7)::smallint AS s, (i % 7)::bigint AS l, (i % 7)::real AS r, (i % 7)::float8 AS f, (i % 7)::numeric(5,2) AS n, i % 2 = 0 AS b, date '2024-01-01' + i % 7 AS d,
  timestamp(3) '2024-01-01' + i % 7 * interval '1 day' AS ts, timestamptz '2024-01-01' + i % 7 * interval '1 day' AS tz, ('00000000-0000-0000-0000-00000000000' || i % 7)::uuid AS u, (ARRAY['a', 'b '])[1 + i % 2]::char(3) AS c, ('x' || i % 3)::varchar(5) AS v, ('n' || i % 3)::name AS na, ('t' || i % 3)::text AS t
  FROM generate_series(1, 70) AS i;
GRANT SELECT ON hostile.types TO regress_seq_victim;
SELECT grant_population('hostile.types', 'regress_seq_victim');
SELECT create_sequential_policy('types theirs', 'hostile.types', 'id', '{i}', k => 1, publish_as => 'hostile.types_out', publish_as_is => '{s,l,r,f,n,b,d,ts,tz,u,c,v,na,t}', options => '{"allow_unique": ["s"], "flat": false}');
SELECT version FROM publish('types theirs');
SET ROLE regress_seq_victim;
SELECT attribute, matches, dangling FROM unnest('{s,l,r,f,n,b,d,ts,tz,u,c,v,na,t}'::text[]) AS attribute,
  LATERAL audit_join('{types theirs}', jsonb_build_array(attribute), '[{"release": "types theirs"}]');
CREATE TABLE victim.types AS TABLE hostile.types;
SELECT register_release('types ' || a, 'victim.types', 'types here', jsonb_build_object(a, a)) FROM unnest('{s,l,r,f,n,b,d,ts,tz,u,c,v,na,t}'::text[]) AS a;
SELECT a, matches, dangling FROM unnest('{s,l,r,f,n,b,d,ts,tz,u,c,v,na,t}'::text[]) AS a, LATERAL audit_join(ARRAY['types ' || a, 'types theirs'], jsonb_build_array(a), '[{"release": "types theirs"}]');

-- A view that stands where the ledger was is not the ledger.
SET ROLE regress_seq_hostile;
TRUNCATE hostile.seen;
CREATE TABLE hostile.kept AS TABLE :cell;
DROP TABLE :cell CASCADE;
CREATE VIEW :cell AS SELECT version, cell, n, c1, c2 FROM hostile.kept WHERE hostile.act('view') = 1;
SET ROLE regress_seq_victim;
UPDATE victim.patients SET age = 22 WHERE id = 9;
SELECT pg_temp.fails($$SELECT publish('patients')$$);
-- The hint's way out, also after the first release: for what cannot be read only.
BEGIN;
SELECT alter_policy('patients', '{"options": {"unguarded": ["bait"]}}');
SELECT version FROM publish('patients');
SELECT check_name, observed FROM audit('patients', everything => true) WHERE NOT ok;
ROLLBACK;
RESET ROLE;
SELECT pg_temp.fails($$SELECT audit_join('{bait}', '["age"]', '[{"release": "bait"}]')$$);
SELECT pg_temp.fails($$SELECT drop_policy('bait')$$);
SELECT seen();
-- It is again when the extension's owner says so, as after a restore; it runs as its owner then.
SELECT owner FROM adopt_ledgers() WHERE relation = split_part(:'cell', '.', 2);
SELECT matches FROM audit_join('{bait}', '["age"]', '[{"release": "bait"}]');
-- That the relation is another one now is a question to its owner.
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT publish('patients')$$);
SET ROLE regress_seq_hostile;
SELECT policy, version, lost FROM confirm_ledgers();
SET ROLE regress_seq_victim;
SELECT pg_temp.fails($$SELECT adopt_ledgers()$$);
SELECT pg_temp.fails($$SELECT alter_policy('patients', '{"options": {"unguarded": ["bait"]}}')$$);
SELECT version FROM publish('patients');
RESET ROLE;
SELECT seen();
-- After a restore each role takes what is its own, so that nobody waits for what another one does.
BEGIN;
UPDATE ledger SET place = 'elsewhere' WHERE name IN (SELECT o.name FROM ledger_owners AS o WHERE o.owner::regrole::text IN ('regress_seq_hostile', 'regress_seq_victim'));
SET LOCAL ROLE regress_seq_hostile;
CREATE TABLE hostile.census (id int);
SELECT grant_population('hostile.census', 'public');
RESET ROLE;
SELECT o.owner::regrole, bool_or(l.place = 'elsewhere') AS waits FROM ledger AS l JOIN ledger_owners AS o USING (name) WHERE o.owner::regrole::text IN ('regress_seq_hostile', 'regress_seq_victim') GROUP BY 1 ORDER BY 1;
ROLLBACK;

-- Rights to read a release: SELECT on its relation, if that is its owner's and whole; persons are never read.
SET ROLE regress_seq_looker;
SELECT pg_temp.fails($$SELECT audit_join('{patients}', '["age"]', '[{"release": "patients"}]')$$);
SET ROLE regress_seq_victim;
GRANT SELECT ON victim.patients_out_r3 TO regress_seq_looker;
SET ROLE regress_seq_looker;
SELECT matches FROM audit_join('{patients}', '["age"]', '["diagnosis"]');
SELECT matches FROM audit_join('{patients/3}', '["age"]', '["diagnosis"]');
SELECT pg_temp.fails($$SELECT audit_join('{patients/2}', '["age"]', '["diagnosis"]')$$);
SELECT pg_temp.fails($$SELECT audit_inference('{patients}', 2)$$);
RESET ROLE;

-- Tables beside somebody's ledger, and names that coming ledgers would have, are in nobody's way.
SELECT split_part(cell_of('patients'), '_cell', 1) AS ledger \gset
SET ROLE regress_seq_hostile;
SELECT set_config('foreign.ledger', :'ledger', false) <> '' AS noted;
DO $$ BEGIN EXECUTE format('CREATE TABLE %s_member (x int); GRANT SELECT ON %1$s_member TO PUBLIC', current_setting('foreign.ledger')); END $$;
RESET ROLE;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT format('anon_seq_ledger.%s%s_%s', prefix, last + i, suffix) FROM generate_series(1, 3) AS i,
    (SELECT 'p', last_value, 'cell' FROM anon_seq.policy_id_seq UNION ALL SELECT 'r', last_value, 'note' FROM anon_seq.release_id_seq UNION ALL SELECT 'n', last_value, 'population' FROM anon_seq.population_id_seq) AS s (prefix, last, suffix)
  LOOP EXECUTE format('CREATE DOMAIN %s AS int; ALTER DOMAIN %1$s OWNER TO regress_seq_hostile', regexp_replace(name, '[a-z]+$', 'note2')); EXECUTE format('CREATE TABLE %s (x int); ALTER TABLE %1$s OWNER TO regress_seq_hostile', name); END LOOP;
END $$;
SET ROLE regress_seq_victim;
UPDATE victim.patients SET age = 23 WHERE id = 9;
SELECT version FROM publish('patients');
SELECT bool_and(ok) FROM audit('patients', everything => true) WHERE check_name = 'ledger';
SELECT create_sequential_policy('beside', 'victim.patients', 'id', '{age}', k => 10, population => 'beside', publish_as => 'victim.beside');
SELECT register_release('beside too', 'victim.patients_out_r1', 'beside');
SELECT drop_policy('beside');

-- A policy whose owner has gone belongs to nobody, also not to who makes a table of its ledger's name.
RESET ROLE;
CREATE ROLE regress_seq_gone;
GRANT USAGE ON SEQUENCE anon_seq.publishers TO regress_seq_gone;
CREATE SCHEMA gone AUTHORIZATION regress_seq_gone;
SET ROLE regress_seq_gone;
CREATE TABLE gone.visit AS SELECT i AS id, i % 7 AS age FROM generate_series(1, 60) AS i;
SELECT create_sequential_policy('gone', 'gone.visit', 'id', '{age}', k => 4, publish_as => 'gone.out', population => 'gone');
SELECT version FROM publish('gone');
RESET ROLE;
SELECT cell_of('gone') AS cell, 'n' || id AS marker FROM population WHERE name = 'gone' \gset
DROP OWNED BY regress_seq_gone CASCADE;
DROP ROLE regress_seq_gone;
SELECT format('CREATE TABLE %s (version int, cell int, n bigint, c1 int4range); CREATE SEQUENCE anon_seq_ledger.%s_population; GRANT SELECT ON %1$s TO PUBLIC', :'cell', :'marker') AS takeover \gset
SET ROLE regress_seq_hostile;
:takeover;
SELECT count(*) FROM policies WHERE name = 'gone';
SELECT count(*) FROM releases WHERE policy = 'gone';
SELECT pg_temp.fails($$SELECT publish('gone')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('x', 'hostile.bait', 'id', '{age}', k => 4, population => 'gone', publish_as => 'hostile.x')$$);
RESET ROLE;
SELECT pg_temp.fails($$SELECT publish('gone')$$);

-- Roles whose names look like numbers, or like others in lower case.
CREATE ROLE "10" LOGIN;
CREATE ROLE "Regress Seq Victim";
CREATE ROLE "REGRESS_SEQ_VICTIM";
GRANT USAGE ON SEQUENCE anon_seq.publishers TO "10", "REGRESS_SEQ_VICTIM", "Regress Seq Victim";
SET ROLE "10";
SELECT count(*) FROM policies;
SELECT count(*) FROM releases;
SELECT count(*) FROM taxonomies;
SELECT pg_temp.fails($$SELECT forget('victim.patients', '9')$$);
SELECT pg_temp.fails($$SELECT publish('patients')$$);
RESET ROLE;
SET ROLE "REGRESS_SEQ_VICTIM";
SELECT count(*) FROM policies;
SELECT count(*) FROM releases;
SELECT pg_temp.fails($$SELECT forget('victim.patients', '9')$$);
RESET ROLE;
CREATE SCHEMA "Odd one" AUTHORIZATION "Regress Seq Victim";
SET ROLE "Regress Seq Victim";
CREATE TABLE "Odd one".visit AS SELECT i AS id, i % 7 AS age, (ARRAY['a','b'])[1 + i % 2] AS job FROM generate_series(1, 60) AS i;
SELECT create_flat_taxonomy('foreign odd', '{a,b}');
SELECT create_sequential_policy('odd', '"Odd one".visit', 'id', '{age,job}', k => 4, taxonomies => '{"job": "foreign odd"}', publish_as => '"Odd one".out');
SELECT version FROM publish('odd');
SELECT bool_and(ok) FROM audit('odd', everything => true);
SELECT version FROM releases;
SELECT still_shown FROM forget('Odd one.visit', '9');
RESET ROLE;

DROP FUNCTION seen, cell_of;
DROP SCHEMA victim, hostile, sup, "Odd one" CASCADE;
DROP OWNED BY regress_seq_victim, regress_seq_hostile, regress_seq_looker, "10", "Regress Seq Victim", "REGRESS_SEQ_VICTIM" CASCADE;
DROP ROLE regress_seq_victim, regress_seq_hostile, regress_seq_looker, "10", "Regress Seq Victim", "REGRESS_SEQ_VICTIM";
