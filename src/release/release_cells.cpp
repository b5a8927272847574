#include "release/release_cells.h"

#include <algorithm>

#include "core/table/row_groups.h"
//
#include "catalog/ledger.h"
#include "pg/writing.h"
#include "release/key_arrays.h"

namespace anon_seq::release {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Numbers the cells: rows with one class and equal values in the plain columns.
RowGroups group_cells(SourceTable const& source, std::vector<std::size_t> const& plain, Classes const& classes,
                      Vector<std::int32_t>& class_of, Checkpoint& checkpoint) {
  class_of.resize(classes.rows());
  for (std::size_t row = 0; row < classes.rows(); ++row) class_of[row] = classes.class_of(row) + 1;  // 0: withheld
  std::vector<KeyColumn> keys{{{class_of.data(), class_of.size()}, classes.count() + 1}};
  for (std::size_t column : plain) {
    auto const& codes = source.table.columns[column].codes;
    keys.push_back({{codes.data(), codes.size()}, source.table.columns[column].distinct()});
  }
  return group_rows(classes.rows(), keys, checkpoint);
}

// The same columns of the source, those that a projection shows without the others first.
std::vector<std::size_t> sensitive_last(Policy const& policy, SourceTable const& source,
                                        std::vector<std::size_t> plain) {
  std::stable_partition(plain.begin(), plain.end(), [&](std::size_t of) {
    return std::none_of(policy.columns.begin(), policy.columns.end(), [&](auto const& column) {
      return column.role == Role::kSensitive && source.column(column.column) == of;
    });
  });
  return plain;
}

// Groups in ascending order of class and values; withheld rows are not among them.
Vector<std::int32_t> in_order(SourceTable const& source, std::vector<std::size_t> const& plain, RowGroups const& groups,
                              Vector<std::int32_t> const& class_of, Checkpoint& checkpoint) {
  Vector<std::int32_t> order;
  order.reserve(groups.count());
  for (std::size_t group = 0; group < groups.count(); ++group)
    if (class_of[groups.first_row[group]] > 0) order.push_back(static_cast<std::int32_t>(group));
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    checkpoint.tick();
    std::size_t const i = groups.first_row[at(a)], j = groups.first_row[at(b)];
    if (class_of[i] != class_of[j]) return class_of[i] < class_of[j];
    for (std::size_t column : plain) {
      auto const& codes = source.table.columns[column].codes;
      if (codes[i] != codes[j]) return codes[i] < codes[j];
    }
    return false;
  });
  return order;
}

void write_persons(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                   Checkpoint& checkpoint) {
  constexpr std::size_t kPersonsPerRow = 10000;
  auto const& person = source.table.columns[source.person];
  Vector<std::uint32_t> starts(cells.size() + 1, 0);
  Vector<Code> persons(at(cells.published));  // cell by cell
  for (std::size_t row = 0; row < cells.cell_of.size(); ++row)
    if (cells.cell_of[row] >= 0)
      starts[at(cells.cell_of[row]) + 1] += static_cast<std::uint32_t>(source.table.weight(row));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) starts[cell + 1] += starts[cell];
  Vector<std::uint32_t> next(starts);
  for (std::size_t row = 0; row < cells.cell_of.size(); ++row)
    for (std::int64_t i = cells.cell_of[row] >= 0 ? source.table.weight(row) : 0; i > 0; --i)
      persons[next[at(cells.cell_of[row])]++] = person.codes[row];
  KeyArrays keys(source, checkpoint);
  BulkWriter writer(session, ledger_table(policy.ledger(), "person"), {"version", "cell", "part", "persons"});
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::size_t i = starts[cell], part = 1; i < starts[cell + 1]; ++part) {
      std::size_t const end = std::min<std::size_t>(starts[cell + 1], i + kPersonsPerRow);
      writer.put(std::int64_t{policy.version});
      writer.put(static_cast<std::int64_t>(cell) + 1);
      writer.put(static_cast<std::int64_t>(part));
      keys.put(writer, persons, i, end);
      writer.end_row();
      i = end;
    }
  writer.finish();
}

