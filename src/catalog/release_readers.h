// Who could read a release: whether its relation, its stable name, or anything that rests on them is, or was, open to
// others than its owner. The ledger's note keeps what is found when a version is published; withdraw_release() looks
// again. Superusers and members of pg_read_all_data read everything and leave no trace; code that does not say what it
// reads (a function's body as a string, dblink) leaves none either.
#pragma once

#include <optional>

#include "catalog/release.h"

namespace anon_seq::catalog {

// Notes in the ledger whom a version just published is open to. REQUIRES: its owner acts, and its note is there.
void note_readers(SpiSession& session, Release const& release);

// What opened a version, as a sentence; nothing if nobody but the owner could read it. Its stable names are
// qualified, or "". REQUIRES: its owner acts, and the relations are his; `views`: of each relation in turn.
std::optional<std::string> opened_by(SpiSession& session, Release const& release,
                                     std::vector<std::string> const& views);

}  // namespace anon_seq::catalog
