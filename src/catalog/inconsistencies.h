// What anon_seq.declare_inconsistent() keeps.
#pragma once

#include <string>
#include <vector>

#include "pg/spi.h"

namespace anon_seq::catalog {

// No person has value_a of attribute_a and value_b of attribute_b.
struct DeclaredInconsistency {
  std::string attribute_a, value_a, attribute_b, value_b;
};

// All that the current user heeds, whoever declared it, each once and in order.
std::vector<DeclaredInconsistency> declared_inconsistencies(SpiSession& session);

}  // namespace anon_seq::catalog
