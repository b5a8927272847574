// Reading less: of a source that says when its rows changed, only those that did since the last version.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// The rows that changed since the last version or are not published in it (new persons, and those who wait), and the
// keys of all persons: source.table has a row for each of the former, person.values the keys of the latter behind them.
SourceTable read_changed(IncrementalState& state, std::vector<std::string> const& columns);

// The greatest value of the column changed_since now, as text; nothing if there is none.
std::optional<std::string> watermark(IncrementalState const& state);

}  // namespace anon_seq::incremental
