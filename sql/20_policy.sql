-- Policies, releases and what is known about populations: the catalog behind the life of a release.
--
-- Who owns a policy or a registered release is who owns its ledger tables, anon_seq_ledger.<ledger>_*;
-- so ALTER TABLE ... OWNER, REASSIGN OWNED and a restore with --no-owner need no catalog of ours.

CREATE SEQUENCE anon_seq.policy_id_seq AS integer;

CREATE TABLE anon_seq.policy (
  id            integer     PRIMARY KEY DEFAULT nextval('anon_seq.policy_id_seq'),
  name          text        NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 63),
  method        text        NOT NULL CHECK (method IN ('sequential', 'incremental', 'lossy_join', 'serial')),
  source_schema text        NOT NULL,
  source_name   text        NOT NULL,
  person        text,                             -- NULL: every row is another person
  quasi         text[]      NOT NULL,
  sensitive     text[]      NOT NULL,
  publish_as_is text[]      NOT NULL,
  target_schema text        NOT NULL,
  target_name   text        NOT NULL CHECK (octet_length(target_name) BETWEEN 1 AND 47),
  population    text        NOT NULL,
  parameters    jsonb       NOT NULL,             -- of the method: k, max_link, rules, label, objective, previous
  options       jsonb       NOT NULL,
  columns       jsonb       NOT NULL,             -- published, in order: [{"column", "attribute", "taxonomy", "role", "source_type", "type"}, ...]
  version       integer     NOT NULL DEFAULT 0,   -- of the newest release
  changes       jsonb       NOT NULL DEFAULT '[]',-- what alter_policy did, when, and before which version
  created_at    timestamptz NOT NULL DEFAULT now()
);
ALTER SEQUENCE anon_seq.policy_id_seq OWNED BY anon_seq.policy.id;
COMMENT ON TABLE anon_seq.policy IS 'catalog: one row per policy; read the view anon_seq.policies';

CREATE SEQUENCE anon_seq.release_id_seq AS integer;

CREATE TABLE anon_seq.release (
  id             integer     PRIMARY KEY DEFAULT nextval('anon_seq.release_id_seq'),
  name           text        NOT NULL,            -- of the policy, or of what was registered
  version        integer     NOT NULL,            -- 0: registered
  ledger         text        NOT NULL,            -- tables anon_seq_ledger.<ledger>_*: p7 of policy 7, r9 of registered release 9
  method         text        NOT NULL CHECK (method IN ('sequential', 'incremental', 'lossy_join', 'serial', 'registered')),
  population     text        NOT NULL,
  relations      text[]      NOT NULL,            -- schema-qualified and quoted; empty once retired
  published_at   timestamptz NOT NULL,
  published      bigint      NOT NULL,
  withheld       bigint      NOT NULL DEFAULT 0,
  waiting        bigint      NOT NULL DEFAULT 0,
  deferred       bigint      NOT NULL DEFAULT 0,
  classes        bigint      NOT NULL,
  smallest_class bigint,
  parameters     jsonb       NOT NULL,            -- what the policy demanded at that moment
  columns        jsonb       NOT NULL,            -- as in anon_seq.policy; entry i is column c<i> of the ledger's cells
  digest         text        NOT NULL,
  retired_at     timestamptz,
  UNIQUE (name, version)
);
ALTER SEQUENCE anon_seq.release_id_seq OWNED BY anon_seq.release.id;
CREATE INDEX release_population ON anon_seq.release (population);
COMMENT ON TABLE anon_seq.release IS 'catalog: one row per release, made or registered; read the view anon_seq.releases';

-- One row per population, locked by whoever publishes or registers: releases of a population see each other.
CREATE TABLE anon_seq.population (name text PRIMARY KEY);
COMMENT ON TABLE anon_seq.population IS 'catalog: populations that have releases; locked while one is made';

