-- Floors and ceilings of detail: how fine a column may be shown at most, and how coarse.
\set VERBOSITY default
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA publish_ceilings;
SET search_path = publish_ceilings, anon_seq;
SET client_min_messages = warning;
CREATE TABLE people AS SELECT i AS id, (ARRAY['oslo', 'bergen', 'voss', 'rome', 'turin', 'siena'])[i % 6 + 1] AS city, 20 + i * 7 % 60 AS age, date '2020-01-01' + i * 11 % 400 AS day, (ARRAY['flu', 'cold', 'pox'])[i % 3 + 1] AS illness FROM generate_series(1, 600) AS i;
SELECT create_taxonomy('ceiling city', '{"Europe": {"Norway": {"West": ["bergen", "voss"], "East": ["oslo"]}, "Italy": {"North": ["turin"], "Centre": ["rome", "siena"]}}}');
CREATE FUNCTION pg_temp.declare(name text, options jsonb, k int DEFAULT 5, source regclass DEFAULT 'people', quasi text[] DEFAULT '{city,age,day}', max_suppressed numeric DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
  SELECT anon_seq.create_sequential_policy(name, source, 'id', quasi, k, taxonomies => '{"city": "ceiling city"}', population => name, publish_as => replace(name, ' ', '_'), options => options, max_suppressed => max_suppressed)
$$;

-- As it is: cities, days and years as far as k allows; then with floors, and with ceilings.
SELECT pg_temp.declare('ceiling none', '{}');
SELECT pg_temp.declare('ceiling fine', '{"finest": {"city": 1, "age": 15, "day": 30}}');
SELECT pg_temp.declare('ceiling coarse', '{"coarsest": {"city": 3, "age": 31, "day": 300}}');
SELECT pg_temp.declare('ceiling both', '{"finest": {"age": 20, "city": 2}, "coarsest": {"age": 20, "city": 2}}');
SELECT published, smallest_class >= 5 FROM publish('ceiling none');
SELECT published, smallest_class >= 5 FROM publish('ceiling fine');
SELECT published, smallest_class >= 5 FROM publish('ceiling coarse');
SELECT published, smallest_class >= 5 FROM publish('ceiling both');
SELECT DISTINCT city FROM ceiling_fine ORDER BY 1;
SELECT DISTINCT city FROM ceiling_coarse ORDER BY 1;
SELECT DISTINCT city, age FROM ceiling_both ORDER BY 1, 2;
-- The floors hold of what is written; an unbounded side counts from the least, or to the greatest, of the source.
CREATE VIEW widths AS
  SELECT 'fine' AS policy, coalesce(upper(age), 80) - coalesce(lower(age), 20) AS years, coalesce(upper(day), '2021-02-04') - coalesce(lower(day), '2020-01-01') AS days FROM ceiling_fine
  UNION ALL SELECT 'coarse', coalesce(upper(age), 80) - coalesce(lower(age), 20), coalesce(upper(day), '2021-02-04') - coalesce(lower(day), '2020-01-01') FROM ceiling_coarse;
SELECT policy, min(years) >= 15, min(days) >= 30 FROM widths WHERE policy = 'fine' GROUP BY 1;
SELECT policy, max(years) <= 31, max(days) <= 300 FROM widths WHERE policy = 'coarse' GROUP BY 1;
SELECT count(*) > 0 FROM anon_seq.trace('ceiling none') WHERE attribute = 'age';
SELECT bool_and(ok) FROM (VALUES ('ceiling none'), ('ceiling fine'), ('ceiling coarse'), ('ceiling both')) AS p (name), LATERAL audit(p.name);
-- They are no promise, and may change between versions.
SELECT alter_policy('ceiling both', '{"options": {"finest": {}, "coarsest": null}, "rules": [{"kind": "anonymity", "x": ["age", {"release": "ceiling both", "column": "age"}], "y": ["id"], "min": 5, "partial_x": true}]}');
UPDATE people SET city = 'siena' WHERE id = 1;
SELECT version, published FROM publish('ceiling both');
SELECT (describe_policy('ceiling both')->'options')->'finest';
-- Too much is asked for: what the hints say is true.
SELECT pg_temp.declare('ceiling high', '{"coarsest": {"city": 3, "age": 2}, "weights": {"age": 2}}', 100);
SELECT publish('ceiling high');
SELECT alter_policy('ceiling high', '{"options": {"coarsest": {"age": 2}}}');
SELECT publish('ceiling high');
SELECT variant, feasible, reason IS NOT NULL FROM preview('ceiling high', ARRAY['{}', '{"options": {"coarsest": {"age": 16}}}', '{"options": {"coarsest": {"city": 3}}}']::jsonb[]);
-- With persons left out the search counts with it.
INSERT INTO people VALUES (601, 'oslo', 119, '2020-03-01', 'flu');
SELECT pg_temp.declare('ceiling alone', '{"coarsest": {"age": 40}}', 20, quasi => '{age,city}');
SELECT publish('ceiling alone');
SELECT pg_temp.declare('ceiling out', '{"coarsest": {"age": 40}}', 20, quasi => '{age,city}', max_suppressed => 0.01);
SELECT published, withheld FROM publish('ceiling out');
SELECT count(DISTINCT age) > 1, bool_and(ok) FROM ceiling_out, audit('ceiling out');
-- A floor of all that there is: nothing is shown.
SELECT pg_temp.declare('ceiling low', '{"finest": {"city": 0, "age": 1000}}', quasi => '{age,city}');
SELECT classes FROM publish('ceiling low');
-- Open taxonomies have levels, too. A column that a ceiling does not leave whole shows NULL as a value of its own.
SELECT create_prefix_taxonomy('ceiling zip', '{3,1}');
CREATE TABLE letters AS SELECT i AS id, CASE WHEN i <= 30 THEN NULL ELSE (10000 + i * 137 % 9000)::text END AS zip, CASE WHEN i > 570 THEN NULL ELSE i % 40 END AS age FROM generate_series(1, 600) AS i;
SELECT create_sequential_policy('ceiling zip', 'letters', 'id', '{zip,age}', 10, taxonomies => '{"zip": "ceiling zip"}', population => 'ceiling zip', publish_as => 'zip_out', options => '{"coarsest": {"zip": 1, "age": 100}, "finest": {"zip": 1}}');
SELECT published FROM publish('ceiling zip');
SELECT DISTINCT zip FROM zip_out ORDER BY 1;
SELECT alter_policy('ceiling zip', '{"options": {"coarsest": {"zip": 2}}}');
-- Beside other rules, and by simulatable decisions.
SELECT create_sequential_policy('ceiling link', 'people', 'id', '{city,age}', 5, max_link => 0.7, sensitive => '{illness}', taxonomies => '{"city": "ceiling city"}', population => 'ceiling link', options => '{"coarsest": {"city": 1}, "finest": {"city": 2, "age": 10}}');
SELECT create_sequential_policy('ceiling known', 'people', 'id', '{city,age}', 5, max_link => 0.7, sensitive => '{illness}', taxonomies => '{"city": "ceiling city"}', population => 'ceiling known', options => '{"coarsest": {"city": 1}, "finest": {"city": 2, "age": 10}, "decisions": "simulatable"}');
SELECT published FROM publish('ceiling link');
SELECT published FROM publish('ceiling known');
SELECT string_agg(DISTINCT city, ' ' ORDER BY city) FROM "ceiling link" UNION ALL SELECT string_agg(DISTINCT city, ' ' ORDER BY city) FROM "ceiling known";
SELECT accepted = runs FROM audit_minimality('ceiling known/1', 20);
-- Errors.
\set VERBOSITY terse
SELECT pg_temp.declare('ceiling x', '{"finest": {"illness": 1}}');
SELECT pg_temp.declare('ceiling x', '{"coarsest": {"nobody": 1}}');
SELECT pg_temp.declare('ceiling x', '{"finest": {"age": -1}}');
SELECT pg_temp.declare('ceiling x', '{"finest": {"age": 0}}');
SELECT pg_temp.declare('ceiling x', '{"coarsest": {"age": 1e16}}');
SELECT pg_temp.declare('ceiling x', '{"finest": {"age": "5"}}');
SELECT pg_temp.declare('ceiling x', '{"finest": ["age"]}');
SELECT pg_temp.declare('ceiling x', '{"finest": {"city": 1.5}}');
SELECT pg_temp.declare('ceiling x', '{"coarsest": {"city": 65}}');
SELECT pg_temp.declare('ceiling x', '{"finest": {"city": 1}, "coarsest": {"city": 2}}');
SELECT pg_temp.declare('ceiling x', '{"finest": {"age": 11}, "coarsest": {"age": 10}}');
-- A variant of preview is checked as a change is.
SELECT feasible, reason FROM preview('ceiling fine', ARRAY['{"options": {"finest": {"city": 1}, "coarsest": {"city": 2}}}', '{"options": {"coarsest": {"age": 0}}}', '{"options": {"coarsest": {"age": 1e-300}}}']::jsonb[]);
