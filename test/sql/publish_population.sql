-- What is forgotten most easily: earlier releases of the same people. All that a population has count without being listed.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_population;
SET search_path = publish_population, anon_seq;
SET client_min_messages = warning;
CREATE TABLE clinic (id int PRIMARY KEY, job text, city text, age int, disease text);
INSERT INTO clinic SELECT i, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + i % 4], (ARRAY['Ulm', 'Jena'])[1 + i / 4 % 2], 20 + i % 9, (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3] FROM generate_series(1, 96) AS i;
SELECT create_taxonomy('population_job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
SELECT create_flat_taxonomy('population_city', '{Ulm,Jena}');
-- Last year: diagnoses by job, made with another tool, other names, other spellings.
CREATE TABLE last_year AS SELECT CASE WHEN id % 8 < 4 THEN job ELSE (ARRAY['Service', 'Service', 'Manual', 'Manual'])[1 + id % 4] END AS "Occupation", disease AS "Dx" FROM clinic;
SELECT register_release('last year', 'last_year', 'clinic', '{"job": {"column": "Occupation", "taxonomy": "population_job"}, "disease": "Dx"}');
SELECT create_sequential_policy('clinic_visits', 'clinic', 'id', '{job,city}', k => 4, taxonomies => '{"job": "population_job", "city": "population_city"}', population => 'clinic');
SELECT describe_policy('clinic_visits') -> 'common';

-- k alone, and a release that no rule names: refused, with a rule that works when it is pasted.
SELECT pg_temp.fails($$SELECT publish('clinic_visits')$$);
CREATE FUNCTION pasted(policy text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text; state text;
BEGIN
  PERFORM publish(policy);
  RETURN 'published';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, state = RETURNED_SQLSTATE;
  EXECUTE hint;
  RETURN state || ' ' || hint;
END $$;
SELECT pasted('clinic_visits');
SELECT version, published, classes, smallest_class FROM publish('clinic_visits');
SELECT check_name, scope, required, observed, ok FROM audit('clinic_visits', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
SELECT assert_audit('clinic_visits', everything => true);
-- The next version: the rule names the release, and now the policy's own earlier version wants a name as well.
INSERT INTO clinic VALUES (97, 'nurse', 'Ulm', 25, 'flu');
SELECT pasted('clinic_visits');
SELECT pasted('clinic_visits');
SELECT parameters -> 'rules' FROM policies WHERE name = 'clinic_visits';
SELECT version FROM releases WHERE policy = 'clinic_visits' ORDER BY 1;
SELECT bool_and(ok) FROM audit('clinic_visits', everything => true);

-- Two policies of one population see each other, in both directions; nothing is listed by hand.
SELECT create_sequential_policy('ages', 'clinic', 'id', '{job,age}', k => 4, max_link => 0.9, sensitive => '{disease}', taxonomies => '{"job": "population_job"}', population => 'clinic');
SELECT pasted('ages');
SELECT pasted('ages');
SELECT pasted('ages');
SELECT check_name, scope, required, observed, ok FROM audit('ages', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
UPDATE clinic SET city = 'Jena' WHERE id = 97;
SELECT pg_temp.fails($$SELECT publish('clinic_visits')$$);
-- Releases of a policy that was dropped, and those that were retired, go on counting.
SELECT retire_release('clinic_visits/1');
SELECT drop_policy('ages');
SELECT pg_temp.fails($$SELECT publish('clinic_visits')$$);
SELECT pasted('clinic_visits');
SELECT version FROM publish('clinic_visits');
SELECT scope, observed, ok FROM audit('clinic_visits', everything => true) WHERE check_name = 'rows' ORDER BY scope COLLATE "C";
SELECT pg_temp.fails($$SELECT create_sequential_policy('ages', 'clinic', 'id', '{age}', 4)$$);

-- max_link speaks of sensitive columns, and of whatever a registered release tells that ours does not; where there is nothing of the kind it is no guarantee.
SELECT create_sequential_policy('clinic_link', 'clinic', 'id', '{job}', max_link => 0.9, sensitive => '{disease}', taxonomies => '{"job": "population_job"}', population => 'clinic');
SELECT version FROM publish('clinic_link');
SELECT check_name, scope, required, observed, ok FROM audit('clinic_link', everything => true) WHERE check_name = 'linkability' ORDER BY scope COLLATE "C", observed COLLATE "C";
SELECT drop_policy('clinic_link');
SELECT create_sequential_policy('clinic_nothing', 'clinic', 'id', '{job}', max_link => 0.9, taxonomies => '{"job": "population_job"}', population => 'no sensitive column');
SELECT pg_temp.fails($$SELECT publish('clinic_nothing')$$);
SELECT feasible, reason FROM preview('clinic_nothing');
SELECT drop_policy('clinic_nothing');

-- Earlier releases left out by wish: published, and every audit says so.
SELECT create_sequential_policy('alone', 'clinic', 'id', '{job}', k => 4, previous => '{}', taxonomies => '{"job": "population_job"}', population => 'clinic');
SELECT version FROM publish('alone');
SELECT check_name, scope, required, observed, ok, offending FROM audit('alone', everything => true) ORDER BY check_name COLLATE "C";
SELECT pg_temp.fails($$SELECT assert_audit('alone', everything => true)$$);
SELECT drop_policy('alone');
SELECT create_sequential_policy('waived', 'clinic', 'id', '{job}', k => 4, taxonomies => '{"job": "population_job"}', population => 'clinic 2', options => '{"unguarded": ["last year"]}', previous => '{"last year"}');
SELECT version FROM publish('waived');
SELECT check_name, observed, ok FROM audit('waived', everything => true) ORDER BY check_name COLLATE "C";
SELECT drop_policy('waived');
SELECT create_sequential_policy('no job', 'clinic', 'id', '{job}', k => 4, taxonomies => '{"job": "population_job"}', population => 'clinic 3', previous => '{"last year"}', options => '{"not_common": ["job"]}',
  rules => '[{"kind": "linkability", "x": ["job"], "y": [{"release": "last year", "column": "Dx"}], "max": 0.5}]');
SELECT version FROM publish('no job');
SELECT check_name, scope, observed, ok FROM audit('no job', everything => true) ORDER BY check_name COLLATE "C";
SELECT drop_policy('no job');

-- A release of other people is mentioned, no more; joins that mean nothing, or more than one thinks, are as well.
CREATE TABLE strangers AS SELECT id, age AS years_of_the_strangers FROM clinic;
SELECT create_sequential_policy('strangers 1', 'strangers', 'id', '{years_of_the_strangers}', k => 4, population => 'strangers 1');
SELECT version FROM publish('strangers 1');
SET client_min_messages = notice;
SELECT create_sequential_policy('strangers 2', 'strangers', 'id', '{years_of_the_strangers}', k => 4, population => 'strangers 2', previous => '{strangers 1}');
SELECT pasted('strangers 2');
SELECT pasted('strangers 2');
SELECT alter_policy('strangers 2', '{"options": {"overlap": true}}');
SELECT pasted('strangers 2');
RESET client_min_messages;
SET client_min_messages = warning;
SELECT check_name, scope, observed, ok FROM audit('strangers 2', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
SELECT drop_policy('strangers 1');
SELECT drop_policy('strangers 2');
-- A table that was published earlier but is registered only now: what was published meanwhile was not guarded against it.
SELECT create_sequential_policy('early', 'clinic', 'id', '{job}', k => 4, taxonomies => '{"job": "population_job"}', population => 'late');
SELECT version FROM publish('early');
SELECT register_release('late', 'last_year', 'late', '{"job": {"column": "Occupation", "taxonomy": "population_job"}, "disease": "Dx"}');
SELECT check_name, scope, observed, ok FROM audit('early', everything => true) ORDER BY check_name COLLATE "C";
SELECT drop_policy('early');

-- A source with several rows per person: persons count, not rows.
CREATE TABLE stays AS SELECT (i % 12) AS id, (ARRAY['nurse', 'baker'])[1 + i % 2] AS job, i % 7 AS days FROM generate_series(0, 119) AS i;
SELECT create_sequential_policy('stays', 'stays', 'id', '{job,days}', k => 4, publish_as => 'stays_out', taxonomies => '{"job": "population_job"}', options => '{"valid_split": true}');
SELECT published, classes, smallest_class FROM publish('stays');
SELECT classes, smallest FROM audit_k('stays_out', '{job,days}');
SELECT check_name, required, observed, ok FROM audit('stays', everything => true) ORDER BY check_name COLLATE "C";
SELECT * FROM forget('publish_population.stays', '3');
SELECT check_name, required, observed, ok FROM audit('stays', everything => true) ORDER BY check_name COLLATE "C";
SELECT drop_policy('stays');
SELECT drop_policy('clinic_visits');
SET client_min_messages = warning;
-- Two views of one table are two populations by default, and nobody would guard their releases against each other: who declares the second is told, and
-- who publishes; through views of views, with the table itself, and of another role without names.
CREATE TABLE ward AS SELECT i AS id, i % 50 AS age, CASE WHEN i % 10 = 0 THEN 'HIV' ELSE 'flu' END AS ill FROM generate_series(1, 200) AS i;
CREATE VIEW ward_young AS SELECT * FROM ward WHERE age < 40;
CREATE VIEW ward_old AS SELECT w.* FROM (SELECT * FROM ward_young) AS y JOIN ward AS w USING (id);
CREATE FUNCTION of_ward(name text, source regclass, pool text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  SELECT create_lossy_join_policy(name, source, 'id', '{age}', '{ill}', 0.5, 2, 'projections', sensitive_values => '{HIV}', population => pool, publish_as => replace(name, ' ', '_')) $$;
SELECT of_ward('ward young', 'ward_young');
SELECT of_ward('ward old', 'ward_old');
SELECT of_ward('ward all', 'ward', 'publish_population.ward_young');
SELECT version FROM publish('ward young');
-- What the hint says brings them together: then there is no joint guarantee, and the second is refused.
SELECT alter_policy('ward old', '{"population": "publish_population.ward_young"}');
SELECT e FROM pg_temp.fails($$SELECT publish('ward old')$$) AS e WHERE e LIKE '0A%';
SELECT drop_policy(p) FROM unnest('{ward young,ward old,ward all}'::text[]) AS p;
CREATE ROLE regress_population_ward;
SELECT grant_publish('regress_population_ward');
GRANT USAGE, CREATE ON SCHEMA publish_population TO regress_population_ward;
GRANT SELECT ON ward TO regress_population_ward;
SELECT of_ward('ward table', 'ward');
SET ROLE regress_population_ward;
CREATE VIEW ward_theirs AS SELECT * FROM ward;
SELECT of_ward('ward theirs', 'ward_theirs');
SELECT of_ward('ward named', 'ward_theirs', 'others of the ward');
RESET ROLE;
SET client_min_messages = error;
SELECT drop_policy(p) FROM unnest('{ward table,ward theirs,ward named}'::text[]) AS p;
DROP OWNED BY regress_population_ward CASCADE;
DROP ROLE regress_population_ward;
SET client_min_messages = warning;
DROP SCHEMA publish_population CASCADE;
