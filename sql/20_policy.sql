-- Policies, releases and what is known about populations: the catalog behind the life of a release.
--
-- Who owns a policy or a registered release is who owns its ledger tables, anon_seq_ledger.<ledger>_*, and who owns a
-- population is who owns its marker there; so ALTER TABLE ... OWNER, REASSIGN OWNED and a restore with --no-owner need no
-- catalog of ours. Whatever of these tables becomes SQL (names of ledgers, relations) is constrained: who may insert rows,
-- for a restore, is not trusted with more.

-- A name in anon_seq_ledger proves nothing by itself: who makes a table called like one that was dropped does not own what it
-- belonged to. In the place that a row speaks of the relation's number counts; elsewhere, after a restore, its name, until
-- the first change there adopts it.
CREATE TABLE anon_seq.ledger (
  name     text NOT NULL PRIMARY KEY CHECK (name ~ '^[prnot][1-9][0-9]{0,9}$'),  -- of policy 7: p7, of registered release 9: r9, of population 5: n5, of a role: o3, of who may read taxonomy 4: t4
  relation oid  NOT NULL,   -- p7_cell, r9_cell, n5_population, o3_owner, t4_readers
  place    text NOT NULL,   -- anon_seq.place() when it was made or adopted
  format   int  NOT NULL DEFAULT 1 CHECK (format > 0),  -- of a ledger's tables; older ones are brought up to date when they are used
  -- What confirm_ledger() was told. Versions that are lost: lost_before, and those from confirmed_at to confirmed_last.
  lost_before    bigint NOT NULL DEFAULT 0 CHECK (lost_before >= 0),
  confirmed_at   int    NOT NULL DEFAULT 0 CHECK (confirmed_at >= 0),  -- the newest version that the ledger had then
  confirmed_last int    NOT NULL DEFAULT 0 CHECK (confirmed_last >= confirmed_at)  -- the newest one that was published anywhere
);
COMMENT ON TABLE anon_seq.ledger IS 'catalog: the relation whose owner owns a policy, a registered release or a population';

-- Where the ledger of a policy was made, or confirmed by its owner: elsewhere it was restored or promoted, and may lack versions that
-- were published after it was saved. This table is never dumped, and its rows are written by confirm_ledger() and by whoever makes a
-- ledger alone, so that no restore, no adoption of restored ledgers and no row of the extension's owner answers the question.
CREATE TABLE anon_seq.ledger_home (
  ledger    text   NOT NULL PRIMARY KEY CHECK (ledger ~ '^p[1-9][0-9]{0,9}$'),
  place     text   NOT NULL,  -- anon_seq.place()
  time_line int    NOT NULL,  -- of the write-ahead log: another one after a promotion
  relation  oid    NOT NULL   -- p7_cell
);
COMMENT ON TABLE anon_seq.ledger_home IS 'catalog: cluster, database, time line and relation for which the ledger of a policy is confirmed; not dumped';

CREATE SEQUENCE anon_seq.policy_id_seq AS integer;

CREATE TABLE anon_seq.policy (
  id            integer     PRIMARY KEY DEFAULT nextval('anon_seq.policy_id_seq') CHECK (id > 0),
  name          text        NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 63),
  method        text        NOT NULL CHECK (method ~ '^[a-z][a-z_]{0,31}$' AND method <> 'registered'),  -- which there are, the library knows
  source_schema text        NOT NULL,
  source_name   text        NOT NULL,
  person        text,                             -- NULL: every row is another person
  quasi         text[]      NOT NULL,
  sensitive     text[]      NOT NULL,
  publish_as_is text[]      NOT NULL,
  target_schema text        NOT NULL,
  target_name   text        NOT NULL CHECK (octet_length(target_name) BETWEEN 1 AND 47),
  population    text        NOT NULL,
  parameters    jsonb       NOT NULL,             -- of the method: k, max_link, rules, label, objective, previous, max_suppressed
  options       jsonb       NOT NULL,
  columns       jsonb       NOT NULL,             -- published, in order: [{"column", "attribute", "taxonomy", "role", "type"}, ...]
  source_types  jsonb       NOT NULL CHECK (jsonb_typeof(source_types) = 'object'),  -- {column: type}, of all columns of the source that are read
  version       integer     NOT NULL DEFAULT 0 CHECK (version >= 0),  -- of the newest release
  changes       jsonb       NOT NULL DEFAULT '[]',-- what alter_policy did, when, and before which version
  created_at    timestamptz NOT NULL DEFAULT now()
);
ALTER SEQUENCE anon_seq.policy_id_seq OWNED BY anon_seq.policy.id;
COMMENT ON TABLE anon_seq.policy IS 'catalog: one row per policy; read the view anon_seq.policies';

