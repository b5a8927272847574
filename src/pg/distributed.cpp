#include "pg/distributed.h"

#include "pg/acting_as.h"
#include "pg/lock_wait.h"
#include "pg/settings.h"
#include "pg/sql_text.h"

namespace anon_seq::pg {
namespace {

// The catalog of the extension, as SQL; nothing if it is not installed. Nobody but a superuser makes a table there, or
// an extension of that name.
std::optional<std::string> distribution_catalog(SpiSession& session) {
#ifdef ANON_SEQ_SELFTEST
  if (auto const stand_in = stand_in_for_citus(); !stand_in.empty()) return stand_in;
#endif
  auto const rows = session.execute(R"(
SELECT c.oid::pg_catalog.regclass
FROM pg_catalog.pg_extension AS e
JOIN pg_catalog.pg_depend AS d ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
JOIN pg_catalog.pg_class AS c ON d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
WHERE e.extname = 'citus' AND d.deptype = 'e' AND c.relkind = 'r'
  AND c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace AND c.relname = 'pg_dist_partition')",
                                    {}, true);
  return rows.count() == 0 ? std::nullopt : rows.text(0, 1);
}

}  // namespace

std::vector<DistributedTable> distributed_tables(SpiSession& session, Oid relation) {
  std::vector<DistributedTable> tables;
  auto const catalog = distribution_catalog(session);
  if (!catalog) return tables;
  auto const rows = session.execute(sql_text(R"(
WITH RECURSIVE part (oid) AS (
  SELECT $1
  UNION
  SELECT n.oid
  FROM part AS p,
       LATERAL (SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i WHERE i.inhparent = p.oid
                UNION ALL
                SELECT d.refobjid
                FROM pg_catalog.pg_class AS v
                JOIN pg_catalog.pg_rewrite AS w ON w.ev_class = v.oid
                JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
                WHERE v.oid = p.oid AND v.relkind = 'v' AND d.refobjid <> v.oid
                  AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass) AS n (oid)
)
SELECT c.oid, c.relowner
FROM part AS p
JOIN pg_catalog.pg_class AS c ON c.oid = p.oid
WHERE EXISTS (SELECT FROM {catalog} AS x WHERE x.logicalrelid::pg_catalog.oid = c.oid)
ORDER BY c.oid)",
                                             {{"catalog", *catalog}}),
                                    {SqlValue::oid(relation)}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row) tables.push_back({rows.oid(row, 1), rows.oid(row, 2)});
  return tables;
}

void lock_distributed(SpiSession& session, Oid relation) {
  auto const tables = distributed_tables(session, relation);
  if (tables.empty()) return;
  std::vector<Lockable> all;
  for (auto const& table : tables) all.push_back(Lockable::relation(table.relation));
  lock_in_turns(session, all, ShareLock);
  Settings const propagated{{"citus.enable_ddl_propagation", "on"}};
  for (auto const& table : tables) {
    auto const sql = "LOCK TABLE " + qualified_name(table.relation) + " IN SHARE MODE";  // on the other nodes as well
    ActingAs const owner(table.owner);
    session.execute(sql);
  }
}

}  // namespace anon_seq::pg
