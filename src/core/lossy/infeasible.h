// Why no release of a table can keep what is asked, and what would do. Counts only, no values.
#pragma once

#include "core/lossy/tally.h"

namespace anon_seq {

// The whole table cannot be dealt (regional.h). most_near: of the whole table. REQUIRES: that is so.
Error not_dealable(Sensitive const& sensitive, std::int64_t k, Tally const& tally, std::int64_t most_near);

// The whole table as one class is not ok, and so no classes of it are. REQUIRES: that is so.
Error not_one_class(Sensitive const& sensitive, std::int64_t k, std::int64_t most_near);

// So many groups of rows (topdown.h) are no class as they are.
Error not_each_group(std::size_t groups, std::size_t refused);

// A value of more than n/l rows. REQUIRES: that is so.
Error not_diverse(std::int64_t rows, std::int64_t most, std::int64_t l);

}  // namespace anon_seq
