// Relations and releases as tables of an audit, and what the caller's jsonb says about them.
#pragma once

#include "audit/audit_join.h"
#include "catalog/release.h"
#include "core/text/json_value.h"

namespace anon_seq::audit {

// A release by its counted cells, retired ones too. Throws kPrivilege, see cell_source.h. with_persons: joined with
// who is in them, REQUIRES that the current user owns the ledger.
AuditTable release_table(SpiSession& session, Release const& release, bool with_persons);

// Relations as the caller sees them, all their columns. Without `attributes` columns of one name are one
// attribute; with it, only what is listed: {"age": {"column": "Age", "taxonomy": "age_arx", "interval": true},
// "job": {"t1": {"column": "Job"}, "2": {"column": "occupation"}}}, a spec for every relation that has the
// column, or one per relation, by its name or its position. An interval is a text such as [20, 30[, or *.
std::vector<AuditTable> relation_tables(SpiSession& session, std::vector<Oid> const& relations,
                                        JsonValue const* attributes);

// Releases by what the caller writes, 'policy', 'policy/3' or a registered name; of a policy's name the newest. Throws
// kNoObject for one that he may not read, see cell_source.h.
std::vector<AuditTable> named_releases(SpiSession& session, std::vector<std::string> const& names,
                                       JsonValue const* attributes);

// x or y: ["job", {"release": "imm", "column": "race"}, {"release": 2}], the latter its records; also
// {"release": 2, "person": "pid"}, its persons, which tells the table how they are known. A bare string is
// a column of the first table. Throws kNoColumn, kNoObject.
std::vector<AuditTerm> parse_terms(SpiSession& session, JsonValue const& json, std::vector<AuditTable>& tables);

}  // namespace anon_seq::audit
