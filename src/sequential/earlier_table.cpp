#include "sequential/earlier_table.h"

#include <cmath>

#include "catalog/cell_source.h"
#include "pg/reading.h"

namespace anon_seq::sequential {
namespace {

// Bounds of the ranges of one column, from the helper columns that read their ends. Codes of `text` are the
// ranges; any row with a code tells its bounds.
Vector<Interval> intervals_of(Column const& text, Column const& lower, Column const& upper) {
  double const infinite = INFINITY;
  Vector<Interval> intervals(static_cast<std::size_t>(text.distinct()), Interval{1, 0, true});
  for (std::size_t row = 0; row < text.codes.size(); ++row) {
    if (text.codes[row] == kNull) continue;
    Code const from = lower.codes[row], to = upper.codes[row];
    auto const shown = text.values[text.codes[row]];
    auto& interval = intervals[static_cast<std::size_t>(text.codes[row])];
    interval = {from == kNull ? -infinite : lower.positions[static_cast<std::size_t>(from)],
                to == kNull ? infinite : upper.positions[static_cast<std::size_t>(to)], from == kNull && to == kNull};
    if (shown == "empty") interval = {std::nan(""), std::nan(""), false};
    if (shown.front() == '(' && from != kNull) interval.lower = std::nextafter(interval.lower, infinite);
    if (shown.back() == ']' && to != kNull && interval.lower < interval.upper)
      interval.upper = std::nextafter(interval.upper, infinite);
  }
  return intervals;
}

}  // namespace

EarlierTable read_earlier(SpiSession& session, Release const& release, Checkpoint& checkpoint) {
  EarlierTable earlier{release, {}, {}, {}};
  std::string list;
  std::size_t const width = release.columns.size();
  for (std::size_t i = 1; i <= width; ++i) {
    std::string const c = "c" + std::to_string(i);
    list += (is_range_type(release.columns[i - 1].type) ? c + "::pg_catalog.text AS " + c : c) + ", ";
  }
  for (std::size_t i = 1; i <= width; ++i)
    if (is_range_type(release.columns[i - 1].type)) {
      std::string const c = "c" + std::to_string(i);
      list += "pg_catalog.lower(" + c + ") AS l" + std::to_string(i) + ", pg_catalog.upper(" + c + ") AS u" +
              std::to_string(i) + ", ";
    }
  CellSource const cells(session, release);
  RowReader reader(session, "SELECT " + list + "n FROM (" + cells.query() + ") AS cells",
                   "release " + quoted(release.reference()), "n");
  earlier.table = reader.finish(checkpoint);
  auto& columns = earlier.table.columns;
  earlier.intervals.resize(width);
  for (std::size_t i = 0, bound = width; i < width; ++i)
    if (is_range_type(release.columns[i].type)) {
      earlier.intervals[i] = intervals_of(columns[i], columns[bound], columns[bound + 1]);
      bound += 2;
    }
  columns.resize(width);
  for (std::size_t i = 0; i < width; ++i)
    earlier.lines.push_back(is_range_type(release.columns[i].type) ? line_of(release.columns[i].type)
                                                                   : line_of(columns[i].kind));
  for (std::size_t i = 0; i < width; ++i) columns[i].name = release.columns[i].column;
  return earlier;
}

}  // namespace anon_seq::sequential
