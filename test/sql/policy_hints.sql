-- What is said when a policy is declared rather than when it is published, and what may be taken away again.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_seq_hint;
SELECT anon_seq.grant_publish('regress_seq_hint');
CREATE SCHEMA policy_hints AUTHORIZATION regress_seq_hint;
CREATE SCHEMA "the releases";
SET ROLE regress_seq_hint;
SET search_path = policy_hints, anon_seq;
\set VERBOSITY default
-- Everybody of 41 to 44 has it: a release that is to predict it shows where.
CREATE TABLE visit (id int PRIMARY KEY, years int, birth date, weight numeric, ill text, income int, city text, ward text, "day" date);
INSERT INTO visit SELECT i, 20 + (i - 1) / 4, date '2024-01-01' - 365 * (20 + (i - 1) / 4), 50 + i % 30, CASE WHEN 20 + (i - 1) / 4 BETWEEN 41 AND 44 THEN 'HIV' ELSE 'no' END, 1000 + 7 * i, 'here', 'w', '2024-01-01' FROM generate_series(1, 200) AS i;

-- A label that nobody may know.
SELECT create_sequential_policy('hint label', 'visit', 'id', '{years}', k => 16, label => 'ill');
SELECT pg_temp.fails($$SELECT alter_policy('hint label', '{"max_link": 0.5}')$$);
SELECT reason FROM preview('hint label', ARRAY['{"max_link": 0.5}']::jsonb[]);
SELECT pg_temp.fails($$SELECT create_sequential_policy('hint label2', 'visit', 'id', '{years}', max_link => 0.5, label => 'ill')$$);
-- Known to all, or bounded: no warning.
SELECT alter_policy('hint label', '{"max_link": 0.95, "sensitive": ["ill"]}');
SELECT version FROM publish('hint label');
SELECT scope, observed, ok FROM audit('hint label', everything => true) WHERE check_name = 'linkability';
SELECT create_sequential_policy('hint label3', 'visit', 'id', '{years}', k => 16, label => 'ill', publish_as_is => '{ill}', population => 'hints 3');
SELECT drop_policy('hint label3');

-- A sensitive column that is nearly unique names persons as any other does.
SELECT create_sequential_policy('hint income', 'visit', 'id', '{years}', k => 16, max_link => 0.5, sensitive => '{income}', population => 'hints 4');
SELECT pg_temp.fails($$SELECT publish('hint income')$$);
SELECT alter_policy('hint income', '{"options": {"allow_unique": ["income"]}}');
SELECT version FROM publish('hint income');
SELECT create_incremental_policy('hint income 2', 'visit', 'id', '{years}', k => 16, sensitive => '{income}', population => 'hints 5');
SELECT pg_temp.fails($$SELECT publish('hint income 2')$$);

-- NULL takes a parameter away.
SELECT create_sequential_policy('hint nulls', 'visit', 'id', '{years}', k => 5, max_link => 0.5, rules => '[]', label => 'years', objective => 'distortion', previous => '{}', sensitive => '{ill}',
  publish_as_is => '{city}', publish_as => 'policy_hints.elsewhere', population => 'hints 6', options => '{"valid_split": true, "overlap": true}');
SELECT alter_policy('hint nulls', '{"max_link": null, "rules": null, "label": null, "objective": null, "previous": null, "sensitive": null, "publish_as_is": null, "taxonomies": null, "publish_as": null, "population": null, "options": null, "person": null}');
SELECT person, sensitive, publish_as_is, publish_as, population, parameters, options FROM policies WHERE name = 'hint nulls';
SELECT pg_temp.fails(format($$SELECT alter_policy('hint nulls', %L)$$, c)) FROM unnest(ARRAY['{"quasi": null}', '{"source": null}', '{"k": null}', '{"sensitive": [null]}', '{"keep": 3}']) AS c;
SELECT alter_policy('hint income 2', '{"sensitive": null}');
SELECT sensitive FROM policies WHERE name = 'hint income 2';
SELECT pg_temp.fails($$SELECT alter_policy('hint income 2', '{"max_link": 0.5}')$$);
SELECT reason FROM preview('hint income 2', ARRAY['{"max_link": 0.5}', '{"options": {"pruning": "paper"}}']::jsonb[]);

