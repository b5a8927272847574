-- audit_alpha_k and audit_projections: (alpha,k)-anonymity of anybody's relations.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA audit_alpha;
SET search_path = audit_alpha, anon_seq, public;

-- The paper's tables: raw, global and local recoding, NSS and SS as printed.
CREATE TABLE raw (job text, birth int, postcode int, illness text);
INSERT INTO raw VALUES ('clerk', 1975, 4350, 'HIV'), ('manager', 1955, 4350, 'flu'), ('clerk', 1955, 5432, 'flu'), ('factory worker', 1955, 5432, 'fever'), ('factory worker', 1975, 4350, 'flu'), ('technical supporter', 1940, 4350, 'fever');
CREATE TABLE global AS SELECT '*'::text AS job, '*'::text AS birth, postcode, illness FROM raw;
CREATE TABLE local (job text, birth text, postcode int, illness text);
INSERT INTO local VALUES ('white-collar', '*', 4350, 'HIV'), ('white-collar', '*', 4350, 'flu'), ('*', '1955', 5432, 'flu'), ('*', '1955', 5432, 'fever'), ('blue-collar', '*', 4350, 'flu'), ('blue-collar', '*', 4350, 'fever');
CREATE TABLE nss AS SELECT job, birth, postcode, (i + 1) / 2 AS class_id FROM (SELECT *, row_number() OVER ()::int AS i FROM raw) AS r;
CREATE TABLE ss (class_id int, illness text);
INSERT INTO ss VALUES (1, 'HIV'), (1, 'flu'), (2, 'flu'), (2, 'fever'), (3, 'flu'), (3, 'fever');
SELECT name, (audit_alpha_k(name, '{job,birth,postcode}', 'illness')).* FROM unnest('{raw,global,local}'::regclass[]) AS name;
SELECT * FROM audit_alpha_k('global', '{job,birth,postcode}', 'illness', '{HIV,fever}');
SELECT * FROM audit_alpha_k('global', '{}', 'illness', '{HIV}');
SELECT * FROM audit_alpha_k('global', '{postcode}', 'illness', '{plague}');
-- Row by row as printed they give everybody away; in an order of their own they do not.
SELECT * FROM audit_projections('nss', 'ss', 'class_id', 'illness', original => 'raw');
SELECT * FROM audit_projections('nss', 'ss', 'class_id', 'illness', '{HIV}');
CREATE TABLE counted AS SELECT class_id, illness, count(*) AS n FROM ss GROUP BY 1, 2 ORDER BY 1, 2 DESC;
SELECT classes, smallest, largest_fraction, differing FROM audit_projections('nss', 'counted', 'class_id', 'illness', original => 'raw');
INSERT INTO counted VALUES (3, 'flu', 4), (4, 'flu', 1), (NULL, 'flu', 1);
SELECT classes, smallest, largest_fraction, worst_class, differing FROM audit_projections('nss', 'counted', 'class_id', 'illness');
-- Of classes that are stored in turns, too, and beside columns of any name.
CREATE TABLE turns AS SELECT i AS place, md5((i % 500)::text) AS illness, 1 + i * 7919 % 50 AS class_id FROM generate_series(1, 2000) AS i;
CREATE TABLE turns_nss AS SELECT class_id, place FROM turns ORDER BY place;
CREATE TABLE turns_ss AS SELECT class_id, illness FROM turns ORDER BY class_id % 17, place;
SELECT recovered FROM audit_projections('turns_nss', 'turns_ss', 'class_id', 'illness', original => 'turns');

-- NULLs are values; lists are read as the column's type; nothing is there.
CREATE TABLE gaps AS SELECT NULLIF(i % 3, 0) AS a, NULLIF(i % 2, 0)::numeric(5, 2) AS s, (i % 5)::text::char(3) AS c FROM generate_series(1, 12) AS i;
SELECT * FROM audit_alpha_k('gaps', '{a}', 's');
SELECT * FROM audit_alpha_k('gaps', '{a}', 's', '{1.0}');
SELECT * FROM audit_alpha_k('gaps', '{a}', 'c', '{1,"2 "}');
CREATE VIEW nothing AS SELECT * FROM gaps WHERE false;
SELECT * FROM audit_alpha_k('nothing', '{a}', 's');

-- Errors; what is met while reading shows no value.
SELECT pg_temp.fails('SELECT audit_alpha_k(' || a || ')') FROM unnest(ARRAY['NULL, ''{a}'', ''s''', '''gaps'', NULL, ''s''', '''gaps'', ''{a}'', NULL', '''gaps'', ''{b}'', ''s''', '''gaps'', ''{a}'', ''t''', '''gaps'', ''{s}'', ''s''', '''gaps'', ''{a}'', ''s'', ''{x}''', '''gaps'', ''{a}'', ''s'', ''{1,NULL}''']) AS a;
SELECT pg_temp.fails('SELECT audit_projections(' || a || ')') FROM unnest(ARRAY['NULL, ''ss'', ''class_id'', ''illness''', '''nss'', NULL, ''class_id'', ''illness''', '''nss'', ''ss'', ''id'', ''illness''', '''nss'', ''ss'', ''class_id'', ''job''', '''nss'', ''ss'', ''class_id'', ''illness'', original => ''gaps''']) AS a;
CREATE VIEW bad AS SELECT ('secret' || job)::int AS v, illness FROM raw;
SELECT pg_temp.fails($$SELECT audit_alpha_k('bad', '{v}', 'illness')$$);
-- It reads as its caller.
CREATE ROLE regress_aa_stranger;
GRANT USAGE ON SCHEMA audit_alpha TO regress_aa_stranger;
SET ROLE regress_aa_stranger;
SELECT pg_temp.fails($$SELECT anon_seq.audit_alpha_k('audit_alpha.gaps', '{a}', 's')$$);
RESET ROLE;
SET client_min_messages = error;
DROP SCHEMA audit_alpha CASCADE;
DROP ROLE regress_aa_stranger;
