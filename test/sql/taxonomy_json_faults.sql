-- JSON that is no taxonomy: what is wrong, and at which place.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy(''bad'', %L)', tree)) FROM unnest(ARRAY[
  '"ANY"', '[]', '["a", "b"]', '7', 'null', '{}', '{"ANY": {}}', '{"ANY": []}', '{"ANY": "a"}', '{"ANY": null}',
  '{"ANY": {"m": ["a", 7]}}', '{"ANY": {"m": ["a", true]}}', '{"ANY": ["a", ["b"]]}', '{"ANY": ["a", {"m": ["b", ["c"]]}]}',
  '{"ANY": ["a", ""]}', '{"": ["a"]}', '{"r": ["a"], "s": ["b"]}',
  -- duplicate keys and labels
  '{"ANY": {"m": ["a"], "m": ["b"]}}', '{"ANY": {"m": ["a"], "n": ["a"]}}', '{"ANY": ["ANY"]}', '{"ANY": ["a"], "ANY": ["b"]}',
  -- no json at all
  '{"ANY": ["a"', '', '{"ANY": ["\u0000"]}', '{"ANY": ["\ud800"]}']) AS tree;

-- What says "kind" is a rule, or a mistake.
SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy(''bad'', %L)', spec)) FROM unnest(ARRAY[
  '{"kind": "cube"}', '{"kind": 7}', '{"kind": "range"}', '{"kind": "range", "lower": "0", "upper": 9, "widths": [1]}', '{"kind": "range", "lower": 0, "upper": 9, "widths": 1}',
  '{"kind": "range", "lower": 0, "upper": 9, "widths": [1, "2"]}', '{"kind": "range", "lower": 0, "upper": 9, "widths": [2, 5]}', '{"kind": "range", "lower": 9, "upper": 0, "widths": [1]}',
  '{"kind": "range", "lower": 0, "lower": 1, "upper": 9, "widths": [1]}', '{"kind": "range", "lower": 0, "upper": 9, "widths": [1], "root": "ANY"}',
  '{"kind": "prefix", "lengths": [2.5]}', '{"kind": "prefix", "lengths": []}', '{"kind": "date", "units": ["week"]}', '{"lower": 0, "kind": "range"}']) AS spec;

-- Depth: 64 edges, whatever stands in between.
SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy(''bad'', %L)', (SELECT string_agg(format('{"n%s":', i), '' ORDER BY i) || '[]' || repeat('}', 66) FROM generate_series(0, 65) AS i)));
SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy(''bad'', %L)', (SELECT string_agg(format('{"n%s":', i), '' ORDER BY i) || '[]' || repeat('}', 501) FROM generate_series(0, 500) AS i)));
-- Many faults in much json cost no walk through it for each.
SET statement_timeout = '60s';
SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy(''bad'', %L)', '{"ANY": [' || (SELECT string_agg('"a"', ',') FROM generate_series(1, 200000)) || ']}'));
RESET statement_timeout;
-- A long label is shown by its beginning.
SELECT pg_temp.fails(format('SELECT anon_seq.create_taxonomy(''bad'', %L)', json_build_object('ANY', json_build_array(repeat('日本', 1000), repeat('日本', 1000)))));

SELECT count(*) FROM anon_seq.taxonomy;
