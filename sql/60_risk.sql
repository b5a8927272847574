-- Risk of disclosure, alone and against tables of the people whom records may be of.

-- Which relation is a population, and how it is read; its owner is a role's name, as a taxonomy's is.
CREATE TABLE anon_seq.population_table (
  name          text        PRIMARY KEY CHECK (octet_length(name) BETWEEN 1 AND 63),
  owner         integer     NOT NULL CHECK (owner > 0),  -- a role by its marker
  source_schema text        NOT NULL,
  source_name   text        NOT NULL,
  counts        text,                             -- a column that says how many people a row stands for
  attributes    jsonb,                            -- as of audit_join_relations
  digest        text        NOT NULL,             -- of the relation, when it was registered
  registered_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE anon_seq.population_table IS 'catalog: relations that are registered as populations; read the view anon_seq.population_tables';
GRANT SELECT, INSERT ON anon_seq.population_table TO @extowner@;
SELECT pg_extension_config_dump('anon_seq.population_table', '');

CREATE VIEW anon_seq.population_tables WITH (security_barrier) AS
  SELECT p.name, pg_get_userbyid(o.owner)::text AS owner, format('%I.%I', p.source_schema, p.source_name) AS relation, p.counts, p.attributes, p.registered_at
    FROM anon_seq.population_table AS p
    LEFT JOIN anon_seq.ledger_owners AS o ON o.name = 'o' || p.owner
   WHERE pg_has_role(o.owner, 'USAGE')
      OR pg_has_role(current_user, (SELECT e.extowner FROM pg_extension AS e WHERE e.extname = 'anon_seq'), 'USAGE');
COMMENT ON VIEW anon_seq.population_tables IS 'the populations that were registered by one of the current user''s roles; those of everybody for the owner of the extension';
GRANT SELECT ON anon_seq.population_tables TO PUBLIC;

CREATE FUNCTION anon_seq.register_population(name text, relation regclass, counts text DEFAULT NULL, attributes jsonb DEFAULT NULL) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_register_population';
COMMENT ON FUNCTION anon_seq.register_population(text, regclass, text, jsonb) IS
  'names a table of the people whom records may be of, a row each, or counts of them; nothing is copied, and risk() says if it has changed since';

CREATE FUNCTION anon_seq.withdraw_population(name text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_withdraw_population';
COMMENT ON FUNCTION anon_seq.withdraw_population(text) IS 'takes back what register_population named; the table stays as it is';

CREATE FUNCTION anon_seq.risk(release text, population text DEFAULT NULL, quasi text[] DEFAULT NULL,
    OUT records bigint, OUT classes bigint, OUT uniques bigint, OUT prosecutor_max numeric, OUT prosecutor_average numeric, OUT marketer numeric,
    OUT people bigint, OUT unique_people bigint, OUT unique_both bigint, OUT journalist_max numeric, OUT journalist_average numeric,
    OUT k_map bigint, OUT delta_min numeric, OUT delta_max numeric, OUT half_shown bigint, OUT uncovered bigint, OUT population_changed boolean)
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_risk';
COMMENT ON FUNCTION anon_seq.risk(text, text, text[]) IS
  'prosecutor and marketer risk of a release, persons counted; against a registered population journalist risk, k-map, delta-presence and uniques as well';

CREATE FUNCTION anon_seq.audit_risk(relation regclass, quasi text[], person text DEFAULT NULL, population regclass DEFAULT NULL, counts text DEFAULT NULL,
    attributes jsonb DEFAULT NULL,
    OUT records bigint, OUT classes bigint, OUT uniques bigint, OUT prosecutor_max numeric, OUT prosecutor_average numeric, OUT marketer numeric,
    OUT people bigint, OUT unique_people bigint, OUT unique_both bigint, OUT journalist_max numeric, OUT journalist_average numeric,
    OUT k_map bigint, OUT delta_min numeric, OUT delta_max numeric, OUT half_shown bigint, OUT uncovered bigint)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_risk';
COMMENT ON FUNCTION anon_seq.audit_risk(regclass, text[], text, regclass, text, jsonb) IS
  'the same of any relation, read as the caller: who is alone, and how likely a record is known again by who knows its quasi columns, or looks for it in a table of the population';
