-- Audits of several releases of one table: what they tell together of each object.

CREATE FUNCTION anon_seq.audit_inference_relations(relations regclass[], object_id text, quasi text[], k int, reading text DEFAULT 'equal',
    attributes jsonb DEFAULT NULL, options jsonb DEFAULT NULL)
  RETURNS TABLE (object text, inferred jsonb, group_size bigint, safe boolean)
  LANGUAGE c STABLE PARALLEL UNSAFE ROWS 10000 AS 'MODULE_PATHNAME', 'anon_seq_audit_inference_relations';
COMMENT ON FUNCTION anon_seq.audit_inference_relations(regclass[], text, text[], int, text, jsonb, jsonb) IS
  'intersects what relations say of each object, as an attacker does who links them: the worst subset of them for each object, and whether k objects are as good as it; the last row, without object, sums up';

CREATE FUNCTION anon_seq.audit_inference(releases text[], k int, reading text DEFAULT 'equal', options jsonb DEFAULT NULL)
  RETURNS TABLE (object text, inferred jsonb, group_size bigint, safe boolean)
  LANGUAGE c STABLE PARALLEL UNSAFE ROWS 10000 AS 'MODULE_PATHNAME', 'anon_seq_audit_inference';
COMMENT ON FUNCTION anon_seq.audit_inference(text[], int, text, jsonb) IS
  'audit_inference_relations over releases made here, person by person (of an incremental policy: by object id); for members of the owner''s role; a policy''s name means all its versions';

CREATE FUNCTION anon_seq.audit_arrivals(releases text[])
  RETURNS TABLE (release text, check_name text, smallest bigint, groups bigint, persons bigint, detail jsonb)
  LANGUAGE c STABLE PARALLEL UNSAFE ROWS 60 AS 'MODULE_PATHNAME', 'anon_seq_audit_arrivals';
COMMENT ON FUNCTION anon_seq.audit_arrivals(text[]) IS
  'what versions of a policy tell somebody who knows when people came and went: the smallest set of newcomers, leavers, either side of a cut, and of candidates left by forward, cross and backward attacks; detail is the first of the smallest';

-- A type, as a column called like a parameter cannot stand in RETURNS TABLE.
CREATE TYPE anon_seq.breach AS (person text, value text, p numeric, localized numeric, releases int, exact boolean, attribute text);
COMMENT ON TYPE anon_seq.breach IS
  'that a person has ever had a value of a sensitive attribute: its chance p over all releases, the most that a single one gives, in how many he is in a group with the value, whether p is exact';

CREATE FUNCTION anon_seq.audit_breach_relations(relations regclass[], group_id text[], person text, sensitive text, sensitive_values text[] DEFAULT NULL,
    model text DEFAULT 'transient')
  RETURNS SETOF anon_seq.breach
  LANGUAGE c STABLE PARALLEL UNSAFE ROWS 10000 AS 'MODULE_PATHNAME', 'anon_seq_audit_breach_relations';
COMMENT ON FUNCTION anon_seq.audit_breach_relations(regclass[], text[], text, text, text[], text) IS
  'how likely each person has ever had each sensitive value (GG''s breach probability) for a reader of all these relations who knows who is in which group, worst first; localized is the most that a single relation gives; rows are in one group that show the same in the columns group_id';

CREATE FUNCTION anon_seq.audit_breach(releases text[], sensitive_values text[] DEFAULT NULL, model text DEFAULT 'transient')
  RETURNS SETOF anon_seq.breach
  LANGUAGE c STABLE PARALLEL UNSAFE ROWS 10000 AS 'MODULE_PATHNAME', 'anon_seq_audit_breach';
COMMENT ON FUNCTION anon_seq.audit_breach(text[], text[], text) IS
  'audit_breach_relations over releases made here, of one population, class by class out of their ledgers; for members of the owner''s role; a policy''s name means all its versions';
