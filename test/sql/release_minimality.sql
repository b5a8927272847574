-- What a reader who knows the code learns from a lossy join: its algorithm run on other arrangements.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_rm_other;
CREATE SCHEMA release_minimality;
GRANT USAGE ON SCHEMA release_minimality TO regress_rm_other;
SET search_path = release_minimality, anon_seq;
SET client_min_messages = error;
CREATE FUNCTION published(name text, source regclass, alpha numeric, k int, form text, classes text DEFAULT NULL, l int DEFAULT NULL, listed text[] DEFAULT NULL, options jsonb DEFAULT NULL, person text DEFAULT 'id', quasi text[] DEFAULT '{job}', sensitive text[] DEFAULT '{illness}') RETURNS bigint
  LANGUAGE plpgsql AS $$ BEGIN
  PERFORM create_lossy_join_policy(name, source, person, quasi, sensitive, alpha, k, form, classes, l, listed, taxonomies => CASE WHEN 'job' = ANY (quasi) THEN '{"job": "rm job"}'::jsonb END, population => name, options => options);
  RETURN (SELECT p.published FROM publish(name) AS p); END $$;

-- The paper's decisions: two nurses, four clerks, and HIV at most one half. That nobody stayed with the nurses tells who has it. By simulatable
-- decisions everybody is in one class, and the chance is 2/6.
SELECT create_taxonomy('rm job', '{"*": ["nurse", "clerk"]}');
CREATE TABLE six (id int, job text, illness text);
INSERT INTO six VALUES (1, 'nurse', 'HIV'), (2, 'nurse', 'HIV'), (3, 'clerk', 'flu'), (4, 'clerk', 'flu'), (5, 'clerk', 'fever'), (6, 'clerk', 'fever');
SELECT published('rm paper', 'six', 0.5, 2, 'generalized', listed => '{HIV}');
SELECT exact, accepted < tried AS fewer, acceptance < 1 AS lower, worst_posterior, worst_at_least, bound, persons_above, meaning FROM audit_minimality('rm paper');
SELECT published('rm sim', 'six', 0.5, 2, 'generalized', listed => '{HIV}', options => '{"decisions": "simulatable"}');
SELECT * FROM audit_minimality('rm sim/1');
SELECT published('rm paper nss', 'six', 0.5, 2, 'projections', 'topdown', listed => '{HIV}', options => '{"decisions": "paper"}');
SELECT exact, accepted < tried AS fewer, worst_posterior, worst_at_least, bound, persons_above, meaning FROM audit_minimality('rm paper nss');
SELECT published('rm sim nss', 'six', 0.5, 2, 'projections', 'topdown', listed => '{HIV}');
SELECT * FROM audit_minimality('rm sim nss');

-- Whatever is simulatable accepts all: few arrangements are all tried, of many some are drawn.
CREATE TABLE twelve AS SELECT i AS id, CASE WHEN i <= 6 THEN 'nurse' ELSE 'clerk' END AS job, 20 + i AS age, (ARRAY['flu', 'cold', NULL, 'fever'])[1 + i % 4] AS illness, i % 5 AS stage FROM generate_series(1, 12) AS i;
CREATE TABLE many AS SELECT i AS id, (ARRAY['nurse', 'clerk'])[1 + i % 2] AS job, 20 + i * 7 % 50 AS age, (ARRAY['flu', 'cold', 'cough', 'fever', 'HIV'])[1 + (i / 3) % 5] AS illness, i % 6 AS stage FROM generate_series(1, 300) AS i;
CREATE FUNCTION summed(release text, runs int DEFAULT 40) RETURNS text LANGUAGE sql AS $$
  SELECT concat_ws(' ', CASE WHEN exact THEN 'exact' ELSE 'sampled' END, CASE WHEN accepted = tried AND acceptance = 1 THEN 'all' ELSE 'some' END, CASE WHEN NOT exact THEN tried END, worst_posterior <= bound, worst_at_least = worst_posterior, bound, persons_above, meaning) FROM audit_minimality(release, runs) $$;
