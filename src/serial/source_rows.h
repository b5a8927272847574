// What a serial policy asks of the rows of its source.
#pragma once

#include "release/source_table.h"

namespace anon_seq::serial {

// Throws kData, with a view that would do in its hint, for a person with several rows.
void require_one_row_each(SpiSession& session, Policy const& policy, SourceTable const& source);

// A WARNING for listed values that do not occur, if there are any.
void warn_of_absent(std::int64_t absent);

}  // namespace anon_seq::serial