// Distinct persons of each class, where a person may have many rows.
Vector<std::int64_t> persons_by_class(SourceTable const& source, Classes const& classes, Checkpoint& checkpoint) {
  auto const& persons = source.table.columns[source.person].codes;
  Vector<std::uint64_t> pairs;
  for (std::size_t row = 0; row < classes.rows(); ++row)
    if (classes.class_of(row) != kWithheld)
      pairs.push_back(static_cast<std::uint64_t>(classes.class_of(row)) << 32 |
                      static_cast<std::uint32_t>(persons[row]));
  std::sort(pairs.begin(), pairs.end(), [&](auto a, auto b) {
    checkpoint.tick();
    return a < b;
  });
  Vector<std::int64_t> sizes(at(classes.count()), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (i == 0 || pairs[i] != pairs[i - 1]) ++sizes[pairs[i] >> 32];
  return sizes;
}

}  // namespace

ReleaseCells make_cells(SourceTable const& source, Policy const& policy, Classes const& classes, ShownText const& shown,
                        Checkpoint& checkpoint) {
  std::vector<std::size_t> plain;  // columns of the source that are published as they are
  for (auto const& column : policy.columns)
    if (column.is_plain() || (column.is_quasi() && !shown)) plain.push_back(source.column(column.column));
  Vector<std::int32_t> class_of;
  auto const groups = group_cells(source, plain, classes, class_of, checkpoint);
  auto const order = in_order(source, sensitive_last(policy, source, plain), groups, class_of, checkpoint);

  ReleaseCells cells;
  cells.width = policy.columns.size();
  std::size_t const quasi = shown ? policy.quasi.size() : 0;
  cells.texts.resize(cells.width);
  for (auto& texts : cells.texts) texts.add_hidden("");
  cells.values.reserve(order.size() * cells.width);
  Vector<std::int32_t> number(groups.count(), -1);
  for (std::size_t cell = 0; cell < order.size(); ++cell) {
    checkpoint.tick();
    std::size_t const row = groups.first_row[at(order[cell])];
    number[at(order[cell])] = static_cast<std::int32_t>(cell);
    for (std::size_t column = 0; column < quasi; ++column) {
      auto const& text = shown(at(class_of[row] - 1), column);
      cells.values.push_back(text ? cells.texts[column].intern(*text) : ReleaseCells::kNullText);
    }
    for (std::size_t i = 0; i < plain.size(); ++i) {
      auto const& from = source.table.columns[plain[i]];
      Code const code = from.codes[row];
      cells.values.push_back(code == kNull ? ReleaseCells::kNullText
                                           : cells.texts[quasi + i].intern(from.values[code]));
    }
    for (std::size_t column = quasi + plain.size(); column < cells.width; ++column)  // the class's number
      cells.values.push_back(cells.texts[column].intern(std::to_string(class_of[row])));
  }
  cells.counts.assign(order.size(), 0);
  cells.cell_of.resize(classes.rows());
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    auto const cell = cells.cell_of[row] = number[at(groups.of_row[row])];
    auto const weight = source.table.weight(row);
    if (cell >= 0) cells.counts[at(cell)] += weight;
    (cell >= 0 ? cells.published : cells.withheld) += weight;
  }
  cells.classes = classes.count();
  auto const sizes =
      source.one_row_each ? classes.sizes(source.table.weights) : persons_by_class(source, classes, checkpoint);
  cells.smallest_class = sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
  return cells;
}

void write_cells(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                 Checkpoint& checkpoint) {
  std::vector<std::string> columns{"version", "cell", "n"};
  for (std::size_t i = 0; i < cells.width; ++i) columns.push_back("c" + std::to_string(i + 1));
  BulkWriter writer(session, ledger_table(policy.ledger(), "cell"), columns, Placement::kAtEnd);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    writer.put(std::int64_t{policy.version});
    writer.put(static_cast<std::int64_t>(cell) + 1);
    writer.put(cells.counts[cell]);
    for (std::size_t column = 0; column < cells.width; ++column)
      writer.put_code(cells.texts[column], cells.values[cell * cells.width + column], ReleaseCells::kNullText);
    writer.end_row();
  }
  writer.finish();
  if (source.person != SourceTable::kNoIndex) write_persons(session, policy, source, cells, checkpoint);
}

}  // namespace anon_seq::release
