-- generalize() in parallel workers says what it says without them.
SELECT anon_seq.create_taxonomy('t', '{"r": {"m": ["0", "1", "2"], "n": ["3", "4"], "5": []}}');
SELECT anon_seq.create_range_taxonomy('range', 0, 6, '{2}');
CREATE TABLE numbers AS SELECT (i % 6)::text AS v FROM generate_series(1, 20000) AS i;
ANALYZE numbers;

CREATE VIEW counted AS SELECT anon_seq.generalize('t', v, 1) AS g, anon_seq.generalize('range', v, 1) AS r, count(*) FROM numbers GROUP BY 1, 2;
SET max_parallel_workers_per_gather = 0;
CREATE TEMP TABLE alone AS SELECT * FROM counted;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET parallel_leader_participation = off;
-- It is worked out below the Gather.
EXPLAIN (COSTS OFF, VERBOSE) SELECT anon_seq.generalize('t', v, 1) FROM numbers;
SELECT * FROM counted ORDER BY g COLLATE "C", r COLLATE "C";
SELECT count(*) AS differences FROM (TABLE counted EXCEPT TABLE alone) AS d;
SELECT count(*) AS nodes FROM anon_seq.taxonomy_tree('t');

-- Within a transaction that made the taxonomy, and as another user.
BEGIN;
SELECT anon_seq.add_to_taxonomy('t', 'r', '6');
INSERT INTO numbers VALUES ('6');
SELECT count(anon_seq.generalize('t', v, 1)) FROM numbers;
CREATE ROLE regress_anon_worker;
GRANT SELECT ON numbers TO regress_anon_worker;
SELECT anon_seq.grant_taxonomy('t', 'regress_anon_worker');
SET LOCAL ROLE regress_anon_worker;
SELECT count(anon_seq.generalize('t', v, 1)) FROM numbers;
ROLLBACK;

-- An error in a worker comes out as it is, and shows no value.
INSERT INTO numbers VALUES ('unknown');
\set VERBOSITY terse
SELECT count(anon_seq.generalize('t', v, 1)) FROM numbers;
\set VERBOSITY default
RESET ALL;

DROP VIEW counted;
DROP TABLE numbers;
SELECT anon_seq.drop_taxonomy(name) FROM anon_seq.taxonomies;
