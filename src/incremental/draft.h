// The next version of an incremental policy, in the making.
#pragma once

#include "release/method.h"

namespace anon_seq::incremental {

// Reads the source and finds again who is published.
std::unique_ptr<Draft> make_draft(PublishRun const& run);

}  // namespace anon_seq::incremental
