// The ranks of a line that are left without the outermost persons.
#pragma once

#include "core/sequential/k_table.h"

namespace anon_seq {

// The narrowest range of places of continuous attribute `a` that leaves out at most so many persons, of equal ones the
// first; empty if there is none that has a width and leaves somebody out. NULL is in none. Who has several values
// counts with each, so that no more persons are outside than said. Cost: cells and ranks.
Extent line_window(KTable const& table, std::size_t a, Column const& column, std::int64_t most_out);

}  // namespace anon_seq
