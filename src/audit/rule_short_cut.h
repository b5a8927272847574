// The short cut of rule_sql.h: no row of the join is enumerated.
#pragma once

#include "audit/rule_shape.h"

namespace anon_seq::audit {

// Common table expressions after m: per table of Y the groups g, and of each j the worst e; worst is the worst tuple of
// m (num, den, x, y). REQUIRES: the short cut applies.
std::string short_cut(RuleShape const& shape);

}  // namespace anon_seq::audit
