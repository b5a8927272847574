// What was written, counted again: the rows of a release beside the ledger's cells, and the persons of each region.
#pragma once

#include <optional>
//
#include "catalog/release.h"
#include "release/check.h"

namespace anon_seq::incremental {

// Reads the relation in its order and the cells in theirs, side by side. Two checks: `rows`, relation equals
// ledger, and `classes`, at least k rows of equal generalized values.
std::vector<Check> recount_rows(SpiSession& session, Release const& release, std::int64_t k);

// Check `anonymity`: at least k distinct persons in each region who were never shown in another one that does not hold
// it, and as many persons as its counts say. Who was forgotten counts as a person of his own; of him the links between
// objects tell where else he was shown.
// `regions`: of these alone, of the newest version, an array as text.
Check recount_persons(SpiSession& session, Release const& release, std::int64_t k,
                      std::optional<std::string> const& regions = {});

// `rows` and `classes` of regions that changed, of rows that are stored once: counts beside members, so many in all.
std::vector<Check> recount_touched(SpiSession& session, Release const& release, std::int64_t k,
                                   std::string const& regions, std::int64_t rows);

}  // namespace anon_seq::incremental
