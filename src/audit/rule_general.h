// The general way of rule_sql.h: rows of one x and one j are enumerated, as they match the same.
#pragma once

#include "audit/rule_shape.h"

namespace anon_seq::audit {

// Common table expressions after m: mm and per table v, what every x shows (a), and worst, the worst of a (num, den,
// x, y).
std::string general_way(RuleShape const& shape);

}  // namespace anon_seq::audit
