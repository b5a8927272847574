-- Schemas, rights, and what every family of functions needs.
--
-- anon_seq holds functions, views and the catalog; anon_seq_ledger the private memory of releases.
-- USAGE on the sequence anon_seq.publishers is the right to make taxonomies and to publish.

CREATE SCHEMA anon_seq;
COMMENT ON SCHEMA anon_seq IS 'anonymized releases: functions, views and the private catalog';
GRANT USAGE ON SCHEMA anon_seq TO PUBLIC;

CREATE SCHEMA anon_seq_ledger;
COMMENT ON SCHEMA anon_seq_ledger IS 'the private memory of releases';
-- A restore creates here as the owner of the extension. What is found here is trusted by its owner, never by its name.
GRANT USAGE, CREATE ON SCHEMA anon_seq_ledger TO @extowner@ WITH GRANT OPTION;
GRANT USAGE ON SCHEMA anon_seq_ledger TO PUBLIC;  -- its tables are closed one by one

-- Counts nothing. No update script may GRANT or REVOKE on it: the rights of all publishers would be missing from every dump.
CREATE SEQUENCE anon_seq.publishers AS integer;
COMMENT ON SEQUENCE anon_seq.publishers IS 'USAGE is the right to make taxonomies, policies and releases; see anon_seq.grant_publish()';
GRANT USAGE ON SEQUENCE anon_seq.publishers TO @extowner@ WITH GRANT OPTION;

-- Where numbers of roles and relations mean what they meant: this database of this cluster. A restored database is another place.
CREATE FUNCTION anon_seq.place() RETURNS text
  LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'anon_seq_place';
COMMENT ON FUNCTION anon_seq.place() IS 'internal: cluster and database, by their numbers';

-- Of a role that is named, and may be missing here.
CREATE FUNCTION anon_seq.has_role(member oid, role text) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT $2 = 'public' OR EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = $2 AND pg_has_role($1, r.oid, 'USAGE')) $$;
COMMENT ON FUNCTION anon_seq.has_role(oid, text) IS
  'whether a role exists and the member has its rights; "public" stands for everybody';
