// What a release lost, as numbers with a sentence each.
#pragma once

#include "sequential/method.h"

namespace anon_seq::release {

// Json: metric -> value. Kept in the ledger; measure() reads it from there, as the source goes on changing.
std::string measures_json(Policy const& policy, SequentialRelease const& release, Checkpoint& checkpoint);

// A member of that object: "name": value.
std::string measure_member(char const* name, double value);

struct Metric {
  char const *name, *unit, *meaning;
};
// All metrics, in the order in which they are shown.
std::vector<Metric> const& metrics();

}  // namespace anon_seq::release
