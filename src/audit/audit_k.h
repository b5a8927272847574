// k-anonymity of one relation, counted in SQL: how many persons share each combination of values.
#pragma once

#include "audit/audit_join.h"

namespace anon_seq::audit {

struct AuditK {
  std::int64_t classes = 0;          // combinations that occur; 0: there is no row
  std::int64_t smallest = 0;         // persons in the smallest; 0 if there is none
  std::string average;               // persons per class, numeric to two digits; "0" if there is none
  std::string histogram;             // jsonb: [{"from": 5, "to": 5, "classes": 12}, ...], ascending, at most 64 buckets
  std::optional<std::string> worst;  // jsonb: the first of the smallest classes, {column: value, ...}
};

// Groups by all columns of the table; NULLs are equal. Persons are counted as the table says, a NULL key
// is nobody. Errors met while reading lose what could show a value.
AuditK measure_k(SpiSession& session, AuditTable const& table);

// SELECT of the classes that are counted, one row each: k0, k1, ..., a column each, and size.
std::string class_sizes_sql(AuditTable const& table);

}  // namespace anon_seq::audit
