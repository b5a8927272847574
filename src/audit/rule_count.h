// The general way of rule_sql.h: what every x shows, out of the tuples mm and the rows v of each table.
#pragma once

#include "audit/rule_shape.h"

namespace anon_seq::audit {

// Common table expressions up to a (x1, x2, .., num), for anonymity: how many y every x has.
std::string count_tokens(RuleShape const& shape);

// The same for linkability, a (x1, x2, .., num, den): how many of the rows of every x have the listed y; or, where y
// are measured singly, one row per x and y.
std::string count_rows(RuleShape const& shape);

}  // namespace anon_seq::audit
