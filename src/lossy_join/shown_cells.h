// Cells of a release whose classes show labels and ranges: one table, or a generalized NSS; and what that loses.
#pragma once

#include "core/table/row_groups.h"
//
#include "lossy_join/shown.h"

namespace anon_seq::lossy_join {

struct ShownCells {
  ReleaseCells cells;
  Loss loss;
  std::string trace = "[]";  // json
};

// Cells stand in the order of what they show. Classes of a table that show the same are one to a reader; those of NSS
// keep their numbers. REQUIRES: classes of topdown() or regional_shown(), and no weights.
ShownCells shown_cells(Policy const& policy, LossyPolicy const& demands, SourceTable const& source,
                       LossyProblem const& problem, Classes const& classes, Checkpoint& checkpoint);

// Rows that are equal in what a table publishes as it is; no groups if that is nothing, or NSS shows it.
RowGroups as_is_groups(Policy const& policy, LossyPolicy const& demands, SourceTable const& source,
                       Checkpoint& checkpoint);

}  // namespace anon_seq::lossy_join
