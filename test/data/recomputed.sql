-- For tests: sha256 of what COPY prints of a relation, in its order: what a digest is over.
CREATE FUNCTION copied(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE format('SELECT encode(sha256(convert_to(string_agg(line || E''\n'', '''' ORDER BY ctid), ''UTF8'')), ''hex'') FROM (SELECT r.ctid, (SELECT string_agg(coalesce(replace(replace(replace(replace(f.value, ''\'', ''\\''), E''\t'', ''\t''), E''\n'', ''\n''), E''\r'', ''\r''), ''\N''), E''\t'' ORDER BY f.n)
    FROM unnest(ARRAY[%s]) WITH ORDINALITY AS f (value, n)) AS line FROM %s AS r) AS l',
    (SELECT string_agg(format('CASE WHEN r.%1$I IS NOT NULL THEN concat(r.%1$I) END', attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped), relation) INTO result;
  RETURN result;
END $$;