CREATE SEQUENCE anon_seq.release_id_seq AS integer;

CREATE TABLE anon_seq.release (
  id             integer     PRIMARY KEY DEFAULT nextval('anon_seq.release_id_seq'),
  name           text        NOT NULL,            -- of the policy, or of what was registered
  version        integer     NOT NULL CHECK (version >= 0),  -- 0: registered
  ledger         text        NOT NULL CHECK (ledger ~ '^[pr][1-9][0-9]{0,9}$'),  -- tables anon_seq_ledger.<ledger>_*
  method         text        NOT NULL CHECK (method ~ '^[a-z][a-z_]{0,31}$'),  -- of its policy, or registered
  population     text        NOT NULL,
  relations      jsonb       NOT NULL CHECK (jsonb_typeof(relations) = 'array'),  -- [{"schema", "name", "suffix", "counted", "view", "columns"}, ...]; empty once retired
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
  withdrawn_at   timestamptz,                     -- by withdraw_release(): a version goes on counting, what was registered does not
  withdrawn_by   text,
  withdrawn_reason text,
  CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL) AND (withdrawn_at IS NULL) = (withdrawn_reason IS NULL))
);
-- A version's number is not used again; the name of a registration that was withdrawn is free.
CREATE UNIQUE INDEX release_name ON anon_seq.release (name, version) WHERE version > 0 OR withdrawn_at IS NULL;
ALTER SEQUENCE anon_seq.release_id_seq OWNED BY anon_seq.release.id;
CREATE INDEX release_population ON anon_seq.release (population);
COMMENT ON TABLE anon_seq.release IS 'catalog: one row per release, made or registered; read the view anon_seq.releases';

-- One row per population, locked by whoever publishes or registers: releases of a population see each other.
-- The marker anon_seq_ledger.n<id>_population is a sequence that counts nothing: its owner owns the population, USAGE on it
-- is the right to take part.
CREATE SEQUENCE anon_seq.population_id_seq AS integer;

CREATE TABLE anon_seq.population (
  name text    PRIMARY KEY,
  id   integer NOT NULL UNIQUE DEFAULT nextval('anon_seq.population_id_seq') CHECK (id > 0)
);
ALTER SEQUENCE anon_seq.population_id_seq OWNED BY anon_seq.population.id;
COMMENT ON TABLE anon_seq.population IS 'catalog: populations and the numbers of their markers; a row is locked while a release is made';

CREATE SEQUENCE anon_seq.role_id_seq AS integer;  -- numbers of markers of roles

CREATE TABLE anon_seq.inconsistency (
  attribute_a text NOT NULL,
  value_a     text NOT NULL,
  attribute_b text NOT NULL,
  value_b     text NOT NULL,
  declared_by integer NOT NULL CHECK (declared_by > 0),  -- a role by its marker
  PRIMARY KEY (attribute_a, value_a, attribute_b, value_b, declared_by)
);
COMMENT ON TABLE anon_seq.inconsistency IS
  'catalog: values of two attributes that no person has together, as attackers know too; see anon_seq.declare_inconsistent()';

