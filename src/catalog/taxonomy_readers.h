// Who may read a taxonomy besides its owner: those with USAGE on the sequence anon_seq_ledger.t<number>_readers.
//
// The sequence is made when somebody is first let in. It counts nothing and belongs to the taxonomy's owner, so grants
// follow ALTER ROLE RENAME, DROP OWNED, dumps and restores as those of any relation do.
#pragma once

#include <string>

#include "pg/spi.h"

namespace anon_seq::catalog {

// Lets a role, or public, read a taxonomy, or no longer. REQUIRES: no CatalogWriter acts. owner: the taxonomy's; if it
// has gone, the current user takes its place.
void set_taxonomy_reader(SpiSession& session, std::int32_t taxonomy, Oid owner, std::string const& role, bool may);

// What is dropped with a taxonomy.
void drop_taxonomy_readers(SpiSession& session, std::int32_t taxonomy);

}  // namespace anon_seq::catalog
