-- What is learnt from a lossy join as a whole: guesses against the truth, which the ledger knows.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_rc_other;
CREATE SCHEMA release_correlation;
GRANT USAGE ON SCHEMA release_correlation TO regress_rc_other;
SET search_path = release_correlation, anon_seq;
SET client_min_messages = error;
-- The job tells the illness of nine in ten; the age tells nothing.
CREATE TABLE patient AS
  SELECT i AS id, 'j' || CASE WHEN i % 10 > 0 THEN i % 7 ELSE i / 10 % 7 END AS job, 20 + i * 31 % 50 AS age, 'd' || i % 7 AS illness, i % 3 AS stage
  FROM generate_series(1, 2100) AS i;
CREATE TABLE sevens AS SELECT id, CASE WHEN illness = 'd0' THEN NULL ELSE illness END AS illness, age, 'j' || id * 11 / 7 % 5 AS job FROM patient;
CREATE FUNCTION declared(name text, source regclass, alpha numeric, k int, classes text DEFAULT NULL, l int DEFAULT NULL, listed text[] DEFAULT NULL, options jsonb DEFAULT NULL, quasi text[] DEFAULT '{job,age}', sensitive text[] DEFAULT '{illness}', form text DEFAULT 'projections') RETURNS void
  LANGUAGE sql AS $$ SELECT create_lossy_join_policy(name, source, 'id', quasi, sensitive, alpha, k, form, classes, l, listed, population => name, options => options) $$;
-- Shares vary with chance: what they are like.
CREATE VIEW like_what AS SELECT p.name, c.sensitive, c.listed, CASE WHEN c.listed THEN c.rows > 0 ELSE c.rows = 2100 END AS rows, c.share_right > 1.5 * c.promised AS learnt, c.promised, c.baseline <= coalesce(c.promised, 1) AS plain,
  c.excess IS NOT DISTINCT FROM c.share_right - c.promised OR abs(c.excess - (c.share_right - c.promised)) <= 0.000001 AS excess
  FROM policies AS p, audit_correlation(p.name) AS c WHERE p.name LIKE 'rc %';

-- Learnt: a WARNING at publish, a row of audit that is ok, and the numbers.
SELECT declared('rc learnt', 'patient', NULL, NULL, 'anatomy', 4);
SELECT published FROM publish('rc learnt');
CREATE FUNCTION warned(name text) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT regexp_replace(line, '\d+(\.\d)? %, and', '... %, and') FROM anon_seq.log, unnest(said) AS line WHERE policy = name AND step = 'publish' AND line LIKE '%learns%' $$;
SELECT warned('rc learnt');
SELECT * FROM like_what WHERE name = 'rc learnt';
SELECT check_name, scope, required, regexp_replace(observed, '\d+(\.\d)? % of 2100', '... % of 2100') AS observed, ok, offending, detail #>> '{illness,rows}' AS rows FROM audit('rc learnt') WHERE check_name = 'correlation';
SELECT assert_audit('rc learnt');
-- The same each time.
SELECT array_agg(a ORDER BY a.listed) = array_agg(b ORDER BY b.listed) FROM audit_correlation('rc learnt/1') AS a, audit_correlation('rc learnt') AS b;