-- What happened: a line per publish, and per failure of a job; the results of each audit. Old lines may be deleted by the owner of the extension.
CREATE TABLE anon_seq.log_line (
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  ledger  text        NOT NULL,
  policy  text        NOT NULL,
  step    text        NOT NULL,
  version integer     NOT NULL,
  ok      boolean     NOT NULL,
  error   text,
  said    jsonb       NOT NULL CHECK (jsonb_typeof(said) = 'array')  -- NOTICEs and WARNINGs
);
CREATE INDEX log_line_ledger ON anon_seq.log_line (ledger, at);
COMMENT ON TABLE anon_seq.log_line IS 'catalog: what publishes said, and what failed; read the view anon_seq.log';

CREATE TABLE anon_seq.audit_result (
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  ledger  text        NOT NULL,
  policy  text        NOT NULL,
  version integer     NOT NULL,  -- the newest then
  ok      boolean     NOT NULL,
  checks  jsonb       NOT NULL CHECK (jsonb_typeof(checks) = 'array'), -- without details, which show values
  counted_at timestamptz         -- of a night that found nothing changed: when that result was counted
);
CREATE INDEX audit_result_ledger ON anon_seq.audit_result (ledger, at);
COMMENT ON TABLE anon_seq.audit_result IS 'catalog: results of audits with their date; read the view anon_seq.audits';

-- What the next audit rests on: nobody's to write, and not dumped. After a restore nothing is known, and all is audited.
CREATE TABLE anon_seq.audit_record (
  policy   integer PRIMARY KEY,
  place    text    NOT NULL,                -- anon_seq.place() when it was written
  state    text    NOT NULL DEFAULT '{}',  -- json: as everything stood when the last good audit began
  checks   jsonb   NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(checks) = 'array'),   -- what it found, without details, which show values
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),                         -- when that was kept
  good     boolean NOT NULL DEFAULT false,  -- the last audit was that one
  versions integer[] NOT NULL DEFAULT '{}', -- found good
  runs     integer NOT NULL DEFAULT 0 CHECK (runs >= 0),  -- audits since the last full one that was good
  wanted   integer NOT NULL DEFAULT 0,      -- how often a full one was asked for
  heeded   integer NOT NULL DEFAULT 0       -- of these, as of the last full one
);
COMMENT ON TABLE anon_seq.audit_record IS 'catalog: what the audits of a policy leave to the next one';
GRANT SELECT ON anon_seq.audit_record TO @extowner@;

GRANT SELECT, INSERT ON anon_seq.ledger, anon_seq.policy, anon_seq.release, anon_seq.population, anon_seq.inconsistency, anon_seq.log_line, anon_seq.audit_result TO @extowner@;
GRANT SELECT, UPDATE ON SEQUENCE anon_seq.policy_id_seq, anon_seq.release_id_seq, anon_seq.population_id_seq, anon_seq.role_id_seq TO @extowner@;
-- What has lost its relation is not restored: elsewhere a relation of that name would be taken for it.
GRANT DELETE ON anon_seq.log_line, anon_seq.audit_result TO @extowner@;
SELECT pg_extension_config_dump('anon_seq.ledger', 'WHERE place <> anon_seq.place() OR EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = relation)');
SELECT pg_extension_config_dump('anon_seq.policy', '');
SELECT pg_extension_config_dump('anon_seq.policy_id_seq', '');
SELECT pg_extension_config_dump('anon_seq.release', '');
SELECT pg_extension_config_dump('anon_seq.release_id_seq', '');
SELECT pg_extension_config_dump('anon_seq.population', '');
SELECT pg_extension_config_dump('anon_seq.population_id_seq', '');
SELECT pg_extension_config_dump('anon_seq.role_id_seq', '');
SELECT pg_extension_config_dump('anon_seq.inconsistency', '');
SELECT pg_extension_config_dump('anon_seq.log_line', '');
SELECT pg_extension_config_dump('anon_seq.audit_result', '');

