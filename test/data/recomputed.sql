-- For tests: the digest of a relation as a reader computes it, see "Digest" in doc/reference.md.
CREATE FUNCTION recomputed(relation regclass) RETURNS text LANGUAGE plpgsql
SET DateStyle = 'ISO, YMD' SET IntervalStyle = 'postgres' SET TimeZone = 'UTC' SET extra_float_digits = 1 SET bytea_output = 'hex' AS $$
DECLARE result text;
BEGIN
  EXECUTE format($sql$
WITH line AS (SELECT ROW(r.*)::text COLLATE "C" AS line, count(*) AS n FROM %s AS r GROUP BY 1),
     leaf AS (SELECT sha256(convert_to(line, 'UTF8') || int8send(n)) AS leaf FROM line),
     bucket AS (SELECT substr(leaf, 1, 1) AS byte, sha256(string_agg(leaf, '' ORDER BY leaf)) AS sum FROM leaf GROUP BY 1)
SELECT encode(sha256(coalesce(string_agg(byte || sum, '' ORDER BY byte), '')), 'hex') FROM bucket$sql$, relation) INTO result;
  RETURN result;
END $$;