-- Nothing goes with anything: no WARNING, and no better than without learning.
SELECT declared('rc even', 'sevens', NULL, NULL, 'anatomy', 4);
SELECT published FROM publish('rc even');
SELECT warned('rc even');
SELECT * FROM like_what WHERE name = 'rc even';
SELECT share_right < baseline + 0.1 FROM audit_correlation('rc even');
-- Classes of a table show the same of all their rows: nothing is learnt, and audits have no row on it.
SELECT declared('rc table', 'patient', 0.5, 4, form => 'generalized', quasi => '{age}');
SELECT published FROM publish('rc table');
SELECT * FROM like_what WHERE name = 'rc table';
SELECT share_right = baseline FROM audit_correlation('rc table');
SELECT count(*) FROM audit('rc table') WHERE check_name = 'correlation';
-- Regional classes; several sensitive columns; lists, together and each.
SELECT declared('rc regional', 'patient', 0.4, 2);
SELECT declared('rc listed', 'patient', NULL, NULL, 'anatomy', 3, listed => '{d1,d2}');
SELECT declared('rc each', 'patient', NULL, NULL, 'anatomy', 3, listed => '{d1,d2}', options => '{"each": true}');
SELECT declared('rc two', 'patient', 0.5, 2, sensitive => '{stage,illness}', options => '{"sensitive_values": {"illness": ["d3", "plague"]}}');
SELECT count(publish(name)) FROM policies WHERE name IN ('rc regional', 'rc listed', 'rc each', 'rc two');
SELECT name, sensitive, listed, rows, promised, plain, excess FROM like_what WHERE name IN ('rc regional', 'rc listed', 'rc each', 'rc two') ORDER BY name, sensitive, listed;
SELECT regexp_replace(observed, '(-|\d+(\.\d)? %) of \d+', '... % of ...', 'g') FROM audit('rc two') WHERE check_name = 'correlation';
-- Quasi values that tell nothing: NULL throughout; and many values, which are learnt in bins.
CREATE TABLE bare AS SELECT id, NULL::int AS age, illness FROM patient;
CREATE TABLE fine AS SELECT id, id * 1.5 AS mass, 'd' || id / 300 AS illness FROM patient;
SELECT declared('rc bare', 'bare', NULL, NULL, 'anatomy', 7, quasi => '{age}');
SELECT declared('rc fine', 'fine', NULL, NULL, 'anatomy', 4, quasi => '{mass}');
SELECT count(publish(name)) FROM policies WHERE name IN ('rc bare', 'rc fine');
SELECT name, rows, learnt, promised, plain FROM like_what WHERE name IN ('rc bare', 'rc fine') ORDER BY name;
SELECT share_right = baseline FROM audit_correlation('rc bare');
-- Few rows: a share says little, so nobody is warned.
CREATE TABLE few AS SELECT * FROM patient WHERE id <= 84;
SELECT declared('rc few', 'few', NULL, NULL, 'anatomy', 3);
SELECT published FROM publish('rc few');
SELECT warned('rc few');
-- More cells than the audit looks at: the first classes.
CREATE TABLE crowd AS SELECT i AS id, 20 + i * 31 % 50 AS age, 'd' || i % 7 AS illness FROM generate_series(1, 60000) AS i;
SELECT declared('rc crowd', 'crowd', NULL, NULL, 'anatomy', 4, quasi => '{age}');
SELECT published FROM publish('rc crowd');
SELECT (detail #>> '{illness,rows}')::int BETWEEN 19000 AND 21000, ok FROM audit('rc crowd') WHERE check_name = 'correlation';
SELECT rows FROM audit_correlation('rc crowd');
-- One class of all: that would take long.
CREATE TABLE twenty AS SELECT id, age, 'd' || id % 20 AS illness FROM crowd;
SELECT declared('rc one', 'twenty', 1, 60000, 'topdown', quasi => '{age}');
SELECT published FROM publish('rc one');
SELECT observed, ok FROM audit('rc one') WHERE check_name = 'correlation';

-- Retired versions are known still; of a dropped policy too.
SELECT alter_policy('rc few', '{"options": {"unguarded_again": true}}');
DELETE FROM few WHERE id = 1;
SELECT version FROM publish('rc few');
SELECT retire_release('rc few/1');
SELECT rows FROM audit_correlation('rc few/1');
SELECT count(*) FROM audit('rc few', everything => true) WHERE check_name = 'correlation';
SELECT drop_policy('rc few');
SELECT rows FROM audit_correlation('rc few/2');
-- Odd names; a column published as it is teaches as well.
CREATE TABLE "odd ""table" AS SELECT i AS "the key", NULLIF('q' || i % 2, 'q0')::varchar(5) AS "Quasi Column", (i % 4)::numeric(6, 2) AS "sensitive'; --", (i % 4)::text::char AS "ö" FROM generate_series(1, 400) AS i;
SELECT create_lossy_join_policy('rc odd "policy" ''é', '"odd ""table"', 'the key', '{Quasi Column}', ARRAY['sensitive''; --'], 0.25, 4, 'projections', publish_as_is => '{ö}', publish_as => 'rc_odd', population => 'rc odd');
SELECT published FROM publish('rc odd "policy" ''é');
SELECT sensitive, rows, promised, baseline FROM audit_correlation('rc odd "policy" ''é');

-- Refused.
SELECT pg_temp.fails('SELECT audit_correlation(' || a || ')') FROM unnest(ARRAY['NULL', '''rc nothing''']) AS a;
SELECT create_sequential_policy('rc seq', 'patient', 'id', '{age}', k => 5, population => 'rc seq');
SELECT published FROM publish('rc seq');
SELECT pg_temp.fails($$SELECT audit_correlation('rc seq')$$);
SELECT register_release('rc out', 'patient', 'rc out');
SELECT pg_temp.fails($$SELECT audit_correlation('rc out')$$);
SELECT withdraw_release('rc bare/1', 'a test');
SELECT pg_temp.fails($$SELECT audit_correlation('rc bare')$$);
-- Who has what only the owner of the ledger may know, however much others may read or take part.
GRANT SELECT ON "rc learnt_nss", "rc learnt_ss" TO regress_rc_other;
SELECT grant_population('rc learnt', 'regress_rc_other');
SET ROLE regress_rc_other;
SELECT pg_temp.fails($$SELECT anon_seq.audit_correlation('rc learnt')$$);
RESET ROLE;
SELECT revoke_population('rc learnt', 'regress_rc_other');
-- An altered ledger.
SELECT 'anon_seq_ledger.p' || id || '_row' AS cell FROM policy WHERE name = 'rc learnt' \gset
ALTER TABLE :cell DISABLE TRIGGER USER;
BEGIN;
DELETE FROM :cell WHERE place = 1;
SELECT pg_temp.fails($$SELECT audit_correlation('rc learnt')$$);
ROLLBACK;
BEGIN;
UPDATE :cell SET c4 = NULL WHERE place % 7 = 1;
SELECT sum(rows) FROM audit_correlation('rc learnt');
ROLLBACK;
ALTER TABLE :cell ENABLE TRIGGER USER;
-- It can be stopped.
SET statement_timeout = '50ms';
SELECT audit_correlation('rc crowd');
RESET statement_timeout;

DROP SCHEMA release_correlation CASCADE;
DROP ROLE regress_rc_other;