-- Ledgers whose relation is there, and whose they are. Internal: nobody but the catalog's owner reads it.
CREATE VIEW anon_seq.ledger_owners AS
  SELECT l.name, c.oid AS relation, c.relowner AS owner
    FROM anon_seq.ledger AS l
    JOIN pg_class AS c ON c.relnamespace = (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = 'anon_seq_ledger')
         AND c.relname = l.name || CASE left(l.name, 1) WHEN 'n' THEN '_population' WHEN 'o' THEN '_owner' WHEN 't' THEN '_readers' ELSE '_cell' END
   WHERE c.oid = l.relation OR l.place <> anon_seq.place();
COMMENT ON VIEW anon_seq.ledger_owners IS 'internal: the relation whose owner owns a policy (p7), a registered release (r9), a population (n5), that stands for a role (o3) or lets roles read a taxonomy (t4), and that owner';

-- Those whose owner's rights the current user has.
CREATE VIEW anon_seq.own_ledgers WITH (security_barrier) AS
  SELECT o.name FROM anon_seq.ledger_owners AS o WHERE pg_has_role(o.owner, 'USAGE');
COMMENT ON VIEW anon_seq.own_ledgers IS 'internal: the ledgers whose owner''s rights the current user has, for other views';

-- For the library, as the catalog's owner.
CREATE FUNCTION anon_seq.ledger_relation(ledger text) RETURNS oid
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT o.relation FROM anon_seq.ledger_owners AS o WHERE o.name = $1 $$;
REVOKE ALL ON FUNCTION anon_seq.ledger_relation(text) FROM PUBLIC;  -- ledgers of others are not theirs to find
COMMENT ON FUNCTION anon_seq.ledger_relation(text) IS 'internal: the relation whose owner owns a policy (p7), a registered release (r9) or a population (n5); NULL if it has gone';

CREATE FUNCTION anon_seq.ledger_owner(ledger text) RETURNS oid
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT o.owner FROM anon_seq.ledger_owners AS o WHERE o.name = $1 $$;
REVOKE ALL ON FUNCTION anon_seq.ledger_owner(text) FROM PUBLIC;
COMMENT ON FUNCTION anon_seq.ledger_owner(text) IS 'internal: the owner of a policy, a registered release or a population; NULL if what it kept has gone';

CREATE FUNCTION anon_seq.owns_ledger(member oid, ledger text) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT coalesce(pg_has_role($1, anon_seq.ledger_owner($2), 'USAGE'), false) $$;
REVOKE ALL ON FUNCTION anon_seq.owns_ledger(oid, text) FROM PUBLIC;
COMMENT ON FUNCTION anon_seq.owns_ledger(oid, text) IS 'internal: whether a role has the rights of the owner of a policy, a registered release or a population';

CREATE FUNCTION anon_seq.takes_part(member oid, population text) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT coalesce((SELECT pg_has_role($1, c.relowner, 'USAGE') OR has_sequence_privilege($1, c.oid, 'USAGE')
                           FROM anon_seq.population AS p JOIN pg_class AS c ON c.oid = anon_seq.ledger_relation('n' || p.id) AND c.relkind = 'S'
                          WHERE p.name = $2), false) $$;
REVOKE ALL ON FUNCTION anon_seq.takes_part(oid, text) FROM PUBLIC;  -- populations of others are not theirs to find
COMMENT ON FUNCTION anon_seq.takes_part(oid, text) IS 'internal: whether a role has the rights of the owner of a population, or was granted it';

-- A role is kept as the number of a marker, a sequence of its own that counts nothing: its name may become another role's, and its own number
-- means nothing after a restore.
CREATE FUNCTION anon_seq.has_marker(member oid, marker integer) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT anon_seq.owns_ledger($1, 'o' || $2) $$;
REVOKE ALL ON FUNCTION anon_seq.has_marker(oid, integer) FROM PUBLIC;
COMMENT ON FUNCTION anon_seq.has_marker(oid, integer) IS 'internal: whether a role has the rights of the role that a marker stands for';

