// What a reader who knows the code learns from a version: the policy's own algorithm on other arrangements of the
// sensitive values (core/attack/minimality.h), and who would be known better than the policy allows.
#pragma once

#include "core/lossy/exposure.h"
//
#include "catalog/release.h"

namespace anon_seq::lossy_join {

struct MinimalityFinding {
  bool exact = false;  // all arrangements were tried
  std::int64_t tried = 0, accepted = 0;
  Ratio bound;
  std::optional<Exposure> exposure;  // nothing where too few arrangements gave the release
  char const* meaning = "";
};

// For members of the owner's role, who acts. A table is read from the source, as publish reads it, and has to be what
// it was. Throws kParameter, kUnsupported, kData, kDamaged. Cost: `runs` runs of the algorithm, or one for each
// arrangement if there are not many.
MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs);

}  // namespace anon_seq::lossy_join
