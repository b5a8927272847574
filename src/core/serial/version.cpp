#include "core/serial/version.h"

#include "core/serial/charge.h"
#include "core/serial/serial_classes.h"

namespace anon_seq {
namespace {

// The rows that are shown, as a table of their own.
class ShownTable {
 public:
  ShownTable(std::span<QuasiAxis const> axes, std::span<SensitiveColumn const> columns, Vector<std::uint32_t> shown,
             Checkpoint& checkpoint)
      : rows(std::move(shown)), axes(axes.begin(), axes.end()), columns(columns.begin(), columns.end()) {
    codes_.reserve(axes.size() + columns.size());
    for (auto& axis : this->axes) axis.codes = shown_codes(axis.codes, checkpoint);
    for (auto& column : this->columns) column.codes = shown_codes(column.codes, checkpoint);
  }

  Vector<std::uint32_t> rows;
  std::vector<QuasiAxis> axes;
  std::vector<SensitiveColumn> columns;

 private:
  std::span<Code const> shown_codes(std::span<Code const> codes, Checkpoint& checkpoint) {
    if (codes.size() == rows.size()) return codes;
    auto& mine = codes_.emplace_back();
    mine.reserve(rows.size());
    for (auto const row : rows) {
      checkpoint.tick();
      mine.push_back(codes[row]);
    }
    return mine;
  }

  std::vector<Vector<Code>> codes_;
};

// Bound of the values -> listed bound.
Vector<std::int32_t> listed_bounds(Sensitive const& sensitive, std::span<ListedBound const> listed) {
  Vector<std::int32_t> found;
  for (auto const& bound : sensitive.bounds()) {
    auto const at = std::ranges::find_if(listed, [&](ListedBound const& one) {
      return one.code == bound.code && (one.code == kNoCode || one.column == bound.column);
    });
    if (at == listed.end()) throw Error(Fault::kInternal, "a bounded value is not listed");
    found.push_back(static_cast<std::int32_t>(at - listed.begin()));
  }
  return found;
}

// Charges of rows and bounds in the numbers of all.
void renumber_all(Vector<Met>& charges, std::span<std::uint32_t const> rows, std::span<std::int32_t const> listed_of) {
  for (auto& one : charges) {
    one.row = static_cast<std::int32_t>(rows[static_cast<std::size_t>(one.row)]);
    one.bound = listed_of[static_cast<std::size_t>(one.bound)];
  }
  for (auto begin = charges.begin(); begin != charges.end();) {
    auto const end = std::find_if(begin, charges.end(), [&](Met const& other) { return other.row != begin->row; });
    std::sort(begin, end, [](Met const& a, Met const& b) { return a.bound < b.bound; });
    begin = end;
  }
}

Classes of_all_rows(Classes const& shown, std::span<std::uint32_t const> rows, std::size_t all) {
  Classes classes(all, shown.attributes());
  for (ClassId id = 0; id < shown.count(); ++id) {
    classes.add_class();
    for (std::size_t a = 0; a < shown.attributes(); ++a) classes.add_region(shown.region(id, a));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) classes.assign(rows[i], shown.class_of(i));
  return classes;
}

}  // namespace

Version make_version(std::span<QuasiAxis const> axes, std::span<SensitiveColumn const> columns,
                     std::span<ListedBound const> listed, std::span<Met const> met, VersionDemands const& demands,
                     Draws& draws, Checkpoint& checkpoint) {
  std::size_t const rows = columns.empty() ? 0 : columns.front().codes.size();
  auto const purses = make_purses(rows, listed.size(), met, demands.spending, checkpoint);
  ShownTable const table(axes, columns, shown_rows(purses, checkpoint), checkpoint);
  Sensitive const sensitive(table.rows.size(), table.columns, checkpoint);
  auto const listed_of = listed_bounds(sensitive, listed);
  auto const cohorts =
      make_cohorts(shown_purses(purses, listed_of, checkpoint), sensitive, demands.cohorts, checkpoint);
  auto const make = demands.cohorts.dealt ? dealt_classes : recoded_classes;
  auto const classes = make(table.axes, sensitive, cohorts, demands.cohorts.k, draws, checkpoint);
  auto charges = charges_of(sensitive, classes, checkpoint);
  renumber_all(charges, table.rows, listed_of);
  Version made{of_all_rows(classes, table.rows, rows), purses.withheld, cohorts.parts.size(), 1, std::move(charges)};
  for (auto const m : cohorts.classes_of) made.rows_for_one = std::max(made.rows_for_one, m);
  return made;
}

}  // namespace anon_seq
