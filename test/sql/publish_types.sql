-- Every type of column, as a quasi-identifier and as it is, NULLs and extremes included, under odd names: published types, values inside
-- their ranges, no bound that is a person's own value where a rounder one fits, and the digest as a reader computes it.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE SCHEMA publish_types;
SET search_path = publish_types, anon_seq;
SET client_min_messages = warning;
SET DateStyle = 'ISO';
SET TimeZone = 'UTC';
CREATE TYPE mood AS ENUM ('low', 'mid', 'high');
CREATE DOMAIN years AS int CHECK (VALUE >= 0);
CREATE DOMAIN word AS text;
CREATE COLLATION backwards (provider = icu, locale = 'en-u-kf-upper');
CREATE TABLE source (id uuid, b bool, e mood, s smallint, i int, l bigint, y years, n numeric, m numeric(8,2), f real, d double precision, day date, ts timestamp, tz timestamptz,
  t text, v varchar(7), c char(6), w word, k name, x "char", u uuid, col text COLLATE backwards);
INSERT INTO source SELECT md5(g::text)::uuid, g % 2 = 0, (ARRAY['low', 'mid', 'high'])[1 + g % 3]::mood, g, g * 1003, g * 1000000000007, abs(g), g + 0.125, g * 1.50, g / 7.0, g / 3.0, date '1999-12-25' + g * 3,
  timestamp '2019-12-31 23:59:30' + g * interval '17 minutes', timestamptz '2019-12-31 23:59:30+00' + g * interval '17 hours', 't' || g % 3, 'v' || g % 2, 'c' || g % 2, 'w' || g % 2, 'k' || g % 2, 'x', '00000000-0000-0000-0000-000000000001', 'col' || g % 2
  FROM generate_series(-20, 79) AS g WHERE g >= 0 OR g < -12;
INSERT INTO source (id) SELECT md5('null' || g)::uuid FROM generate_series(1, 8) AS g;
\i :dir/data/recomputed.sql

-- One quasi column of each type: the type it is published as, that each value is inside, that bounds are not values, and the digest.
CREATE FUNCTION try(attribute text) RETURNS TABLE (published_type text, classes bigint, smallest bigint, outside bigint, own_values bigint, digest boolean, audit boolean) LANGUAGE plpgsql AS $$
DECLARE p record;
BEGIN
  PERFORM create_sequential_policy('type ' || attribute, 'source', 'id', ARRAY[attribute], k => 7, population => 'type ' || attribute);
  p := publish('type ' || attribute);
  SELECT format_type(atttypid, atttypmod) INTO published_type FROM pg_attribute WHERE attrelid = p.relations[1]::regclass AND attname = attribute;
  classes := p.classes; smallest := p.smallest_class; digest := p.digest = recomputed(p.relations[1]::regclass);
  IF published_type LIKE '%range' THEN
    EXECUTE format('SELECT count(*) FROM source AS s WHERE NOT EXISTS (SELECT FROM %s AS r WHERE s.%2$I%3$s <@ r.%2$I OR s.%2$I IS NULL AND r.%2$I IS NULL)', p.relations[1], attribute,
      CASE published_type WHEN 'numrange' THEN '::numeric' WHEN 'int4range' THEN '::int' ELSE '' END) INTO outside;
    EXECUTE format('SELECT count(DISTINCT b) FROM (SELECT lower(%2$I) FROM %1$s UNION SELECT upper(%2$I) FROM %1$s) AS r (b) WHERE b IN (SELECT %2$I FROM source)', p.relations[1], attribute) INTO own_values;
  END IF;
  SELECT bool_and(ok) INTO audit FROM audit('type ' || attribute, everything => true);
  RETURN NEXT;
  PERFORM drop_policy('type ' || attribute);
END $$;
SELECT a, try(a) FROM unnest(ARRAY['b', 'e', 's', 'i', 'l', 'y', 'n', 'm', 'f', 'd', 'day', 'ts', 'tz']) AS a;
SELECT 'i', i, count(*) FROM "type i" GROUP BY 2 ORDER BY 2;
SELECT 'n', n, count(*) FROM "type n" GROUP BY 2 ORDER BY 2;
SELECT 'day', day, count(*) FROM "type day" GROUP BY 2 ORDER BY 2;
SELECT 'tz', count(DISTINCT tz) FROM "type tz";
-- Labels of booleans and enums are nobody's taxonomy: no row in the catalog, no name to take.
SELECT count(*) FROM taxonomies WHERE name ~ 'boolean|mood';
SELECT * FROM taxonomy_tree('type publish_types.mood');
SELECT generalize('type boolean', 'true', 1);
SELECT pg_temp.fails($$SELECT create_flat_taxonomy('type boolean', '{true,false}')$$);
SELECT pg_temp.fails($$SELECT drop_taxonomy('type boolean')$$);
SELECT pg_temp.fails($$SELECT generalize('type int4', '1', 1)$$);

