// What a reader who knows the code learns from a version of a lossy join: see release/minimality.h.
#pragma once

#include "release/minimality.h"

namespace anon_seq::lossy_join {

// A table is read from the source, as publish reads it, and has to be what it was.
MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs);

}  // namespace anon_seq::lossy_join
