-- A relation of a release that was dropped by hand: publish says that it is not there, point() makes it again as it was.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA release_made_again;
SET search_path = release_made_again, anon_seq, public;
SET client_min_messages = warning;
CREATE TABLE person AS SELECT i AS id, 20 + i % 50 AS age, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i % 4] AS job, CASE WHEN i % 100 = 0 THEN 'HIV' ELSE (ARRAY['flu', 'asthma', 'gout'])[1 + i % 3] END AS ill FROM generate_series(1, 600) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT create_taxonomy('rma_job', '{"ANY": {"Service": ["nurse", "clerk"], "Manual": ["baker", "miner"]}}');

-- Each method, in each way of storing it.
SELECT create_sequential_policy('rma sequential', 'person', 'id', '{age,job}', k => 5, taxonomies => '{"job": "rma_job"}', population => 'rma 1', options => '{"indexes": ["job"]}');
SELECT create_sequential_policy('rma local', 'person', 'id', '{age,job}', k => 5, taxonomies => '{"job": "rma_job"}', population => 'rma 2', options => '{"recoding": "local"}');
SELECT create_incremental_policy('rma copied', 'person', 'id', '{age,job}', 5, taxonomies => '{"job": "rma_job"}', population => 'rma 3');
SELECT create_incremental_policy('rma shared', 'person', 'id', '{age,job}', 5, taxonomies => '{"job": "rma_job"}', population => 'rma 4', options => '{"storage": "shared"}');
SELECT create_incremental_policy('rma objects', 'person', 'id', '{age,job}', 5, taxonomies => '{"job": "rma_job"}', population => 'rma 5', options => '{"object_id": true}');
SELECT create_incremental_policy('rma boxes', 'person', 'id', '{age,job}', 5, taxonomies => '{"job": "rma_job"}', population => 'rma 6', options => '{"shape": "box", "categorical": "order"}');
SELECT create_lossy_join_policy('rma projections', 'person', 'id', '{age,job}', '{ill}', 0.5, 2, form => 'projections', taxonomies => '{"job": "rma_job"}', population => 'rma 7');
SELECT create_lossy_join_policy('rma generalized', 'person', 'id', '{age,job}', '{ill}', 0.5, 2, form => 'generalized', taxonomies => '{"job": "rma_job"}', population => 'rma 8');
SELECT create_serial_policy('rma serial', 'person', 'id', '{age,job}', '{ill}', '{HIV}', l => 2, plan => 'fixed', horizon => 2, form => 'projections', taxonomies => '{"job": "rma_job"}', population => 'rma 9');
CREATE TABLE published AS SELECT p.* FROM (SELECT name FROM policies WHERE name LIKE 'rma %' ORDER BY name COLLATE "C" OFFSET 0) AS q, LATERAL publish(q.name) AS p;
SELECT count(*) FROM published;

-- What a reader sees of the relations of a policy's last version.
CREATE FUNCTION shows(policy text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  told text := '';
  one record;
  sum text;
BEGIN
  FOR one IN SELECT r.name FROM published AS p, unnest(p.relations) AS r (name) WHERE p.policy = shows.policy ORDER BY 1 LOOP
    IF to_regclass(one.name) IS NULL THEN
      told := told || 'none ';
      CONTINUE;
    END IF;
    EXECUTE format('SELECT md5(string_agg(t::text, '';'' ORDER BY t::text COLLATE "C")) FROM %s AS t', one.name) INTO sum;
    told := told || sum || ' ' || coalesce(obj_description(to_regclass(one.name), 'pg_class'), '') || ' ' || (SELECT count(*) FROM pg_index AS i WHERE i.indrelid = to_regclass(one.name)) || ' ';
  END LOOP;
  RETURN told || coalesce(to_regclass(format('%I', replace(policy, '/', '_')))::text, '');
END $$;
CREATE TABLE before AS SELECT policy, shows(policy) FROM published;

-- Dropped with all that stands on it.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT r.name, c.relkind FROM published AS p, unnest(p.relations) AS r (name) JOIN pg_class AS c ON c.oid = to_regclass(r.name) WHERE c.relkind = 'm' OR p.policy = 'rma shared' LOOP
    EXECUTE format('DROP %s %s CASCADE', CASE one.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END, one.name);
  END LOOP;
END $$;
SELECT p.policy, cardinality(n.relations) AS there, n.version, n.digest = p.digest AS same FROM (SELECT * FROM published ORDER BY policy COLLATE "C" OFFSET 0) AS p, LATERAL publish(p.policy) AS n ORDER BY 1;
SELECT a.check_name, a.observed FROM audit('rma sequential') AS a WHERE NOT a.ok;
SET client_min_messages = notice;
SELECT p.policy, anon_seq.point(p.policy) FROM (SELECT * FROM published ORDER BY policy COLLATE "C" OFFSET 0) AS p;
SET client_min_messages = warning;
SELECT b.policy FROM before AS b WHERE b.shows IS DISTINCT FROM shows(b.policy);
SELECT p.policy, a.check_name, a.observed FROM published AS p, audit(p.policy, everything => true) AS a WHERE NOT a.ok ORDER BY 1, 2;
SELECT p.policy, cardinality(n.relations) = cardinality(p.relations) AS there FROM (SELECT * FROM published ORDER BY policy COLLATE "C" OFFSET 0) AS p, LATERAL publish(p.policy) AS n ORDER BY 1;
-- Only one of several; a stable name; a companion. publish() makes the names again.
DROP VIEW "rma projections_joined", "rma projections_r1_joined" CASCADE;
SELECT cardinality(relations) FROM publish('rma projections');
SELECT anon_seq.point('rma projections');
DROP VIEW "rma sequential_flat", "rma local" CASCADE;
SELECT relations FROM publish('rma sequential');
SELECT relations FROM publish('rma local');
SELECT to_regclass('"rma sequential_flat"') IS NOT NULL AS flat, to_regclass('"rma local"') IS NOT NULL AS name;
SELECT b.policy FROM before AS b WHERE b.shows IS DISTINCT FROM shows(b.policy);

-- Another relation has the name; a ledger that was altered.
DROP MATERIALIZED VIEW "rma local_r1" CASCADE;
CREATE TABLE "rma local_r1" ();
SELECT relations FROM publish('rma local');
SELECT a.check_name, a.observed FROM audit('rma local') AS a WHERE NOT a.ok;
SELECT pg_temp.fails($$SELECT anon_seq.point('rma local')$$);
DROP TABLE "rma local_r1";
BEGIN;
SELECT set_config('session_replication_role', 'replica', true);
DO $$ BEGIN EXECUTE (SELECT format('UPDATE anon_seq_ledger.p%s_cell SET n = n + 1 WHERE cell = (SELECT min(cell) FROM anon_seq_ledger.p%1$s_cell)', id) FROM anon_seq.policy WHERE name = 'rma local'); END $$;
SELECT pg_temp.fails($$SELECT anon_seq.point('rma local')$$);
ROLLBACK;
SELECT anon_seq.point('rma local');
SET client_min_messages = error;
DROP SCHEMA release_made_again CASCADE;
