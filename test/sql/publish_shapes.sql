-- A column of the source gets another type after a policy was declared: every function that reads the source says which one.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_shapes;
SET search_path = publish_shapes, anon_seq;
SET client_min_messages = error;
CREATE TABLE ward AS SELECT i AS id, 20 + i % 50 AS age, (20430 + i % 12)::text AS zip, i % 7 / 2.0::float8 AS dose, 's' || i % 3 AS stay, timestamptz '2024-01-01 00:00+00' AS stamp,
  CASE WHEN i % 60 = 7 THEN 'HIV' ELSE (ARRAY['flu', 'gout', 'acne'])[1 + i % 3] END AS ill FROM generate_series(1, 600) AS i;
SELECT create_prefix_taxonomy('ss zip', '{4,3}');
SELECT create_sequential_policy('ss cut', 'ward', 'id', '{age}', k => 4, label => 'stay', objective => 'entropy', population => 'ss a');
SELECT create_sequential_policy('ss boxes', 'ward', 'id', '{age,dose}', k => 4, sensitive => '{ill}', max_link => 0.9, population => 'ss b', options => '{"recoding": "local"}');
SELECT create_incremental_policy('ss on', 'ward', 'id', '{age,zip,dose}', 4, taxonomies => '{"zip": "ss zip"}', population => 'ss c', options => '{"changed_since": "stamp"}');
SELECT create_incremental_policy('ss pair', 'ward', '{stay,id}', '{age}', 4, population => 'ss d');
SELECT create_lossy_join_policy('ss table', 'ward', 'id', '{age}', '{ill}', 0.5, 4, 'generalized', population => 'ss e');
SELECT create_serial_policy('ss next', 'ward', 'id', '{age}', '{ill}', '{HIV}', l => 3, form => 'generalized', population => 'ss f');
SELECT create_serial_policy('ss life', 'ward', 'id', '{age}', '{ill}', '{HIV}', l => 3, form => 'projections', persistence => 'permanent', population => 'ss g');
CREATE FUNCTION policies() RETURNS SETOF text LANGUAGE sql AS $$ SELECT name FROM anon_seq.policies WHERE name LIKE 'ss %' ORDER BY name $$;
SELECT p, (publish(p)).version FROM policies() AS p;

-- What each call says while a column has another type; what is said is undone, and so is the change.
CREATE FUNCTION changed(what text, calls text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE said text[];
BEGIN
  BEGIN
    EXECUTE what;
    said := ARRAY(SELECT format('%s: %s', c, f) FROM unnest(calls) AS c, pg_temp.fails('SELECT ' || c) WITH ORDINALITY AS f (f, i) WHERE i = 1);
    RAISE SQLSTATE 'UNDO1';
  EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
  END;
  RETURN QUERY SELECT unnest(said);
END $$;
-- Server processes died of these two.
SELECT changed('ALTER TABLE ward ALTER age TYPE text', ARRAY['forecast(''ss next'', 2)', 'audit_minimality(''ss boxes'', 5)', 'audit_minimality(''ss table'', 5)']);
SELECT changed(format('ALTER TABLE ward ALTER age TYPE %s', t), ARRAY['forecast(''ss next'', 2)', 'audit_minimality(''ss table'', 5)']) FROM unnest('{boolean USING age > 30,uuid USING NULL,date USING NULL,jsonb USING to_jsonb(age)}'::text[]) AS t;
SELECT changed('ALTER TABLE ward ALTER age TYPE text', ARRAY(SELECT format('publish(%L)', p) FROM policies() AS p));
-- The same values under another type, of which what is published has the same: labels, ranges of numbers.
SELECT changed('ALTER TABLE ward ALTER zip TYPE numeric USING zip::numeric', '{publish(''ss on'')}');
SELECT changed('ALTER TABLE ward ALTER dose TYPE numeric', '{publish(''ss on''),publish(''ss boxes'')}');
SELECT changed('ALTER TABLE ward ALTER dose TYPE real', '{publish(''ss on'')}');
-- What is read beside them: a label, what tells what has changed, a part of a person's key.
SELECT changed('ALTER TABLE ward ALTER stay TYPE int USING 1', '{publish(''ss cut''),publish(''ss pair'')}');
SELECT changed('ALTER TABLE ward ALTER stamp TYPE text', '{publish(''ss on'')}');
SELECT changed('ALTER TABLE ward ALTER id TYPE text', ARRAY(SELECT format('publish(%L)', p) FROM policies() AS p));
-- Neither is it a change that alter_policy, or a variant of a preview, takes.
SELECT changed('CREATE VIEW words AS SELECT id, age, zip, dose::numeric AS dose, stay, stamp, ill FROM ward', ARRAY[$q$alter_policy('ss on', '{"source": "publish_shapes.words"}')$q$, $q$alter_policy('ss cut', '{"source": "publish_shapes.words"}')$q$]);
SELECT changed('ALTER TABLE ward ALTER id TYPE text', ARRAY[$q$alter_policy('ss on', '{"k": 5}')$q$]);
CREATE TABLE ward_before AS TABLE ward;
ALTER TABLE ward ALTER id TYPE text, ALTER dose TYPE numeric;
SELECT p, v.feasible, v.reason FROM policies() AS p, preview(p, ARRAY['{}', '{"options": {"window": null}}']::jsonb[]) AS v WHERE p IN ('ss on', 'ss boxes');
DROP TABLE ward;
ALTER TABLE ward_before RENAME TO ward;
-- Types that share all values: whole numbers of any width, texts with or without a limit.
ALTER TABLE ward ALTER age TYPE smallint, ALTER zip TYPE varchar(20);
SELECT (publish('ss on')).version;
ALTER TABLE ward ALTER age TYPE int, ALTER zip TYPE text;
-- Before the first release a policy is declared anew by any change.
SELECT create_incremental_policy('ss new', 'ward', 'id', '{age,dose}', 4, population => 'ss h');
ALTER TABLE ward ALTER dose TYPE numeric, ALTER id TYPE text;
SELECT pg_temp.fails($$SELECT publish('ss new')$$);
SELECT feasible, reason FROM preview('ss new', ARRAY['{"k": 5}']::jsonb[]);
SELECT alter_policy('ss new', '{"k": 5}');
SELECT (publish('ss new')).version;
-- A row of the catalog without the types is damaged.
SELECT id AS new_id FROM anon_seq.policy WHERE name = 'ss new' \gset
UPDATE anon_seq.policy SET source_types = source_types - 'dose' WHERE id = :new_id;
SELECT pg_temp.fails($$SELECT publish('ss new')$$);
UPDATE anon_seq.policy SET source_types = '{"age": 3}' WHERE id = :new_id;
SELECT pg_temp.fails($$SELECT publish('ss new')$$);
UPDATE anon_seq.policy SET source_types = '{"age": "integer", "dose": "numeric", "id": "text"}' WHERE id = :new_id;
SELECT (publish('ss new')).version;
DROP SCHEMA publish_shapes CASCADE;