-- A taxonomy of a column that needs none is used where it is named.
SELECT create_range_taxonomy('years', 0, 100, '{10,20}');
SELECT create_date_taxonomy('birth', '{year,decade}');
SELECT create_sequential_policy('hint ranges', 'visit', 'id', '{years,birth,weight}', k => 5, population => 'hints 7');
SELECT alter_policy('hint ranges', '{"k": 6}');
SELECT alter_policy('hint ranges', '{"quasi": ["years", "weight"]}');
SELECT alter_policy('hint ranges', '{"taxonomies": {"years": "years"}}');
SELECT c->>'column', c->>'type' FROM policies, jsonb_array_elements(columns) AS c WHERE name = 'hint ranges';

-- Bounds of domains are read when they are declared.
-- PostgreSQL 18 writes "DateStyle".
SELECT domains, replace(pg_temp.fails(format($$SELECT create_sequential_policy('hint domains', 'visit', 'id', '{years,birth,weight}', k => 5, population => 'hints 8', options => '{"domains": %s}')$$, domains)), 'DateStyle', 'datestyle')
  FROM unnest(ARRAY['{"years": [0.0, 120]}', '{"years": ["0", "1e2"]}', '{"years": [0, 120.5]}', '{"years": [120, 0]}', '{"years": ["a", "b"]}', '{"years": [0, 3000000000]}', '{"birth": ["2024-13-45", "2030-01-01"]}',
    '{"birth": ["yesterday", "tomorrow"]}', '{"weight": [0, "heavy"]}', '{"ill": [0, 1]}']) AS domains;
SELECT pg_temp.fails($$SELECT create_incremental_policy('hint domains', 'visit', 'id', '{years}', k => 5, population => 'hints 8', options => '{"domains": {"years": [0.0, 120]}}')$$);
SELECT create_sequential_policy('hint domains', 'visit', 'id', '{years,birth,weight}', k => 5, population => 'hints 8', options => '{"domains": {"years": ["0", 120], "birth": ["1900-01-01", "2030-01-01"], "weight": [0.50, 2e2]}}');
SELECT version FROM publish('hint domains');

-- One notice for all columns that say nothing.
CREATE VIEW same AS SELECT id, years, 1 AS one, 2 AS two, date '2024-01-01' AS three FROM visit;
SELECT create_sequential_policy('hint constant', 'same', 'id', '{years,one,two,three}', k => 5, population => 'hints 9');
SELECT version FROM publish('hint constant');

-- Names that are taken, and by what.
SELECT pg_temp.fails($$SELECT create_sequential_policy('hint constant', 'visit', 'id', '{years}', k => 5)$$);
SELECT drop_policy('hint constant');
SELECT pg_temp.fails($$SELECT create_sequential_policy('hint constant', 'visit', 'id', '{years}', k => 5)$$);
SELECT pg_temp.fails($$SELECT create_sequential_policy('hint twice', 'visit', 'id', '{years,years}', k => 5)$$);

-- Releases need USAGE of their schema besides CREATE, when declared and ever after.
RESET ROLE;
GRANT CREATE ON SCHEMA "the releases" TO regress_seq_hint;
SET ROLE regress_seq_hint;
SELECT pg_temp.fails($$SELECT create_sequential_policy('hint placed', 'visit', 'id', '{years}', k => 5, population => 'hints 10', publish_as => '"the releases".placed')$$);
RESET ROLE;
GRANT USAGE, CREATE ON SCHEMA "the releases" TO regress_seq_hint;
SET ROLE regress_seq_hint;
SELECT create_sequential_policy('hint placed', 'visit', 'id', '{years}', k => 5, population => 'hints 10', publish_as => '"the releases".placed');
RESET ROLE;
REVOKE USAGE ON SCHEMA "the releases" FROM regress_seq_hint;
SET ROLE regress_seq_hint;
SELECT pg_temp.fails($$SELECT publish('hint placed')$$);

SET client_min_messages = warning;
SELECT drop_policy(name) FROM policies ORDER BY name \g /dev/null
SELECT drop_taxonomy('birth');
SELECT drop_taxonomy('years');
RESET ROLE;
SELECT revoke_publish('regress_seq_hint');
DROP SCHEMA policy_hints, "the releases" CASCADE;
DROP OWNED BY regress_seq_hint;
DROP ROLE regress_seq_hint;
