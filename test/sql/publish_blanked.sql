-- "suppress": "cells": whoever may not be shown is published without quasi values, if they are a class of their own.
\set VERBOSITY terse
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA publish_blanked;
SET search_path = publish_blanked, anon_seq;
SET client_min_messages = warning;
CREATE TABLE people (id int, job text, age int, disease text);
INSERT INTO people SELECT i, (ARRAY['nurse', 'doctor', 'clerk'])[i % 3 + 1], 20 + i % 50, (ARRAY['flu', 'cold', 'cough', 'pox'])[i / 3 % 4 + 1] FROM generate_series(1, 300) AS i;
INSERT INTO people SELECT 300 + i, 'astronaut', CASE i WHEN 1 THEN NULL ELSE 16 + 4 * i END, (ARRAY['flu', 'cold', 'cough'])[i % 3 + 1] FROM generate_series(1, 12) AS i;
SELECT create_flat_taxonomy('blanked job', '{nurse,doctor,clerk,astronaut}');

-- The same cut and the same classes as with "rows", and one more.
SELECT create_sequential_policy('blank rows', 'people', 'id', '{job,age}', 10, taxonomies => '{"job": "blanked job"}', population => 'blank 1', publish_as => 'rows_out', max_suppressed => 0.05);
SELECT create_sequential_policy('blank', 'people', 'id', '{job,age}', 10, sensitive => '{disease}', max_link => 0.5, taxonomies => '{"job": "blanked job"}', population => 'blank 2', publish_as => 'cells_out', max_suppressed => 0.05, options => '{"suppress": "cells"}');
SELECT variant, feasible, published, withheld, classes, (measures->>'blanked')::numeric(6, 4), (measures->>'suppression')::numeric(6, 4) FROM preview('blank', ARRAY['{}', '{"options": {"suppress": "rows"}}', '{"max_suppressed": 0.02}']::jsonb[]);
SELECT published, withheld, classes, smallest_class FROM publish('blank rows');
SELECT published, withheld, classes, smallest_class FROM publish('blank');
SELECT job, age, disease, count(*) FROM cells_out WHERE job = 'ANY' OR age = '(,)' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT job, age_from, age_to, sum(n) FROM cells_out_flat WHERE job = 'ANY' GROUP BY 1, 2, 3;
SELECT count(*) FROM (SELECT job, age, count(*) FROM cells_out WHERE job <> 'ANY' GROUP BY 1, 2 EXCEPT SELECT job, age, count(*) FROM rows_out GROUP BY 1, 2) AS d;
SELECT count(*) FROM (SELECT job, age, count(*) FROM rows_out GROUP BY 1, 2 EXCEPT SELECT job, age, count(*) FROM cells_out GROUP BY 1, 2) AS d;
SELECT check_name, required, observed, ok, detail FROM audit('blank') WHERE check_name IN ('suppressed', 'blanked', 'anonymity') ORDER BY check_name COLLATE "C";
SELECT bool_and(ok) FROM audit('blank');
SELECT metric, round(value::numeric, 6), meaning FROM measure('blank/1') WHERE metric IN ('blanked', 'suppression', 'distortion_categorical');
SELECT metric, round(value::numeric, 6) FROM measure('blank rows/1') WHERE metric IN ('blanked', 'suppression');
-- What they lost: everything.
SELECT round(abs(b.value::numeric - (r.value::numeric * 300 + 12) / 312), 9) FROM measure('blank/1') AS b, measure('blank rows/1') AS r WHERE b.metric = 'ncp' AND r.metric = 'ncp';
SELECT round(b.value::numeric - r.value::numeric) = 12 * 12 - 12 * 312 FROM measure('blank/1') AS b, measure('blank rows/1') AS r WHERE b.metric = 'discernibility' AND r.metric = 'discernibility';
SELECT count(*) FROM (SELECT attribute, value FROM cut('blank') EXCEPT SELECT attribute, value FROM cut('blank rows')) AS d;
SELECT version, withheld, classes FROM releases WHERE policy = 'blank';
SELECT obj_description('cells_out'::regclass);
-- The same source is the same release.
SELECT version FROM publish('blank');
-- Who is one of them is forgotten like everybody.
SELECT forget('blank 2', '305');
SELECT bool_and(ok) FROM audit('blank');
SELECT count(*) FROM cells_out;

