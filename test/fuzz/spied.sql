-- Policies of every method and what is stored beside them, of one steward, with sources of another role, and of a superuser; and code that marks
-- as whom it ran. For the parts "names" and "forged". Run after setup.sql.
\set ON_ERROR_STOP on
SET client_min_messages = error;
CREATE SCHEMA sp;
GRANT ALL ON SCHEMA sp TO PUBLIC;
-- Thieves publish as anybody may; the owner of the extension has let fuzz_thief create where ledgers are, as for a restore.
SET ROLE fuzz_dbo;
SELECT anon_seq.grant_publish('fuzz_thief');
GRANT CREATE ON SCHEMA anon_seq_ledger TO fuzz_thief;
RESET ROLE;

SET ROLE fuzz_source;
SET search_path = sp, anon_seq;
CREATE TABLE pat AS SELECT i AS id, i % 2 AS half, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i * 31 % 4] AS job, 20 + i * 7 % 50 AS age, (ARRAY['flu', 'asthma', 'fracture', 'gout', 'ulcer'])[1 + i * 13 % 5] AS diag,
                        CASE WHEN i % 60 = 7 THEN 'HIV' ELSE (ARRAY['flu', 'gout', 'asthma'])[1 + i % 3] END AS ill FROM generate_series(1, 240) AS i;
CREATE TABLE adm AS TABLE pat;
CREATE TABLE ward AS TABLE pat;
CREATE TABLE clin AS TABLE pat;
GRANT SELECT ON pat, adm, ward, clin TO fuzz_pub;
SELECT watch_source('adm', '{id}'), watch_source('ward', '{id,half}');
SELECT grant_population(x, 'fuzz_pub') FROM unnest('{sp.pat,sp.adm,sp.ward,sp.clin}'::text[]) AS x;
RESET ROLE;

SET ROLE fuzz_pub;
SET search_path = sp, anon_seq;
CREATE TYPE sp.feeling AS ENUM ('low', 'high');
CREATE VIEW mine AS SELECT *, (enum_range(NULL::sp.feeling))[1 + id % 2] AS feeling FROM pat;
SELECT create_sequential_policy('sp seq', 'pat', 'id', '{job,age}', sensitive => '{diag}', k => 6, max_link => 0.9, publish_as => 'sp.seq', population => 'sp seq', options => '{"dangling": "outer"}');
SELECT create_sequential_policy('sp nobody', 'pat', NULL, '{job,age}', k => 6, publish_as => 'sp.nobody', population => 'sp nobody');
SELECT create_sequential_policy('sp local', 'pat', 'id', '{job,age}', sensitive => '{diag}', k => 6, publish_as => 'sp.local', population => 'sp local', options => '{"recoding": "local"}');
SELECT create_sequential_policy('sp sim', 'pat', 'id', '{job,age}', sensitive => '{diag}', k => 6, max_link => 0.9, publish_as => 'sp.sim', population => 'sp sim', options => '{"decisions": "simulatable"}');
SELECT create_incremental_policy('sp inc', 'adm', '{id,half}', '{job,age}', 5, publish_as_is => '{diag}', publish_as => 'sp.inc', population => 'sp inc');
SELECT create_incremental_policy('sp shared', 'adm', 'id', '{job,age}', 5, publish_as_is => '{diag}', publish_as => 'sp.shared', population => 'sp shared', options => '{"storage": "shared"}');
SELECT create_incremental_policy('sp mood', 'mine', 'id', '{age}', 5, publish_as_is => '{feeling}', publish_as => 'sp.mood', population => 'sp mood', options => '{"object_id": true}');
SELECT create_lossy_join_policy('sp proj', 'clin', 'id', '{job,age}', '{diag}', 0.5, 4, 'projections', publish_as => 'sp.proj', population => 'sp proj');
SELECT create_lossy_join_policy('sp gen', 'clin', 'id', '{job,age}', '{diag}', 0.5, 4, 'generalized', publish_as => 'sp.gen', population => 'sp gen');
SELECT create_serial_policy('sp fixed', 'ward', 'id', '{age}', '{ill}', '{HIV}', 3, 'projections', plan => 'fixed', horizon => 12, publish_as => 'sp.fixed', population => 'sp fixed');
SELECT create_serial_policy('sp window', 'ward', '{id,half}', '{age}', '{ill}', '{HIV}', 3, 'generalized', plan => 'window', publish_as => 'sp.window', population => 'sp window', options => '{"window": 4}');
SELECT create_serial_policy('sp life', 'ward', 'id', '{age}', '{ill}', '{HIV}', 3, 'projections', persistence => 'permanent', publish_as => 'sp.life', population => 'sp life');
SELECT create_sequential_policy('sp gone', 'pat', 'id', '{age}', k => 6, publish_as => 'sp.gone', population => 'sp gone');
CREATE TABLE old AS SELECT job, diag FROM pat;
SELECT register_release('sp old', 'old', 'sp old');
CREATE TABLE census AS SELECT job, age, count(*) * 3 AS n FROM pat GROUP BY 1, 2;
SELECT register_population('sp town', 'census', counts => 'n');
SELECT publish(name) FROM policies WHERE name LIKE 'sp %' ORDER BY name;
SELECT drop_policy('sp gone');
RESET ROLE;
UPDATE sp.adm SET age = age + 1 WHERE id % 9 = 0;
DELETE FROM sp.ward WHERE id % 31 = 3;
SET ROLE fuzz_pub;
SELECT publish(name) FROM policies WHERE name IN ('sp inc', 'sp shared', 'sp fixed', 'sp window', 'sp life') ORDER BY name;
SELECT audit('sp shared'), audit('sp fixed'), log_failure('sp seq', 'audit', 'by hand'), declare_inconsistent('job', 'nurse', 'diag', 'gout');
GRANT SELECT ON shared, inc, seq TO fuzz_analyst;
RESET ROLE;

