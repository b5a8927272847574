-- Audits: attacks replayed on relations, ours or anybody's; no registration needed. They read as their caller.

CREATE FUNCTION anon_seq.audit_k(relation regclass, quasi text[], person text DEFAULT NULL,
    OUT classes bigint, OUT smallest bigint, OUT average numeric, OUT histogram jsonb, OUT worst jsonb)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_k';
COMMENT ON FUNCTION anon_seq.audit_k(regclass, text[], text) IS
  'how many persons (without a person column: rows) share each combination of values: k-anonymity as it is; worst is the first of the smallest classes';

CREATE FUNCTION anon_seq.audit_alpha_k(relation regclass, quasi text[], sensitive text, sensitive_values text[] DEFAULT NULL,
    OUT classes bigint, OUT smallest bigint, OUT largest_fraction numeric, OUT worst_class jsonb)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_alpha_k';
COMMENT ON FUNCTION anon_seq.audit_alpha_k(regclass, text[], text, text[]) IS
  '(alpha,k)-anonymity of any relation: the smallest class, and the largest share of a class that one sensitive value has, or all listed values together';

CREATE FUNCTION anon_seq.audit_projections(nss regclass, ss regclass, class_id text, sensitive text, sensitive_values text[] DEFAULT NULL, original regclass DEFAULT NULL,
    OUT classes bigint, OUT smallest bigint, OUT largest_fraction numeric, OUT worst_class jsonb, OUT differing bigint, OUT recovered bigint)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_projections';
COMMENT ON FUNCTION anon_seq.audit_projections(regclass, regclass, text, text, text[], regclass) IS
  'the same of two projections: also how many classes differ in size, and how many rows of the original come back if both are put side by side, class by class, as they are stored';

CREATE FUNCTION anon_seq.audit_diversity(relation regclass, quasi text[], sensitive text, counts text DEFAULT NULL,
    OUT classes bigint, OUT k bigint, OUT distinct_values bigint, OUT distinct_l bigint, OUT entropy_l numeric, OUT recursive_c bigint,
    OUT t numeric, OUT alpha numeric, OUT beta numeric, OUT enhanced_beta numeric, OUT delta numeric)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_diversity';
COMMENT ON FUNCTION anon_seq.audit_diversity(regclass, text[], text, text) IS
  'what any relation leaves open about a sensitive value: distinct, entropy and recursive (recursive_c,distinct_l)-diversity, t-closeness, alpha, basic and enhanced beta-likeness, delta-disclosure; counts is a column that says how many rows a row stands for';

CREATE FUNCTION anon_seq.audit_join(releases text[], x jsonb, y jsonb, attributes jsonb DEFAULT NULL, options jsonb DEFAULT NULL,
    OUT smallest_anonymity numeric, OUT largest_linkability numeric, OUT matches numeric, OUT dangling jsonb, OUT worst jsonb)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_join';
COMMENT ON FUNCTION anon_seq.audit_join(text[], jsonb, jsonb, jsonb, jsonb) IS
  'joins releases as an attacker does: the fewest distinct y of an x, and the largest share of a y in an x; a bare string is a column of the first release, {"release": "imm", "column": "race"} of another, {"release": "imm"} its records; options: overlap, outer, values, each';

CREATE FUNCTION anon_seq.audit_join_relations(relations regclass[], x jsonb, y jsonb, attributes jsonb DEFAULT NULL, options jsonb DEFAULT NULL,
    OUT smallest_anonymity numeric, OUT largest_linkability numeric, OUT matches numeric, OUT dangling jsonb, OUT worst jsonb)
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_join_relations';
COMMENT ON FUNCTION anon_seq.audit_join_relations(regclass[], jsonb, jsonb, jsonb, jsonb) IS
  'audit_join over any relations: columns of one name match, or what attributes lists: {"age": {"column": "Age", "taxonomy": "age_arx"}}';

CREATE FUNCTION anon_seq.query_error(release text, original regclass, queries int DEFAULT 1000, dimensions int DEFAULT 2, selectivity numeric DEFAULT 0.1, seed int DEFAULT 1,
    OUT estimator text, OUT answered bigint, OUT skipped bigint, OUT mean_error numeric, OUT median_error numeric, OUT max_error numeric, OUT mean_low numeric, OUT mean_high numeric)
  RETURNS SETOF record
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_query_error';
COMMENT ON FUNCTION anon_seq.query_error(text, regclass, int, int, numeric, int) IS
  'how far random COUNT queries over a release are off from the same over the original: relative errors of each estimator, with the 95 % interval of their mean; the same seed asks the same queries';

CREATE FUNCTION anon_seq.audit_minimality(release text, runs int DEFAULT 1000,
    OUT exact boolean, OUT tried bigint, OUT accepted bigint, OUT acceptance numeric, OUT worst_posterior numeric, OUT worst_at_least numeric, OUT bound numeric,
    OUT persons_above bigint, OUT meaning text)
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_minimality';
COMMENT ON FUNCTION anon_seq.audit_minimality(text, int) IS
  'what a reader who knows the code learns from a release of a sequential policy or a lossy join: runs its algorithm on other arrangements of the sensitive values inside its classes; the largest chance of a person and a bounded value over those that give this release';

CREATE FUNCTION anon_seq.audit_correlation(release text, versions int DEFAULT 1)
  RETURNS TABLE (sensitive text, listed boolean, rows bigint, share_right numeric, promised numeric, baseline numeric, excess numeric)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'anon_seq_audit_correlation';
COMMENT ON FUNCTION anon_seq.audit_correlation(text, int) IS
  'how often a reader who learns from a lossy join, and from the versions before it, how values go with quasi-identifiers guesses right, against what its classes promise, and against the most frequent value of the class';
