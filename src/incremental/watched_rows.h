// Reading less: of a source that is watched, only who may have changed since the last version, and who waits.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// The rows of those whose keys were noted, and of those who waited in the last version: source.table has a row for each
// who is there, person.values the keys of the others behind them. Whoever is not among these is as he was.
// nullopt: the source has to be read as a whole, as it is not known who has changed or waits, it is much, or something
// is wrong with a key.
std::optional<SourceTable> read_watched(IncrementalState& state, std::vector<std::string> const& columns);

// Keys of who waits, or is withheld, as an array in text; nullopt if these are so many that it would not help to know
// them. REQUIRES: refined.
std::optional<std::string> waiting_keys(IncrementalState const& state, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
