// Quasi columns that go together: option "linked", and columns of which one decides another.
#pragma once

#include "core/sequential/k_descent.h"
//
#include "release/source_table.h"
#include "sequential/policy.h"

namespace anon_seq::sequential {

// What a search for k is asked for: k, the limit, what columns are worth, and which go together. Columns that do are
// worth as much as one.
KDemands search_demands(Policy const& policy, SequentialPolicy const& demands, std::int64_t k, std::int64_t most_out);

struct LinkNotice {
  std::string text, hint;
};
// A quasi column that decides others though no option links them, for each such column: with a statement that does.
std::vector<LinkNotice> link_notices(Policy const& policy, SequentialPolicy const& demands, SourceTable const& source,
                                     Checkpoint& checkpoint);

}  // namespace anon_seq::sequential
