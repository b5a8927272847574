#include "core/table/table.h"

#include <type_traits>

namespace anon_seq {

std::int64_t CodedTable::total_weight() const {
  std::int64_t total = 0;
  if (weights.empty()) return static_cast<std::int64_t>(rows());
  for (auto weight : weights)
    if (__builtin_add_overflow(total, weight, &total)) throw Error(Fault::kLimit, "too many rows to count");
  return total;
}

Column const* CodedTable::find(std::string_view name) const {
  for (auto const& column : columns)
    if (column.name == name) return &column;
  return nullptr;
}

CodedTable CodedTable::rows_where(Vector<char> const& of, bool wanted) const {
  auto const keep = [&](auto const& values) {
    std::remove_cvref_t<decltype(values)> kept;
    for (std::size_t row = 0; row < values.size(); ++row)
      if ((of[row] != 0) == wanted) kept.push_back(values[row]);
    return kept;
  };
  CodedTable table;
  if (!weights.empty()) table.weights = keep(weights);
  for (auto const& column : columns)
    table.columns.push_back(
        {column.name, column.kind, column.values, column.single, column.positions, keep(column.codes)});
  return table;
}

void CodedTable::check() const {
  auto expect = [](bool holds, char const* what) {
    if (!holds) throw Error(Fault::kInternal, std::string("coded table: ") + what);
  };
  expect(weights.empty() || weights.size() == rows(), "weights and rows differ in number");
  for (auto weight : weights) expect(weight > 0, "a weight is not positive");
  for (auto const& column : columns) {
    expect(column.codes.size() == rows(), "columns differ in length");
    expect(column.distinct() > 0, "a column has no code for NULL");
    expect(column.positions.empty() || column.positions.size() == static_cast<std::size_t>(column.distinct()),
           "positions and values differ in number");
    for (Code code : column.codes) expect(code >= 0 && code < column.distinct(), "a code is out of range");
  }
}

void renumber(Column& column, Vector<Code> const& order, Dictionary const& labels) {
  Vector<Code> new_code(order.size() + 1, kNull);
  Dictionary values;
  Vector<double> positions;
  bool const placed = !column.positions.empty();
  values.add_hidden("");
  if (placed) positions.push_back(0);
  for (Code old : order) {
    Code const code = values.intern(labels[old]);
    if (placed && static_cast<std::size_t>(code) == positions.size())
      positions.push_back(column.positions[static_cast<std::size_t>(old)]);
    new_code[static_cast<std::size_t>(old)] = code;
  }
  for (Code& code : column.codes) code = new_code[static_cast<std::size_t>(code)];
  column.values = std::move(values);
  column.positions = std::move(positions);
}

}  // namespace anon_seq
