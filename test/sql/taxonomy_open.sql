-- Open taxonomies: codes, numbers and dates whose nodes follow from a rule.

SELECT anon_seq.create_prefix_taxonomy('zip', '{4,3}');
SELECT l AS levels, anon_seq.generalize('zip', '20433', l), anon_seq.generalize('zip', '2043*', l) AS from_a_node,
       anon_seq.generalize('zip', 'äöü日本', l) AS umlauts, anon_seq.generalize('zip', '20', l) AS short
  FROM generate_series(0, 3) AS l ORDER BY l;
SELECT * FROM anon_seq.taxonomy_tree('zip');

SELECT anon_seq.create_range_taxonomy('age', 0, 25, '{5,10}');
SELECT v AS value, anon_seq.generalize('age', v, 1), anon_seq.generalize('age', v, 2), anon_seq.generalize('age', v, 3)
  FROM unnest('{0,4.99,5,24.9999999999999999999,"[20,25)"}'::text[]) WITH ORDINALITY AS u (v, i) ORDER BY i;
SELECT repeat('  ', depth) || value AS tree, parent, leaves FROM anon_seq.taxonomy_tree('age');

SELECT anon_seq.create_range_taxonomy('balance', -1.50, 1, '{0.25,0.50}');
SELECT v AS value, anon_seq.generalize('balance', v, 1), anon_seq.generalize('balance', v, 2), anon_seq.generalize('balance', v, 3)
  FROM unnest('{-1.5,-0.01,-0.0,0.2500}'::text[]) WITH ORDINALITY AS u (v, i) ORDER BY i;

SELECT anon_seq.create_date_taxonomy('born', '{month,quarter,year,decade}');
SELECT v AS value, anon_seq.generalize('born', v, 1), anon_seq.generalize('born', v, 2), anon_seq.generalize('born', v, 3),
       anon_seq.generalize('born', v, 4), anon_seq.generalize('born', v, 5)
  FROM unnest('{2024-02-29,1969-12-31 23:59:59.999+00,1999-Q4,2020s,infinity}'::text[]) WITH ORDINALITY AS u (v, i) ORDER BY i;
SELECT * FROM anon_seq.taxonomy_tree('born');

-- NULL stands directly below the root of an open taxonomy as well.
SELECT name, anon_seq.generalize(name, NULL, 0) AS itself, anon_seq.generalize(name, NULL, 1) AS root
  FROM anon_seq.taxonomies ORDER BY name COLLATE "C";

-- The same, written as json: what suggest_taxonomy gives.
SELECT anon_seq.create_taxonomy('age too', '{"kind": "range", "lower": 0, "upper": 25, "widths": [5, 10]}');
SELECT anon_seq.create_taxonomy('zip too', '{"kind": "prefix", "lengths": [4, 3]}');
SELECT anon_seq.create_taxonomy('born too', '{"kind": "date", "units": ["month", "quarter", "year", "decade"]}');
SELECT name, kind, parameters FROM anon_seq.taxonomies ORDER BY name COLLATE "C";
SELECT anon_seq.generalize('age too', '23', 1), anon_seq.generalize('zip too', '20433', 1), anon_seq.generalize('born too', '2024-03-15', 2);

-- Settings of the caller change neither how arguments are read nor what comes out.
SET DateStyle = 'German, DMY';
SET extra_float_digits = -15;
SET IntervalStyle = 'iso_8601';
SELECT anon_seq.generalize('born', '2024-03-15', 1), anon_seq.generalize('balance', '-0.01', 1);
RESET DateStyle;
RESET extra_float_digits;
RESET IntervalStyle;

SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
