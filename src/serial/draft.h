// A version of a serial policy in the making.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::serial {

// Of persistence "permanent" one of classes for life.
std::unique_ptr<Draft> make_draft(PublishRun const& run);

}  // namespace anon_seq::serial
