#include "sequential/earlier_table.h"

#include "catalog/cell_source.h"
#include "pg/reading.h"

namespace anon_seq::sequential {

RangeBounds bounds_of(Column const& text, Column lower, Column upper) {
  Vector<std::pair<Code, Code>> of(static_cast<std::size_t>(text.distinct()), {kNull, kNull});
  for (std::size_t row = 0; row < text.codes.size(); ++row)
    of[static_cast<std::size_t>(text.codes[row])] = {lower.codes[row], upper.codes[row]};
  give_back(lower.codes);
  give_back(upper.codes);
  return {std::move(lower), std::move(upper), std::move(of)};
}

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
  earlier.bounds.resize(width);
  for (std::size_t i = 0, bound = width; i < width; ++i)
    if (is_range_type(release.columns[i].type)) {
      earlier.bounds[i] = bounds_of(columns[i], std::move(columns[bound]), std::move(columns[bound + 1]));
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