SELECT published('rm regional', 'twelve', 0.5, 2, 'projections', quasi => '{job,age}'), summed('rm regional');
SELECT published('rm anatomy', 'twelve', NULL, NULL, 'projections', 'anatomy', 2, quasi => '{age}'), summed('rm anatomy');
SELECT published('rm three', 'twelve', NULL, NULL, 'projections', 'anatomy', 3, quasi => '{age}'), summed('rm three');
SELECT published('rm nobody', 'twelve', 0.5, 2, 'generalized', person => NULL, quasi => '{job,age}', options => '{"decisions": "simulatable"}'), summed('rm nobody');
SELECT published('rm all', 'twelve', 1, 2, 'projections', quasi => '{age}'), summed('rm all');
SELECT published('rm many', 'many', 0.5, 4, 'projections', quasi => '{job,age}'), summed('rm many');
SELECT published('rm many td', 'many', 0.5, 4, 'projections', 'topdown', quasi => '{job,age}'), summed('rm many td');
SELECT published('rm many l', 'many', NULL, NULL, 'projections', 'anatomy', 4, quasi => '{age}'), summed('rm many l');
SELECT published('rm many t', 'many', 0.5, 4, 'generalized', quasi => '{job,age}', options => '{"decisions": "simulatable"}'), summed('rm many t');
SELECT published('rm two', 'many', 0.5, 4, 'projections', quasi => '{age}', sensitive => '{illness,stage}', options => '{"sensitive_values": {"illness": ["HIV", "flu"], "stage": ["5"]}}'), summed('rm two');
SELECT published('rm each', 'many', 0.4, 4, 'projections', quasi => '{age}', listed => '{HIV,flu}', options => '{"each": true}'), summed('rm each');
-- The same share of 1/5 in a class whatever was drawn; drawn alike each time.
SELECT a IS NOT DISTINCT FROM b FROM audit_minimality('rm many', 30) AS a, audit_minimality('rm many', 30) AS b;
-- Too few to tell: no number.
SELECT exact, tried, worst_posterior, worst_at_least, persons_above, meaning FROM audit_minimality('rm many', 29);
SELECT published('rm many paper', 'many', 0.3, 4, 'generalized', quasi => '{job,age}');
SELECT exact, accepted < 30 AS few, worst_posterior, worst_at_least, persons_above FROM audit_minimality('rm many paper', 20);
-- A sample of which some are accepted: an estimate, and what is sure of it.
CREATE TABLE eleven AS SELECT i AS id, CASE WHEN i <= 2 THEN 'nurse' ELSE 'clerk' END AS job, CASE WHEN i <= 2 THEN 'HIV' ELSE 'd' || i END AS illness FROM generate_series(1, 11) AS i;
SELECT published('rm eleven', 'eleven', 0.5, 2, 'generalized', listed => '{HIV}');
SELECT exact, tried, accepted BETWEEN 100 AND 250 AS some, worst_posterior, worst_at_least BETWEEN 0.7 AND 0.95 AS sure, bound, persons_above, meaning FROM audit_minimality('rm eleven');
-- It can be stopped.
SET statement_timeout = '100ms';
SELECT audit_minimality('rm many', 2000000000);
RESET statement_timeout;

-- Odd names and types, cells of several rows, columns published as they are.
CREATE TABLE "odd ""table" AS SELECT i AS "the key", NULLIF('q' || i % 2, 'q0')::varchar(5) AS "Quasi Column", (i % 4)::numeric(6, 2) AS "sensitive'; --", i % 2 = 0 AS "ö" FROM generate_series(1, 40) AS i;
SELECT create_lossy_join_policy('rm odd "policy" ''é', '"odd ""table"', 'the key', '{Quasi Column}', ARRAY['sensitive''; --'], 0.25, 4, 'projections', publish_as_is => '{ö}', publish_as => 'odd', population => 'rm odd');
SELECT published FROM publish('rm odd "policy" ''é');
SELECT summed('rm odd "policy" ''é');

