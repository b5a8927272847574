#include "release/left_out.h"

namespace anon_seq::release {
namespace {

template <class Value>
void keep(Vector<Value>& values, Vector<char> const& out) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < values.size(); ++row)
    if (out[row] == 0) values[kept++] = values[row];
  values.resize(kept);
}

// Codes of values that are left ascend as they did.
void drop_unused(Column& column) {
  Vector<Code> place(static_cast<std::size_t>(column.distinct()), kNoCode);
  for (Code const code : column.codes) place[static_cast<std::size_t>(code)] = 0;
  Dictionary values;
  Vector<double> positions;
  for (Code code = 0; code < column.distinct(); ++code) {
    auto const at = static_cast<std::size_t>(code);
    if (code != kNull && place[at] == kNoCode) continue;
    place[at] = values.add_hidden(column.values[code]);
    if (!column.positions.empty()) positions.push_back(column.positions[at]);
  }
  values.index();
  for (Code& code : column.codes) code = place[static_cast<std::size_t>(code)];
  column.values = std::move(values);
  column.positions = std::move(positions);
}

void count_persons(SourceTable& source) {
  source.persons = source.table.total_weight();
  if (source.person == SourceTable::kNoIndex) return;
  auto const& column = source.table.columns[source.person];
  Vector<char> seen(static_cast<std::size_t>(column.distinct()), 0);
  source.persons = 0;
  source.one_row_each = true;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    auto& met = seen[static_cast<std::size_t>(column.codes[row])];
    source.one_row_each &= met == 0 && source.table.weight(row) == 1;
    source.persons += met == 0;
    met = 1;
  }
}

}  // namespace

void leave_out(SourceTable& source, Vector<char> const& rows, Checkpoint& checkpoint) {
  auto& table = source.table;
  if (!table.weights.empty()) keep(table.weights, rows);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    checkpoint.poll();
    keep(table.columns[i].codes, rows);
    if (i != source.person) drop_unused(table.columns[i]);  // keys of persons are told apart by their codes
  }
  count_persons(source);
  source.fingerprint = fingerprint_of(table, {}, checkpoint);
}

}  // namespace anon_seq::release
