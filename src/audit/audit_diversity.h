// What a relation leaves open about a sensitive value, by the measures of the field: rows counted in SQL, the rest by
// the core.
#pragma once

#include <optional>

#include "core/lossy/diversity.h"
//
#include "pg/spi.h"

namespace anon_seq::audit {

// Classes are rows equal in all quasi columns. NULL is a value as others; on a line it comes last. Numbers, dates and
// timestamps are on a line. `counts`: a column that says how many rows a row stands for, if there is one. The columns
// are there. Throws kType for counts that are no whole numbers, kData for some that are not positive. Errors met while
// reading lose what could show a value.
Diversity measure_diversity(SpiSession& session, Oid relation, std::vector<std::string> const& quasi,
                            std::string const& sensitive, std::optional<std::string> const& counts,
                            Checkpoint& checkpoint);

}  // namespace anon_seq::audit
