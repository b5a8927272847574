-- Schemas, rights, and what every family of functions needs.
--
-- anon_seq holds functions, views and the catalog; anon_seq_ledger the private memory of releases.
-- CREATE on anon_seq_ledger is the right to make taxonomies and to publish.

CREATE SCHEMA anon_seq;
COMMENT ON SCHEMA anon_seq IS 'anonymized releases: functions, views and the private catalog';
GRANT USAGE ON SCHEMA anon_seq TO PUBLIC;

CREATE SCHEMA anon_seq_ledger;
COMMENT ON SCHEMA anon_seq_ledger IS 'the private memory of releases; CREATE here is the right to publish';
GRANT USAGE, CREATE ON SCHEMA anon_seq_ledger TO @extowner@ WITH GRANT OPTION;
GRANT USAGE ON SCHEMA anon_seq_ledger TO PUBLIC;  -- so that CREATE alone is the right to publish; its tables are closed one by one

-- Where numbers of roles and relations mean what they meant: this database of this cluster. A restored database is another place.
CREATE FUNCTION anon_seq.place() RETURNS text
  LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'anon_seq_place';
COMMENT ON FUNCTION anon_seq.place() IS 'internal: cluster and database, by their numbers';

-- Roles are kept by name, as a number means nothing after a restore; so a role may be missing here.
CREATE FUNCTION anon_seq.has_role(member oid, role text) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT $2 = 'public' OR EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = $2 AND pg_has_role($1, r.oid, 'USAGE')) $$;
COMMENT ON FUNCTION anon_seq.has_role(oid, text) IS
  'whether a role exists and the member has its rights; "public" stands for everybody';
