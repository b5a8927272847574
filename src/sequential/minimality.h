// What a reader who knows the code learns from a version of a sequential policy: see release/minimality.h.
#pragma once

#include "release/minimality.h"

namespace anon_seq::sequential {

// The source is read as publish reads it, and has to be what it was; so are the releases that were there then. Measured
// are the rules that bound sensitive columns of this release for whoever knows its quasi columns.
MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs);

}  // namespace anon_seq::sequential
