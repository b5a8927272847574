-- Many nights of one table: what a job and its audit take at the first, tenth, hundredth and last, and what is on disk then.
-- -v nights=365 -v rows=10000; a share of :rate of the rows comes, goes and changes each night.
\if :{?nights}
\else
\set nights 365
\endif
\if :{?rows}
\else
\set rows 10000
\endif
\if :{?rate}
\else
\set rate 0.01
\endif
SET client_min_messages = error;
\set QUIET 1
\o /dev/null
SELECT setseed(0.42) IS NULL AS seeded \gset
CREATE SEQUENCE next_person;
CREATE FUNCTION somebody(i int, OUT person bigint, OUT age int, OUT hours int, OUT job text, OUT zip text, OUT ill text) LANGUAGE sql VOLATILE AS $$
  SELECT nextval('next_person'), 17 + (73 * power(random(), 1.5))::int, (20 + 15 * (random() + random() + random()))::int,
         (ARRAY['nurse', 'clerk', 'teacher', 'baker', 'driver', 'miner', 'farmer'])[1 + (7 * power(random(), 2))::int % 7],
         (20000 + (300 * random())::int)::text, (ARRAY['flu', 'asthma', 'fracture', 'diabetes', 'HIV'])[1 + (5 * power(random(), 2))::int % 5] $$;
CREATE TABLE register (person bigint PRIMARY KEY, age int, hours int, job text, zip text, ill text);
INSERT INTO register SELECT s.* FROM generate_series(1, :rows) AS i, LATERAL somebody(i) AS s;
SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "clerk", "teacher"], "Manual": ["baker", "driver", "miner", "farmer"]}}');
SELECT anon_seq.create_prefix_taxonomy('zip', '{4,3}');
SELECT anon_seq.create_incremental_policy('nights', 'register', 'person', '{age,hours,job,zip}', 10, publish_as_is => '{ill}', options => '{"keep": 30}');
CREATE TABLE night (n int, publish interval, audit interval, members bigint, ledger bigint, released bigint, waiting bigint, deferred bigint);
CREATE PROCEDURE pass(nights int, share float8) LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz; ended timestamptz; audited timestamptz; few int;
BEGIN
  FOR n IN 1..nights LOOP
    IF n > 1 THEN
      few := (SELECT (share * count(*))::int FROM register);
      DELETE FROM register WHERE person IN (SELECT r.person FROM register AS r ORDER BY random() LIMIT few / 2);
      INSERT INTO register SELECT s.* FROM generate_series(1, few / 2) AS i, LATERAL somebody(i) AS s;
      UPDATE register SET ill = 'flu' WHERE person IN (SELECT r.person FROM register AS r ORDER BY random() LIMIT few / 4);
      UPDATE register SET age = age + 1 WHERE person IN (SELECT r.person FROM register AS r ORDER BY random() LIMIT few / 4);
    END IF;
    COMMIT;
    began := clock_timestamp();
    CALL anon_seq.nightly('nights');
    ended := (SELECT max(l.at) FROM anon_seq.log AS l WHERE l.policy = 'nights' AND l.step = 'publish');
    audited := clock_timestamp();
    INSERT INTO night
    SELECT n, ended - began, audited - ended,
           (SELECT sum(c.reltuples)::bigint FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relname ~ '_member$'),
           (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind = 'r'),
           (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c WHERE c.relkind = 'm'), s.waiting, s.deferred
      FROM anon_seq.status AS s WHERE s.policy = 'nights';
    COMMIT;
  END LOOP;
END $$;
CALL pass(:nights, :rate);
\o
SELECT n AS night, round(1000 * extract(epoch FROM publish)) AS publish_ms, round(1000 * extract(epoch FROM audit)) AS audit_ms,
       pg_size_pretty(ledger) AS ledger, pg_size_pretty(released) AS "30 relations", waiting, deferred
  FROM night WHERE n IN (1, 2, 10, 30, 100, 200, 300, :nights) ORDER BY n;
SELECT c.relname, pg_size_pretty(pg_total_relation_size(c.oid)), c.reltuples FROM pg_class AS c WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind = 'r' ORDER BY pg_total_relation_size(c.oid) DESC LIMIT 7;
