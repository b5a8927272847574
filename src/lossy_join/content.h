// What a lossy join reads of its source, and what its cells are: for a draft, and for who does the same again.
#pragma once

#include "lossy_join/problem.h"

namespace anon_seq::lossy_join {

// All that a policy publishes, but for the number of a class.
SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& source, Checkpoint& checkpoint);

// A row for each person: rows that were read as one, with a weight, are told apart again.
void spell_out(SourceTable& source);

// As the policy's form has it. One table: rows in the order of what their classes show, and classes that show the same
// are one to a reader. Of projections with exact values the columns are taken out of the source (row_ledger.h).
ReleaseCells cells_of(LossyProblem const& problem, Policy const& policy, LossyPolicy const& demands,
                      SourceTable& source, Classes const& classes, Checkpoint& checkpoint);

}  // namespace anon_seq::lossy_join
