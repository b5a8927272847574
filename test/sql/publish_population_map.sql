-- Rules about the people of a registered population: k-map and presence, by what a publish makes, what its audit counts, and what is refused.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = warning;
CREATE ROLE regress_seq_town;
CREATE ROLE regress_seq_census;
SELECT anon_seq.grant_publish('regress_seq_town');
SELECT anon_seq.grant_publish('regress_seq_census');
CREATE SCHEMA publish_map AUTHORIZATION regress_seq_town;
GRANT USAGE ON SCHEMA publish_map TO regress_seq_census;
SET ROLE regress_seq_town;
SET search_path = publish_map, anon_seq, public;

SELECT create_taxonomy('pm job', '{"ANY": {"health": ["nurse", "doctor"], "food": ["cook", "baker"]}}');
CREATE TABLE patient AS SELECT i AS id, 20 + i * 7 % 40 AS age, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i / 3 % 4] AS job, (ARRAY['flu', 'cold'])[1 + i % 2] AS ill FROM generate_series(1, 120) AS i;
CREATE TABLE census AS SELECT age, job, count(*)::int AS n FROM (SELECT age, job FROM patient UNION ALL SELECT 20 + i % 40, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i % 4] FROM generate_series(1, 500) AS i) AS u GROUP BY age, job;
SELECT register_population('pm town', 'census', counts => 'n');
-- Classes of a relation, the persons in them, and who fits: counted in plain SQL.
CREATE FUNCTION by_hand(release regclass, of text DEFAULT 'census') RETURNS TABLE (classes bigint, k_map bigint, highest numeric, lowest numeric) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('
    WITH c AS (SELECT age, job, count(*) AS f FROM %s GROUP BY age, job),
         f AS (SELECT f, (SELECT coalesce(sum(p.n), 0)::bigint FROM %I AS p WHERE (p.age <@ c.age OR c.age IS NULL AND p.age IS NULL OR c.age = ''(,)'')
            AND (p.job = c.job OR c.job = ''ANY'' OR c.job = ''health'' AND p.job IN (''nurse'', ''doctor'') OR c.job = ''food'' AND p.job IN (''cook'', ''baker''))) AS fit FROM c)
    SELECT count(*), min(fit), round(max(f / nullif(fit, 0)::numeric), 6), round(min(f / nullif(fit, 0)::numeric), 6) FROM f', release, of);
END $$;
CREATE FUNCTION checks(policy text) RETURNS TABLE (check_name text, required text, observed text, ok boolean, offending bigint) LANGUAGE sql AS $$
  SELECT check_name, required, observed, ok, offending FROM audit(policy) WHERE check_name IN ('k_map', 'presence') ORDER BY 1, 2 $$;

-- k-map, with k and without: at least so many of the town for each class.
SELECT create_sequential_policy('pm k', 'patient', 'id', '{age,job}', k => 3, rules => '[{"kind": "k_map", "population": "pm town", "min": 40}]', taxonomies => '{"job": "pm job"}', population => 'pm 1');
SELECT create_sequential_policy('pm map', 'patient', 'id', '{age,job}', rules => '[{"kind": "k_map", "population": "pm town", "min": 40}]', taxonomies => '{"job": "pm job"}', population => 'pm 2');
SELECT published FROM publish('pm k') UNION ALL SELECT published FROM publish('pm map');
SELECT k_map >= 40 AS kept, classes >= 8 AS several FROM by_hand('"pm k"') UNION ALL SELECT k_map >= 40, classes >= 8 FROM by_hand('"pm map"');
SELECT observed::bigint = k_map AS same, required, ok, offending FROM checks('pm k'), by_hand('"pm k"');
SELECT jsonb_path_query_array(describe_policy('pm map')->'effective_rules', '$[*].kind');
SELECT (SELECT bool_and(jsonb_array_length(privacy_after) = 2) FROM trace('pm k')) AS two, (SELECT privacy_after->>1 FROM trace('pm k') ORDER BY step DESC LIMIT 1)::bigint = k_map AS last FROM by_hand('"pm k"');

-- What is found for k alone leads the way, and where all rules are about quasi columns it never shows less than the paper's order.
CREATE TABLE worker AS SELECT i AS id, (20 + power(i * 37 % 101, 2) / 200)::int AS age, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + (i * i % 11) % 4] AS job, (i * 53 % 97) * (i % 7) AS pay FROM generate_series(1, 300) AS i;
CREATE TABLE workers AS SELECT w.* FROM worker AS w, generate_series(1, 2 + id % 3 + age / 30) AS g;
SELECT register_population('pm workers', 'workers');
SELECT create_sequential_policy('pm way', 'worker', 'id', '{age,job,pay}', k => 5, taxonomies => '{"job": "pm job"}', population => 'pm 12');
SELECT min, (array_agg((measures->>'ncp')::float8 ORDER BY n))[1] <= (array_agg((measures->>'ncp')::float8 ORDER BY n))[2] AS as_good FROM generate_series(10, 60, 10) AS min,
  unnest('{exact,paper}'::text[]) WITH ORDINALITY AS o (pruning, n),
  LATERAL preview('pm way', ARRAY[format('{"rules": [{"kind": "k_map", "population": "pm workers", "min": %s}], "options": {"pruning": "%s"}}', min, pruning)::jsonb]) GROUP BY min ORDER BY min;
