#include "core/partition/axis_cut.h"
#include "core/partition/node_set.h"

namespace anon_seq {
namespace {

// What a region's children may be: the nodes in it that part the ranks from low to high.
struct Items {
  Vector<Node> nodes;
  bool all = true;  // of the region
};

// The one of the nodes that has the rank. REQUIRES: one has.
std::size_t item_of(Taxonomy const& taxonomy, Vector<Node> const& nodes, std::int32_t rank) {
  auto const after = std::upper_bound(nodes.begin(), nodes.end(), rank,
                                      [&](std::int32_t r, Node n) { return r < ranks_below(taxonomy, n).begin; });
  return static_cast<std::size_t>(after - nodes.begin()) - 1;
}

std::optional<Items> items_of(Taxonomy const& taxonomy, Vector<Node> const& held, std::int32_t low, std::int32_t high) {
  Items items{held};
  if (held.size() == 2 && held[0] == kUnknown && held[1] == kRoot) {  // unknown stands beside the root's children
    items.nodes = children_of(taxonomy, kRoot);
    items.nodes.insert(items.nodes.begin(), kUnknown);
  }
  for (;;) {
    std::size_t const i = item_of(taxonomy, items.nodes, low);
    if (i != item_of(taxonomy, items.nodes, high)) return items;
    if (items.nodes[i] == kUnknown || taxonomy.is_leaf(items.nodes[i])) return std::nullopt;
    items.all &= items.nodes.size() == 1;
    items.nodes = children_of(taxonomy, items.nodes[i]);
  }
}

}  // namespace

std::optional<AxisCut> CutSearch::by_children(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                              Cohorts const& cohorts, std::int32_t low, std::int32_t high) {
  Taxonomy const& taxonomy = *scales_[attribute].axis().taxonomy;
  auto const items = items_of(taxonomy, held_by(partition_, taxonomy, attribute, leaf), low, high);
  if (!items) return std::nullopt;
  std::size_t const n = items->nodes.size(), c = cohorts.count;
  AxisCut cut;
  cut.attribute = attribute;
  for (Node const node : items->nodes) cut.firsts.push_back(ranks_below(taxonomy, node).begin);
  for (std::size_t i = 0; i < n; ++i) cut.child_of.push_back(i);
  std::vector<std::size_t> counts(n * c), totals(n), others(c);
  for (std::size_t row = slice.begin; row < slice.end; ++row) {
    checkpoint_.tick();
    std::size_t const i = cut.child(rows.rank(row, attribute));
    ++totals[i];
    ++counts[i * c + cohorts.half_of(rows.id(row))];
  }
  std::vector<char> alone(n);
  std::size_t regions = n;
  auto const lump = [&](std::size_t i) {
    alone[i] = 0;
    --regions;
    for (std::size_t j = 0; j < c; ++j) others[j] += counts[i * c + j];
  };
  for (std::size_t i = 0; i < n; ++i)
    if (alone[i] = fits(std::span(counts).subspan(i * c, c)); alone[i] == 0) lump(i);
  // Somebody who left may have been in what no other child has.
  bool const departed = partition_.regions[static_cast<std::size_t>(leaf)].departed;
  bool const open = std::any_of(others.begin(), others.end(), [](auto count) { return count > 0; }) ||
                    (departed && (!items->all || regions < n));
  while (open && regions > 0 && !fits(others)) {
    std::size_t smallest = n;
    for (std::size_t i = 0; i < n; ++i)
      if (alone[i] != 0 && (smallest == n || totals[i] < totals[smallest])) smallest = i;
    lump(smallest);
  }
  if (regions + open < 2) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) {
    cut.child_of[i] = alone[i] != 0 ? cut.sets.size() : regions;
    if (alone[i] == 0) continue;
    cut.sets.push_back({items->nodes[i]});
    cut.sizes.push_back(totals[i]);
  }
  cut.sizes.push_back(0);
  for (auto const count : others) cut.sizes.back() += count;
  return cut;
}

}  // namespace anon_seq
