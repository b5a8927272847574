-- Stable names: which version they show, a rehearsal that leaves them alone, and what mends them.
CREATE SCHEMA release_swap;
SET search_path = release_swap, anon_seq, public;
SET client_min_messages = warning;
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
\a \t
CREATE TABLE visit AS SELECT i AS id, 20 + i % 30 AS age, (ARRAY['flu', 'hiv'])[1 + i % 2] AS ill FROM generate_series(1, 40) AS i;
SELECT create_incremental_policy('sw', 'visit', 'id', '{age}', 5, publish_as_is => '{ill}', population => 'sw');
SET client_min_messages = notice;
-- The first version has its name at once: nobody can read it yet.
SET anon_seq.swap_timeout = 0;
SELECT version FROM publish('sw');
SELECT version, shown FROM releases WHERE policy = 'sw';
INSERT INTO visit SELECT 100 + i, 20 + i % 30, 'flu' FROM generate_series(1, 40) AS i;
-- Rehearsal: publish, look, and undo it; the name shows what it showed.
BEGIN;
SELECT version, published FROM publish('sw');
SELECT count(*) FROM sw_r2;
SELECT count(*) FROM sw;
SELECT version, shown FROM releases WHERE policy = 'sw' ORDER BY 1;
SELECT check_name, ok FROM audit('sw') WHERE NOT ok;
ROLLBACK;
SELECT version, shown FROM releases WHERE policy = 'sw' ORDER BY 1;
-- Published, not shown, pointed.
SELECT version FROM publish('sw');
SELECT version, shown FROM releases WHERE policy = 'sw' ORDER BY 1;
SELECT anon_seq.point('sw');
SELECT pg_temp.fails($$SELECT retire_release('sw/1')$$);
RESET anon_seq.swap_timeout;
SELECT anon_seq.point('sw');
SELECT version, shown FROM releases WHERE policy = 'sw' ORDER BY 1;
SELECT count(*) FROM sw;
SELECT retire_release('sw/1');
SELECT version, shown, relations FROM releases WHERE policy = 'sw' ORDER BY 1;
SELECT anon_seq.point('sw');
-- What cannot be pointed.
SELECT pg_temp.fails($$SELECT anon_seq.point('nobody')$$);
SELECT pg_temp.fails($$SELECT anon_seq.point(NULL)$$);
SET client_min_messages = warning;
SELECT create_incremental_policy('sw2', 'visit', 'id', '{age}', 5, publish_as_is => '{ill}', population => 'sw2');
SET client_min_messages = notice;
SELECT pg_temp.fails($$SELECT anon_seq.point('sw2')$$);
SELECT left(f, 35) AS fails FROM pg_temp.fails($$SET anon_seq.swap_timeout = -1$$) AS f;
SELECT left(f, 35) AS fails FROM pg_temp.fails($$SET anon_seq.swap_timeout = '2min'$$) AS f;
CREATE ROLE regress_swap_stranger;
GRANT USAGE ON SCHEMA anon_seq TO regress_swap_stranger;
SET ROLE regress_swap_stranger;
DO $$ BEGIN PERFORM anon_seq.point('sw'); EXCEPTION WHEN OTHERS THEN RAISE NOTICE '% %', sqlstate, sqlerrm; END $$;
RESET ROLE;
REVOKE ALL ON SCHEMA anon_seq FROM regress_swap_stranger;
DROP ROLE regress_swap_stranger;
SET client_min_messages = warning;
DROP SCHEMA release_swap CASCADE;
