#include "incremental/member_rows.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "incremental/version_rows.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {

std::string touched_rows(IncrementalState const& state, std::string const& columns, char const* name) {
  auto const table = ledger_table(state.policy->ledger(), name);
  if (!state.partial) return "SELECT " + columns + " FROM " + table + " AS m WHERE m.until IS NULL";
  std::string regions = "{";
  for (RegionId const region : state.touched) append_element(regions, std::int64_t{region});
  return "SELECT " + columns + " FROM " + looked_up(table, regions + "}") + " AS m";
}

bool has_left(Vector<LeftThen> const& gone, std::int64_t object, std::int32_t region, std::int32_t since) {
  auto const next = std::upper_bound(gone.begin(), gone.end(), LeftThen{object, region, since});
  return next != gone.end() && next->object == object && next->region == region;
}

Vector<LeftThen> left_then(SpiSession& session, IncrementalState const& state) {
  Vector<LeftThen> gone;
  DatumCursor cursor(session, touched_rows(state, "m.object, m.region, m.since", "gone"));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row)
      gone.push_back({cursor.bigint(row, 0), cursor.integer(row, 1), cursor.integer(row, 2)});
  std::sort(gone.begin(), gone.end());
  return gone;
}

Vector<std::int64_t> moved_objects(SpiSession& session, Policy const& policy) {
  Vector<std::int64_t> moved;
  DatumCursor cursor(session, "SELECT object FROM " + ledger_table(policy.ledger(), "moved") + " WHERE apart");
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) moved.push_back(cursor.bigint(row, 0));
  std::sort(moved.begin(), moved.end());
  return moved;
}

}  // namespace anon_seq::incremental
