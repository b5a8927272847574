-- Serial policies: tables that change, and one budget for each person and listed value over all versions.
\pset null NULL
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
SET client_min_messages = warning;
CREATE SCHEMA publish_serial;
SET search_path = publish_serial, anon_seq, public;

-- Figure 1 of the paper: o2 has chlamydia in the first table, o1 in the second.
CREATE TABLE figure (id text PRIMARY KEY, fsex text, zip int, disease text);
INSERT INTO figure VALUES ('o1', 'M', 65001, 'flu'), ('o2', 'M', 65002, 'chlamydia'), ('o3', 'F', 65014, 'flu'), ('o4', 'F', 65015, 'fever');
SELECT create_flat_taxonomy('fsex', '{M,F}');

\echo -- bad input
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{}', 2, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', NULL, 2, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 1, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 0.5, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 'NaN', 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2.12345, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', NULL, '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{}', '{chlamydia}', 2, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'table')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'sometimes')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'fixed')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'fixed', 0)$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'harmonic', 3)$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'window')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', options => '{"window": 3}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', options => '{"ratio": 0.3}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'geometric', options => '{"ratio": 1}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', options => '{"renewals": 1}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', options => '{"cohorts": "some"}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', options => '{"withhold_below": 2}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', options => '{"alphas": 2}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{fsex}', '{disease}', '{chlamydia}', 2, 'generalized', publish_as_is => '{zip}')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{zip}', '{disease,fsex}', '{chlamydia}', 2, 'generalized')$$);
SELECT pg_temp.fails($$SELECT create_serial_policy('f', 'figure', 'id', '{zip}', '{disease,fsex}', NULL, 2, 'generalized', options => '{"sensitive_values": {"disease": ["chlamydia"]}}')$$);

\echo -- the figures
SELECT create_serial_policy('f', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'generalized', 'fixed', 2);
SELECT version, published, withheld, classes, smallest_class FROM publish('f');
SELECT fsex, zip, disease, count(*) FROM f_r1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
UPDATE figure SET disease = 'chlamydia' WHERE id = 'o1';
UPDATE figure SET disease = 'flu' WHERE id = 'o2';
UPDATE figure SET disease = 'fever' WHERE id = 'o3';
DELETE FROM figure WHERE id = 'o4';
INSERT INTO figure VALUES ('o5', 'F', 65010, 'flu');
SELECT version, published, withheld, classes, smallest_class FROM publish('f');
SELECT fsex, zip, disease, count(*) FROM f GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT check_name, scope, observed, ok, offending FROM audit('f', true) ORDER BY 1, 2;
SELECT version, published FROM publish('f');
UPDATE figure SET disease = 'cold' WHERE id = 'o5';
SELECT pg_temp.fails($$SELECT publish('f')$$);
SELECT attribute, value, persons, largest, spent, rows_for_one, versions_left FROM budget('f');
SELECT metric, round(value, 4) FROM measure('f') WHERE metric IN ('ncp', 'c_avg') ORDER BY 1;
SELECT obj_description('f_r2'::regclass) LIKE '%class%' AS told;
SELECT version, feasible, reason, published, withheld, classes, smallest_class, average_class, rows_for_one, ncp FROM forecast('f', 2);
SELECT pg_temp.fails($$SELECT forecast('f', 2, changing => 1.5)$$);
SELECT pg_temp.fails($$SELECT forecast('f', 2, changing => 'NaN')$$);

\echo -- projections of the same, under the plan without an end: after the first version four are too few
SELECT create_serial_policy('h', 'figure', 'id', '{fsex,zip}', '{disease}', '{chlamydia}', 2, 'projections', population => 'h');
SELECT version, published, withheld, classes, smallest_class FROM publish('h');
SELECT fsex, zip FROM h_nss ORDER BY 1, 2;
SELECT disease, n FROM h_ss ORDER BY 1;
SELECT disease, round(sum(weight)::numeric, 3) FROM h_joined GROUP BY 1 ORDER BY 1;
SELECT * FROM audit_correlation('h');
SELECT sensitive, rows FROM audit_correlation('h', 5);
SELECT pg_temp.fails($$SELECT audit_correlation('h', 0)$$);
SELECT check_name, ok FROM audit('h', true) ORDER BY 1;
UPDATE figure SET disease = 'flu' WHERE id = 'o5';
SELECT pg_temp.fails($$SELECT publish('h')$$);
SELECT feasible, reason FROM preview('h');
SELECT count(*) FROM releases WHERE policy = 'h';
SELECT person, value, p, localized, releases FROM audit_breach(ARRAY['f']) WHERE value = 'chlamydia' ORDER BY 1;
SELECT retire_release('f/1');
SELECT check_name, scope, ok FROM audit('f', true) ORDER BY 1, 2;