-- Fewer than k: left out, which is told.
DELETE FROM people WHERE id > 309;
SELECT create_sequential_policy('blank few', 'people', 'id', '{job,age}', 10, taxonomies => '{"job": "blanked job"}', population => 'blank 3', publish_as => 'few_out', max_suppressed => 0.05, options => '{"suppress": "cells"}');
SET client_min_messages = notice;
SELECT published, withheld FROM publish('blank few');
SET client_min_messages = warning;
SELECT required, observed, ok FROM audit('blank few') WHERE check_name IN ('suppressed', 'blanked') ORDER BY check_name COLLATE "C";
SELECT metric, value FROM measure('blank few/1') WHERE metric = 'blanked';

-- A rule about sensitive values that they break: an error, and a statement that works.
INSERT INTO people SELECT 400 + i, 'astronaut', 18 + 5 * i, 'pox' FROM generate_series(1, 9) AS i;
SELECT create_sequential_policy('blank pox', 'people', 'id', '{job,age}', 10, sensitive => '{disease}', max_link => 0.49, taxonomies => '{"job": "blanked job"}', population => 'blank 4', publish_as => 'pox_out', max_suppressed => 0.1, options => '{"suppress": "cells"}');
\set VERBOSITY default
SELECT published FROM publish('blank pox');
\set VERBOSITY terse
SELECT feasible, reason FROM preview('blank pox');
SELECT anon_seq.alter_policy('blank pox', '{"options": {"suppress": "rows"}}');
SELECT published, withheld FROM publish('blank pox');
SELECT alter_policy('blank pox', '{"options": {"suppress": "cells"}}');

-- Where the other rules leave nothing to see of anybody, they could not be told from the others.
SELECT create_flat_taxonomy('blanked rare', ARRAY['nurse', 'doctor', 'clerk'] || ARRAY(SELECT 'rare ' || i FROM generate_series(1, 12) AS i));
CREATE TABLE sick AS SELECT i AS id, CASE WHEN i > 120 THEN 'rare ' || i - 120 ELSE (ARRAY['nurse', 'doctor', 'clerk'])[i % 3 + 1] END AS job, CASE WHEN i <= 120 AND i % 3 = 0 THEN 'HIV' ELSE 'flu' END AS disease FROM generate_series(1, 132) AS i;
SELECT create_sequential_policy('blank all', 'sick', 'id', '{job}', 10, sensitive => '{disease}', rules => '[{"kind": "linkability", "x": ["job"], "y": ["disease"], "values": ["HIV"], "max": 0.5}]', taxonomies => '{"job": "blanked rare"}', population => 'blank 5', publish_as => 'all_out', max_suppressed => 0.1, options => '{"suppress": "cells"}');
SET client_min_messages = notice;
SELECT published, withheld, classes FROM publish('blank all');
SET client_min_messages = warning;
SELECT job, count(*) FROM all_out GROUP BY 1;
SELECT required, observed, ok FROM audit('blank all') WHERE check_name IN ('suppressed', 'blanked') ORDER BY check_name COLLATE "C";

