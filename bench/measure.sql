-- Included by the others: runs statements in turns and compares them within a round.
\set QUIET on
\set ON_ERROR_STOP on
SET jit = off;
SET client_min_messages = warning;
CREATE FUNCTION heap_peak() RETURNS bigint LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_heap_peak';
CREATE TABLE measured (what text, round int, ms float8);

-- Runs statements in turns, a few rounds after a first one that does not count, and keeps their times.
CREATE PROCEDURE measure(rounds int, VARIADIC steps text[]) LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz; i int; step int;
BEGIN
  FOR i IN 0 .. rounds LOOP
    FOR step IN 1 .. array_length(steps, 1) BY 3 LOOP  -- name, preparation, statement
      EXECUTE steps[step + 1];
      COMMIT;
      began := clock_timestamp();
      EXECUTE steps[step + 2];
      COMMIT;
      IF i > 0 THEN INSERT INTO measured VALUES (steps[step], i, extract(epoch FROM clock_timestamp() - began) * 1000); END IF;
    END LOOP;
  END LOOP;
END $$;
-- The median over the rounds: in one round both have met the same neighbours on the machine.
CREATE FUNCTION ratio(of text, "to" text) RETURNS numeric LANGUAGE sql AS $$
  SELECT (percentile_cont(0.5) WITHIN GROUP (ORDER BY a.ms / b.ms))::numeric FROM measured AS a JOIN measured AS b USING (round) WHERE a.what = $1 AND b.what = $2 $$;
