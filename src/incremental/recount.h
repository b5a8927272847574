// What was written, counted again: the rows of a release beside the ledger's cells, and the persons of each region.
#pragma once

#include "catalog/release.h"
#include "release/check.h"

namespace anon_seq::incremental {

// Reads the relation in its order and the cells in theirs, side by side. Two checks: `rows`, relation equals
// ledger, and `classes`, at least k rows of equal generalized values.
std::vector<Check> recount_rows(SpiSession& session, Release const& release, std::int64_t k);

// Check `anonymity`: at least k distinct persons in each region who were never shown in another one that does not hold
// it, and as many persons as its counts say. Who was forgotten counts as a person of his own; of him the links between
// objects tell where else he was shown.
Check recount_persons(SpiSession& session, Release const& release, std::int64_t k);

}  // namespace anon_seq::incremental
