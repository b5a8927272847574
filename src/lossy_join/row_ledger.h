// The ledger of projections: a row for each person, class by class, from which NSS and SS are made.
//
// Counted cells would do for NSS and SS, but rows of a class hardly ever show the same, and how often they do together
// with a sensitive value is nobody's to know. So rows are kept as they are, in the order of their classes and of what
// they show: none is left of the source's. Keys of persons stand beside them in the same order, many to a row.
#pragma once

#include "catalog/ledger_schema.h"
#include "release/release_cells.h"

namespace anon_seq::lossy_join {

// `keys`: the type of the person key; empty: every row is another person.
LedgerSchema row_ledger(Policy const& policy, std::string const& keys);

// A cell for each row, where nothing is generalized: ascending by class, then by the columns of NSS. Takes the columns
// that are published out of the source. REQUIRES: no weights, nobody withheld.
ReleaseCells take_rows(SourceTable& source, Policy const& policy, Classes const& classes, Checkpoint& checkpoint);

// Writes each cell as many rows as it counts, and the persons. REQUIRES: no weights.
void write_rows(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                Checkpoint& checkpoint);

// Makes NSS, or an SS, out of the ledger; its rows come later (release/relation_fill.h).
std::string create_projection(SpiSession& session, Policy const& policy, RelationShape const& relation);

}  // namespace anon_seq::lossy_join
