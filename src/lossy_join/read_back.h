// A version as its ledger has it: a row for each person, with the class that he is in. The owner of the ledger acts.
#pragma once

#include <limits>

#include "lossy_join/policy.h"
#include "release/source_table.h"

namespace anon_seq::lossy_join {

// Throws kUnsupported, naming what it is, for a release that is none of a lossy join, or was withdrawn.
void require_lossy_join(Release const& release);

// The same for a release that shows a row for each person and the number of his class, whatever method made it.
void require_classes(Release const& release);

struct ReadBack {
  SourceTable source;  // its table alone: all columns, that of classes too, by their names
  Classes classes;
};

constexpr std::int64_t kAllCells = std::numeric_limits<std::int64_t>::max();

// Versions of one ledger, with the same columns. In the order of versions and of their cells, which is that of classes;
// each version's classes are classes by themselves. `most_cells`: the first ones of each; the class that they end in is
// withheld. `as_texts`: quasi columns as they print, as a table's may be ranges. Throws kDamaged for cells that are not
// those of the release. REQUIRES: at least one.
ReadBack read_back(SpiSession& session, std::span<Release const> versions, std::int64_t most_cells, bool as_texts,
                   Checkpoint& checkpoint);

}  // namespace anon_seq::lossy_join