-- Presence: at most, below, and at least for everybody. Of two bounds each is a rule.
SELECT create_sequential_policy('pm ' || name, 'patient', 'id', '{age,job}', k => 2, rules => rules, taxonomies => '{"job": "pm job"}', population => 'pm 3 ' || name)
  FROM (VALUES ('most', '[{"kind": "presence", "population": "pm town", "max": 0.21}]'::jsonb), ('half', '[{"kind": "presence", "population": "pm town", "below": 0.5}]'),
    ('both', '[{"kind": "presence", "population": "pm town", "max": 0.25, "min": 0.15}]'), ('job', '[{"kind": "presence", "population": "pm town", "max": 0.2, "x": ["job"]}]')) AS v (name, rules) ORDER BY name;
SELECT p.name, p.version, c.* FROM (SELECT 'pm both' AS name, version FROM publish('pm both') UNION ALL SELECT 'pm half', version FROM publish('pm half')
  UNION ALL SELECT 'pm job', version FROM publish('pm job') UNION ALL SELECT 'pm most', version FROM publish('pm most')) AS p, checks(p.name) AS c ORDER BY 1, 3, 4;
SELECT highest <= 0.21 AS most FROM by_hand('"pm most"');
SELECT highest < 0.5 AS half FROM by_hand('"pm half"');
SELECT highest <= 0.25 AND lowest >= 0.15 AS both FROM by_hand('"pm both"');
SELECT jsonb_path_query_array(describe_policy('pm both')->'effective_rules', '$[*] ? (@.kind == "presence")');
SELECT delta_max < 0.5 AS below, half_shown, delta_min > 0 AS everybody FROM risk('pm half', 'pm town');
-- Beside rules about the join and a sensitive column, and with simulatable decisions.
SELECT create_sequential_policy('pm ill', 'patient', 'id', '{age,job}', k => 4, max_link => 0.9, sensitive => '{ill}', rules => '[{"kind": "k_map", "population": "pm town", "min": 30}]', options => '{"decisions": "simulatable"}', taxonomies => '{"job": "pm job"}', population => 'pm 4');
SELECT published FROM publish('pm ill');
SELECT check_name, ok FROM audit('pm ill') ORDER BY 1, 2;
SELECT accepted = tried AS all FROM audit_minimality('pm ill', 20);
-- Rows are left out by k alone, and then do not count.
CREATE TABLE far AS SELECT * FROM patient UNION ALL SELECT 1000 + i, NULL, 'nurse', 'flu' FROM generate_series(1, 2) AS i;
SELECT create_sequential_policy('pm out', 'far', 'id', '{age,job}', k => 5, max_suppressed => 0.02, rules => '[{"kind": "presence", "population": "pm town", "below": 0.5}]', taxonomies => '{"job": "pm job"}', population => 'pm 5');
SELECT published, withheld FROM publish('pm out');
SELECT * FROM checks('pm out');
-- Persons, not rows.
CREATE TABLE stay AS SELECT id % 60 AS id, age, job FROM patient;
SELECT create_sequential_policy('pm stay', 'stay', 'id', '{age,job}', k => 2, rules => '[{"kind": "presence", "population": "pm town", "max": 0.1}]', taxonomies => '{"job": "pm job"}', population => 'pm 6');
SELECT published FROM publish('pm stay');
SELECT ok, observed FROM checks('pm stay');

