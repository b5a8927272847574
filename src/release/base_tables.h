// Policies whose sources read the same tables: a view has, by default, a population of its own, and so nobody guards
// the releases of two views of one table against each other.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::release {

// A WARNING if another policy, of another population, reads a table that this one reads too, and one of the two
// populations is the default of a view. Views are followed to their tables.
void warn_of_same_tables(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::release
