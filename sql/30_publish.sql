-- The life of a release: policies, publishing, looking, auditing.

CREATE FUNCTION anon_seq.create_sequential_policy(
    name text, source regclass, person text, quasi text[], k int DEFAULT NULL, max_link numeric DEFAULT NULL, rules jsonb DEFAULT NULL,
    label text DEFAULT NULL, objective text DEFAULT NULL, previous text[] DEFAULT NULL,
    sensitive text[] DEFAULT NULL, publish_as_is text[] DEFAULT NULL, taxonomies jsonb DEFAULT NULL, publish_as text DEFAULT NULL,
    population text DEFAULT NULL, options jsonb DEFAULT NULL, max_suppressed numeric DEFAULT NULL) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_sequential_policy';
COMMENT ON FUNCTION anon_seq.create_sequential_policy(text, regclass, text, text[], int, numeric, jsonb, text, text, text[], text[], text[], jsonb, text, text, jsonb, numeric) IS
  'declares a publication whose releases are generalized against everything released before of the same population';

CREATE FUNCTION anon_seq.create_incremental_policy(
    name text, source regclass, person text, quasi text[], k int,
    sensitive text[] DEFAULT NULL, publish_as_is text[] DEFAULT NULL, taxonomies jsonb DEFAULT NULL, publish_as text DEFAULT NULL,
    population text DEFAULT NULL, options jsonb DEFAULT NULL) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_incremental_policy';
COMMENT ON FUNCTION anon_seq.create_incremental_policy(text, regclass, text, text[], int, text[], text[], jsonb, text, text, jsonb) IS
  'declares a publication whose versions follow a source that grows: regions are only ever refined, so that all versions together stay k-anonymous';

CREATE FUNCTION anon_seq.create_lossy_join_policy(
    name text, source regclass, person text, quasi text[], sensitive text[], alpha numeric, k int, form text, classes text DEFAULT NULL,
    l int DEFAULT NULL, sensitive_values text[] DEFAULT NULL,
    publish_as_is text[] DEFAULT NULL, taxonomies jsonb DEFAULT NULL, publish_as text DEFAULT NULL, population text DEFAULT NULL,
    options jsonb DEFAULT NULL) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_lossy_join_policy';
COMMENT ON FUNCTION anon_seq.create_lossy_join_policy(text, regclass, text, text[], text[], numeric, int, text, text, int, text[], text[], jsonb, text, text, jsonb) IS
  'declares a publication in two projections, quasi-identifiers as they are and sensitive values, that share a class: of each bounded value at most alpha of a class';

CREATE FUNCTION anon_seq.create_serial_policy(
    name text, source regclass, person text, quasi text[], sensitive text[], sensitive_values text[], l numeric, form text,
    plan text DEFAULT 'harmonic', horizon int DEFAULT NULL, persistence text DEFAULT 'transient',
    publish_as_is text[] DEFAULT NULL, taxonomies jsonb DEFAULT NULL, publish_as text DEFAULT NULL, population text DEFAULT NULL,
    options jsonb DEFAULT NULL) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_create_serial_policy';
COMMENT ON FUNCTION anon_seq.create_serial_policy(text, regclass, text, text[], text[], text[], numeric, text, text, int, text, text[], jsonb, text, text, jsonb) IS
  'declares a publication of a table that changes: over all versions nobody is linked to a listed value with a chance above 1/l';

CREATE FUNCTION anon_seq.alter_policy(name text, changes jsonb) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_alter_policy';
COMMENT ON FUNCTION anon_seq.alter_policy(text, jsonb) IS
  'changes a policy: anything before its first release, afterwards only what asks for more; keys are the parameters of create';

CREATE FUNCTION anon_seq.describe_policy(name text) RETURNS jsonb
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_describe_policy';
COMMENT ON FUNCTION anon_seq.describe_policy(text) IS 'a policy, the rules it comes to, and the attributes it has in common with each release it heeds';

