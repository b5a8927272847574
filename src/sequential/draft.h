// A version of a sequential policy, in the making.
#pragma once

#include "release/method.h"

namespace anon_seq::sequential {

// All that a policy publishes, and its label.
SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& source, Checkpoint& checkpoint);

std::unique_ptr<Draft> make_draft(PublishRun const& run);

}  // namespace anon_seq::sequential
