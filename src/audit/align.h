// How the columns of audited tables compare: as they are, by labels, or as ranges on a line.
//
// An attribute is on a line if some table shows ranges of it, or two tables labels of two range taxonomies. Every
// column of it then gets a second one in its table's query, a range of one type for all, by which it matches; what is
// shown, counted and listed stays the first. Of numbers that is numrange: 23 is [23,23], a label is what it names, a
// range taxonomy's root (,).
#pragma once

#include "audit/audit_join.h"

namespace anon_seq::audit {

// Throws kType for what cannot be compared, kParameter for labels of two taxonomies.
void align(SpiSession& session, std::vector<AuditTable>& tables, bool overlap);

// Fills in AuditColumn::nothing of columns in y, as far as the caller may see their taxonomies.
void find_roots(SpiSession& session, std::vector<AuditTable>& tables, std::vector<AuditTerm> const& y);

}  // namespace anon_seq::audit
