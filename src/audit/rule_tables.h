// The tables of a rule as codes: where the statement of rule_sql.h begins.
#pragma once

#include "audit/rule_shape.h"

namespace anon_seq::audit {

// Common table expression map: the codes of labels by MatchPlan::columns and text, out of the statement's parameters.
std::string label_map();

// Common table expressions b, c, jx and u of a table. The short cut needs no numbers of x and y in u.
std::string coded_table(RuleShape const& shape, std::size_t table, bool short_cut);

}  // namespace anon_seq::audit
