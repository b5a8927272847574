// Serial policies of one population share one budget, so they have to spend it on the same terms.
#pragma once

#include "release/publish_run.h"
#include "serial/policy.h"

namespace anon_seq::serial {

// What a release was made under.
SerialPolicy terms_of(Release const& release);

// Throws kUnsupported if a release of another serial policy of the population was made under other terms: l, plan,
// persistence, or the listed values of a column that both show. Of classes for life there is one policy: two would put
// the same people into different ones.
void require_same_terms(PublishRun const& run);

// Throws kUnsupported for a policy, or a population, with classes for life: these spend no budget.
void require_budgets(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::serial
