// Which tuples of rows match, one row of codes per table.
#pragma once

#include "audit/rule_shape.h"

namespace anon_seq::audit {

// Common table expressions m0, the tuples (j1, j2, ...) of the join, and m: the same, and with outer partners those of
// rows of the first table that have none in some other, whose j is 0 there.
std::string matches(RuleShape const& shape);

}  // namespace anon_seq::audit
