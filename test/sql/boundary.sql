-- The boundary between C++ and PostgreSQL: whatever fails inside, nothing stays behind and the backend lives on.
-- The functions are the library's own, for this test only; the extension does not declare them.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE FUNCTION selftest_fail(how text) RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_fail';
CREATE FUNCTION selftest_live() RETURNS bigint LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_live';
CREATE FUNCTION selftest_malloc() RETURNS bigint LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_malloc';
CREATE FUNCTION selftest_heap_peak() RETURNS bigint LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_heap_peak';

-- How each failure looks from outside: an ERROR out of SPI, one of the core, no memory (of C++, of PostgreSQL, of our own
-- limit), exceptions of the standard library and of no type we know, a timeout in a loop of the core, an ERROR under the
-- catalog's owner.
SELECT pg_temp.fails(format('SELECT selftest_fail(%L)', how)) FROM unnest('{spi,core,memory,standard,foreign,catalog,none}'::text[]) AS how;
\set VERBOSITY sqlstate
SELECT selftest_fail('limit');
SELECT selftest_fail('palloc');
SELECT selftest_fail('timeout');
SET statement_timeout = 1;
SELECT selftest_fail('loop');
RESET statement_timeout;
\set VERBOSITY default
SELECT selftest_live();

-- 2,000 of each in one backend. A first round fills caches; after that the process holds no more than before.
CREATE FUNCTION many(how text, times int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  codes text[] := '{}';
BEGIN
  FOR i IN 1 .. times LOOP
    BEGIN
      PERFORM selftest_fail(how);
    EXCEPTION WHEN OTHERS OR query_canceled THEN
      IF NOT SQLSTATE = ANY (codes) THEN codes := codes || SQLSTATE; END IF;
    END;
  END LOOP;
  RETURN codes::text;
END $$;
CREATE PROCEDURE two_thousand(how text) LANGUAGE plpgsql AS $$
DECLARE
  codes text; held bigint; grown bigint; caller name := current_user;
BEGIN
  codes := many(how, 50);
  COMMIT;
  held := selftest_malloc();
  codes := many(how, 2000);
  COMMIT;
  grown := selftest_malloc() - held;
  RAISE NOTICE '%', format('%-8s %s, alive: %s, memory flat: %s, user: %s, search_path: %s', how, codes, selftest_live(), coalesce(nullif(grown < 65536, false)::text, grown::text),
    CASE current_user WHEN caller THEN 'the caller' ELSE current_user END, current_setting('search_path'));
END $$;
CALL two_thousand('spi');
CALL two_thousand('core');
CALL two_thousand('memory');
CALL two_thousand('limit');
CALL two_thousand('palloc');
CALL two_thousand('standard');
CALL two_thousand('foreign');
CALL two_thousand('catalog');
CALL two_thousand('timeout');

-- After an error under the catalog's owner the caller is himself again, also without being a superuser.
CREATE ROLE regress_anon_caller;
SET ROLE regress_anon_caller;
SELECT selftest_fail('catalog');
SELECT current_user;
CALL two_thousand('catalog');
SELECT pg_temp.fails('SELECT * FROM anon_seq.taxonomy');
SELECT current_user;
RESET ROLE;
-- Nor does an error of the core under the catalog's owner leave him somebody else.
BEGIN;
SET LOCAL ROLE regress_anon_caller;
SAVEPOINT s;
SELECT anon_seq.drop_taxonomy('none');
ROLLBACK TO s;
SELECT current_user, current_setting('search_path');
ROLLBACK;

-- Our own limit, met by real work; and the heap is given back after work that succeeds.
SET anon_seq.max_memory = '1MB';
SELECT pg_temp.fails($$SELECT anon_seq.create_flat_taxonomy('big', (SELECT array_agg('leaf ' || i) FROM generate_series(1, 100000) AS i))$$);
SELECT selftest_live();
RESET anon_seq.max_memory;
SELECT selftest_heap_peak() <= 1048576 AS below_the_limit;
SELECT anon_seq.create_flat_taxonomy('big', (SELECT array_agg('leaf ' || i) FROM generate_series(1, 100000) AS i));
SELECT selftest_heap_peak() BETWEEN 5000000 AND 50000000 AS peaked;
SELECT count(anon_seq.generalize('big', 'leaf ' || i, 1)) FROM generate_series(1, 1000) AS i;
SELECT count(*) FROM anon_seq.taxonomy_tree('big');
SELECT count(*) FROM (SELECT * FROM anon_seq.taxonomy_tree('big') LIMIT 5) AS t;
SELECT selftest_live();
SELECT anon_seq.drop_taxonomy('big');
-- A setting of ours that does not exist is an error, not a wish.
SET anon_seq.no_such_setting = 1;
\set VERBOSITY sqlstate
SET anon_seq.max_memory = '1kB';
\set VERBOSITY default

DROP PROCEDURE two_thousand;
DROP FUNCTION many, selftest_fail, selftest_live, selftest_malloc, selftest_heap_peak;
DROP ROLE regress_anon_caller;
