// The sequential method: top-down specialization against everything released before. See policy.h for what it takes.
#pragma once

#include "release/method.h"

namespace anon_seq::sequential {

extern Method const kMethod;

}  // namespace anon_seq::sequential
