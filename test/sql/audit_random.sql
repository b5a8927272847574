-- The join attack on random small tables, against a naive join: every way of counting, 2 and 3 tables,
-- locally recoded labels, NULLs, ranges, predicates, dangling rows with and without empty partners.
CREATE SCHEMA audit_random;
SET search_path = audit_random, anon_seq, public;
SET client_min_messages = warning;
SELECT create_taxonomy('audit_d', '{"ANY": {"d": ["d1", "d2"], "e": {"f": ["d3", "d4"]}, "d5": []}}');
SELECT create_range_taxonomy('audit_n', 0, 8, '{2,4}');
CREATE TABLE path AS SELECT v, a FROM (WITH RECURSIVE p AS (SELECT value AS v, value AS a, parent FROM taxonomy_tree('audit_d')
    UNION ALL SELECT p.v, t.value, t.parent FROM p JOIN taxonomy_tree('audit_d') AS t ON t.value = p.parent) SELECT v, a FROM p) AS p
  UNION ALL SELECT v::text, generalize('audit_n', v::text, l) FROM generate_series(0, 7) AS v, generate_series(0, 3) AS l
  UNION ALL SELECT generalize('audit_n', v::text, k), generalize('audit_n', v::text, l)
    FROM generate_series(0, 7) AS v, generate_series(1, 3) AS k, generate_series(k, 3) AS l;
CREATE TABLE leaf AS SELECT DISTINCT p.a AS v, p.v AS leaf FROM path AS p WHERE NOT EXISTS (SELECT FROM path AS q WHERE q.a = p.v AND q.v <> p.v);
CREATE TABLE t1 (id int, pid int, a text, n text, r int4range, p text, s text, z text);
CREATE TABLE t2 (LIKE t1);
CREATE TABLE t3 (LIKE t1);
CREATE TABLE bad (va text, vs text);

-- What is declared inconsistent lives in the catalog; the test writes it there as a superuser.
CREATE FUNCTION pick(variadic text[]) RETURNS text LANGUAGE sql AS 'SELECT $1[1 + floor(random() * cardinality($1))::int]';
CREATE FUNCTION matches(u text, v text, root text) RETURNS boolean LANGUAGE sql AS $$
  SELECT CASE WHEN u IS NULL OR v IS NULL THEN coalesce(u, root) = root AND coalesce(v, root) = root
              ELSE EXISTS (SELECT FROM path WHERE (path.v, a) IN (($1, $2), ($2, $1))) END $$;
CREATE FUNCTION allowed(u text, v text) RETURNS boolean LANGUAGE sql AS $$  -- some leaf under u, and v, not stated
  SELECT v IS NULL OR (coalesce(u, 'ANY') = 'ANY' AND NOT EXISTS (SELECT FROM bad WHERE bad.va = 'ANY' AND bad.vs = $2))
    OR EXISTS (SELECT FROM leaf AS l WHERE l.v = u  -- unknown is below the root, and in no other statement
      AND NOT EXISTS (SELECT FROM bad JOIN path AS p ON p.a = bad.va WHERE p.v = l.leaf AND bad.vs = $2)) $$;
CREATE FUNCTION fill(t text, size int, coarse float) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('TRUNCATE %I', t);
  FOR i IN 1 .. size LOOP
    EXECUTE format('INSERT INTO %I VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', t) USING i, 1 + floor(random() * 3)::int,
      CASE WHEN random() < coarse THEN pick('ANY', 'd', 'e', NULL, 'f') ELSE pick('d1', 'd2', 'd3', 'd4', 'd5') END,
      CASE WHEN random() < coarse THEN generalize('audit_n', floor(random() * 8)::text, floor(random() * 4)::int) ELSE pick('1', '2', '5') END,
      pick('[0,4)', '[2,6)', '(,3)', '[5,)', '(,)', NULL, 'empty', '[2,3)')::int4range, pick('u', 'v', 'v', NULL), pick('y', 'n', 'm', NULL), pick('z1', 'z2');
  END LOOP;
END $$;

CREATE FUNCTION naive(tables int, x text[], y text[], attributes text[], outer_join boolean, overlap boolean, listed text,
    OUT a numeric, OUT num numeric, OUT den numeric, OUT matches numeric, OUT dangling numeric[]) LANGUAGE plpgsql AS $$
DECLARE
  pair text[] := '{true,true,true}'; condition text; q text; i int; j int; k text; xs text := 'j.id1 * 0'; empties int := 0; ys text; known text := 'true'; c text; lost numeric;
