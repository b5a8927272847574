#include "catalog/ledger_maker.h"

#include "catalog/ledger.h"
#include "catalog/rights.h"

namespace anon_seq::catalog {
namespace {

// Those of identity columns.
void close_sequences(SpiSession& session, std::string const& table) {
  auto const rows = session.execute(
      "SELECT c.oid::pg_catalog.regclass FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_class AS c ON c.oid = d.objid"
      " WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refclassid = d.classid"
      " AND d.refobjid = $1::pg_catalog.regclass AND d.deptype = 'i' AND c.relkind = 'S'",
      {table});
  for (std::uint64_t row = 0; row < rows.count(); ++row) close_relation(session, "SEQUENCE", rows.get(row, 1));
}

}  // namespace

LedgerMaker::LedgerMaker(SpiSession& session)
    : session_(session),
      maker_(ledger_schema_owner(session)),
      storage_({{"default_tablespace", ""},
                {"default_table_access_method", "heap"},
                {"default_toast_compression", "pglz"}}) {}

void LedgerMaker::hand_over(char const* kind, std::string const& relation, Oid owner) {
  session_.execute("ALTER " + std::string(kind) + " " + relation + " OWNER TO " + quote_name(role_name(owner)));
  close_relation(session_, kind[0] == 'S' ? kind : "TABLE", relation);
  if (kind[0] == 'T') close_sequences(session_, relation);
}

void LedgerMaker::let_dump(std::string const& sequence) {
  auto const dumper = session_.execute(
      "SELECT r.rolname FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_roles AS r ON r.oid = e.extowner"
      " WHERE e.extname = 'anon_seq' AND NOT r.rolsuper",
      {}, true);
  if (dumper.count() > 0)
    session_.execute("GRANT SELECT ON SEQUENCE " + sequence + " TO " + quote_name(dumper.get(0, 1)));
}

}  // namespace anon_seq::catalog
