// What a role is called by in the catalog: the number of a marker.
//
// A marker is a sequence anon_seq_ledger.o<number>_owner that counts nothing and belongs to the role. What the catalog
// stores of a role (who owns a taxonomy, who declared values inconsistent, who registered a population)
// is that number, so it follows ALTER ROLE RENAME, REASSIGN OWNED, dumps and restores, and DROP OWNED ends it: a new
// role of an old name gets nothing. After REASSIGN OWNED a role has several.
#pragma once

#include "catalog/catalog_writer.h"

namespace anon_seq::catalog {

// The marker of a role, made if there is none. REQUIRES: no CatalogWriter acts.
std::int32_t role_marker(SpiSession& session, Oid role);

}  // namespace anon_seq::catalog