BEGIN
  FOR i IN 1 .. tables LOOP FOR j IN i + 1 .. tables LOOP
    condition := 'true';
    FOREACH k IN ARRAY attributes LOOP
      condition := condition || CASE k
        WHEN 'a' THEN format(' AND matches(t%s.a, t%s.a, ''ANY'')', i, j)
        WHEN 'n' THEN format(' AND matches(t%s.n, t%s.n, ''[0,8)'')', i, j)
        WHEN 'p' THEN format(' AND t%s.p IS NOT DISTINCT FROM t%s.p', i, j)
        WHEN 'r' THEN CASE WHEN overlap THEN format(
          ' AND CASE WHEN t%1$s.r IS NULL OR t%2$s.r IS NULL THEN coalesce(t%1$s.r, ''(,)'') = ''(,)'' AND coalesce(t%2$s.r, ''(,)'') = ''(,)'' ELSE t%1$s.r && t%2$s.r END', i, j)
          ELSE '' END END;
    END LOOP;
    IF 'a' = ANY (attributes) THEN
      condition := condition || format(' AND allowed(t%s.a, t%s.s) AND allowed(t%s.a, t%s.s)', i, j, j, i);
    END IF;
    pair[i + j - 2] := condition;  -- 1: tables 1 and 2, 2: 1 and 3, 3: 2 and 3
  END LOOP; END LOOP;
  CREATE TEMP TABLE j (id1 int, id2 int, id3 int);
  EXECUTE 'INSERT INTO j SELECT t1.id, t2.id, ' || CASE tables WHEN 2 THEN format('NULL FROM t1, t2 WHERE %s', pair[1])
    ELSE format('t3.id FROM t1, t2, t3 WHERE %s AND %s AND %s', pair[1], pair[2], pair[3]) END;
  SELECT count(*) INTO matches FROM j;
  FOR i IN 1 .. tables LOOP
    EXECUTE format('SELECT count(*) FROM t%s WHERE id NOT IN (SELECT id%s FROM j)', i, i) INTO lost;
    dangling := dangling || lost;
  END LOOP;
  IF outer_join THEN  -- combinations to which nothing can be added
    TRUNCATE j;
    EXECUTE format('INSERT INTO j SELECT t1.id, t2.id, %4$s FROM t1 JOIN (SELECT * FROM t2 UNION ALL SELECT (NULL::t2).*) AS t2 ON t2.id IS NULL OR (%1$s) %5$s
      WHERE (t2.id IS NOT NULL OR NOT EXISTS (SELECT FROM t2 WHERE %1$s AND (%4$s IS NULL OR (%3$s))))', pair[1], pair[2], pair[3],
      CASE tables WHEN 2 THEN 'NULL::int' ELSE 't3.id' END,
      CASE tables WHEN 2 THEN '' ELSE format('JOIN (SELECT * FROM t3 UNION ALL SELECT (NULL::t3).*) AS t3 ON t3.id IS NULL OR (%1$s AND (t2.id IS NULL OR (%2$s)))', pair[2], pair[3]) END)
      || CASE tables WHEN 2 THEN '' ELSE format(' AND (t3.id IS NOT NULL OR NOT EXISTS (SELECT FROM t3 WHERE %s AND (t2.id IS NULL OR (%s))))', pair[2], pair[3]) END;
  END IF;
  FOREACH c IN ARRAY x LOOP xs := xs || ', ' || c; END LOOP;
  FOR i IN 2 .. tables LOOP  -- an empty partner is no row that shows NULL
    IF EXISTS (SELECT FROM unnest(x) AS v WHERE v LIKE format('t%s.%%', i)) THEN xs := xs || format(', j.id%s IS NULL', i); empties := empties + 1; END IF;
  END LOOP;
  FOREACH c IN ARRAY y LOOP  -- 't1' its records, 't1 pid' its persons; an empty partner has no y, and what says nothing is none
    k := CASE WHEN c LIKE '__' THEN c || '.id' WHEN c LIKE '__ pid' THEN left(c, 2) || '.pid' ELSE c END;
    ys := concat_ws(', ', ys, k);
    known := known || format(' AND %s IS NOT NULL', k) ||
      CASE WHEN k LIKE '%.a' AND 'a' = ANY (attributes) THEN format(' AND %s <> ''ANY''', k) WHEN k LIKE '%.n' AND 'n' = ANY (attributes) THEN format(' AND %s <> ''[0,8)''', k)
           WHEN k LIKE '%.r' THEN format(' AND NOT (lower_inf(%1$s) AND upper_inf(%1$s))', k) ELSE '' END;
  END LOOP;
  q := 'j LEFT JOIN t1 ON t1.id = j.id1 LEFT JOIN t2 ON t2.id = j.id2 LEFT JOIN t3 ON t3.id = j.id3';
  EXECUTE format('SELECT min(n) FROM (SELECT count(DISTINCT (%s)) FILTER (WHERE %s) AS n FROM %s GROUP BY %s) AS g', ys, known, q, xs) INTO a;
  EXECUTE format('SELECT h, n FROM (SELECT %s, count(*) FILTER (WHERE %s) AS h, sum(count(*)) OVER (PARTITION BY %s) AS n FROM %s GROUP BY %s) AS g (%s) WHERE h > 0 OR %L ORDER BY h::numeric / n DESC LIMIT 1',
    xs || ', ' || CASE listed WHEN '' THEN ys ELSE 'true' END, CASE listed WHEN '' THEN known ELSE listed END, xs, q,
    xs || CASE listed WHEN '' THEN ', ' || ys ELSE '' END,
    (SELECT string_agg('c' || g, ', ') FROM generate_series(1, cardinality(x) + empties + 1 + CASE listed WHEN '' THEN cardinality(y) ELSE 1 END) AS g) || ', h, n', listed <> '') INTO num, den;
  IF num IS NULL THEN SELECT 0, 1 INTO num, den FROM j LIMIT 1; END IF;  -- no y at all
  DROP TABLE j;
