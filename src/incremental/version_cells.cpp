#include "incremental/version_cells.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/json_object.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

std::string select_version(Policy const& policy) {
  std::string shown, quasi, plain;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    auto const column = "c" + std::to_string(i + 1);
    shown += ", c." + column + "::text";
    (policy.columns[i].is_quasi() ? quasi : plain) += ", " + column;
  }
  return sql_text(R"(
SELECT c.region, c.n{shown}
FROM (
  SELECT r.place AS cell, region, k.n{quasi}{plain}
  FROM (
    SELECT region{plain}, sum(n)::bigint AS n
    FROM {count}
    WHERE until IS NULL
    GROUP BY region{plain}
  ) AS k
  JOIN {region} AS r USING (region)
  WHERE r.since IS NOT NULL AND r.until IS NULL AND k.n > 0
) AS c
ORDER BY {order})",
                  {{"shown", shown},
                   {"quasi", quasi},
                   {"plain", plain},
                   {"count", ledger_table(policy.ledger(), "count")},
                   {"region", ledger_table(policy.ledger(), "region")},
                   {"order", cell_order(policy.columns)}});
}

}  // namespace

ReleaseCells version_cells(SpiSession& session, Policy const& policy, Checkpoint& checkpoint) {
  ReleaseCells cells;
  cells.width = policy.columns.size();
  cells.texts.resize(cells.width);
  for (auto& texts : cells.texts) texts.add_hidden("");
  std::int32_t last = kNoRegion;
  std::int64_t size = 0;
  auto const end_class = [&] {
    if (size > 0 && (cells.smallest_class == 0 || size < cells.smallest_class)) cells.smallest_class = size;
    size = 0;
  };
  FreshSnapshot const snapshot;  // of what was just written
  DatumCursor cursor(session, select_version(policy));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      checkpoint.tick();
      if (auto const region = cursor.integer(row, 0); region != last) {
        end_class();
        last = region;
        ++cells.classes;
      }
      auto const n = cursor.bigint(row, 1);
      size += n;
      cells.published += n;
      make_room(cells.counts, 1);
      cells.counts.push_back(n);
      make_room(cells.values, cells.width);
      for (std::size_t i = 0; i < cells.width; ++i)
        cells.values.push_back(cursor.is_null(row, i + 2) ? ReleaseCells::kNullText
                                                          : cells.texts[i].intern(cursor.text(row, i + 2)));
    }
  end_class();
  return cells;
}

std::string measures_of(IncrementalState const& state, ReleaseCells const& cells) {
  auto const number = [](std::int64_t count) { return static_cast<double>(count); };
  auto const& refined = state.refined;
  return JsonObject()
      .number("c_avg", number(cells.published) / number(std::max<std::int64_t>(1, cells.classes)) /
                           number(state.demands.demands.k))
      .number("suppression",
              number(refined.waiting + refined.withheld) / number(std::max<std::int64_t>(1, state.source.persons)))
      .json();
}

}  // namespace anon_seq::incremental
