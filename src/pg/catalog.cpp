#include "pg/catalog.h"

namespace anon_seq::pg {

CatalogWriter::CatalogWriter(SpiSession& session) : session_(session) {
  Oid owner = InvalidOid;
  call_pg([&]() noexcept {
    Oid const table = get_relname_relid("taxonomy", get_namespace_oid("anon_seq", false));
    HeapTuple const tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
    if (!HeapTupleIsValid(tuple)) elog(ERROR, "the catalog of anon_seq is missing");
    owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->relowner;
    ReleaseSysCache(tuple);
  });
  GetUserIdAndSecContext(&caller_, &security_context_);
  SetUserIdAndSecContext(owner, security_context_ | SECURITY_LOCAL_USERID_CHANGE);
}

CatalogWriter::~CatalogWriter() { SetUserIdAndSecContext(caller_, security_context_); }

void require_publisher(SpiSession& session) {
  auto const rows = session.execute("SELECT pg_catalog.has_schema_privilege('anon_seq_ledger', 'CREATE')", {}, true);
  if (rows.get(0, 1) == "t") return;
  throw Error(Fault::kPrivilege, "permission denied for schema anon_seq_ledger",
              "Whoever makes taxonomies or publishes needs the right CREATE on that schema.",
              "Ask the owner of the extension: GRANT CREATE ON SCHEMA anon_seq_ledger TO " +
                  quote_name(role_name(GetUserId())) + ".");
}

}  // namespace anon_seq::pg