CREATE FUNCTION anon_seq.marked_role(marker integer) RETURNS name
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT r.rolname FROM pg_roles AS r WHERE r.oid = anon_seq.ledger_owner('o' || $1) $$;
REVOKE ALL ON FUNCTION anon_seq.marked_role(integer) FROM PUBLIC;
COMMENT ON FUNCTION anon_seq.marked_role(integer) IS 'internal: the role that a marker stands for; NULL if it was dropped with what that role owned';

-- Who may read a taxonomy has USAGE on a sequence of its own, which is made when the first one is let in.
CREATE FUNCTION anon_seq.reads_taxonomy(member oid, taxonomy integer) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT coalesce((SELECT has_sequence_privilege($1, c.oid, 'USAGE') FROM pg_class AS c WHERE c.oid = anon_seq.ledger_relation('t' || $2) AND c.relkind = 'S'), false) $$;
REVOKE ALL ON FUNCTION anon_seq.reads_taxonomy(oid, integer) FROM PUBLIC;
COMMENT ON FUNCTION anon_seq.reads_taxonomy(oid, integer) IS 'internal: whether a role was let read a taxonomy by its owner';

CREATE VIEW anon_seq.taxonomies WITH (security_barrier) AS
  SELECT t.name, pg_get_userbyid(o.owner)::text AS owner, t.kind, t.parameters,
         ARRAY(SELECT CASE a.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(a.grantee)::text END COLLATE "C"
                 FROM aclexplode(r.relacl) AS a WHERE a.privilege_type = 'USAGE' AND a.grantee <> r.relowner ORDER BY 1) AS readers,
         t.created_at
    FROM anon_seq.taxonomy AS t
    LEFT JOIN anon_seq.ledger_owners AS o ON o.name = 'o' || t.owner
    LEFT JOIN (anon_seq.ledger_owners AS l JOIN pg_class AS r ON r.oid = l.relation AND r.relkind = 'S') ON l.name = 't' || t.id
   WHERE pg_has_role(o.owner, 'USAGE')
      OR CASE WHEN r.relkind = 'S' THEN has_sequence_privilege(r.oid, 'USAGE') END
      OR pg_has_role(current_user, (SELECT e.extowner FROM pg_extension AS e WHERE e.extname = 'anon_seq'), 'USAGE');
COMMENT ON VIEW anon_seq.taxonomies IS 'the taxonomies that the current user may read';
GRANT SELECT ON anon_seq.taxonomies TO PUBLIC;

-- A false declaration weakens every promise that rests on it: nobody's counts for a policy but those of its owner's own roles, and of the
-- owner of the extension.
CREATE FUNCTION anon_seq.heeds_declarations_of(member oid, marker integer) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT anon_seq.has_marker($1, $2)
            OR coalesce(anon_seq.ledger_owner('o' || $2) = (SELECT e.extowner FROM pg_extension AS e WHERE e.extname = 'anon_seq'), false) $$;
REVOKE ALL ON FUNCTION anon_seq.heeds_declarations_of(oid, integer) FROM PUBLIC;
COMMENT ON FUNCTION anon_seq.heeds_declarations_of(oid, integer) IS 'whether what a role declared inconsistent counts for a policy owner';

CREATE FUNCTION anon_seq.keep_ledger() RETURNS trigger
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_keep_ledger';
COMMENT ON FUNCTION anon_seq.keep_ledger() IS 'trigger of ledger tables: refuses changes that anon_seq does not make itself';

CREATE FUNCTION anon_seq.sum_rows() RETURNS trigger
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_sum_rows';
COMMENT ON FUNCTION anon_seq.sum_rows() IS 'trigger of ledger tables: keeps sums of their rows, so that audits notice rows that anon_seq did not write';

CREATE VIEW anon_seq.policies WITH (security_barrier) AS
  SELECT p.name, p.method, format('%I.%I', p.source_schema, p.source_name) AS source, p.person, p.quasi, p.sensitive, p.publish_as_is,
         format('%I.%I', p.target_schema, p.target_name) AS publish_as, p.population, p.parameters, p.options, p.columns,
         p.version, p.changes, p.created_at
    FROM anon_seq.policy AS p
   WHERE 'p' || p.id IN (SELECT o.name FROM anon_seq.own_ledgers AS o);