-- A superuser publishes, too.
SET search_path = sp, anon_seq;
CREATE TABLE sp.root AS TABLE sp.pat;
SELECT create_lossy_join_policy('sp root', 'root', 'id', '{age}', '{diag}', 0.5, 4, 'projections', publish_as => 'sp.root_out', population => 'sp root');
SELECT publish('sp root');
SELECT register_release('sp root old', 'root', 'sp root old');
GRANT SELECT ON sp.root TO PUBLIC;
RESET search_path;

-- The mark of code that ran as somebody whose it is not: a sequence, which no rollback takes back.
CREATE SCHEMA spy AUTHORIZATION fuzz_thief;
GRANT USAGE ON SCHEMA spy TO PUBLIC;
SET ROLE fuzz_thief;
SELECT format('CREATE SEQUENCE spy.%I; GRANT USAGE, SELECT ON SEQUENCE spy.%1$I TO PUBLIC', rolname) FROM pg_roles WHERE rolname LIKE 'fuzz\_%' OR rolsuper ORDER BY 1 \gexec
CREATE FUNCTION spy.act() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF current_user <> 'fuzz_thief' THEN PERFORM nextval(format('spy.%I', current_user)::regclass); END IF;
  RETURN 1;
END $$;
CREATE FUNCTION spy.fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM spy.act(); RETURN CASE WHEN TG_LEVEL = 'ROW' THEN coalesce(NEW, OLD) END; END $$;
-- For what is no code until it is taken for SQL: that it runs at all is the fault.
CREATE FUNCTION spy.ran() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval(format('spy.%I', current_user)::regclass); RETURN 'x'; END $$;
-- A type whose casts run code.
CREATE TYPE spy.mood AS ENUM ('low', 'high');
CREATE FUNCTION spy.mood_text(spy.mood) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM spy.act(); RETURN 'low'; END $$;
CREATE FUNCTION spy.text_mood(text) RETURNS spy.mood LANGUAGE plpgsql AS $$ BEGIN PERFORM spy.act(); RETURN 'low'; END $$;
CREATE CAST (spy.mood AS text) WITH FUNCTION spy.mood_text(spy.mood);
CREATE CAST (text AS spy.mood) WITH FUNCTION spy.text_mood(text);
CREATE DOMAIN spy.checked AS text CHECK (spy.act() > 0);
RESET ROLE;
-- Fails if there is a mark, and takes it away.
CREATE FUNCTION spy.unmarked() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mark text; is_called boolean; ran text := '';
BEGIN
  FOR mark IN SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'spy'::regnamespace AND c.relkind = 'S' ORDER BY 1 LOOP
    EXECUTE format('SELECT is_called FROM spy.%I', mark) INTO is_called;
    IF is_called THEN
      PERFORM setval(format('spy.%I', mark)::regclass, 1, false);
      ran := ran || ' ' || mark;
    END IF;
  END LOOP;
  IF ran <> '' THEN RAISE EXCEPTION 'code of another role ran as%', ran USING ERRCODE = 'internal_error'; END IF;
END $$;
GRANT EXECUTE ON FUNCTION spy.unmarked() TO PUBLIC;

