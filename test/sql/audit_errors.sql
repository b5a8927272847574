-- audit_join and audit_join_relations: every error with its code; releases of the catalog.
CREATE SCHEMA audit_errors;
SET search_path = audit_errors, anon_seq, public;
CREATE FUNCTION code_of(sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE detail text; hint text;
BEGIN
  EXECUTE sql;
  RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN concat_ws(' | ', SQLSTATE, SQLERRM, nullif(detail, ''), nullif(hint, ''));
END $$;
CREATE FUNCTION try(relations text, x text, y text, attributes text DEFAULT NULL, options text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
  SELECT code_of(format('SELECT audit_join_relations(%L, %L, %L, %L, %L)', $1, $2, $3, $4, $5)) $$;
SELECT create_flat_taxonomy('audit_a', '{a1,a2}'), create_flat_taxonomy('audit_b', '{a1,a2}');
CREATE TABLE t1 (a text, age int, s text);
CREATE TABLE t2 (a text, age int4range, z text, doc json);
INSERT INTO t1 VALUES ('a1', 30, 'y'), ('a2', 40, 'n');
INSERT INTO t2 VALUES ('a1', '[30,35)', 'z'), ('secret', '[1,2)', 'z');

SELECT try(NULL, '[]', '["s"]');
SELECT try('{t1,NULL}', '[]', '["s"]');
SELECT try('{}', '[]', '["s"]');
SELECT try('{t1,t2}', NULL, '["s"]');
SELECT try('{t1,t2}', '[]', NULL);
SELECT try('{t1,t2}', '{}', '["s"]');
SELECT try('{t1,t2}', '[]', '[]', '{}');
SELECT try('{t1,t2}', '["z"]', '["s"]', '{}');
SELECT try('{t1,t2}', '[{"release": "t3", "column": "a"}]', '["s"]', '{}');
SELECT try('{t1,t2}', '[{"release": 3, "column": "a"}]', '["s"]', '{}');
SELECT try('{t1,t1}', '[{"release": "t1", "column": "a"}]', '["s"]', '{}');
SELECT try('{t1,t2}', '[{"relation": "t2"}]', '["s"]', '{}');
SELECT try('{t1,t2}', '[{"release": "t2"}]', '["s"]', '{}');
SELECT try('{t1,t2}', '["s"]', '["s"]', '{}');
SELECT try('{t1,t2}', '["a"]', '[{"release": 1, "person": "pid"}]', '{}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"a": {"columm": "a"}}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"job": {}}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"a": {"t2": {"column": "b"}}}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"a": {"taxonomy": "nowhere"}}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"a": {"taxonomy": "audit_a"}}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"a": {"t1": {"taxonomy": "audit_a"}, "t2": {"taxonomy": "audit_b"}}}');
SELECT try('{t1}', '["a"]', '["s"]', '{"x": {"column": "a"}, "y": {"column": "a"}}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"age": {"t1": {"column": "s"}, "t2": {"column": "age"}}}', '{"overlap": true}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{}', '{"valeus": []}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{}', '{"values": ["HIV", ["a", "b"]]}');
SELECT try('{t1,t2}', '["a"]', '[{"release": 1}]', '{}', '{"values": ["HIV"]}');
SELECT try('{t1,t2}', '["a"]', '[{"release": 2, "column": "doc"}]', '{}');
SELECT try('{t1,t2}', '["a"]', '["s"]', '{"n": {"t1": {"column": "s", "interval": true}, "t2": {"column": "z", "interval": true}}}', '{"overlap": true}');
SELECT code_of($$SELECT audit_join('{nowhere}', '[]', '[{"release": 1}]')$$);
SELECT code_of($$SELECT audit_join(NULL, '[]', '[{"release": 1}]')$$);

SET client_min_messages = warning;
DROP SCHEMA audit_errors CASCADE;
SELECT anon_seq.drop_taxonomy('audit_a'), anon_seq.drop_taxonomy('audit_b');
