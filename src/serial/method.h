// The method for tables that change: each person and listed value stay at most 1/l likely over all versions.
#pragma once

#include "release/method.h"

namespace anon_seq::serial {

extern Method const kMethod;

}  // namespace anon_seq::serial
