-- Changing policies: anything before the first release; afterwards what asks for more, and nothing else.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA policy_alter;
SET search_path = policy_alter, anon_seq;
SET client_min_messages = warning;
CREATE TABLE visit (id int PRIMARY KEY, job text, age int, city text, disease text);
INSERT INTO visit SELECT i, (ARRAY['nurse', 'cook'])[1 + i % 2], 20 + i % 10, 'c' || i % 2, (ARRAY['flu', 'HIV', 'cold'])[1 + i % 3] FROM generate_series(1, 60) AS i;
CREATE TABLE visit2 AS TABLE visit;
SELECT create_flat_taxonomy('alter_job', '{nurse,cook}');
SELECT create_sequential_policy('p', 'visit', 'id', '{age}', 5);

-- Before: anything, and the ledger takes the new shape.
SELECT alter_policy('p', '{}');
SELECT alter_policy('p', '{"quasi": ["age", "job"], "taxonomies": {"job": "alter_job"}, "sensitive": ["disease"], "k": 4, "max_link": 0.6, "population": "people", "publish_as": "policy_alter.other"}');
SELECT alter_policy('p', '{"source": "policy_alter.visit2", "options": {"overlap": true, "pruning": "paper"}}');
SELECT alter_policy('p', '{"source": "policy_alter.visit", "options": {"pruning": null}, "previous": ["p"], "rules": [{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": ["HIV"], "max": 0.9}]}');
SELECT quasi, sensitive, parameters, options, population, publish_as, source, version, jsonb_array_length(changes) FROM policies;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute AS a, policies AS p
 WHERE attrelid = (SELECT max(oid) FROM pg_class WHERE relname ~ '^p[0-9]+_cell$') AND attnum > 0 ORDER BY attnum;
SELECT pg_temp.fails(format('SELECT alter_policy(%L, %L)', 'p', change)) FROM unnest(ARRAY['[]', '"x"', '{"sources": "x"}', '{"source": "nowhere"}', '{"source": 1}', '{"k": 0}', '{"k": "many"}',
  '{"k": null, "max_link": null, "rules": null}', '{"quasi": []}', '{"quasi": ["gone"]}', '{"person": "gone"}', '{"person": "age"}', '{"label": "gone"}', '{"publish_as": "policy_alter.visit"}', '{"options": {"x": 1}}', '{"taxonomies": {"job": "gone"}}']) AS change;
SELECT parameters, version, jsonb_array_length(changes) FROM policies;
SELECT alter_policy('p', '{"previous": null}');
SELECT version FROM publish('p');

-- Afterwards.
SELECT change, pg_temp.fails(format('SELECT alter_policy(%L, %L)', 'p', change)) FROM unnest(ARRAY[
  '{"k": 3}', '{"k": null}', '{"max_link": 0.7}', '{"max_link": null}', '{"rules": []}', '{"rules": null}',
  '{"rules": [{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": ["HIV"], "max": 0.95}]}',
  '{"rules": [{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": ["flu"], "max": 0.9}]}',
  '{"quasi": ["age"]}', '{"quasi": ["job", "age"]}', '{"sensitive": []}', '{"publish_as_is": ["city"]}', '{"publish_as": "policy_alter.third"}', '{"person": null}', '{"population": "others"}', '{"population": null}',
  '{"previous": []}', '{"options": {"unguarded": ["p"]}}', '{"options": {"not_common": ["job"]}}', '{"options": {"overlap": false}}', '{"options": {"overlap": null}}', '{"options": {"allow_unique": ["city"]}}', '{"options": {"dangling": "outer"}}',
  '{"taxonomies": {"job": "alter_job", "age": "alter_job"}}']) AS change;
SELECT alter_policy('p', '{"k": 6}');
SELECT alter_policy('p', '{"max_link": 0.55, "objective": "discernibility"}');
SELECT alter_policy('p', '{"rules": [{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": ["HIV"], "max": 0.8}, {"kind": "anonymity", "x": ["job"], "y": ["person"], "min": 10}]}');
SELECT alter_policy('p', '{"source": "policy_alter.visit2"}');
SELECT parameters, source, version, jsonb_path_query_array(changes, '$[*].after_version') FROM policies;
-- A new demand on unchanged content is a new release.
SELECT version FROM publish('p');
SELECT version FROM publish('p');
SELECT check_name, required, observed, ok FROM audit('p', everything => true) WHERE scope LIKE 'p/2%' ORDER BY scope COLLATE "C";

-- A list of earlier releases that shrinks forgets some.
CREATE TABLE old AS SELECT job, age, disease FROM visit;
SELECT register_release('old', 'old', 'elsewhere', '{"job": {"taxonomy": "alter_job"}, "disease": {}}');
SELECT alter_policy('p', '{"previous": ["old"], "rules": [{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": ["HIV"], "max": 0.8}, {"kind": "anonymity", "x": ["job"], "y": ["person"], "min": 10},
  {"kind": "linkability", "x": ["job", {"release": "old", "column": "job"}], "y": [{"release": "old", "column": "disease"}], "max": 0.9}]}');
SELECT version FROM publish('p');
SELECT pg_temp.fails($$SELECT alter_policy('p', '{"previous": null}')$$);
SELECT pg_temp.fails($$SELECT alter_policy('p', '{"previous": []}')$$);

SELECT drop_policy('p');
SET client_min_messages = warning;
DROP SCHEMA policy_alter CASCADE;