COMMENT ON VIEW anon_seq.policies IS 'the policies whose owner''s rights the current user has';

-- Where versions are stored once, stable names show the one that the ledger says is current: which, is no secret.
CREATE FUNCTION anon_seq.shown_relation(ledger text) RETURNS regclass
  LANGUAGE c STABLE PARALLEL RESTRICTED STRICT AS 'MODULE_PATHNAME', 'anon_seq_shown_relation';
COMMENT ON FUNCTION anon_seq.shown_relation(text) IS 'internal: the relation of the version that the stable name of a policy with shared storage shows';

CREATE VIEW anon_seq.releases WITH (security_barrier) AS
  WITH pointed AS MATERIALIZED (  -- once for each ledger, not for each version
    SELECT o.ledger, anon_seq.shown_relation(o.ledger) AS relation
      FROM (SELECT DISTINCT s.ledger FROM anon_seq.release AS s WHERE s.version > 0 AND s.relations @> '[{"shared": true}]') AS o
     WHERE o.ledger IN (SELECT w.name FROM anon_seq.own_ledgers AS w))
  SELECT r.name AS policy, r.version,
         ARRAY(SELECT format('%I.%I', e->>'schema', e->>'name') FROM jsonb_array_elements(r.relations) WITH ORDINALITY AS x (e, i) ORDER BY i) AS relations, r.published_at, r.published, r.withheld, r.parameters, r.digest,
         r.method, r.population, r.waiting, r.deferred, r.classes, r.smallest_class, r.retired_at,
         r.withdrawn_at, r.withdrawn_by, r.withdrawn_reason,
         -- Whether the stable names show it.
         (SELECT bool_and(((e->>'shared')::boolean IS NOT TRUE OR EXISTS (SELECT FROM pointed AS p WHERE p.ledger = r.ledger AND p.relation = to_regclass(format('%I.%I', e->>'schema', e->>'name')))) AND EXISTS (
                   SELECT
                     FROM pg_namespace AS n JOIN pg_class AS v ON v.relnamespace = n.oid JOIN pg_rewrite AS w ON w.ev_class = v.oid JOIN pg_depend AS d ON d.objid = w.oid
                     JOIN pg_class AS c ON c.oid = d.refobjid JOIN pg_namespace AS m ON m.oid = c.relnamespace
                    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
                      AND n.nspname = e->>'schema' AND v.relkind = 'v'
                      AND CASE WHEN (e->>'shared')::boolean THEN m.nspname = 'anon_seq_ledger' AND c.relname = r.ledger || '_shown' ELSE m.oid = n.oid AND c.relname = e->>'name' END
                      AND v.relname = left(e->>'name', -length(format('_r%s%s', r.version, e->>'suffix'))) || coalesce(e->>'suffix', '')))
            FROM jsonb_array_elements(r.relations) AS x (e) WHERE r.version > 0) AS shown
    FROM anon_seq.release AS r
   WHERE r.ledger IN (SELECT o.name FROM anon_seq.own_ledgers AS o);
COMMENT ON VIEW anon_seq.releases IS 'the releases, made or registered (version 0), whose owner''s rights the current user has';

CREATE VIEW anon_seq.log WITH (security_barrier) AS
  SELECT l.at, l.policy, l.step, l.version, l.ok, l.error, ARRAY(SELECT jsonb_array_elements_text(l.said)) AS said
    FROM anon_seq.log_line AS l
   WHERE l.ledger IN (SELECT o.name FROM anon_seq.own_ledgers AS o);
COMMENT ON VIEW anon_seq.log IS 'publishes with what they said, and what failed in jobs, of policies whose owner''s rights the current user has';

