// A method for tests only: two projections, one with the quasi columns and one with the sensitive ones, joined by the
// number of a class. It protects nobody; it shows what a method has to bring, and that a release may have several
// relations.
#pragma once

#include "release/method.h"

namespace anon_seq::selftest {

extern release::Method const kProjections;

}  // namespace anon_seq::selftest