-- Persons of several rows: all of their rows; where every row is another person.
CREATE TABLE visits AS SELECT id, job, age FROM people WHERE disease <> 'pox' OR id < 300 UNION ALL SELECT 300 + i, 'nurse', 20 + i FROM generate_series(1, 12) AS i UNION ALL SELECT 300 + i, 'astronaut', 20 + i FROM generate_series(1, 12) AS i;
SELECT create_sequential_policy('blank visits', 'visits', 'id', '{job,age}', 10, taxonomies => '{"job": "blanked job"}', population => 'blank 6', publish_as => 'visits_out', max_suppressed => 0.1, options => '{"suppress": "cells"}');
SELECT published = (SELECT count(*) FROM visits), withheld FROM publish('blank visits');
SELECT check_name, observed, ok, detail FROM audit('blank visits') WHERE check_name IN ('suppressed', 'blanked') ORDER BY check_name COLLATE "C";
SELECT bool_and(ok) FROM audit('blank visits');
SELECT count(*) = (SELECT (detail->>'rows')::int FROM audit('blank visits') WHERE check_name = 'blanked') FROM visits_out WHERE job = 'ANY' AND age = '(,)';
SELECT create_sequential_policy('blank nobody', 'people', NULL, '{job,age}', 10, taxonomies => '{"job": "blanked job"}', population => 'blank 7', publish_as => 'nobody_out', max_suppressed => 0.1, options => '{"suppress": "cells"}');
SELECT published, withheld FROM publish('blank nobody');
SELECT bool_and(ok) FROM audit('blank nobody');
-- A column without any other value, a declared domain, a taxonomy that is open: nothing is mistaken.
CREATE TABLE odd AS SELECT i AS id, CASE WHEN i > 100 THEN i / 2 ELSE i % 20 END AS age, NULL::date AS day, CASE WHEN i > 100 THEN i * 97 % 9000 ELSE 10000 + i % 2 END::text AS zip FROM generate_series(1, 110) AS i;
SELECT create_prefix_taxonomy('blanked zip', '{5,3}');
UPDATE odd SET zip = lpad(zip, 5, '0');
SELECT create_sequential_policy('blank odd', 'odd', 'id', '{age,day,zip}', 10, taxonomies => '{"zip": "blanked zip"}', population => 'blank 8', publish_as => 'odd_out', max_suppressed => 0.1, options => '{"suppress": "cells", "domains": {"age": [0, 120]}}');
SELECT published, withheld FROM publish('blank odd');
SELECT age, day, zip, count(*) FROM odd_out GROUP BY age, day, zip ORDER BY 4, zip COLLATE "C", age LIMIT 3;
SELECT bool_and(ok) FROM audit('blank odd');

-- Decisions that a reader of the code could make himself.
CREATE TABLE told AS SELECT i AS id, CASE WHEN i > 240 THEN 'astronaut' WHEN i % 2 = 0 THEN 'nurse' ELSE 'clerk' END AS job, 20 + i % 40 AS age, CASE i % 10 WHEN 0 THEN 'HIV' WHEN 5 THEN 'flu' ELSE 'none' END AS disease FROM generate_series(1, 252) AS i;
SELECT create_sequential_policy('blank told', 'told', 'id', '{job,age}', 10, sensitive => '{disease}', rules => '[{"kind": "linkability", "x": ["job", "age"], "y": ["disease"], "values": ["HIV"], "max": 0.5}]', taxonomies => '{"job": "blanked job"}', population => 'blank 9', publish_as => 'told_out', max_suppressed => 0.05, options => '{"suppress": "cells", "decisions": "simulatable"}');
SELECT published, withheld, classes > 3 FROM publish('blank told');
SELECT count(*) FROM told_out WHERE job = 'ANY' AND age = '(,)';
SELECT check_name, ok FROM audit('blank told') WHERE check_name IN ('reader', 'blanked') ORDER BY 1;
SELECT tried = accepted, worst_posterior <= bound FROM audit_minimality('blank told', 60);

