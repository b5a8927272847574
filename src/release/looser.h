// Variants of a preview beside each other. Every method takes steps that look best at the moment, so a policy that asks
// for less may lose more than one that asks for more.
#pragma once

#include "release/publish.h"

namespace anon_seq::release {

// Gives a NOTICE for each variant that loses more than another one whose bounds are stricter, all else being equal.
void note_looser(std::vector<Variant> const& variants);

}  // namespace anon_seq::release
