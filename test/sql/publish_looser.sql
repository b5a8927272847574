-- Policies that ask for less and lose more: a preview says so, and leaving persons out does not cost detail.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_looser;
SET search_path = publish_looser, anon_seq;
SET client_min_messages = error;
CREATE FUNCTION drawn(what text, i int, below int) RETURNS int LANGUAGE sql AS $$ SELECT ('x' || substr(md5(what || i), 1, 6))::bit(24)::int % below $$;
CREATE TABLE any_t AS SELECT i AS id, drawn('a', i, 40) AS a, drawn('b', i, 30) AS b, drawn('c', i, 7) AS c, (ARRAY['H', 'f', 'g'])[1 + drawn('s', i, 3)] AS s FROM generate_series(1, 300) AS i;
SELECT create_sequential_policy('pl any', 'any_t', 'id', '{a,b,c}', k => 5, sensitive => '{s}', max_link => 0.6, population => 'pl any');
SET client_min_messages = notice;
SELECT variant, round((measures->>'ncp')::numeric, 3) AS ncp FROM preview('pl any', ARRAY['{"max_link": 0.5}', '{"max_link": 0.55}', '{"max_link": 0.6}', '{"k": 6}', '{"k": 200}']::jsonb[]);
-- Bounds that go both ways, other options, and what cannot be published are not compared.
SELECT variant, feasible, round((measures->>'ncp')::numeric, 3) AS ncp
  FROM preview('pl any', ARRAY['{"max_link": 0.5}', '{"max_link": 0.55, "k": 6}', '{"max_link": 0.55, "options": {"valid_split": false}}', '{"max_link": 0.55, "quasi": ["a", "b"]}', '{"max_link": 0.01}', '{"k": 400}']::jsonb[]);
SELECT variant, round((measures->>'ncp')::numeric, 3) AS ncp FROM preview('pl any', ARRAY['{"max_link": 0.55}']::jsonb[]);
SET client_min_messages = error;

-- Of a and b k alone would show a, and half of b; but a tells s. The cut that k alone would have is no bound for the others then.
CREATE TABLE tells AS SELECT i AS id, i / 40 % 2 AS a, i % 40 AS b, CASE WHEN i / 40 % 2 = 1 THEN 'H' ELSE 'f' END AS s FROM generate_series(1, 240) AS i;
SELECT create_sequential_policy('pl tells', 'tells', 'id', '{a,b}', k => 5, sensitive => '{s}', max_link => 0.6, population => 'pl tells');
CREATE FUNCTION previewed(policy text, changes text[]) RETURNS TABLE (variant int, classes bigint, withheld bigint, ncp numeric, shown jsonb) LANGUAGE sql AS $$
  SELECT variant, classes, withheld, round((measures->>'ncp')::numeric, 3), shown FROM preview(policy, changes::jsonb[]) $$;
SELECT * FROM previewed('pl tells', ARRAY['{}', '{"max_suppressed": 0.02}', '{"max_suppressed": 0.2}', '{"max_suppressed": 0.02, "options": {"suppress": "cells"}}']);
SELECT a.variant, a.ncp <= b.ncp AS never_worse FROM previewed('pl tells', ARRAY['{"options": {"recoding": "local"}}', '{"options": {"recoding": "local"}, "max_suppressed": 0.02}']) AS a, previewed('pl tells', ARRAY['{"options": {"recoding": "local"}}']) AS b ORDER BY 1;
-- Decisions that tell a reader of the code nothing are not compared by what they lose.
SELECT * FROM previewed('pl tells', ARRAY['{"options": {"decisions": "simulatable"}, "max_suppressed": 0.02}']);
SELECT alter_policy('pl tells', '{"max_suppressed": 0.02}');
SELECT classes, withheld FROM publish('pl tells');
SELECT check_name, ok FROM audit('pl tells', true) WHERE NOT ok;
SELECT exact, accepted <= tried AS some FROM audit_minimality('pl tells', 20);
SELECT drop_policy(p) FROM unnest('{pl any,pl tells}'::text[]) AS p;
DROP SCHEMA publish_looser CASCADE;
