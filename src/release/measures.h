// What a release lost, as numbers with a sentence each.
#pragma once

#include <vector>

namespace anon_seq::release {

struct Metric {
  char const *name, *unit, *meaning;
};
// All metrics, in the order in which they are shown.
std::vector<Metric> const& metrics();

}  // namespace anon_seq::release
