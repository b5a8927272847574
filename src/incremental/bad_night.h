// Nights that look like a fault of whoever fills the source: nothing that was published can be taken back.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// Throws kData if a greater share of those who were shown has left, or has come, than the policy allows; unless the
// publish is forced. After match_members().
void require_calm(IncrementalState const& state);

// Who has a value that his column's taxonomy does not know, where the policy lets them wait: points that stand for
// these, and nobody of them is shown. After the points of all rows are known. Throws kData if they are too many to be
// typing mistakes, and what require_calm() does, as those of them who were shown go.
void hold_unknown(IncrementalState& state);

// Persons of the source of whom nothing is shown, nor was. After solve().
std::int64_t unseen(IncrementalState const& state);

// NOTICEs of those who wait as they have unknown values, each with a query that lists the values.
void tell_of_unknown(IncrementalState const& state);

}  // namespace anon_seq::incremental
