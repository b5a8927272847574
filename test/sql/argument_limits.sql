-- Arguments that are too large are refused before anything is made of them, with both numbers; what is large and allowed costs a few times its text.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE FUNCTION selftest_heap_peak() RETURNS bigint LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_heap_peak';
CREATE SCHEMA argument_limits;
SET search_path = argument_limits, anon_seq, public;
SET client_min_messages = warning;
CREATE TABLE t AS SELECT i AS id, 20 + i % 40 AS a, 'x' || i % 3 AS ill FROM generate_series(1, 100) AS i;

-- What is above a value is held once: a long key with many values below it, many values, texts, keys, and levels.
CREATE FUNCTION options(given text) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT pg_temp.fails(format('SELECT audit_join_relations(%L, %L, %L, NULL, %L)', '{t}', '["a"]', '["a"]', given)) $$;
SELECT selftest_heap_peak() >= 0 AS begun;
SELECT options('{"' || repeat('k', 500000) || '": [' || (SELECT string_agg('1', ',') FROM generate_series(1, 1500)) || ']}');
SELECT selftest_heap_peak() BETWEEN 500000 AND 1500000 AS a_few_times_the_text;
SELECT options('{"values": [[' || (SELECT string_agg('1', ',') FROM generate_series(1, 99997)) || ']]}');
SELECT selftest_heap_peak() BETWEEN 1000000 AND 20000000 AS a_few_bytes_a_value;
SELECT options(repeat('{"' || repeat('k', 10000) || '": ', 31) || '{}' || repeat('}', 31));
SELECT selftest_heap_peak() BETWEEN 300000 AND 1000000 AS a_few_times_the_text;

-- More is refused, in every argument of json.
SELECT options('{"' || repeat('k', 1048576) || '": 1}');
SELECT options('[' || (SELECT string_agg('1', ',') FROM generate_series(1, 100000)) || ']');
SELECT options(repeat('[', 33) || repeat(']', 33));
SELECT selftest_heap_peak() < 1000 AS nothing_made;
SELECT create_sequential_policy('limits', 't', 'id', '{a}', 2, publish_as => 'argument_limits.limits');
SELECT call, pg_temp.fails(format(call, repeat('[', 33) || repeat(']', 33))) FROM unnest(ARRAY[
  'SELECT create_sequential_policy(''more'', ''t'', ''id'', ''{a}'', 2, taxonomies => %L)', 'SELECT create_sequential_policy(''more'', ''t'', ''id'', ''{a}'', 2, options => %L)',
  'SELECT create_sequential_policy(''more'', ''t'', ''id'', ''{a}'', rules => %L)', 'SELECT create_incremental_policy(''more'', ''t'', ''id'', ''{a}'', 2, options => %L)',
  'SELECT alter_policy(''limits'', %L)', 'SELECT * FROM preview(''limits'', ARRAY[''{}'', %L]::jsonb[])', 'SELECT register_release(''more'', ''t'', ''limits'', %L)',
  'SELECT audit_join(''{limits}'', ''["a"]'', ''["a"]'', %L)', 'SELECT audit_join_relations(''{t}'', %L, ''["a"]'')', 'SELECT audit_join_relations(''{t}'', ''["a"]'', %L)', 'SELECT audit_join_relations(''{t}'', ''["a"]'', ''["a"]'', %L)', 'SELECT audit_inference(''{limits}'', 2, options => %L)', 'SELECT audit_inference_relations(''{t}'', ''id'', ''{a}'', 2, attributes => %L)']) AS call;
-- Large rules are none too large: they are stored, read and heeded.
SELECT create_sequential_policy('listed', 't', 'id', '{a}', sensitive => '{ill}', publish_as => 'argument_limits.listed', population => 'listed',
  rules => jsonb_build_array(jsonb_build_object('kind', 'linkability', 'x', '["a"]'::jsonb, 'y', '["ill"]'::jsonb, 'max', 0.6, 'each', true, 'values', (SELECT jsonb_agg('x' || i) FROM generate_series(1, 3000) AS i))));
SELECT classes > 1 AS published FROM publish('listed');
SELECT bool_and(ok) FROM audit('listed', everything => true);

-- Elements of arrays, and labels of taxonomies however they are made.
SELECT pg_temp.fails($$SELECT create_flat_taxonomy('long', ARRAY['a', repeat('x', 20000000)])$$);
SELECT create_flat_taxonomy('long enough', ARRAY['a', repeat('x', 10000)]);
SELECT pg_temp.fails($$SELECT create_flat_taxonomy('long', ARRAY['a', repeat('x', 10001)])$$);
SELECT pg_temp.fails(format('SELECT create_taxonomy(''long'', %L)', json_build_object('ANY', json_build_object(repeat('ä', 5001), '[]'::json))));
SELECT pg_temp.fails(format('SELECT create_taxonomy(''long'', %L)', json_build_object('ANY', json_build_array('a', repeat('x', 20000)))));
CREATE TABLE paths AS SELECT CASE i WHEN 3 THEN repeat('x', 30000) ELSE 'x' || i END AS leaf, 'ANY' AS root FROM generate_series(1, 4) AS i;
SELECT pg_temp.fails($$SELECT create_taxonomy_from_paths('long', 'paths')$$);
CREATE TABLE edges AS SELECT leaf AS child, root AS parent FROM paths;
SELECT pg_temp.fails($$SELECT create_taxonomy_from_edges('long', 'edges')$$);
SELECT pg_temp.fails(format('SELECT add_to_taxonomy(''long enough'', ''ANY'', %L)', repeat('y', 10001)));
SELECT count(*) FROM taxonomies WHERE name LIKE 'long%';

-- The bound on memory is not everybody's to set.
CREATE ROLE regress_anon_limited;
SET ROLE regress_anon_limited;
SET anon_seq.max_memory = '4GB';
RESET ROLE;
GRANT SET ON PARAMETER anon_seq.max_memory TO regress_anon_limited;
SET ROLE regress_anon_limited;
SET anon_seq.max_memory = '4GB';
SHOW anon_seq.max_memory;
RESET anon_seq.max_memory;
RESET ROLE;
REVOKE SET ON PARAMETER anon_seq.max_memory FROM regress_anon_limited;
DROP ROLE regress_anon_limited;

SELECT drop_policy('limits'), drop_policy('listed'), drop_taxonomy('long enough');
DROP FUNCTION selftest_heap_peak;