-- All types as they are.
SELECT create_sequential_policy('types as is', 'source', 'id', '{s}', k => 7, publish_as_is => '{b,e,i,l,y,n,m,f,d,day,ts,tz,t,v,c,w,k,x,u,col}',
  options => '{"allow_unique": ["i","l","y","n","m","f","d","day","ts","tz"], "flat": false}', population => 'types as is');
SET DateStyle = 'SQL, DMY';
SET TimeZone = 'Asia/Kolkata';
SET extra_float_digits = -5;
SET bytea_output = 'escape';
SELECT published, digest AS first FROM publish('types as is') \gset
RESET extra_float_digits; RESET bytea_output;
SET DateStyle = 'ISO';
SET TimeZone = 'UTC';
SELECT :'first' = recomputed('"types as is_r1"') AS digest;
SELECT attname, format_type(atttypid, atttypmod), (SELECT collname FROM pg_collation AS c WHERE c.oid = attcollation) FROM pg_attribute WHERE attrelid = '"types as is"'::regclass AND attnum > 0 ORDER BY attnum;
SELECT count(*) FROM (SELECT b, e, i, l, y, n, m, f, d, day, ts, tz, t, v, c, w, k, x, u, col FROM source EXCEPT ALL SELECT b, e, i, l, y, n, m, f, d, day, ts, tz, t, v, c, w, k, x, u, col FROM "types as is") AS lost;
SELECT check_name, observed, ok FROM audit('types as is', everything => true) ORDER BY check_name COLLATE "C";
SELECT count(*) FROM release_rows('types as is');
SELECT drop_policy('types as is');

-- A nearly unique column names people, unless it is allowed.
SELECT create_sequential_policy('types unique', 'source', 'id', '{s}', k => 7, publish_as_is => '{l}', population => 'types unique');
SELECT pg_temp.fails($$SELECT publish('types unique')$$);
SELECT drop_policy('types unique');

-- Numbers that are equal but written differently are one value; which row comes first decides nothing.
CREATE TABLE scales (id int, n numeric, z float8);
INSERT INTO scales SELECT g, CASE WHEN g % 2 = 0 THEN 1.0 ELSE 1.000 END + g % 5, CASE WHEN g % 2 = 0 THEN '0' ELSE '-0' END::float8 FROM generate_series(1, 60) AS g;
SELECT create_sequential_policy('scales', 'scales', 'id', '{n}', k => 3, publish_as_is => '{z}', publish_as => 'publish_types.scales_out');
SELECT digest, digest = recomputed(relations[1]::regclass) AS same FROM publish('scales') \gset first_
CREATE TABLE turned AS SELECT * FROM scales ORDER BY id DESC;
SELECT create_sequential_policy('turned', 'turned', 'id', '{n}', k => 3, publish_as_is => '{z}', publish_as => 'publish_types."the other way"');
SELECT digest = :'first_digest' AS same, classes FROM publish('turned');
SELECT :'first_same' AS same;
SELECT n, z, count(*) FROM scales_out GROUP BY 1, 2 ORDER BY 1;

