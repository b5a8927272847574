// Relations that were made WITH NO DATA get the rows that their queries would give, out of the cells in memory and as
// COPY writes: the server takes twice as long to run such a query, and the audit compares what was written with the
// ledger.
#pragma once

#include "release/release_cells.h"

namespace anon_seq::release {

// Rows stand in the order of the cells; counted ones class by class, in that of their values. REQUIRES: cells of a
// class stand together where a counted relation is to be filled, which shows the number of the class and one more
// column.
void fill_relations(SpiSession& session, Policy const& policy, Release const& release, ReleaseCells const& cells,
                    Checkpoint& checkpoint);

}  // namespace anon_seq::release