-- Columns of other names and forms: labels, ranges of numbers, days, NULL; who is unknown to a taxonomy fits no class.
CREATE TABLE sick AS SELECT i AS id, CASE WHEN i % 13 > 0 THEN 20 + i * 7 % 40 END AS age, (1000 + i % 30)::text AS zip, date '1990-01-01' + 9 * i AS born, i % 2 = 0 AS smokes, 1.5 * (i % 8) AS bill FROM generate_series(1, 90) AS i;
CREATE TABLE folk AS SELECT int4range(age, age + 1) AS years, zip AS code, born::timestamp::date AS birthday, smokes AS smoker, bill AS paid FROM sick CROSS JOIN generate_series(1, 4)
  UNION ALL SELECT int4range(0, NULL), '10**', NULL, NULL, NULL UNION ALL SELECT NULL, 'x', '1990-05-05', true, 3;
SELECT create_prefix_taxonomy('pm zip', '{3,1}');
SELECT register_population('pm folk', 'folk', attributes => '{"age": {"column": "years"}, "zip": {"column": "code"}, "born": {"column": "birthday"}, "smokes": {"column": "smoker"}, "bill": {"column": "paid"}}');
SELECT create_sequential_policy('pm forms', 'sick', 'id', '{age,zip,born,smokes,bill}', rules => '[{"kind": "k_map", "population": "pm folk", "min": 20}, {"kind": "presence", "population": "pm folk", "max": 0.25}, {"kind": "presence", "population": "pm folk", "x": ["age", "bill"], "below": 0.3}]', taxonomies => '{"zip": "pm zip"}', population => 'pm 7');
SELECT published FROM publish('pm forms');
SELECT * FROM checks('pm forms');
SELECT r.k_map::text = c.observed AS same, r.people FROM risk('pm forms', 'pm folk') AS r, checks('pm forms') AS c WHERE c.check_name = 'k_map';
-- A declared domain bounds the most general class: who is beyond it fits none.
SELECT create_sequential_policy('pm domain', 'patient', 'id', '{age}', rules => '[{"kind": "k_map", "population": "pm town", "min": 100}]', options => '{"domains": {"age": [0, 100]}}', population => 'pm 8');
INSERT INTO census VALUES (140, 'nurse', 1000), (NULL, 'nurse', 2000);
SELECT feasible, reason FROM preview('pm domain', ARRAY['{"rules": [{"kind": "k_map", "population": "pm town", "min": 621}]}', '{"rules": [{"kind": "k_map", "population": "pm town", "min": 621}], "options": {"domains": null}}', '{"rules": [{"kind": "presence", "population": "pm town", "min": 0.01}]}',
  '{"rules": [{"kind": "k_map", "population": "pm town", "min": 620}]}']::jsonb[]);

-- The population changed: an audit counts the table as it is, and says so; what is published stays.
SELECT * FROM checks('pm most');
DELETE FROM census WHERE age > 100 OR age IS NULL;
UPDATE census SET n = 1 WHERE job = 'nurse';
SELECT c.check_name, c.ok, c.observed, c.detail - 'worst' AS detail FROM audit('pm k') AS c WHERE c.check_name = 'k_map';
SELECT pg_temp.fails($$SELECT assert_audit('pm k')$$);
SELECT version FROM publish('pm k');
ALTER TABLE census RENAME TO censuses;
SELECT * FROM checks('pm k');
SELECT pg_temp.fails($$SELECT publish('pm domain')$$);
ALTER TABLE censuses RENAME TO census;
ALTER TABLE census RENAME COLUMN age TO years;
SELECT * FROM checks('pm k');
SELECT pg_temp.fails($$SELECT publish('pm domain')$$);
ALTER TABLE census RENAME COLUMN years TO age;
UPDATE census SET n = 0 WHERE age = 21;
SELECT pg_temp.fails($$SELECT publish('pm domain')$$);
SELECT * FROM checks('pm domain');
UPDATE census SET n = 5;

-- What cannot be met: with a statement that helps, or what to do.
INSERT INTO patient SELECT 200 + i, 20, 'cook', 'flu' FROM generate_series(1, 1000) AS i;
SELECT create_sequential_policy('pm new', 'patient', 'id', '{age,job}', rules => '[{"kind": "k_map", "population": "pm town", "min": 40}]', taxonomies => '{"job": "pm job"}', population => 'pm 10');
SELECT feasible, reason FROM preview('pm new', ARRAY['{"rules": [{"kind": "k_map", "population": "pm town", "min": 601}]}', '{"rules": [{"kind": "presence", "population": "pm town", "max": 1}]}', '{"rules": [{"kind": "presence", "population": "pm town", "below": 1, "x": ["job"]}]}',
  '{"rules": [{"kind": "k_map", "population": "pm town", "min": 40}, {"kind": "presence", "population": "pm town", "min": 0.9, "max": 0.95}]}', '{"rules": [{"kind": "k_map", "population": "pm town", "min": 40}, {"kind": "presence", "population": "pm town", "min": 0.9}]}']::jsonb[]);