CREATE TABLE anon_seq.inconsistency (
  attribute_a text NOT NULL,
  value_a     text NOT NULL,
  attribute_b text NOT NULL,
  value_b     text NOT NULL,
  declared_by text NOT NULL,
  PRIMARY KEY (attribute_a, value_a, attribute_b, value_b, declared_by)
);
COMMENT ON TABLE anon_seq.inconsistency IS
  'catalog: values of two attributes that no person has together, as attackers know too; see anon_seq.declare_inconsistent()';

GRANT SELECT, INSERT ON anon_seq.policy, anon_seq.release, anon_seq.population, anon_seq.inconsistency TO @extowner@;
GRANT SELECT, UPDATE ON SEQUENCE anon_seq.policy_id_seq, anon_seq.release_id_seq TO @extowner@;
SELECT pg_extension_config_dump('anon_seq.policy', '');
SELECT pg_extension_config_dump('anon_seq.policy_id_seq', '');
SELECT pg_extension_config_dump('anon_seq.release', '');
SELECT pg_extension_config_dump('anon_seq.release_id_seq', '');
SELECT pg_extension_config_dump('anon_seq.population', '');
SELECT pg_extension_config_dump('anon_seq.inconsistency', '');

CREATE FUNCTION anon_seq.ledger_owner(ledger text) RETURNS oid
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT c.relowner FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = 'anon_seq_ledger' AND c.relname = $1 || '_cell' $$;
COMMENT ON FUNCTION anon_seq.ledger_owner(text) IS 'the owner of a policy or registered release: the role that owns its ledger; NULL if that has gone';

CREATE FUNCTION anon_seq.owns_ledger(member oid, ledger text) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT coalesce(pg_has_role($1, anon_seq.ledger_owner($2), 'USAGE'), false) $$;
COMMENT ON FUNCTION anon_seq.owns_ledger(oid, text) IS 'whether a role has the rights of the owner of a policy or registered release';

-- A false declaration weakens every promise that rests on it: nobody's counts for a policy but those of its owner's own roles, and of the
-- owner of the extension.
CREATE FUNCTION anon_seq.heeds_declarations_of(member oid, role text) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT anon_seq.has_role($1, $2)
            OR $2 = (SELECT r.rolname FROM pg_extension AS e JOIN pg_roles AS r ON r.oid = e.extowner WHERE e.extname = 'anon_seq') $$;
COMMENT ON FUNCTION anon_seq.heeds_declarations_of(oid, text) IS 'whether what a role declared inconsistent counts for a policy owner';

CREATE FUNCTION anon_seq.keep_ledger() RETURNS trigger
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_keep_ledger';
COMMENT ON FUNCTION anon_seq.keep_ledger() IS 'trigger of ledger tables: refuses changes that anon_seq does not make itself';

CREATE VIEW anon_seq.policies WITH (security_barrier) AS
  SELECT p.name, p.method, format('%I.%I', p.source_schema, p.source_name) AS source, p.person, p.quasi, p.sensitive, p.publish_as_is,
         format('%I.%I', p.target_schema, p.target_name) AS publish_as, p.population, p.parameters, p.options, p.columns,
         p.version, p.changes, p.created_at
    FROM anon_seq.policy AS p
   WHERE anon_seq.owns_ledger(current_user::regrole, 'p' || p.id);
COMMENT ON VIEW anon_seq.policies IS 'the policies whose owner''s rights the current user has';

CREATE VIEW anon_seq.releases WITH (security_barrier) AS
  SELECT r.name AS policy, r.version, r.relations, r.published_at, r.published, r.withheld, r.parameters, r.digest,
         r.method, r.population, r.waiting, r.deferred, r.classes, r.smallest_class, r.retired_at
    FROM anon_seq.release AS r
   WHERE anon_seq.owns_ledger(current_user::regrole, r.ledger);
COMMENT ON VIEW anon_seq.releases IS 'the releases, made or registered (version 0), whose owner''s rights the current user has';
GRANT SELECT ON anon_seq.policies, anon_seq.releases TO PUBLIC;
