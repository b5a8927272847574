-- What versions that are stored once cost, and nights of a watched source, beside a plain CREATE TABLE AS of the released columns. Needs table adult with
-- 4 % more rows than :rows (bench/adult), and the taxonomies of its columns.
\ir measure.sql
CREATE TABLE person AS SELECT * FROM adult WHERE id <= :rows;
ALTER TABLE person ADD PRIMARY KEY (id);
VACUUM ANALYZE person;
SELECT anon_seq.create_incremental_policy(name, 'person', 'id', '{age,workclass,education,marital_status,occupation,race,sex,native_country}', 10,
  publish_as_is => '{income}', population => name, options => options)
FROM (VALUES ('copied', '{}'::jsonb), ('shared', '{"storage": "shared"}'), ('watched', '{"storage": "shared"}')) AS v (name, options) \g /dev/null
CREATE TABLE cost (what text, ms float8);
CREATE PROCEDURE take(what text, statement text) LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz;
BEGIN
  COMMIT;
  began := clock_timestamp();
  EXECUTE statement;
  COMMIT;
  INSERT INTO cost VALUES (what, extract(epoch FROM clock_timestamp() - began) * 1000);
END $$;
CREATE PROCEDURE ctas() LANGUAGE plpgsql AS $$
BEGIN
  DROP TABLE IF EXISTS y;
  CALL take('ctas', 'CREATE TABLE y AS SELECT id, age, workclass, education, marital_status, occupation, race, sex, native_country, income FROM person');
END $$;
-- One in a hundred more.
CREATE PROCEDURE more(n int, rows int) LANGUAGE sql AS $$ INSERT INTO person SELECT * FROM adult WHERE id > rows + (n - 1) * rows / 100 AND id <= rows + n * rows / 100 $$;
CREATE FUNCTION ledger(of text) RETURNS bigint LANGUAGE sql AS $$
  SELECT sum(pg_table_size(c.oid))::bigint FROM pg_class AS c, anon_seq.policies AS p, anon_seq.policy AS q
   WHERE p.name = of AND q.name = of AND c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind = 'r' AND c.relname ~ format('^p%s_', q.id) $$;

CALL ctas();
CALL take('copied first', $$SELECT anon_seq.publish('copied')$$);
CALL ctas();
CALL take('shared first', $$SELECT anon_seq.publish('shared')$$);
CALL more(1, :rows);
CALL ctas();
CALL take('shared update', $$SELECT anon_seq.publish('shared')$$);
SELECT anon_seq.watch_source('person', '{id}') \g /dev/null
CALL take('watched first', $$SELECT anon_seq.publish('watched')$$);
CALL more(2, :rows);
CALL take('watched, keys', $$SELECT anon_seq.publish('watched')$$);
CALL more(3, :rows);
SELECT heap_peak() AS ignored, ledger('watched') AS before \gset
CALL take('watched update', $$SELECT anon_seq.publish('watched')$$);
SELECT heap_peak()::float8 / :rows AS bytes, (ledger('watched') - :before)::float8 / :before AS grown \gset
CALL more(4, :rows);
CALL take('watched update', $$SELECT anon_seq.publish('watched')$$);
CALL take('unchanged', $$SELECT anon_seq.publish('watched')$$);
CALL take('unchanged', $$SELECT anon_seq.publish('watched')$$);
SELECT anon_seq.publish('copied') \g /dev/null
SELECT format('CALL take(%L, %L)', w || ' ' || name, format(q, name || f))
FROM generate_series(1, 3), unnest('{copied,watched}'::text[]) AS name,
     (VALUES ('group by', 'SELECT workclass, count(*) FROM %I GROUP BY 1', ''), ('flat', 'SELECT sum(n) FROM %I', '_flat')) AS v (w, q, f) \gexec
CREATE FUNCTION ms(of text) RETURNS numeric LANGUAGE sql AS $$ SELECT (percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::numeric FROM cost WHERE what = of $$;
CREATE TABLE result AS SELECT * FROM (VALUES
  (1, 'first version, shared / CTAS', ms('shared first') / ms('ctas'), 3.2),
  (2, 'a 1 % update, shared, not watched / CTAS', ms('shared update') / ms('ctas'), 1.5),
  (3, 'a 1 % update, shared and watched / the first version', ms('watched update') / ms('watched first'), 0.05),
  (4, 'a night without changes, watched, ms', ms('unchanged'), 20),
  (5, 'heap of a 1 % update, shared and watched, bytes per row of the source', :bytes, 30),
  (6, 'growth of the ledger by a 1 % update', :grown, 0.03),
  (7, 'count(*) GROUP BY of a shared version / of a copied one', ms('group by watched') / ms('group by copied'), 6),
  (8, 'sum(n) of the companion, shared / copied', ms('flat watched') / ms('flat copied'), 1.5)) AS v (i, what, measured, "limit");
SELECT what AS step, round(ms::numeric) AS ms FROM cost;
