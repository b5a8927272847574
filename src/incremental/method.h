// The incremental method: a partition that later versions only refine. See policy.h for what it takes.
#pragma once

#include "release/method.h"

namespace anon_seq::incremental {

extern Method const kMethod;

}  // namespace anon_seq::incremental
