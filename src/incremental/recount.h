// What was written, counted again: the rows of a release beside the ledger's cells, and the persons of each region.
//
// REQUIRES of all: the members are those of the release, or of the regions that are asked for.
#pragma once

#include "incremental/member_recount.h"
#include "release/check.h"

namespace anon_seq::incremental {

// Reads the relation in its order and the cells in theirs, side by side: those that the ledger counts or, where rows
// are made of these whenever they are read, those of its members. Two checks: `rows`, relation equals ledger, and
// `classes`, at least k rows of equal generalized values.
std::vector<Check> recount_rows(SpiSession& session, Release const& release, MemberRecount const& members,
                                std::int64_t k);

// Check `anonymity`: at least k distinct persons in each region who were never shown in another one that does not hold
// it, and as many persons as its counts say. Who was forgotten counts as a person of his own; of him the links between
// objects tell where else he was shown.
struct PersonScope {
  bool all = true;             // else of some regions: how many there are, others check
  bool compare_counts = true;  // else that was done, value by value, where rows were made of the counts
};
Check recount_persons(SpiSession& session, Release const& release, MemberRecount const& members, std::int64_t k,
                      PersonScope scope);

// Regions of the newest version, as arrays in text.
struct TouchedRegions {
  std::string all, shown;  // that somebody came to or went from; that have anybody now
  std::int64_t rows;       // so many of them
};

// `rows` and `classes` of regions that changed, of rows that are stored once: counts beside members, so many in all.
std::vector<Check> recount_touched(SpiSession& session, Release const& release, MemberRecount const& members,
                                   std::int64_t k, TouchedRegions const& of);

}  // namespace anon_seq::incremental
