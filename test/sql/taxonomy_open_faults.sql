-- Bad rules of open taxonomies, and values that do not fit a good one.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

SELECT pg_temp.fails(format('SELECT anon_seq.create_range_taxonomy(''bad'', %L, %L, %L)', lower, upper, widths))
  FROM (VALUES (1, '0', '100', '{5,12}'), (2, '0', '100', '{10,5}'), (3, '0', '100', '{5,5}'), (4, '0', '100', '{0.3,1}'), (5, '5', '5', '{1}'), (6, '9', '5', '{1}'),
               (7, '0', '100', '{}'), (8, '0', '100', '{0}'), (9, '0', '100', '{-5}'), (10, 'NaN', '100', '{5}'), (11, '0', 'Infinity', '{5}'),
               (12, '0', '100', '{NaN}'), (13, '0', '100', '{1e-16}'), (14, '0', '1e30', '{1}'), (15, '-9e18', '9e18', '{1}')) AS v (i, lower, upper, widths) ORDER BY i;
SELECT pg_temp.fails(format('SELECT anon_seq.create_prefix_taxonomy(''bad'', %L)', lengths)) FROM unnest(ARRAY['{}', '{0}', '{-1}', '{1001}', '{3,4}', '{3,3}']) AS lengths;
SELECT pg_temp.fails(format('SELECT anon_seq.create_date_taxonomy(''bad'', %L)', units)) FROM unnest(ARRAY['{}', '{week}', '{Month}', '{year,month}', '{day,day}', '{""}']) AS units;
SELECT count(*) FROM anon_seq.taxonomy;

SELECT anon_seq.create_range_taxonomy('age', 0, 100, '{5}');
SELECT anon_seq.create_prefix_taxonomy('zip', '{3}');
SELECT anon_seq.create_date_taxonomy('born', '{year}');
-- The value is not shown: it may come from a source.
SELECT pg_temp.fails(format('SELECT anon_seq.generalize(%L, %L, 1)', taxonomy, value))
  FROM (VALUES (1, 'age', '100'), (2, 'age', '-0.0001'), (3, 'age', 'NaN'), (4, 'age', 'abc'), (5, 'age', ''), (6, 'age', '[5,11)'),
               (7, 'zip', ''), (8, 'born', '2023-02-29'), (9, 'born', '15.03.2024'), (10, 'born', '')) AS v (i, taxonomy, value) ORDER BY i;
SELECT pg_temp.fails($$SELECT anon_seq.add_to_taxonomy('age', '[0,100)', '7')$$);

-- The number of intervals may be anything, so listing them can be cancelled.
SELECT anon_seq.create_range_taxonomy('many', 0, 9000000000000000000, '{1}');
SELECT anon_seq.generalize('many', '8999999999999999999', 1);
SET statement_timeout = 50;
SELECT count(*) FROM anon_seq.taxonomy_tree('many');
RESET statement_timeout;

SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
