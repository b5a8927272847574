#include "core/sequential/line_window.h"

#include "core/numbers/line_place.h"

namespace anon_seq {

Extent line_window(KTable const& table, std::size_t a, Column const& column, std::int64_t most_out) {
  auto const codes = static_cast<Rank>(column.positions.size());
  Vector<std::int64_t> persons(column.positions.size(), 0);
  std::int64_t total = 0;
  for (std::size_t cell = 0; cell < table.cells(); ++cell) {
    Rank const rank = table.ranks(a)[cell];
    if (rank == kNull) continue;
    persons[static_cast<std::size_t>(rank)] += table.persons()[cell];
    total += table.persons()[cell];
  }
  auto of = [&](Rank rank) { return persons[static_cast<std::size_t>(rank)]; };
  double const unit = codes > 1 ? line_unit(column.positions[1], column.positions.back()) : 1;
  auto place = [&](Rank rank) { return column.positions[static_cast<std::size_t>(rank)] * unit; };
  Extent best{0, 0};
  double least = 0;
  std::int64_t inside = 0;
  for (Rank begin = 1, end = 1; begin < codes; inside -= of(begin++)) {
    while (end < codes && inside + most_out < total) inside += of(end++);
    if (inside + most_out < total) break;
    if (of(begin) == 0 || end <= begin) continue;
    double const width = place(end - 1) - place(begin);
    if (best.end == 0 || width < least) best = {begin, end}, least = width;
  }
  std::int64_t counted = 0;
  for (Rank rank = best.begin; rank < best.end; ++rank) counted += of(rank);
  return least > 0 && counted < total ? best : Extent{0, 0};
}

}  // namespace anon_seq
