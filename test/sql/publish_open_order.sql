-- Open taxonomies cut in the order of their leaves: numbers stand as numbers, and whoever comes with a new value moves nobody and stops nothing.
CREATE SCHEMA publish_open_order;
SET search_path = publish_open_order, anon_seq;
SET client_min_messages = warning;

-- A new value does not move the others: equal values are in one region.
SELECT create_range_taxonomy('order dose', 0, 12, '{3}'), create_flat_taxonomy('order ward', '{w1,w3}');
CREATE TABLE stay (id int, dose text, ward text, tag text);
SELECT create_incremental_policy('order stays', 'stay', 'id', '{dose,ward}', 3, publish_as_is => '{tag}', taxonomies => '{"dose": "order dose", "ward": "order ward"}',
  population => 'order stays', options => '{"allow_unique": ["tag"], "categorical": "order"}');
INSERT INTO stay VALUES (1, '7', 'w3', 't1'), (2, '11', 'w1', 't2'), (3, '9', 'w3', 't3'), (4, '3', 'w3', 't4'), (5, '5', 'w3', 't5'), (6, '2', 'w3', 't6');
SELECT published, waiting FROM publish('order stays');
INSERT INTO stay VALUES (10, '11', 'w3', 't10'), (11, '0', 'w1', 't11'), (20, '2', 'w3', 't20');
SELECT published, waiting FROM publish('order stays');
SELECT count(*) AS apart FROM (SELECT FROM "order stays" AS p JOIN stay AS s USING (tag) GROUP BY s.dose, s.ward HAVING count(DISTINCT row(p.dose, p.ward)::text) > 1) AS a;
SELECT count(*) AS broken FROM audit('order stays', everything => true) WHERE NOT ok;

-- Nor does it stop the job.
SELECT create_range_taxonomy('order size', 0, 12, '{2,4}');
CREATE TABLE guest (id int, size text);
SELECT create_incremental_policy('order guests', 'guest', 'id', '{size}', 4, taxonomies => '{"size": "order size"}', population => 'order guests', options => '{"categorical": "order"}');
INSERT INTO guest VALUES (1, '9'), (2, '3'), (3, '7'), (4, NULL), (7, '7'), (11, '5'), (12, '3'), (15, '1'), (18, '9');
SELECT published, waiting FROM publish('order guests');
UPDATE guest SET size = '9' WHERE id = 2;
INSERT INTO guest VALUES (19, '11'), (22, '11');
SELECT published, waiting FROM publish('order guests');
INSERT INTO guest SELECT 100 + i, (i % 48 / 4.0)::text FROM generate_series(1, 96) AS i;
SELECT published + waiting AS persons FROM publish('order guests');
SELECT count(*) AS broken FROM audit('order guests', everything => true) WHERE NOT ok;

-- Neighbours are numbers, months and codes, not texts.
SELECT create_range_taxonomy('order age', 0, 20, '{1}'), create_date_taxonomy('order month', '{month,quarter,year}'), create_prefix_taxonomy('order code', '{2,1}');
CREATE TABLE visit AS SELECT i AS id, i AS tag, i::text AS age, to_char(date '2023-11-15' + (i - 1) * 31, 'YYYY-MM-DD') AS month, chr(96 + i) || 'x' || i % 2 AS code FROM generate_series(1, 12) AS i;
SELECT create_incremental_policy('order ' || c, 'visit', 'id', ARRAY[c], 2, taxonomies => jsonb_build_object(c, 'order ' || c), publish_as_is => '{tag}',
  population => 'order ' || c, options => '{"categorical": "order", "allow_unique": ["tag"]}') FROM unnest('{age,month,code}'::text[]) AS c;
SELECT published, waiting, classes FROM unnest('{age,month,code}'::text[]) AS c, publish('order ' || c);
SELECT array_agg(tag ORDER BY tag) AS tags, age FROM "order age" GROUP BY age ORDER BY 1;
SELECT array_agg(tag ORDER BY tag) AS tags, month FROM "order month" GROUP BY month ORDER BY 1;
SELECT array_agg(tag ORDER BY tag) AS tags, code FROM "order code" GROUP BY code ORDER BY 1;

-- Nobody has a value yet.
CREATE TABLE blank AS SELECT i AS id, NULL::text AS age FROM generate_series(1, 6) AS i;
SELECT create_incremental_policy('order blanks', 'blank', 'id', '{age}', 2, taxonomies => '{"age": "order age"}', population => 'order blanks', options => '{"categorical": "order"}');
SELECT published, waiting, classes FROM publish('order blanks');
INSERT INTO blank SELECT 10 + i, i::text FROM generate_series(1, 6) AS i;
SELECT published, waiting, classes FROM publish('order blanks');
SELECT count(*) AS broken FROM audit('order blanks', everything => true) WHERE NOT ok;