CREATE VIEW anon_seq.audits WITH (security_barrier) AS
  SELECT a.at, a.policy, a.version, c.check_name, c.scope, c.required, c.observed, c.ok, c.offending, coalesce(a.counted_at, a.at) AS counted_at
    FROM anon_seq.audit_result AS a,
         jsonb_to_recordset(a.checks) AS c (check_name text, scope text, required text, observed text, ok boolean, offending bigint)
   WHERE a.ledger IN (SELECT o.name FROM anon_seq.own_ledgers AS o);
COMMENT ON VIEW anon_seq.audits IS 'results of audits with their date, of policies whose owner''s rights the current user has';

CREATE VIEW anon_seq.status WITH (security_barrier) AS
  SELECT p.name AS policy, r.version, r.published_at, r.published, r.waiting, r.deferred, r.withheld, r.shown, l.at AS ran_at, l.ok AS ran_ok, l.error AS failure,
         a.at AS audited_at, a.ok AS audit_ok, a.error AS audit_failure,
         (SELECT min(f.at) FROM anon_seq.watch_policy AS f JOIN anon_seq.watch AS w ON w.id = f.watch WHERE f.policy = p.id AND w.place = anon_seq.place()) AS noted_since,
         a.counted_at
    FROM anon_seq.policy AS p
    LEFT JOIN LATERAL (SELECT * FROM anon_seq.releases AS r WHERE r.policy = p.name AND r.version > 0 AND r.withdrawn_at IS NULL ORDER BY r.version DESC LIMIT 1) AS r ON true
    LEFT JOIN LATERAL (SELECT a.at, a.ok, NULL AS error, coalesce(a.counted_at, a.at) AS counted_at FROM anon_seq.audit_result AS a WHERE a.ledger = 'p' || p.id
                       UNION ALL SELECT l.at, l.ok, l.error, l.at FROM anon_seq.log_line AS l WHERE l.ledger = 'p' || p.id AND l.step = 'audit'
                       ORDER BY at DESC LIMIT 1) AS a ON true
    LEFT JOIN LATERAL (SELECT * FROM anon_seq.log_line AS l WHERE l.ledger = 'p' || p.id AND l.step = 'publish' ORDER BY l.at DESC LIMIT 1) AS l ON true
   WHERE 'p' || p.id IN (SELECT o.name FROM anon_seq.own_ledgers AS o);
COMMENT ON VIEW anon_seq.status IS 'a row per policy: its newest release, who waits, how the last publish and the last audit went, since when changes of a watched source are kept for it';
GRANT SELECT ON anon_seq.policies, anon_seq.releases, anon_seq.log, anon_seq.audits, anon_seq.status TO PUBLIC;

-- Who may publish, and who may take part where.

CREATE FUNCTION anon_seq.grant_publish(role text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_grant_publish';
COMMENT ON FUNCTION anon_seq.grant_publish(text) IS
  'gives a role, or public, the right to make taxonomies, policies and releases: USAGE on the sequence anon_seq.publishers, granted so that a restore keeps it; for the owner of the extension';

CREATE FUNCTION anon_seq.revoke_publish(role text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_revoke_publish';
COMMENT ON FUNCTION anon_seq.revoke_publish(text) IS 'takes back what grant_publish gave';

CREATE FUNCTION anon_seq.grant_population(population text, role text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_grant_population';
COMMENT ON FUNCTION anon_seq.grant_population(text, text) IS
  'lets a role, or public, declare policies and register releases of a population, and read its releases for that; for the owner of the population';

CREATE FUNCTION anon_seq.revoke_population(population text, role text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_revoke_population';
COMMENT ON FUNCTION anon_seq.revoke_population(text, text) IS 'takes back what grant_population gave: policies of that role there cannot be published any more';

CREATE FUNCTION anon_seq.adopt_ledgers() RETURNS TABLE (ledger text, relation text, owner text)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 10 AS 'MODULE_PATHNAME', 'anon_seq_adopt_ledgers';
COMMENT ON FUNCTION anon_seq.adopt_ledgers() IS
  'takes the tables in anon_seq_ledger for those that they are called after, as after a restore over what was there, and their owners for the owners of what they keep; shows them; for the owner of the extension';
