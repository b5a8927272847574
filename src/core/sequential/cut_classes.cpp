#include "core/sequential/cut_classes.h"

#include <algorithm>
#include <numeric>

#include "core/table/row_groups.h"

namespace anon_seq {
namespace {

bool is_null(CutValue const& value) { return value.ranks == Extent{0, 1} && value.node == kNoNode; }

// code -> place of its value in the cut
Vector<std::int32_t> places(Problem const& problem, std::size_t a, Vector<CutValue> const& cut) {
  auto const& attribute = problem.attributes[a];
  auto const distinct = problem.table->columns[attribute.column].distinct();
  Vector<std::int32_t> place(static_cast<std::size_t>(distinct), 0);
  for (Code code = 0; code < distinct; ++code) {
    Rank rank = code;
    if (attribute.taxonomy != nullptr && code != kNull)
      rank = attribute.taxonomy->leaf_rank(attribute.leaves[static_cast<std::size_t>(code)]) + 1;
    auto const found = std::find_if(
        cut.begin(), cut.end(), [&](auto const& value) { return value.ranks.begin <= rank && rank < value.ranks.end; });
    // A code without rows may be in no value of the cut: the NULL of a column that has none.
    place[static_cast<std::size_t>(code)] = found == cut.end() ? 0 : static_cast<std::int32_t>(found - cut.begin());
  }
  return place;
}

}  // namespace

Vector<Code> published_cuts(Vector<CutValue> const& cut) {
  Vector<Code> codes;
  for (auto const& value : cut)
    if (value.ranks.begin > 1) codes.push_back(value.ranks.begin);
  return codes;
}

Classes classes_of_cut(Problem const& problem, std::vector<Vector<CutValue>> const& cut, Checkpoint& checkpoint) {
  CodedTable const& table = *problem.table;
  std::vector<Vector<std::int32_t>> place;
  std::vector<KeyColumn> keys;
  for (std::size_t a = 0; a < cut.size(); ++a) place.push_back(places(problem, a, cut[a]));
  for (std::size_t a = 0; a < cut.size(); ++a)
    keys.push_back(
        {table.columns[problem.attributes[a].column].codes, static_cast<std::int32_t>(cut[a].size()), place[a]});
  RowGroups groups = group_rows(table.rows(), keys, checkpoint);

  Vector<std::int32_t> order(groups.count()), number(groups.count());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
    checkpoint.tick();
    for (auto const& key : keys) {
      auto const x = key.of(groups.first_row[static_cast<std::size_t>(i)]),
                 y = key.of(groups.first_row[static_cast<std::size_t>(j)]);
      if (x != y) return x < y;
    }
    return false;
  });
  Classes classes(table.rows(), cut.size());
  for (auto group : order) {
    number[static_cast<std::size_t>(group)] = classes.add_class();
    for (std::size_t a = 0; a < cut.size(); ++a) {
      auto const at = keys[a].of(groups.first_row[static_cast<std::size_t>(group)]);
      CutValue const& value = cut[a][static_cast<std::size_t>(at)];
      auto const* taxonomy = problem.attributes[a].taxonomy;
      std::int32_t const nulls = !cut[a].empty() && is_null(cut[a][0]) ? 1 : 0;
      Extent const region = taxonomy != nullptr && value.node != kNoNode ? Extent{value.node, taxonomy->end(value.node)}
                                                                         : Extent{at - nulls, at - nulls + 1};
      if (is_null(value))
        classes.add_region({});
      else
        classes.add_region({&region, 1});
    }
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    checkpoint.tick();
    classes.assign(row, number[static_cast<std::size_t>(groups.of_row[row])]);
  }
  return classes;
}

}  // namespace anon_seq