SELECT pg_temp.fails($$SELECT publish('pm map')$$);
DELETE FROM patient WHERE id > 200;
SELECT feasible, reason FROM preview('pm new', ARRAY['{"rules": [{"kind": "presence", "population": "pm town", "max": 0.1}]}', '{"rules": [{"kind": "presence", "population": "pm town", "min": 0.5}]}', '{"rules": [{"kind": "presence", "population": "pm town", "below": 0.1, "min": 0.05}]}',
  '{"rules": [{"kind": "presence", "population": "pm town", "below": 0.22, "min": 0.17}]}']::jsonb[]);
SELECT alter_policy('pm new', '{"rules": [{"kind": "presence", "population": "pm town", "max": 0.1}]}');
SELECT pg_temp.fails($$SELECT publish('pm new')$$);
SELECT anon_seq.alter_policy('pm new', '{"rules": [{"kind": "presence", "population": "pm town", "max": 0.22}]}');
SELECT published FROM publish('pm new');
SELECT ok, observed FROM checks('pm new');
CREATE TABLE strangers AS SELECT 20 + i AS age, 'astronaut'::text AS job FROM generate_series(0, 39) AS i;
SELECT register_population('pm strangers', 'strangers');
SELECT create_sequential_policy('pm strange', 'patient', 'id', '{age,job}', k => 2, taxonomies => '{"job": "pm job"}', population => 'pm 11');
SELECT feasible, reason FROM preview('pm strange', ARRAY['{"rules": [{"kind": "k_map", "population": "pm strangers", "min": 1}]}', '{"rules": [{"kind": "presence", "population": "pm strangers", "max": 0.5}]}', '{"rules": [{"kind": "presence", "population": "pm strangers", "min": 0.01}]}', '{"rules": [{"kind": "k_map", "population": "pm strangers", "min": 7, "x": ["age"]}]}']::jsonb[]);

-- Afterwards only what asks for more.
SELECT change, pg_temp.fails(format('SELECT alter_policy(%L, %L)', 'pm both', '{"rules": ' || change || '}')) FROM unnest(ARRAY['[]', '[{"kind": "presence", "population": "pm town", "max": 0.25}]', '[{"kind": "presence", "population": "pm town", "max": 0.26, "min": 0.15}]',
  '[{"kind": "presence", "population": "pm town", "max": 0.25, "min": 0.14}]', '[{"kind": "presence", "population": "pm town", "x": ["age"], "max": 0.25, "min": 0.15}]', '[{"kind": "presence", "population": "pm strangers", "max": 0.25, "min": 0.15}]', '[{"kind": "k_map", "population": "pm town", "min": 4}]']) AS change;
SELECT alter_policy('pm both', '{"rules": [{"kind": "presence", "population": "pm town", "below": 0.25, "min": 0.15}, {"kind": "k_map", "population": "pm town", "min": 5}]}');
SELECT pg_temp.fails($$SELECT alter_policy('pm half', '{"rules": [{"kind": "presence", "population": "pm town", "max": 0.5}]}')$$), pg_temp.fails($$SELECT alter_policy('pm k', '{"rules": [{"kind": "k_map", "population": "pm town", "min": 39}]}')$$);
SELECT alter_policy('pm half', '{"rules": [{"kind": "presence", "population": "pm town", "max": 0.49}]}'), alter_policy('pm k', '{"rules": [{"kind": "k_map", "population": "pm town", "min": 41}, {"kind": "k_map", "population": "pm town", "min": 80, "x": ["job"]}]}'),
  alter_policy('pm job', '{"rules": [{"kind": "presence", "population": "pm town", "max": 0.2}]}');