-- Joins. Persons are counted however many they match: the next version can have such persons, too.
SELECT alter_policy('blank few', '{"rules": [{"kind": "anonymity", "x": ["job", "age", {"release": "blank few", "column": "job"}, {"release": "blank few", "column": "age"}], "y": ["id"], "min": 10, "partial_x": true}]}');
INSERT INTO people VALUES (501, 'astronaut', 71, 'flu'), (502, 'astronaut', 72, 'flu'), (503, 'astronaut', 73, 'flu');
SELECT version, published, withheld FROM publish('blank few');
INSERT INTO people VALUES (504, 'nurse', 71, 'flu'), (505, 'astronaut', 15, 'flu'), (506, 'astronaut', 14, 'cold');
SELECT version, published, withheld FROM publish('blank few');
SELECT scope, check_name, observed, ok FROM audit('blank few', everything => true) WHERE check_name IN ('anonymity', 'blanked', 'dangling') OR NOT ok ORDER BY scope COLLATE "C", check_name COLLATE "C", observed COLLATE "C";
-- Of what others show of them nobody can promise anything: they match everybody. The next version leaves them out, and counts those of the one before with all that
-- they match, and without them.
\set VERBOSITY default
SELECT version FROM publish('blank');
\set VERBOSITY terse
SELECT anon_seq.alter_policy('blank', '{"options": {"suppress": "rows"}}');
SELECT version, withheld FROM publish('blank');
SELECT scope, observed, ok FROM audit('blank') WHERE check_name IN ('linkability', 'dangling') ORDER BY scope COLLATE "C", observed COLLATE "C";
SELECT bool_and(ok) FROM audit('blank');
SELECT alter_policy('blank', '{"options": {"suppress": "cells"}}');
-- Of the nurses 20 of 24 had HIV; twelve who are no nurses, but match them, would make that 20 of 36.
CREATE TABLE thin AS SELECT i AS id, CASE WHEN i > 48 THEN 'rare ' || i - 48 WHEN i % 2 = 0 THEN 'nurse' ELSE 'clerk' END AS job, CASE WHEN i <= 40 AND i % 2 = 0 THEN 'HIV' ELSE 'flu' END AS illness, i % 3 AS ward FROM generate_series(1, 60) AS i;
SELECT create_sequential_policy('blank thin', 'thin', 'id', '{job}', 10, publish_as_is => '{illness}', taxonomies => '{"job": "blanked rare"}', population => 'blank 11', publish_as => 'thin_out', max_suppressed => 0.2, options => '{"suppress": "cells"}');
SELECT published, withheld, classes FROM publish('blank thin');
SELECT create_sequential_policy('blank thin 2', 'thin', 'id', '{job}', 10, publish_as_is => '{ward}', rules => '[{"kind": "linkability", "x": ["job"], "y": [{"release": "blank thin", "column": "illness"}], "values": ["HIV"], "max": 0.6, "partial_x": true}]', taxonomies => '{"job": "blanked rare"}', population => 'blank 11', publish_as => 'thin_2_out', max_suppressed => 0.2);
SELECT published, withheld, classes FROM publish('blank thin 2');
SELECT job, count(*) FROM thin_2_out GROUP BY 1;
SELECT scope, observed, ok FROM audit('blank thin 2') WHERE check_name = 'linkability' ORDER BY scope COLLATE "C";
-- By more than x holds: one of them may match some rows of an x and not others.
SELECT create_sequential_policy('blank thin 3', 'thin', 'id', '{job}', 10, publish_as_is => '{ward}', rules => '[{"kind": "linkability", "x": ["ward"], "y": [{"release": "blank thin", "column": "illness"}], "values": ["HIV"], "max": 0.9, "partial_x": true}]', taxonomies => '{"job": "blanked rare"}', population => 'blank 11', publish_as => 'thin_3_out', options => '{"unguarded": ["blank thin 2"], "dangling": "outer"}');
\set VERBOSITY default
SELECT version FROM publish('blank thin 3');
\set VERBOSITY terse
SELECT anon_seq.alter_policy('blank thin 3', '{"options": {"unguarded": ["blank thin 2", "blank thin"]}, "rules": null, "k": 10}');
SELECT version FROM publish('blank thin 3');
SELECT observed FROM audit('blank thin 3') WHERE NOT ok ORDER BY 1;
-- Where everybody needs a partner, those without these have none.
SELECT create_sequential_policy('blank thin 4', 'thin', 'id', '{job}', 10, rules => '[{"kind": "linkability", "x": ["job"], "y": [{"release": "blank thin", "column": "illness"}], "values": ["HIV"], "max": 0.9, "partial_x": true}]', taxonomies => '{"job": "blanked rare"}', population => 'blank 11', publish_as => 'thin_4_out', options => '{"unguarded": ["blank thin 2", "blank thin 3"]}');
\set VERBOSITY default
SELECT version FROM publish('blank thin 4');
\set VERBOSITY terse
-- What they do not show ties nothing: a release that shows other columns.
CREATE TABLE wards AS SELECT disease AS illness, id % 2 AS ward FROM people;
SELECT register_release('blank wards', 'wards', population => 'blank 10');
SELECT create_sequential_policy('blank beside', 'people', 'id', '{job,age}', 10, sensitive => '{disease}', rules => '[{"kind": "linkability", "x": ["job", "age"], "y": [{"release": "blank wards", "column": "ward"}], "max": 0.9}]', taxonomies => '{"job": "blanked job"}', population => 'blank 10', publish_as => 'beside_out', max_suppressed => 0.1, options => '{"suppress": "cells"}');
SELECT withheld FROM publish('blank beside');
SELECT bool_and(ok), count(*) FROM audit('blank beside');

