-- For part "planted": histories of an incremental policy, and faults that a publish might make, written into its ledger as if it had.
CREATE SCHEMA planted;
CREATE TABLE planted.source (id int PRIMARY KEY, x int);
CREATE TABLE planted.taken (version int, id int, x int);
CREATE TYPE planted.kept AS (person int, object bigint, arrived int);
CREATE FUNCTION planted.publish() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  v := (anon_seq.publish(current_setting('planted.name'))).version;
  DELETE FROM planted.taken WHERE version = v;
  INSERT INTO planted.taken SELECT v, id, x FROM planted.source;
  RETURN v;
EXCEPTION WHEN data_exception OR raise_exception OR object_not_in_prerequisite_state THEN
  RETURN 0;  -- too few to publish
END $$;
CREATE FUNCTION planted.audit() RETURNS text LANGUAGE sql AS $$ SELECT string_agg(DISTINCT check_name, ',') FROM anon_seq.audit(current_setting('planted.name')) WHERE NOT ok $$;
CREATE FUNCTION planted.ledger() RETURNS text LANGUAGE sql AS $$ SELECT 'anon_seq_ledger.p' || id FROM anon_seq.policy WHERE name = current_setting('planted.name') $$;
CREATE FUNCTION planted.people(v int) RETURNS TABLE (region int, person int, object bigint, arrived int, c1 int4range) LANGUAGE plpgsql AS $$
BEGIN RETURN QUERY EXECUTE format('SELECT region, person, object, arrived, c1 FROM %s_object WHERE version = %s ORDER BY region, person', planted.ledger(), v); END $$;
CREATE FUNCTION planted.newest() RETURNS int LANGUAGE sql AS $$ SELECT max(version) FROM anon_seq.release WHERE name = current_setting('planted.name') AND withdrawn_at IS NULL $$;
-- Somebody is in a region from version v on.
CREATE FUNCTION planted.put(at int, v int, who int, known bigint, arrived int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  EXECUTE format('UPDATE %s_member SET persons = persons || $3, objects = objects || $4, codes = codes || $5, points = points || substr(points, 1, 4) WHERE region = $1 AND since = $2', planted.ledger())
    USING at, v, who, coalesce(known, 900000000 + who), arrived;
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n = 0 THEN
    EXECUTE format('INSERT INTO %s_member (region, since, persons, objects, codes, points) SELECT $1, $2, ARRAY[$3], ARRAY[$4], ARRAY[$5], substr(points, 1, 4) FROM %1$s_member WHERE length(points) > 0 LIMIT 1', planted.ledger())
      USING at, v, who, coalesce(known, 900000000 + who), arrived;
  END IF;
END $$;
-- The people of a region are written anew, all but one of them perhaps, in a region perhaps another.
CREATE FUNCTION planted.rewrite(at int, v int, into_region int, but int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p record; kept planted.kept[];
BEGIN
  SELECT array_agg(ROW(o.person, o.object, o.arrived)::planted.kept) INTO kept FROM planted.people(v) AS o WHERE o.region = at AND o.person IS DISTINCT FROM but;
  EXECUTE format('UPDATE %s_member SET until = $2 WHERE region = $1 AND until IS NULL AND since < $2', planted.ledger()) USING at, v;
  EXECUTE format('DELETE FROM %s_member WHERE region = $1 AND since = $2', planted.ledger()) USING at, v;
  EXECUTE format('DELETE FROM %s_gone WHERE region = $1 AND since = $2 AND $1 <> $3', planted.ledger()) USING at, v, into_region;
  FOR p IN SELECT * FROM unnest(kept) LOOP PERFORM planted.put(into_region, v, p.person, p.object, p.arrived); END LOOP;
END $$;
-- Somebody leaves a region. Whom this version wrote into it is left out of the row instead.
CREATE FUNCTION planted.take(at int, v int, who int, what bigint, moves boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE written boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %s_member WHERE region = $1 AND since = $2 AND objects @> ARRAY[$3])', planted.ledger()) INTO written USING at, v, what;
  IF written THEN PERFORM planted.rewrite(at, v, at, who); RETURN; END IF;
  EXECUTE format('INSERT INTO %s_gone (region, since, object, rejoined, elsewhere, persons) SELECT $1, $2, $3, false, $4, ARRAY[$5]', planted.ledger()) USING at, v, what, moves, who;
END $$;
-- Plants a fault in the newest version; salt says where; 'none' if there is no room for it.
CREATE FUNCTION planted.plant(kind text, k int, salt int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  n int := planted.newest(); l text := planted.ledger(); a record; b record; p record; id int; x int; before text;
BEGIN
  IF n IS NULL OR n < 2 OR kind = 'none' THEN RETURN 'none'; END IF;
  SET LOCAL session_replication_role = replica;
  before := (SELECT string_agg(concat(v, o), ',') FROM generate_series(1, n) AS v, planted.people(v) AS o);
  SELECT o.region, count(*) AS people, min(o.c1::text) AS c1 INTO b FROM planted.people(n) AS o GROUP BY 1 ORDER BY hashint4extended(o.region, salt) LIMIT 1;
  SELECT o.region, count(*) AS people INTO a FROM planted.people(n) AS o WHERE o.region <> b.region GROUP BY 1 ORDER BY hashint4extended(o.region, salt + 1) LIMIT 1;
  IF kind IN ('moved', 'unnoted') THEN  -- somebody of a counts in b
    IF a.region IS NULL THEN RETURN 'none'; END IF;
    SELECT * INTO p FROM planted.people(n) AS o WHERE o.region = a.region AND o.arrived < n ORDER BY hashint4extended(o.person, salt) LIMIT 1;
    IF p.person IS NULL THEN RETURN 'none'; END IF;
    FOR x IN 1..b.people - k + 1 LOOP PERFORM planted.take(b.region, n, o.person, o.object, false) FROM planted.people(n) AS o WHERE o.region = b.region LIMIT 1; END LOOP;
    IF kind = 'moved' THEN PERFORM planted.take(a.region, n, p.person, p.object, true);
    ELSE PERFORM planted.rewrite(a.region, n, a.region, p.person); END IF;
    PERFORM planted.put(b.region, n, p.person, NULL, n);
  ELSIF kind = 'thin' THEN  -- who leaves goes, whoever stays
    FOR x IN 1..b.people - k + 1 LOOP PERFORM planted.take(b.region, n, o.person, o.object, false) FROM planted.people(n) AS o WHERE o.region = b.region LIMIT 1; END LOOP;
  ELSIF kind = 'empty' THEN  -- somebody left, and the part where they were is cut off
    SELECT o.person, o.object, t.x, o.c1 INTO p FROM planted.people(n) AS o JOIN planted.taken AS t ON t.id = o.person AND t.version = n WHERE o.region = b.region ORDER BY t.x DESC LIMIT 1;
    IF p.person IS NULL OR b.people <= k OR EXISTS (SELECT FROM planted.people(n) AS o LEFT JOIN planted.taken AS t ON t.id = o.person AND t.version = n WHERE o.region = b.region AND o.person <> p.person AND t.x IS DISTINCT FROM least(t.x, p.x - 1))
       OR NOT p.x <@ p.c1 OR isempty(int4range(lower(p.c1), p.x)) THEN RETURN 'none'; END IF;
    EXECUTE format('SELECT max(region) + 1 FROM %s_region', l) INTO id;
    EXECUTE format('INSERT INTO %s_region (region, parent, attribute, side, bound, made, since, place, c1) SELECT $2, region, 0, ''below'', $3, $4, $4, place, int4range(lower(c1), $3::int) FROM %1$s_region WHERE region = $1
                    UNION ALL SELECT $2 + 1, region, 0, ''from'', $3, $4, NULL, NULL, int4range($3::int, upper(c1)) FROM %1$s_region WHERE region = $1', l) USING b.region, id, p.x::text, n;
    PERFORM planted.rewrite(b.region, n, id, p.person);
    EXECUTE format('UPDATE %s_region SET until = $2 WHERE region = $1', l) USING b.region, n;
  ELSIF kind = 'merged' THEN  -- two parts are shown as one again
    EXECUTE format('SELECT m.region, x.region AS one, y.region AS two FROM %s_region AS m JOIN %1$s_region AS x ON x.parent = m.region JOIN %1$s_region AS y ON y.parent = m.region AND y.region > x.region
                    WHERE m.since IS NOT NULL AND m.until < $1 AND x.since < $1 AND x.until IS NULL AND y.since < $1 AND y.until IS NULL ORDER BY hashint4extended(m.region, $2) LIMIT 1', l) INTO a USING n, salt;
    IF a.region IS NULL THEN RETURN 'none'; END IF;
    PERFORM planted.rewrite(a.one, n, a.region, NULL);
    PERFORM planted.rewrite(a.two, n, a.region, NULL);
    EXECUTE format('UPDATE %s_region SET until = $2 WHERE region IN ($3, $4)', l) USING a.region, n, a.one, a.two;
    EXECUTE format('UPDATE %s_region SET until = NULL WHERE region = $1', l) USING a.region;
  ELSIF kind = 'stolen' THEN  -- a row that no version of late wrote has lost people
    EXECUTE format('UPDATE %s_member SET persons = persons[:1], objects = objects[:1], codes = codes[:1], points = substr(points, 1, 4)
                    WHERE (region, since) = (SELECT region, since FROM %1$s_member WHERE until IS NULL AND since < $1 AND objects[2:] && ARRAY(SELECT o.object FROM planted.people($1) AS o) ORDER BY hashint4extended(region, $2) LIMIT 1)', l) USING n, salt;
    GET DIAGNOSTICS x = ROW_COUNT;
    IF x = 0 THEN RETURN 'none'; END IF;
  END IF;
  RETURN CASE WHEN before = (SELECT string_agg(concat(v, o), ',') FROM generate_series(1, n) AS v, planted.people(v) AS o) THEN 'none' ELSE kind END;  -- who is shown had gone before
END $$;