-- What is refused when it is declared.
CREATE TABLE odd AS SELECT '{1,2}'::int[] AS age, 'cook' AS job, numrange(1, 2) AS n, '[20,30)'::text AS text_age;
SELECT register_population('pm odd', 'odd');
SELECT register_population('pm text', 'odd', attributes => '{"age": {"column": "text_age", "interval": true}, "job": {"column": "n"}}');
SELECT register_population('pm other', 'odd', attributes => '{"job": {"column": "job", "taxonomy": "pm zip"}}');
SELECT pg_temp.fails(format($$SELECT create_sequential_policy('pm x', 'patient', 'id', '{age,job}', rules => %L, publish_as_is => '{ill}', taxonomies => '{"job": "pm job"}', population => 'pm x')$$, rules)) FROM unnest(ARRAY[
  '[{"kind": "k_map", "population": "pm town"}]', '[{"kind": "k_map", "min": 2}]', '[{"kind": "k_map", "population": "", "min": 2}]', '[{"kind": "k_map", "population": "pm town", "min": 0}]', '[{"kind": "k_map", "population": "pm none", "min": 2}]',
  '[{"kind": "k_map", "population": "pm town", "min": 2, "x": ["ill"]}]', '[{"kind": "k_map", "population": "pm town", "min": 2, "x": ["wage"]}]', '[{"kind": "k_map", "population": "pm town", "min": 2, "x": []}]', '[{"kind": "k_map", "population": "pm town", "min": 2, "x": [{"release": "pm k", "column": "age"}]}]',
  '[{"kind": "presence", "population": "pm town"}]', '[{"kind": "presence", "population": "pm town", "max": 0.5, "below": 0.6}]', '[{"kind": "presence", "population": "pm town", "max": 1.5}]', '[{"kind": "presence", "population": "pm town", "max": 0.5, "min": 0.6}]', '[{"kind": "presence", "population": "pm town", "min": 0}]',
  '[{"kind": "presence", "population": "pm town", "max": 0.5, "y": ["id"]}]', '[{"kind": "k_map", "population": "pm folk", "min": 2}]', '[{"kind": "k_map", "population": "pm odd", "min": 2, "x": ["age"]}]', '[{"kind": "k_map", "population": "pm text", "min": 2, "x": ["age"]}]', '[{"kind": "k_map", "population": "pm text", "min": 2, "x": ["job"]}]',
  '[{"kind": "k_map", "population": "pm other", "min": 2, "x": ["job"]}]']) AS rules;
SELECT pg_temp.fails($$SELECT create_incremental_policy('pm x', 'patient', 'id', '{age,job}', 3, taxonomies => '{"job": "pm job"}', population => 'pm x', options => '{"rules": [{"kind": "k_map", "population": "pm town", "min": 20}]}')$$);
RESET ROLE;
CREATE SCHEMA publish_map_census AUTHORIZATION regress_seq_census;
GRANT regress_seq_census TO regress_seq_town;
SET ROLE regress_seq_census;
CREATE TABLE publish_map_census.census AS SELECT 20 + i % 40 AS age, (ARRAY['nurse', 'doctor', 'cook', 'baker'])[1 + i % 4] AS job FROM generate_series(1, 900) AS i;
SET ROLE regress_seq_town;
-- A table that rules are about stays registered; whose it is, is who may use it.
SELECT pg_temp.fails($$SELECT withdraw_population('pm town')$$);
SET ROLE regress_seq_census;
SELECT pg_temp.fails($$SELECT withdraw_population('pm town')$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('pm y', 'publish_map_census.census', NULL, '{age}', rules => '[{"kind": "k_map", "population": "pm town", "min": 2}]', population => 'pm y', publish_as => 'publish_map_census.y')$$);
SET ROLE regress_seq_town;
-- A table that cannot be used any more.
SET ROLE regress_seq_census;
SELECT register_population('pm theirs', 'publish_map_census.census');
SET ROLE regress_seq_town;
SELECT create_sequential_policy('pm theirs', 'patient', 'id', '{age}', rules => '[{"kind": "presence", "population": "pm theirs", "below": 0.5}]', population => 'pm 9');
SELECT published FROM publish('pm theirs');
SELECT * FROM checks('pm theirs');
RESET ROLE;
REVOKE regress_seq_census FROM regress_seq_town;
ALTER TABLE publish_map.strangers OWNER TO regress_seq_census;
SET ROLE regress_seq_town;
SELECT feasible, reason FROM preview('pm strange', ARRAY['{"rules": [{"kind": "k_map", "population": "pm strangers", "min": 7, "x": ["age"]}]}']::jsonb[]);
SELECT * FROM checks('pm theirs');
SELECT pg_temp.fails($$SELECT publish('pm theirs')$$);

RESET ROLE;
SET client_min_messages = error;
SELECT drop_policy(name) FROM policies WHERE name LIKE 'pm %' ORDER BY name;
DROP SCHEMA publish_map, publish_map_census CASCADE;
DROP OWNED BY regress_seq_town, regress_seq_census CASCADE;
DROP ROLE regress_seq_town, regress_seq_census;
