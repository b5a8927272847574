// A version of a sequential policy, in the making.
#pragma once

#include "release/method.h"

namespace anon_seq::sequential {

std::unique_ptr<Draft> make_draft(PublishRun const& run);

}  // namespace anon_seq::sequential
