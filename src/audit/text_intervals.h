// Texts of relations that are intervals as other tools write them: they are read as what they mean, not compared by
// being equal.
#pragma once

#include "audit/audit_join.h"

namespace anon_seq::audit {

// Marks the text columns of an attribute that several tables have, without a taxonomy, as intervals, if each of their
// texts is an interval or a number, and one of them is an interval or another table has ranges. Of columns that the
// caller calls intervals: throws kData, with their number, for texts that are none.
void find_text_intervals(SpiSession& session, std::vector<AuditTable>& tables);

// SQL: what such a text means, a numrange; `root`, if not empty, is everything, too. In SQL, as the cells of a table
// stay in the server; interval_text() reads those of dictionaries.
std::string interval_expression(std::string const& column, std::string const& root);

}  // namespace anon_seq::audit
