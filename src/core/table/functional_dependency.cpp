#include "core/table/functional_dependency.h"

#include <algorithm>

namespace anon_seq {
namespace {

constexpr std::int64_t kFewRows = 50;

std::int64_t values_of(Column const& column) {
  Vector<char> met(static_cast<std::size_t>(column.distinct()), 0);
  for (Code code : column.codes) met[static_cast<std::size_t>(code)] = 1;
  return std::count(met.begin(), met.end(), 1);
}

bool decides(Column const& from, Column const& to, Checkpoint& checkpoint) {
  Vector<Code> stands_with(static_cast<std::size_t>(from.distinct()), kNoCode);
  for (std::size_t row = 0; row < from.codes.size(); ++row) {
    checkpoint.tick();
    Code& with = stands_with[static_cast<std::size_t>(from.codes[row])];
    if (with == kNoCode) with = to.codes[row];
    if (with != to.codes[row]) return false;
  }
  return true;
}

}  // namespace

std::vector<Dependency> functional_dependencies(CodedTable const& table, std::span<std::size_t const> columns,
                                                Checkpoint& checkpoint) {
  std::vector<Dependency> found;
  auto const rows = table.total_weight();
  if (rows < kFewRows) return found;
  std::vector<std::int64_t> values;
  for (auto column : columns) values.push_back(values_of(table.columns[column]));
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (i == j || values[j] < 2 || values[i] < values[j] || 2 * values[i] > rows) continue;
      if (i > j && values[i] == values[j]) continue;  // they decide each other, if at all
      if (decides(table.columns[columns[i]], table.columns[columns[j]], checkpoint))
        found.push_back({columns[i], columns[j]});
    }
  return found;
}

}  // namespace anon_seq