-- Errors.
SELECT create_sequential_policy('blank x', 'people', 'id', '{age}', 10, population => 'blank x', options => '{"suppress": "cells"}');
SELECT create_sequential_policy('blank x', 'people', 'id', '{age}', 10, population => 'blank x', max_suppressed => 0.1, options => '{"suppress": "values"}');
SELECT create_sequential_policy('blank x', 'people', 'id', '{age}', 10, population => 'blank x', max_suppressed => 0.1, options => '{"suppress": true}');
SELECT create_sequential_policy('blank x', 'people', 'id', '{age}', 10, population => 'blank x', max_suppressed => 0.1, options => '{"suppress": "cells", "dangling": "error"}');
SELECT create_sequential_policy('blank x', 'people', 'id', '{age}', 10, rules => '[{"kind": "k_map", "population": "town", "min": 5}]', population => 'blank x', max_suppressed => 0.1, options => '{"suppress": "cells"}');
SELECT create_sequential_policy('blank x', 'people', 'id', '{age}', 10, population => 'blank x', publish_as => 'x_out', options => '{"suppress": "rows"}');
SELECT alter_policy('blank x', '{"options": {"suppress": "cells"}}');
SELECT alter_policy('blank x', '{"options": {"suppress": "cells"}, "max_suppressed": 0.1}');
SELECT alter_policy('blank x', '{"max_suppressed": null}');
SELECT describe_policy('blank x')->'options'->'suppress';
-- A ledger that was altered.
SELECT 'anon_seq_ledger.p' || id || '_note' AS note FROM policy WHERE name = 'blank visits' \gset
ALTER TABLE :note DISABLE TRIGGER USER;
UPDATE :note SET detail = jsonb_set(detail, '{suppressed,blanked_rows}', '1');
SELECT check_name, required, observed, ok FROM audit('blank visits') WHERE NOT ok;
UPDATE :note SET detail = jsonb_set(detail, '{suppressed,blanked}', '"-1"');
SELECT check_name, required, observed, ok FROM audit('blank visits') WHERE NOT ok ORDER BY 1;
UPDATE :note SET detail = detail - 'suppressed';
SELECT check_name, required, observed, ok FROM audit('blank visits') WHERE NOT ok ORDER BY 1;
