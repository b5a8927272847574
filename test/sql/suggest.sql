-- suggest_taxonomy: a sensible start for texts, codes, numbers and dates; and when it declines.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql

CREATE TABLE hospital (person int, sex text, zip text, icd text, age int, income numeric, admitted date, note text);
INSERT INTO hospital
  SELECT i, (ARRAY['m', 'f'])[1 + i % 2], (10000 + (i * 37) % 400)::text, (ARRAY['A', 'B', 'C'])[1 + i % 3] || (10 + i % 7) || '.' || i % 10,
         18 + (i * 13) % 73, round((1000 + i * i % 7919)::numeric / 3, 2), date '2015-01-01' + i * 3, 'note ' || md5(i::text)
    FROM generate_series(1, 1000) AS i;
SELECT column_name || ': ' || anon_seq.suggest_taxonomy('hospital', column_name)
  FROM unnest('{sex,zip,icd,age,income,admitted}'::text[]) AS column_name;
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('hospital', 'note')$$);
-- Many values, each often.
CREATE VIEW often AS SELECT 'word ' || i AS word FROM generate_series(1, 201) AS i, generate_series(1, 3);
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('often', 'word')$$);
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('hospital', 'name')$$);
-- What was kept as text though it is something else.
CREATE VIEW as_text AS SELECT age::text AS age, CASE WHEN person = 7 THEN 'x' ELSE (age * 3)::text END AS mostly, to_char(admitted, 'DD.MM.YYYY') AS day, admitted::text AS iso, (100 + age)::text AS room FROM hospital;
SELECT column_name || ': ' || left(anon_seq.suggest_taxonomy('as_text', column_name)::text, 70) FROM unnest('{age,mostly,iso,room}'::text[]) AS column_name;
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('as_text', 'day')$$);
DROP VIEW as_text;
DELETE FROM hospital;
SELECT pg_temp.fails($$SELECT anon_seq.suggest_taxonomy('hospital', 'age')$$);

-- The order of rows changes nothing.
CREATE TABLE ordered AS SELECT i % 50 / 4.0 AS number, 'label ' || i % 13 AS label FROM generate_series(1, 300) AS i;
CREATE TABLE shuffled AS SELECT * FROM ordered ORDER BY md5(number::text || label);
SELECT anon_seq.suggest_taxonomy('ordered', c)::text = anon_seq.suggest_taxonomy('shuffled', c)::text FROM unnest('{number,label}'::text[]) AS c;

-- It writes nothing, not even in a transaction that may not.
BEGIN READ ONLY;
SELECT anon_seq.suggest_taxonomy('ordered', 'label');
COMMIT;

DROP VIEW often;
DROP TABLE hospital, ordered, shuffled;