CREATE FUNCTION anon_seq.drop_policy(name text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_drop_policy';
COMMENT ON FUNCTION anon_seq.drop_policy(text) IS 'removes a policy; its releases and their ledger stay and go on counting';

CREATE FUNCTION anon_seq.declare_inconsistent(attribute_a text, value_a text, attribute_b text, value_b text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_declare_inconsistent';
COMMENT ON FUNCTION anon_seq.declare_inconsistent(text, text, text, text) IS
  'states that nobody has two values (or what lies below them) together, as attackers know too; it counts for policies of your roles';

CREATE FUNCTION anon_seq.withdraw_inconsistent(attribute_a text, value_a text, attribute_b text, value_b text) RETURNS boolean
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_withdraw_inconsistent';
COMMENT ON FUNCTION anon_seq.withdraw_inconsistent(text, text, text, text) IS
  'takes back what declare_inconsistent stated, if it was stated by one of your roles; returns whether there was anything to take back';

CREATE FUNCTION anon_seq.register_release(name text, relation regclass, population text, attributes jsonb DEFAULT NULL) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_register_release';
COMMENT ON FUNCTION anon_seq.register_release(text, regclass, text, jsonb) IS
  'makes a table that was published earlier, by any means, count as a release of a population';

CREATE FUNCTION anon_seq.preview(policy text, changes jsonb[] DEFAULT NULL)
  RETURNS TABLE (variant int, changes jsonb, feasible boolean, reason text, published bigint, withheld bigint, classes bigint,
                 smallest_class bigint, measures jsonb, shown jsonb, detail_lost jsonb)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 5 AS 'MODULE_PATHNAME', 'anon_seq_preview';

CREATE FUNCTION anon_seq.publish(policy text, verbose boolean DEFAULT false, force boolean DEFAULT false, after int DEFAULT NULL,
    OUT policy text, OUT version int, OUT relations text[], OUT published bigint, OUT withheld bigint, OUT waiting bigint, OUT deferred bigint,
    OUT classes bigint, OUT smallest_class bigint, OUT digest text)
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_publish';

CREATE FUNCTION anon_seq.audit(policy text, everything boolean DEFAULT false)
  RETURNS TABLE (check_name text, scope text, required text, observed text, ok boolean, offending bigint, detail jsonb)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 10 AS 'MODULE_PATHNAME', 'anon_seq_audit';
COMMENT ON FUNCTION anon_seq.audit(text, boolean) IS
  'replays the attacks on the newest release of a policy, or on every one of them, against the releases of its population; ok is never NULL';

CREATE FUNCTION anon_seq.assert_audit(policy text, everything boolean DEFAULT false) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_assert_audit';
COMMENT ON FUNCTION anon_seq.assert_audit(text, boolean) IS 'raises unless every check of audit() is ok: for jobs';

CREATE FUNCTION anon_seq.audit_failures(policy text) RETURNS text
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_audit_failures';
COMMENT ON FUNCTION anon_seq.audit_failures(text) IS 'internal: runs and keeps an audit for anon_seq.nightly(); NULL if all is ok';

CREATE FUNCTION anon_seq.log_failure(policy text, step text, error text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_log_failure';
COMMENT ON FUNCTION anon_seq.log_failure(text, text, text) IS 'internal: writes down what failed in anon_seq.nightly()';

CREATE FUNCTION anon_seq.is_confirmed(policy text) RETURNS boolean
  LANGUAGE c STABLE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_is_confirmed';
COMMENT ON FUNCTION anon_seq.is_confirmed(text) IS 'internal: whether the ledger of a policy, and those it is promised together with, need no confirmation';

-- It commits, so it has no SET and no SECURITY DEFINER: names and operators in it are qualified, and it calls nothing but functions of ours.
CREATE PROCEDURE anon_seq.nightly(policy pg_catalog.text, after pg_catalog.int4 DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
  state pg_catalog.text := ''; message pg_catalog.text; detail pg_catalog.text; hint pg_catalog.text;
  audit_state pg_catalog.text := ''; failures pg_catalog.text; failure pg_catalog.text;
BEGIN
  COMMIT;  -- where that is not allowed, nothing has been done yet
  BEGIN
    PERFORM anon_seq.publish(nightly.policy, after => nightly.after);
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    failure := pg_catalog.rtrim(pg_catalog.concat_ws(E'\n', message, detail, hint), E'\n');
    -- A restored ledger waits for its owner: that is said in full once, and nothing changes until then.
    IF state OPERATOR(pg_catalog.=) '55000' AND NOT anon_seq.is_confirmed(nightly.policy)
       AND failure OPERATOR(pg_catalog.=) (SELECT l.error FROM anon_seq.log AS l WHERE l.policy OPERATOR(pg_catalog.=) nightly.policy AND l.step OPERATOR(pg_catalog.=) 'publish'
                                            ORDER BY l.at DESC LIMIT 1) THEN
      RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message,
        HINT = pg_catalog.format('What to do was said before: SELECT at, error FROM anon_seq.log WHERE policy = %L ORDER BY at DESC LIMIT 2;', nightly.policy);
    END IF;
    PERFORM anon_seq.log_failure(nightly.policy, 'publish', failure);
  END;
  COMMIT;
  IF state OPERATOR(pg_catalog.<>) '57014' THEN
    BEGIN
      failures := anon_seq.audit_failures(nightly.policy);
    EXCEPTION WHEN query_canceled OR OTHERS THEN
      GET STACKED DIAGNOSTICS audit_state = RETURNED_SQLSTATE, failures = MESSAGE_TEXT;
    END;
    IF failures IS NOT NULL THEN
      PERFORM anon_seq.log_failure(nightly.policy, 'audit', failures);
    END IF;
    COMMIT;
  END IF;
  IF state OPERATOR(pg_catalog.<>) '' THEN
    RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = pg_catalog.rtrim(pg_catalog.concat_ws(E'\n', detail, failures), E'\n'), HINT = hint;
  ELSIF audit_state OPERATOR(pg_catalog.<>) '' THEN
    RAISE EXCEPTION USING ERRCODE = audit_state, MESSAGE = pg_catalog.format('the audit of policy %I could not be done: %s', nightly.policy, failures);
  ELSIF failures IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = '22000', MESSAGE = pg_catalog.split_part(failures, E'\n', 1),
      DETAIL = pg_catalog.substr(failures, pg_catalog.strpos(failures, E'\n') OPERATOR(pg_catalog.+) 1),
      HINT = pg_catalog.format('SELECT * FROM anon_seq.audit(%L) WHERE NOT ok;', nightly.policy);
  END IF;
END $$;
COMMENT ON PROCEDURE anon_seq.nightly(text, int) IS
  'for jobs: publishes, writes down what was said, audits, writes that down, and raises what failed; each step in a transaction of its own';

CREATE FUNCTION anon_seq.measure(release text) RETURNS TABLE (metric text, value numeric, unit text, meaning text)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 6 AS 'MODULE_PATHNAME', 'anon_seq_measure';
COMMENT ON FUNCTION anon_seq.measure(text) IS 'what a release lost by being generalized, with a sentence on each number';

CREATE FUNCTION anon_seq.budget(policy text)
  RETURNS TABLE (attribute text, value text, persons bigint, largest numeric, spent bigint, rows_for_one bigint, versions_left bigint)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 10 AS 'MODULE_PATHNAME', 'anon_seq_budget';
COMMENT ON FUNCTION anon_seq.budget(text) IS
  'what is left of the budgets of a serial policy: for each listed value how many persons stood beside it, and how large classes have to be';

CREATE FUNCTION anon_seq.forecast(policy text, releases int, changing float8 DEFAULT NULL)
  RETURNS TABLE (version int, feasible boolean, reason text, published bigint, withheld bigint, classes bigint, smallest_class bigint,
                 average_class numeric, rows_for_one bigint, ncp numeric)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 12 AS 'MODULE_PATHNAME', 'anon_seq_forecast';
COMMENT ON FUNCTION anon_seq.forecast(text, int, float8) IS
  'the coming versions of a serial policy, if its source kept its persons and the sensitive values of a share of them were drawn anew: of changing, or as many as changed last; writes nothing';

CREATE FUNCTION anon_seq.confirm_ledger(policy text, last_version int) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_confirm_ledger';
COMMENT ON FUNCTION anon_seq.confirm_ledger(text, int) IS
  'says that a policy goes on with a ledger that was restored or promoted, and which was the newest version that was ever published';

CREATE FUNCTION anon_seq.confirm_ledgers(last_versions jsonb DEFAULT NULL) RETURNS TABLE (policy text, version int, last_version int, lost bigint)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 10 AS 'MODULE_PATHNAME', 'anon_seq_confirm_ledgers';
COMMENT ON FUNCTION anon_seq.confirm_ledgers(jsonb) IS
  'confirm_ledger() for all policies of your roles that wait for it, with the newest version that each ledger has, or that last_versions gives, such as {"visits": 7}';

CREATE FUNCTION anon_seq.trace(release text)
  RETURNS TABLE (step int, attribute text, value text, children text[], info_gain double precision, priv_loss double precision,
                 score double precision, privacy_after jsonb)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 100 AS 'MODULE_PATHNAME', 'anon_seq_trace';
COMMENT ON FUNCTION anon_seq.trace(text) IS 'every specialization that led to a release, with what it gained and cost: why the cut is what it is';

CREATE FUNCTION anon_seq.cut(release text) RETURNS TABLE (attribute text, value text)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 100 AS 'MODULE_PATHNAME', 'anon_seq_cut';
COMMENT ON FUNCTION anon_seq.cut(text) IS 'the values that a release shows, attribute by attribute; of local recoding box by box';

CREATE FUNCTION anon_seq.release_rows(release text) RETURNS TABLE (release_row jsonb)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 1000 AS 'MODULE_PATHNAME', 'anon_seq_release_rows';
COMMENT ON FUNCTION anon_seq.release_rows(text) IS 'the rows of any version, retired ones too, from the ledger';

CREATE FUNCTION anon_seq.retire_release(release text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_retire_release';
COMMENT ON FUNCTION anon_seq.retire_release(text) IS 'drops the relation of a version and keeps its ledger: what was published keeps counting';

CREATE FUNCTION anon_seq.point(policy text) RETURNS boolean
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_point';
COMMENT ON FUNCTION anon_seq.point(text) IS
  'lets the stable names of a policy show its newest version, where readers kept a publish from doing so; whether they do now';

CREATE FUNCTION anon_seq.withdraw_release(release text, reason text) RETURNS void
  LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'anon_seq_withdraw_release';
COMMENT ON FUNCTION anon_seq.withdraw_release(text, text) IS
  'takes back a registration that nothing rests on, or a version that nobody has been able to read: the version''s relation goes, its ledger and its number stay';

-- For readers of releases, who need no right of ours.

CREATE FUNCTION anon_seq.demanded_of(relation regclass) RETURNS text
  LANGUAGE c STABLE PARALLEL RESTRICTED STRICT AS 'MODULE_PATHNAME', 'anon_seq_demanded_of';
COMMENT ON FUNCTION anon_seq.demanded_of(regclass) IS 'the method of a release and the numbers that it keeps, for roles that may read it';

CREATE FUNCTION anon_seq.about(relation regclass) RETURNS TABLE (column_name text, meaning text)
  LANGUAGE sql STABLE PARALLEL RESTRICTED
  SET search_path = pg_catalog, pg_temp
  AS $$
    WITH RECURSIVE below (oid, steps) AS (  -- a stable name, the version that it shows
      SELECT $1::oid, 0
      UNION
      SELECT d.refobjid, b.steps + 1
        FROM below AS b
        JOIN pg_class AS v ON v.oid = b.oid AND v.relkind = 'v'
        JOIN pg_rewrite AS r ON r.ev_class = b.oid
        JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
        JOIN pg_class AS c ON c.oid = d.refobjid AND c.relkind IN ('v', 'm')
       WHERE d.refobjid <> b.oid AND b.steps < 5
    ), lines AS (
      SELECT NULL AS name, obj_description(b.oid, 'pg_class') AS line, -b.steps AS place FROM below AS b
      UNION ALL
      SELECT NULL, obj_description(anon_seq.shown_relation(substring(c.relname, '^(p[0-9]+)_shown$')), 'pg_class'), -b.steps
        FROM below AS b
        JOIN pg_class AS c ON c.oid = b.oid AND c.relnamespace = 'anon_seq_ledger'::regnamespace
       WHERE b.steps > 0
      UNION ALL
      SELECT NULL, anon_seq.demanded_of($1), 1
      UNION ALL
      SELECT a.attname, col_description(a.attrelid, a.attnum), a.attnum
        FROM pg_attribute AS a
       WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
    )
    SELECT l.name, l.line FROM lines AS l WHERE l.line IS NOT NULL ORDER BY l.name IS NOT NULL, l.place
  $$;
COMMENT ON FUNCTION anon_seq.about(regclass) IS 'what a release is, and how to read its columns: the comments on it and on the version that it shows, and for its readers what was demanded of it; for everybody';

CREATE FUNCTION anon_seq.fits(relation regclass, "column" text, published anyelement, value text) RETURNS boolean
  LANGUAGE c STABLE PARALLEL RESTRICTED COST 10 AS 'MODULE_PATHNAME', 'anon_seq_fits';
COMMENT ON FUNCTION anon_seq.fits(regclass, text, anyelement, text) IS
  'whether whoever shows a published value surely has the value asked for, which may be a label or an interval; for readers of the release';

CREATE FUNCTION anon_seq.may_be(relation regclass, "column" text, published anyelement, value text) RETURNS boolean
  LANGUAGE c STABLE PARALLEL RESTRICTED COST 10 AS 'MODULE_PATHNAME', 'anon_seq_may_be';
COMMENT ON FUNCTION anon_seq.may_be(regclass, text, anyelement, text) IS
  'whether whoever shows a published value may have the value asked for, which may be a label or an interval; for readers of the release';

CREATE FUNCTION anon_seq.forget(population text, person text) RETURNS TABLE (release text, relation text, still_shown boolean)
  LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 5 AS 'MODULE_PATHNAME', 'anon_seq_forget';
COMMENT ON FUNCTION anon_seq.forget(text, text) IS
  'answers an erasure request: takes a person out of the ledger and says in which releases the row is still shown';

-- What runs, for members of the role that runs it. Informational.
CREATE VIEW anon_seq.progress WITH (security_barrier) AS
  SELECT a.pid, m[1] AS work, m[2] AS policy, m[3] AS phase, m[4]::int - 1 AS done, m[5]::int AS total, a.xact_start AS started_at
    FROM pg_stat_activity AS a,
         LATERAL regexp_match(a.query, '^anon_seq ([a-z_]+) "(.*)": (.*) \(([0-9]+) of ([0-9]+)\)$') AS m
   WHERE m IS NOT NULL AND a.state = 'active' AND pg_has_role(current_user, a.usesysid, 'USAGE');
COMMENT ON VIEW anon_seq.progress IS 'publishes, previews, forecasts and audits that are running now, by members of your roles';
GRANT SELECT ON anon_seq.progress TO PUBLIC;
COMMENT ON FUNCTION anon_seq.preview(text, jsonb[]) IS
  'what publishing would give, as the policy stands or with changes such as {"k": 20}; one row per variant; writes nothing';
COMMENT ON FUNCTION anon_seq.publish(text, boolean, boolean, int) IS
  'makes, audits and keeps the next release of a policy; unchanged content gives the last one again; after: refused unless this is its newest version';
