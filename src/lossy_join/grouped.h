// The classes of a lossy join, by the algorithm that its policy names: as a draft makes them, and made again by who
// wants to know what it does with other values.
#pragma once

#include "core/lossy/draws.h"
#include "core/lossy/signature.h"
#include "core/table/row_groups.h"
//
#include "lossy_join/problem.h"

namespace anon_seq::lossy_join {

// Checked, and numbered at random. `as_is`: see shown_cells.h.
Classes make_classes(LossyProblem const& problem, Sensitive const& sensitive, LossyPolicy const& demands,
                     RowGroups const& as_is, Draws& draws, Checkpoint& checkpoint);

// A run, up to where chance deals rows of equal values into classes.
struct Rerun {
  Signature signature;    // see signature.h
  Classes parts;          // within which it deals: regions, all rows; of top-down the classes, with what they show
  Vector<ClassId> dealt;  // part -> how many classes it is dealt into
};
Rerun run_again(LossyProblem const& problem, Sensitive const& sensitive, LossyPolicy const& demands,
                RowGroups const& as_is, Draws& draws, Checkpoint& checkpoint);

// Whether chance has a part in more than the dealing: which rows of a value the paper's decisions send back.
inline bool draws_rows(LossyPolicy const& demands) {
  return demands.classes == ClassKind::kTopdown && demands.decisions == Decisions::kPaper;
}

}  // namespace anon_seq::lossy_join
