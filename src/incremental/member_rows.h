// What a publish reads of the ledger's people: rows that hold, of touched regions or of all.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// SELECT of columns of m, a row of a table that holds.
std::string touched_rows(IncrementalState const& state, std::string const& columns, char const* table);

// When an object left a region that is still one.
struct LeftThen {
  std::int64_t object;
  std::int32_t region, since;
  auto operator<=>(LeftThen const&) const = default;
};
Vector<LeftThen> left_then(SpiSession& session, IncrementalState const& state);  // ascending

// Whether an object that joined a region in version `since` has left it.
bool has_left(Vector<LeftThen> const& gone, std::int64_t object, std::int32_t region, std::int32_t since);

// Objects that count towards no k, ascending.
Vector<std::int64_t> moved_objects(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::incremental
