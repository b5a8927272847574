// Serial policies of one population share one budget, so they have to spend it on the same terms.
#pragma once

#include "release/publish_run.h"
#include "serial/policy.h"

namespace anon_seq::serial {

// Throws kUnsupported if a release of another serial policy of the population was made under other terms: l, plan,
// persistence, or the listed values of a column that both show.
void require_same_terms(PublishRun const& run);

}  // namespace anon_seq::serial
