// Lossy join: (alpha,k)-anonymity published as projections that share the number of a class.
//
// Wong, Liu, Yin, Huang, Yang, Pei: (alpha,k)-anonymity Based Privacy Preservation by Lossy Join, 2007.
#pragma once

#include "release/method.h"

namespace anon_seq::lossy_join {

extern Method const kMethod;

}  // namespace anon_seq::lossy_join