END $$;

CREATE FUNCTION term(c text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE WHEN c LIKE '__ pid' THEN jsonb_build_object('release', left(c, 2), 'person', 'pid')
              WHEN c LIKE '%.%' THEN jsonb_build_object('release', left(c, 2), 'column', substr(c, 4))
              ELSE jsonb_build_object('release', c) END $$;
CREATE FUNCTION terms(c text[]) RETURNS jsonb LANGUAGE sql AS 'SELECT coalesce(jsonb_agg(term(v)), ''[]'') FROM unnest($1) AS v';

CREATE FUNCTION try(rounds int) RETURNS TABLE (what text, n bigint) LANGUAGE plpgsql AS $$
DECLARE
  tables int; x text[]; y text[]; attributes text[]; all_columns text[]; options jsonb; listed text; spec jsonb; w record; g record; f record; vals jsonb;
  names regclass[]; c text; checked bigint := 0; wrong bigint := 0; empty_joins bigint := 0; shares bigint := 0;
BEGIN
  FOR round IN 1 .. rounds LOOP
    tables := CASE WHEN random() < 0.7 THEN 2 ELSE 3 END;
    names := (ARRAY['t1', 't2', 't3']::regclass[])[1:tables];
    PERFORM fill('t1', 1 + floor(random() * 7)::int, 0.6), fill('t2', 1 + floor(random() * 7)::int, pick('0', '0.4')::float), fill('t3', 1 + floor(random() * 4)::int, 0.5);
    attributes := (SELECT coalesce(array_agg(v), '{}') FROM unnest(ARRAY['a', 'n', 'r', 'p']) AS v WHERE random() < 0.45);
    DELETE FROM bad;
    DELETE FROM anon_seq.inconsistency;
    IF random() < 0.4 AND 'a' = ANY (attributes) THEN
      INSERT INTO bad SELECT DISTINCT pick('d1', 'd', 'd2', 'd3', 'e', 'ANY', 'd5'), pick('y', 'n', 'm') FROM generate_series(1, 1 + floor(random() * 3)::int);
    END IF;
    all_columns := (SELECT array_agg(format('t%s.%s', t, v)) FROM generate_series(1, tables) AS t, unnest(ARRAY['a', 'n', 'p', 'r', 's', 'z']) AS v);
    IF random() < 0.5 THEN  -- all that can decide the match, and some more
      x := (SELECT array_agg(v) FROM unnest(all_columns) AS v
             WHERE (substr(v, 4) = ANY (attributes) AND (random() < 0.97)) OR (EXISTS (SELECT FROM bad) AND v LIKE '%.s') OR random() < 0.1);
    ELSE
      x := (SELECT array_agg(v) FROM unnest(all_columns) AS v WHERE random() < 0.2);
    END IF;
    x := coalesce(x, '{}');
    y := (SELECT array_agg(v) FROM unnest(all_columns || ARRAY['t1', 't2', 't1 pid', 't2 pid']) AS v
           WHERE v <> ALL (x) AND random() < CASE WHEN v LIKE '%.%' THEN 0.08 ELSE 0.2 END);
    CONTINUE WHEN y IS NULL OR (y @> '{t1,"t1 pid"}') OR (y @> '{t2,"t2 pid"}');
    options := jsonb_build_object('outer', random() < 0.3, 'overlap', random() < 0.5);
    listed := '';
    IF y = '{t2.s}' OR y = '{t1.s}' THEN
      listed := pick('', format('(%s IN (''y'', ''m''))', y[1]), format('(%1$s = ''y'' OR %1$s IS NULL)', y[1]));
    ELSIF 'a' = ANY (attributes) AND (y = '{t1.a}' OR y = '{t2.a}') THEN
      listed := pick('', format('EXISTS (SELECT FROM path WHERE v = %s AND path.a IN (''d'', ''d3''))', y[1]));
    ELSIF y <@ '{t1.s,t2.s}' THEN
      listed := pick('', '((t1.s = ''y'' AND t2.s = ''y'') OR (t1.s = ''n'' AND t2.s = ''m''))');
    END IF;
    vals := CASE WHEN listed LIKE '%IN (''y''%' THEN '["y", "m"]' WHEN listed LIKE '%IS NULL)' THEN '["y", null]'
                 WHEN listed LIKE 'EXISTS%' THEN '["d", "d3"]' WHEN listed <> '' THEN '[["y", "y"], ["n", "m"]]' END;
    IF vals IS NOT NULL THEN options := options || jsonb_build_object('values', vals); END IF;
    IF y @> '{t2.s,t1.s}' AND listed <> '' AND y <> '{t1.s,t2.s}' THEN CONTINUE; END IF;
    spec := (SELECT coalesce(jsonb_object_agg(v, CASE v WHEN 'a' THEN '{"taxonomy": "audit_d"}' WHEN 'n' THEN '{"taxonomy": "audit_n"}' ELSE '{}' END::jsonb), '{}')
               FROM unnest(attributes) AS v);
    SELECT * INTO w FROM naive(tables, x, y, attributes, (options ->> 'outer')::boolean, (options ->> 'overlap')::boolean, listed);
    IF EXISTS (SELECT FROM bad) THEN  -- s takes part in predicates only: it is another attribute in every table
      spec := spec || (SELECT jsonb_object_agg('s' || t, jsonb_build_object('t' || t, '{"column": "s"}'::jsonb)) FROM generate_series(1, tables) AS t);
      PERFORM anon_seq.declare_inconsistent('a', va, 's' || t, vs) FROM bad, generate_series(1, tables) AS t;
    END IF;
    SELECT * INTO f FROM audit_join_relations(names, terms(x), terms(y), spec, options);
    SELECT * INTO g FROM audit_join_relations(names, terms(x), terms(y), spec, options || '{"general": true}');
    checked := checked + 1;
    empty_joins := empty_joins + (w.matches = 0)::int;
    shares := shares + (f.largest_linkability IS NOT NULL)::int;
    IF w.a IS DISTINCT FROM f.smallest_anonymity OR w.a IS DISTINCT FROM g.smallest_anonymity OR w.matches <> f.matches
       OR w.dangling <> (SELECT array_agg((f.dangling ->> ('t' || t))::numeric ORDER BY t) FROM generate_series(1, tables) AS t)
       OR (y::text NOT LIKE '%t_ pid%' AND 't1' <> ALL (y) AND 't2' <> ALL (y) AND
           (trim_scale(round(w.num / w.den, 16)) IS DISTINCT FROM f.largest_linkability OR f.largest_linkability IS DISTINCT FROM g.largest_linkability)) THEN
      wrong := wrong + 1;
      IF wrong <= 3 THEN RAISE WARNING 'round % x % y % attributes % options % bad % spec % naive % short % general %', round, x, y, attributes, options,
        (SELECT array_agg(b) FROM bad AS b), spec, w, f, g;
      END IF;
    END IF;
  END LOOP;
  DELETE FROM anon_seq.inconsistency;
  RETURN QUERY VALUES ('wrong', wrong), ('enough checked', (checked > rounds / 2)::int::bigint), ('some joins empty', (empty_joins > 0)::int::bigint),
    ('some not', (empty_joins < checked / 2)::int::bigint), ('with linkability', (shares > rounds / 8)::int::bigint);
END $$;
SELECT setseed(0.42);
SET client_min_messages = error;  -- some draws match nothing, and say so
SELECT * FROM try(100);
DROP SCHEMA audit_random CASCADE;
SELECT anon_seq.drop_taxonomy('audit_d'), drop_taxonomy('audit_n');
