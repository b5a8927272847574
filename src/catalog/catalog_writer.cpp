#include "catalog/catalog_writer.h"

namespace anon_seq::catalog {

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

}  // namespace anon_seq::catalog
