-- A table of people that changes from version to version, as serial policies meet it. It follows from UCI Adult, which has to be there as table
-- public.adult, and from a seed.
--
-- history.begin(seed) makes the table history.person: all of Adult, with other occupations: one in 450, 900 and 1,800 has a made-up rare one,
-- rare-a, rare-b, rare-c, the others have that of somebody. history.next(changing) makes the next version of it: one in ten leaves; as many come, half
-- of them people who were here before, the others new ones; and of all that part gets another occupation, drawn as the first ones were.
CREATE SCHEMA history;
CREATE TABLE history.state (seed int, version int, people int);

-- From 0 up to 1, the same for the same arguments.
CREATE FUNCTION history.chance(seed int, version int, what text, id int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || left(md5(seed::text || ' ' || version::text || ' ' || what || ' ' || id::text), 13))::bit(52)::int8 / 4503599627370496::float8 $$;

CREATE FUNCTION history.change(s history.state, changing float8) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  UPDATE history.person AS p SET occupation = d.occupation
  FROM (SELECT c.id, CASE WHEN rare < 1 / 450. THEN 'rare-a' WHEN rare < 1 / 300. THEN 'rare-b' WHEN rare < 1 / 300. + 1 / 1800. THEN 'rare-c' ELSE a.occupation END AS occupation
    FROM (SELECT id, history.chance(s.seed, s.version, 'rare', id) AS rare, trunc(history.chance(s.seed, s.version, 'of whom', id) * s.people)::int AS place
      FROM history.person WHERE history.chance(s.seed, s.version, 'change', id) < changing) AS c
    JOIN history.adult AS a USING (place)) AS d
  WHERE p.id = d.id;
END $$;

CREATE FUNCTION history.begin(seed int) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  DROP TABLE IF EXISTS history.person, history.away, history.adult;
  CREATE TABLE history.adult AS
    SELECT (row_number() OVER (ORDER BY id) - 1)::int AS place, id, age, workclass, education, marital_status, race, sex, native_country, income, occupation FROM public.adult;
  CREATE TABLE history.person AS SELECT id, age, workclass, education, marital_status, race, sex, native_country, income, occupation FROM history.adult;
  ALTER TABLE history.person ADD PRIMARY KEY (id);
  CREATE TABLE history.away (LIKE history.person, since int);
  DELETE FROM history.state;
  INSERT INTO history.state SELECT seed, 1, count(*) FROM history.adult;
  PERFORM history.change(state, 1) FROM history.state;
END $$;

CREATE FUNCTION history.next(changing float8 DEFAULT 0.2) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  s history.state;
BEGIN
  UPDATE history.state SET version = version + 1 RETURNING * INTO s;
  WITH gone AS (DELETE FROM history.person WHERE history.chance(s.seed, s.version, 'leave', id) < 0.1 RETURNING *)
  INSERT INTO history.away SELECT *, s.version FROM gone;
  WITH back AS (
    DELETE FROM history.away WHERE id IN (
      SELECT id FROM history.away WHERE since < s.version ORDER BY history.chance(s.seed, s.version, 'return', id), id LIMIT s.people / 20) RETURNING *)
  INSERT INTO history.person SELECT id, age, workclass, education, marital_status, race, sex, native_country, income, occupation FROM back;
  INSERT INTO history.person
    SELECT id + 100000 * (s.version - 1), age, workclass, education, marital_status, race, sex, native_country, income, occupation FROM history.adult
    ORDER BY history.chance(s.seed, s.version, 'come', id), id LIMIT s.people - (SELECT count(*) FROM history.person);
  PERFORM history.change(s, changing);
END $$;
