// What regions tell of the columns that are published as they are: k says nothing of it.
#pragma once

#include "catalog/release.h"
#include "release/check.h"

namespace anon_seq::incremental {

// A row per such column, for information: the share of persons who are in a region with one value of it, and the
// largest share of a value in a region. NULL is a value. No cut and no wait reads it, so that nothing published tells
// of it.
void add_diversity(SpiSession& session, Release const& release, Checks& checks);

}  // namespace anon_seq::incremental