-- Every name that may mean a part of a ledger: each part that some ledger has, beside each ledger, and beside the next ones; those with a number also
-- with the next numbers. As columns it has those of a part of that name.
CREATE VIEW sp.part AS SELECT substring(c.relname, '^[a-z]+\d+') AS ledger, substring(c.relname, '^[a-z]+\d+_(.*)$') AS part, c.oid FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind IN ('r', 'v', 'S');
CREATE TABLE spy.name AS
  WITH ledger AS (SELECT name FROM anon_seq.ledger UNION SELECT 'w' || id FROM anon_seq.watch UNION SELECT format('%s%s', left(name, 1), max(substr(name, 2)::int) OVER (PARTITION BY left(name, 1)) + i) FROM anon_seq.ledger, generate_series(1, 3) AS i),
       part AS (SELECT DISTINCT part FROM sp.part UNION SELECT format('%s%s', substring(part, '^(.*_)\d+$'), i) FROM sp.part, generate_series(1, (SELECT max(version) + 3 FROM anon_seq.policy)) AS i WHERE part ~ '_\d+$')
  SELECT l.name AS ledger, p.part, coalesce((SELECT string_agg(format('%s::%s AS %I', CASE WHEN a.atttypid IN (20, 23) THEN 'spy.act()' ELSE 'CASE WHEN spy.act() = 0 THEN NULL END' END, format_type(a.atttypid, NULL), a.attname), ', ' ORDER BY a.attnum)
                                      FROM pg_attribute AS a WHERE a.attrelid = (SELECT min(o.oid::int8)::oid FROM sp.part AS o WHERE regexp_replace(o.part, '\d+$', '') = regexp_replace(p.part, '\d+$', '')) AND a.attnum > 0 AND NOT a.attisdropped), 'spy.act() AS version') AS shape,
         EXISTS (SELECT FROM sp.part AS o WHERE o.ledger = l.name AND o.part = p.part) AS is_there
    FROM ledger AS l, part AS p;
GRANT SELECT ON spy.name TO PUBLIC;
-- Puts something of one's own where a name is free, or where the part that had it is called otherwise now; fails if there is no such name.
CREATE FUNCTION spy.take(kind text, of text, instead boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  n record; taken bigint := 0; made text;
BEGIN
  FOR n IN SELECT * FROM spy.name AS x WHERE (x.part = of OR of = '') AND x.is_there = instead ORDER BY 1, 2 LOOP
    made := format('anon_seq_ledger.%I', n.ledger || '_' || n.part);
    BEGIN
      IF kind = 'view' THEN
        EXECUTE format('CREATE VIEW %s AS SELECT %s', made, n.shape);
      ELSE
        EXECUTE format('CREATE TABLE %s AS SELECT %s', made, n.shape);
        EXECUTE format('CREATE TRIGGER fire BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION spy.fire(); CREATE TRIGGER fire_row AFTER INSERT OR UPDATE OR DELETE ON %1$s FOR EACH ROW EXECUTE FUNCTION spy.fire();
                        CREATE TRIGGER fire_all BEFORE TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION spy.fire(); ALTER TABLE %1$s ADD CHECK (spy.act() > 0) NOT VALID', made);
      END IF;
      EXECUTE format('GRANT ALL ON %s TO PUBLIC', made);
      taken := taken + 1;
    EXCEPTION WHEN duplicate_table OR duplicate_object THEN NULL;
    END;
  END LOOP;
  IF taken = 0 THEN RAISE EXCEPTION 'no name of % was taken', of USING ERRCODE = 'internal_error'; END IF;
  RETURN taken;
END $$;
-- What a part's owner and nobody else can do: it has another name then.
CREATE FUNCTION spy.put_aside(of text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n record;
BEGIN
  FOR n IN SELECT * FROM spy.name AS x WHERE x.part = of AND x.is_there LOOP
    EXECUTE format('ALTER TABLE anon_seq_ledger.%I RENAME TO %I', n.ledger || '_' || n.part, 'kept_' || n.ledger || '_' || n.part);
  END LOOP;
END $$;

-- The number of a policy that was dropped: its ledger is there, and its owner's.
CREATE TABLE spy.dropped AS SELECT substr(r.ledger, 2)::int AS id FROM anon_seq.release AS r WHERE r.name = 'sp gone';
GRANT SELECT ON spy.dropped TO PUBLIC;
-- A document with another value wherever a key has one, or behind the text that is there.
CREATE FUNCTION spy.json_with(document jsonb, key text, value jsonb, behind boolean) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE is_array boolean := jsonb_typeof(document) = 'array';
BEGIN
  IF is_array THEN RETURN coalesce((SELECT jsonb_agg(spy.json_with(e, key, value, behind) ORDER BY i) FROM jsonb_array_elements(document) WITH ORDINALITY AS a (e, i)), '[]'); END IF;
  IF jsonb_typeof(document) <> 'object' THEN RETURN document; END IF;
  RETURN coalesce((SELECT jsonb_object_agg(o.key, CASE WHEN o.key <> json_with.key THEN spy.json_with(o.value, json_with.key, json_with.value, behind) WHEN behind AND jsonb_typeof(o.value) = 'string' AND jsonb_typeof(json_with.value) = 'string'
                                                       THEN to_jsonb((o.value #>> '{}') || (json_with.value #>> '{}')) ELSE json_with.value END) FROM jsonb_each(document) AS o), '{}');
END $$;
