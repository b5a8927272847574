// A version of a sequential policy, in the making.
#pragma once

#include "release/method.h"
#include "sequential/unknown_values.h"

namespace anon_seq::sequential {

// All that a policy publishes, and its label, but for the rows that options.unknown_values leaves out.
SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& from, Checkpoint& checkpoint,
                         LeftOut& left);

std::unique_ptr<Draft> make_draft(PublishRun const& run);

}  // namespace anon_seq::sequential