-- Refused.
SELECT pg_temp.fails('SELECT audit_minimality(' || a || ')') FROM unnest(ARRAY['NULL', '''rm sim'', NULL', '''rm sim'', 0', '''rm sim'', -3', '''rm nothing''']) AS a;
SELECT create_sequential_policy('rm seq', 'many', 'id', '{age}', k => 5, population => 'rm seq');
SELECT published FROM publish('rm seq');
SELECT pg_temp.fails($$SELECT audit_minimality('rm seq')$$);
SELECT register_release('rm out', 'many', 'rm out');
SELECT pg_temp.fails($$SELECT audit_minimality('rm out')$$);
SET ROLE regress_rm_other;
SELECT pg_temp.fails($$SELECT anon_seq.audit_minimality('rm sim')$$);
RESET ROLE;
GRANT SELECT ON "rm regional_nss", "rm regional_ss" TO regress_rm_other;
SET ROLE regress_rm_other;
SELECT pg_temp.fails($$SELECT anon_seq.audit_minimality('rm regional')$$);
RESET ROLE;

-- A table's source has to be what it was; projections need none, nor a policy.
UPDATE six SET illness = 'flu' WHERE id = 6;
SELECT pg_temp.fails($$SELECT audit_minimality('rm sim')$$);
UPDATE six SET illness = 'fever' WHERE id = 6;
SELECT accepted FROM audit_minimality('rm sim');
SELECT accepted FROM audit_minimality('rm sim nss');
DELETE FROM six;
SELECT pg_temp.fails($$SELECT audit_minimality('rm sim')$$);
DROP TABLE six;
SELECT pg_temp.fails($$SELECT audit_minimality('rm sim')$$);
SELECT accepted FROM audit_minimality('rm sim nss');
SELECT drop_policy('rm sim nss');
SELECT accepted FROM audit_minimality('rm sim nss');
SELECT drop_policy('rm sim');
SELECT pg_temp.fails($$SELECT audit_minimality('rm sim')$$);

-- Another version beside it; retired and withdrawn ones.
SELECT alter_policy('rm regional', '{"options": {"unguarded_again": true}}');
INSERT INTO twelve VALUES (13, 'nurse', 55, 'fever', 1), (14, 'clerk', 56, 'flu', 2);
SELECT version FROM publish('rm regional');
SELECT summed('rm regional/1'), summed('rm regional/2');
SELECT retire_release('rm regional/1');
SELECT pg_temp.fails($$SELECT audit_minimality('rm regional/1')$$);
SELECT withdraw_release('rm anatomy/1', 'a test');
SELECT pg_temp.fails($$SELECT audit_minimality('rm anatomy')$$);

-- Persons without quasi values: where the rules leave everybody with everybody they are left out, and their values play no part; else they are a
-- class of their own. All arrangements of small tables, held against previews of a policy that has no release: as many as are counted.
SELECT create_flat_taxonomy('rm abc', '{a,b,c,d}');
CREATE TABLE tiny (id int, job text, s text);
CREATE FUNCTION arranged(of text[]) RETURNS SETOF text[] LANGUAGE sql AS $$
  WITH RECURSIVE a (done, rest) AS (SELECT '{}'::text[], of UNION SELECT done || rest[i], rest[:i - 1] || rest[i + 1:] FROM a, generate_series(1, cardinality(rest)) AS i) SELECT done FROM a WHERE rest = '{}' $$;
CREATE FUNCTION held_against(case_name text, jobs text, vals text, options text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found record; arrangement text[]; visible int[]; said text; now_said text; tried int := 0; accepted int := 0; at_root boolean;
BEGIN
  TRUNCATE tiny;
  INSERT INTO tiny SELECT i, substr(jobs, i, 1), substr(vals, i, 1) FROM generate_series(1, length(jobs)) AS i;
  PERFORM create_sequential_policy(case_name || x, 'tiny', 'id', '{job}', sensitive => '{s}', k => 3, max_link => 0.7, max_suppressed => 0.34, taxonomies => '{"job": "rm abc"}', population => case_name || x, publish_as => quote_ident(case_name || x), options => options::jsonb) FROM unnest(ARRAY['', '_twin']) AS x;
  PERFORM publish(case_name);
  SELECT * INTO found FROM audit_minimality(case_name);
  SELECT p::text INTO said FROM preview(case_name || '_twin') AS p;
  at_root := (SELECT classes = 1 FROM preview(case_name || '_twin'));
  visible := ARRAY(SELECT t.id FROM tiny AS t WHERE NOT at_root OR (SELECT count(*) FROM tiny AS o WHERE o.job = t.job) >= 3 ORDER BY t.id);
  FOR arrangement IN SELECT * FROM arranged(ARRAY(SELECT t.s FROM tiny AS t WHERE t.id = ANY (visible) ORDER BY t.id)) LOOP
    CONTINUE WHEN NOT at_root AND EXISTS (SELECT FROM tiny AS t GROUP BY (SELECT t.job FROM tiny AS o WHERE o.job = t.job HAVING count(*) >= 3) HAVING array_agg(t.s ORDER BY t.s) <> array_agg(arrangement[array_position(visible, t.id)] ORDER BY arrangement[array_position(visible, t.id)]));
    UPDATE tiny AS t SET s = arrangement[array_position(visible, t.id)] WHERE t.id = ANY (visible);
    SELECT p::text INTO now_said FROM preview(case_name || '_twin') AS p;
    tried := tried + 1;
    accepted := accepted + (now_said = said)::int;
    UPDATE tiny SET s = substr(vals, id, 1);
  END LOOP;
  RETURN format('%s of %s, counted %s of %s, exact %s, %s at one, %s without quasi values', found.accepted, found.tried, accepted, tried, found.exact, CASE WHEN at_root THEN 'all' ELSE 'not all' END,
    (SELECT value FROM measure(case_name) WHERE metric = 'blanked'));
END $$;
SELECT held_against('rm left out', 'aaabbbbc', 'HHHffggx', '{"suppress": "cells"}');
SELECT held_against('rm boxes', 'aaabbbbc', 'HHHffggx', '{"suppress": "cells", "recoding": "local"}');
SELECT held_against('rm safe', 'aaabbbbc', 'HHHffggx', '{"suppress": "cells", "decisions": "simulatable"}');
SELECT held_against('rm bare', 'aaabbbccd', 'HfgHfgfgx', '{"suppress": "cells"}');

-- Who owns the ledger may have altered it.
SELECT 'anon_seq_ledger.p' || id || '_row' AS cell FROM policy WHERE name = 'rm many' \gset
ALTER TABLE :cell DISABLE TRIGGER USER;
CREATE FUNCTION damaged(damage text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE said text[];
BEGIN
  BEGIN
    EXECUTE damage;
    said := ARRAY(SELECT pg_temp.fails($q$SELECT audit_minimality('rm many', 30)$q$));
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
  END;
  RETURN QUERY SELECT unnest(said);
END $$;
SELECT damaged('DELETE FROM ' || :'cell' || ' WHERE place = 3');
SELECT damaged('UPDATE ' || :'cell' || ' SET c4 = 1');
SELECT damaged('UPDATE ' || :'cell' || ' SET c4 = NULL WHERE place = 1');
SELECT damaged('DELETE FROM ' || :'cell');
ALTER TABLE :cell ENABLE TRIGGER USER;

DROP SCHEMA release_minimality CASCADE;
DROP ROLE regress_rm_other;