-- Values that are no numbers, or at the end of their type.
CREATE TABLE extremes (id int, n numeric, f float8, i int, l bigint, day date, ts timestamptz);
INSERT INTO extremes SELECT g, g, g, g, g, date '2020-01-01' + g, timestamptz '2020-01-01 00:00:00+00' + g * interval '1 day' FROM generate_series(1, 20) AS g;
INSERT INTO extremes SELECT 100 + g, 1e30 + g, 1e300, 2147483647, 9223372036854775807, 'infinity', 'infinity' FROM generate_series(1, 4) AS g;
INSERT INTO extremes SELECT 200 + g, -1e-30 * g, -1e-300, -2147483648, -9223372036854775808, '-infinity', '-infinity' FROM generate_series(1, 4) AS g;
INSERT INTO extremes SELECT 300 + g, 0, 0, 0, 0, '0044-03-15 BC', '4714-11-24 00:00:00+00 BC' FROM generate_series(1, 4) AS g;
CREATE FUNCTION extreme(attribute text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM create_sequential_policy('extreme ' || attribute, 'extremes', 'id', ARRAY[attribute], k => 4, population => 'extreme ' || attribute);
  PERFORM publish('extreme ' || attribute);
  RETURN QUERY EXECUTE format('SELECT format(''%%s %%s'', %1$I, count(*)) FROM "extreme %1$s" GROUP BY %1$I ORDER BY %1$I', attribute);
  PERFORM drop_policy('extreme ' || attribute);
EXCEPTION WHEN OTHERS THEN RETURN NEXT SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT a, extreme(a) FROM unnest(ARRAY['n', 'f', 'i', 'l', 'day', 'ts']) AS a;
UPDATE extremes SET n = 'NaN', f = 'infinity' WHERE id = 5;
SELECT a, pg_temp.fails(format('SELECT create_sequential_policy(%1$L, ''extremes'', ''id'', ARRAY[%2$L], k => 4, population => %1$L); SELECT publish(%1$L)', 'nan ' || a, a)) FROM unnest(ARRAY['n', 'f']) AS a;


-- A declared domain is published at both ends, and is checked.
SELECT create_sequential_policy('domains', 'source', 'id', '{s,n}', k => 20, options => '{"domains": {"s": [-100, 100], "n": [-50.5, 1e2]}}', population => 'domains');
UPDATE source SET s = 1, n = 1 WHERE s IS NULL;
SELECT digest = recomputed(relations[1]::regclass) AS digest FROM publish('domains');
SELECT DISTINCT s FROM domains ORDER BY 1;
SELECT DISTINCT n FROM domains ORDER BY 1;
SELECT check_name, ok FROM audit('domains', everything => true) ORDER BY check_name COLLATE "C";
UPDATE source SET s = 101 WHERE s = 79;
SELECT pg_temp.fails($$SELECT publish('domains')$$);
SELECT pg_temp.fails(format($$SELECT create_sequential_policy('domains %s', 'source', 'id', '{s,day}', k => 20, options => %L, population => 'domains %1$s'); SELECT publish('domains %1$s')$$, n, o))
  FROM unnest(ARRAY['{"domains": {"s": [5, 1]}}', '{"domains": {"s": ["low", "high"]}}', '{"domains": {"s": [0.5, 300]}}', '{"domains": {"day": ["1900-01-01", "2100-01-01"]}}', '{"domains": {"nobody": [1, 2]}}', '{"domains": {"s": [null, null]}}']) WITH ORDINALITY AS x (o, n);
SELECT digest = recomputed(relations[1]::regclass) AS digest FROM releases WHERE policy LIKE 'domains %';
SELECT DISTINCT upper_inf(day), lower_inf(day) FROM "domains 4";
SELECT count(drop_policy(name)) > 0 FROM policies WHERE population LIKE 'domains%' OR name IN ('scales', 'turned');


-- Names with quotes, mixed case, UTF-8, blanks, and as long as PostgreSQL has them.
CREATE TABLE "Odd ""table"" of it's" ("The 'ID'" int, "Größe ""x""" text, "AGE" int, "select" text, "äöü_äöü_äöü_äöü_äöü_äöü_äöü_äöü_é" text, "a\b" text);
INSERT INTO "Odd ""table"" of it's" SELECT g, (ARRAY['it''s "a"', E'back\\slash', E'tab\tand\nline'])[1 + g % 3], g, CASE g % 4 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN '\N' ELSE 'ü"''\' END, 'l' || g % 2, 'b' || g % 2 FROM generate_series(1, 48) AS g;
SELECT create_flat_taxonomy('Größen ''"', ARRAY['it''s "a"', E'back\\slash', E'tab\tand\nline']);
SELECT create_sequential_policy('it''s a "policy" \ ü', '"Odd ""table"" of it''s"', 'The ''ID''', ARRAY['Größe "x"', 'AGE'], k => 4, sensitive => ARRAY['select'], publish_as_is => ARRAY['äöü_äöü_äöü_äöü_äöü_äöü_äöü_äöü_é', 'a\b'],
  max_link => 1, taxonomies => jsonb_build_object('Größe "x"', 'Größen ''"'), publish_as => 'publish_types."Größe of ""it"" isn''t 47 bytes, or is it? äö!"', population => 'quo''ted "\');
SELECT version, relations, published, digest = recomputed(relations[1]::regclass) AS digest FROM publish('it''s a "policy" \ ü');
SELECT * FROM "Größe of ""it"" isn't 47 bytes, or is it? äö!" AS r WHERE "AGE" @> 3 ORDER BY r::text COLLATE "C";
SELECT check_name, ok FROM audit('it''s a "policy" \ ü', everything => true) ORDER BY check_name COLLATE "C", scope COLLATE "C";
SELECT * FROM cut('it''s a "policy" \ ü/1') WHERE attribute <> 'AGE';
SELECT count(*) FROM release_rows('it''s a "policy" \ ü/1');
SELECT describe_policy('it''s a "policy" \ ü') -> 'columns';
DELETE FROM "Odd ""table"" of it's" WHERE "The 'ID'" = 48;
SELECT alter_policy('it''s a "policy" \ ü', '{"options": {"dangling": "outer"}}');
SELECT version, relations FROM publish('it''s a "policy" \ ü');
SELECT * FROM forget('quo''ted "\', '47');
SELECT retire_release('it''s a "policy" \ ü/1');
SELECT policy, version, relations, retired_at IS NOT NULL AS retired FROM releases WHERE population = 'quo''ted "\' ORDER BY version;
SELECT drop_policy('it''s a "policy" \ ü');
SET client_min_messages = warning;
DROP SCHEMA publish_types CASCADE;
