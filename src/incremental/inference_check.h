// The inference attack on all versions of a policy, as a check: the promise of incremental releases, counted.
#pragma once

#include "catalog/release.h"
#include "release/check.h"

namespace anon_seq::incremental {

// Whoever knows a person's values, and recognises everybody in all versions, has at least k candidates, whichever
// versions he holds. A row is a candidate's only if its region holds the values: regions never overlap, whatever their
// labels say. The stronger readings are told, not promised: one who has left may stand alone with what he
// showed. Who moved is told too.
struct InferenceCheck {
  Check check;
  std::int64_t undecided;  // persons
};
InferenceCheck inference_check(SpiSession& session, std::string const& scope, std::vector<Release> const& versions,
                               std::int64_t k);

}  // namespace anon_seq::incremental
