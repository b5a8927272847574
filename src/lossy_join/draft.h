// A version of a lossy join in the making.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::lossy_join {

std::unique_ptr<Draft> make_draft(PublishRun const& run);

}  // namespace anon_seq::lossy_join
