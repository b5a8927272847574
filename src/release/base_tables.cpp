#include "release/base_tables.h"

#include "catalog/catalog_writer.h"
#include "pg/json_object.h"
#include "pg/report.h"
#include "pg/sql_text.h"

namespace anon_seq::release {
namespace {

// Other policies (a name, or NULL of another role; its population) that share a table with a source, and whose
// population, or ours, is the default of a view.
constexpr char kSharing[] = R"(
WITH RECURSIVE source AS (
  SELECT p.name, p.population, p.id, c.oid, c.relkind,
         p.population = p.source_schema || '.' || p.source_name AND c.relkind IN ('v', 'm') AS of_view
  FROM anon_seq.policy AS p
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = p.source_schema
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = p.source_name
),
reads AS (
  SELECT s.id, s.oid
  FROM source AS s
  UNION
  SELECT r.id, d.refobjid
  FROM reads AS r
  JOIN pg_catalog.pg_class AS v ON v.oid = r.oid AND v.relkind IN ('v', 'm')
  JOIN pg_catalog.pg_rewrite AS w ON w.ev_class = v.oid
  JOIN pg_catalog.pg_depend AS d
    ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
   AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> v.oid
),
tables AS (
  SELECT r.id, r.oid
  FROM reads AS r
  JOIN pg_catalog.pg_class AS c ON c.oid = r.oid AND c.relkind IN ('r', 'p', 'f')
)
SELECT DISTINCT CASE WHEN anon_seq.owns_ledger($2, 'p' || o.id) THEN o.name END,
       CASE WHEN anon_seq.owns_ledger($2, 'p' || o.id) THEN o.population END
FROM source AS s
JOIN source AS o ON o.population <> s.population AND (o.of_view OR s.of_view)
JOIN tables AS t ON t.id = s.id
JOIN tables AS u ON u.id = o.id AND u.oid = t.oid
WHERE s.name = $1
ORDER BY 1, 2)";

}  // namespace

void warn_of_same_tables(SpiSession& session, Policy const& policy) {
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(kSharing, {policy.name, catalog.caller_value()});
  if (rows.count() == 0) return;
  auto const name = rows.text(0, 1);
  auto const count = rows.count();
  warning("policy " + quoted(policy.name) + " reads the same table as " +
              (name ? "policy " + quoted(*name) : "a policy of another role") +
              (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
              ", but belongs to another population: nothing guards their releases against each other",
          "If they are about the same people, give both one population" +
              (name ? ", before their first release: SELECT anon_seq.alter_policy(" + sql_literal(policy.name) + ", " +
                          sql_literal(JsonObject().text("population", rows.get(0, 2)).json()) + ");"
                    : std::string(".")) +
              " If not, a population with a name of its own says so.");
}

}  // namespace anon_seq::release
