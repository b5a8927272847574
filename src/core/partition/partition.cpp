#include "core/partition/partition.h"

#include <algorithm>

#include "core/partition/node_set.h"

namespace anon_seq {
namespace {

Region const& region_of(Partition const& partition, RegionId id) {
  return partition.regions[static_cast<std::size_t>(id)];
}

std::int32_t child_of(Partition const& partition, Region const& region, Taxonomy const* taxonomy, std::int32_t point) {
  Region const& first = region_of(partition, region.first_child);
  if (first.side == Side::kUnknownOnly) return point == 0 ? 0 : 1;
  if (first.side == Side::kBelow) return point < first.at ? 0 : 1;
  std::int32_t const others = region.children - 1;
  for (std::int32_t child = 0; child < others; ++child)
    if (holds(*taxonomy, partition.nodes_of(region_of(partition, region.first_child + child)), point)) return child;
  return others;
}

// Leaves what no sister has as a whole.
void drop_held(Partition const& partition, Taxonomy const& taxonomy, RegionId others, Vector<Node>& nodes) {
  RegionId const parent = region_of(partition, others).parent;
  for (RegionId sister = region_of(partition, parent).first_child; sister < others; ++sister) {
    auto const set = partition.nodes_of(region_of(partition, sister));
    std::erase_if(nodes, [&](Node n) { return holds(taxonomy, set, n); });
  }
}

}  // namespace

Partition whole_space() {
  Partition partition;
  partition.regions.emplace_back();
  return partition;
}

RegionId leaf_of(Partition const& partition, std::span<Taxonomy const* const> taxonomies,
                 std::span<std::int32_t const> point, RegionId from) {
  for (RegionId id = from;;) {
    Region const& region = region_of(partition, id);
    if (region.children == 0) return id;
    auto const a = static_cast<std::size_t>(region_of(partition, region.first_child).attribute);
    id = region.first_child + child_of(partition, region, taxonomies[a], point[a]);
  }
}

bool is_on_side(Partition const& partition, RegionId id, Taxonomy const* taxonomy, std::int32_t point) {
  Region const& region = region_of(partition, id);
  switch (region.side) {
    case Side::kRoot: return true;
    case Side::kUnknownOnly: return point == 0;
    case Side::kKnown: return point != 0;
    case Side::kBelow: return point < region.at;
    case Side::kFrom: return point >= region.at;
    case Side::kNodes: return holds(*taxonomy, partition.nodes_of(region), point);
    case Side::kOthers: break;
  }
  Region const& parent = region_of(partition, region.parent);
  return child_of(partition, parent, taxonomy, point) == parent.children - 1;
}

std::vector<Shown> shown_of(Partition const& partition, std::span<Taxonomy const* const> taxonomies, RegionId id) {
  Vector<RegionId> path;
  for (; region_of(partition, id).side != Side::kRoot; id = region_of(partition, id).parent) path.push_back(id);
  std::vector<Shown> shown(taxonomies.size());
  for (std::size_t a = 0; a < shown.size(); ++a)
    if (taxonomies[a] != nullptr) shown[a].nodes = {kUnknown, kRoot};
  for (; !path.empty(); path.pop_back()) {
    Region const& region = region_of(partition, path.back());
    auto const a = static_cast<std::size_t>(region.attribute);
    Shown& own = shown[a];
    switch (region.side) {
      case Side::kRoot: break;
      case Side::kUnknownOnly:
        own.below = 1;
        own.unknown = true;
        break;
      case Side::kKnown:
        own.from = std::max(own.from, 1);
        own.known = true;
        break;
      case Side::kBelow: own.below = std::min(own.below, region.at); break;
      case Side::kFrom:
        own.from = region.at;
        own.known = false;
        break;
      case Side::kNodes: own.nodes.assign(partition.nodes_of(region).begin(), partition.nodes_of(region).end()); break;
      case Side::kOthers: drop_held(partition, *taxonomies[a], path.back(), own.nodes); break;
    }
  }
  for (std::size_t a = 0; a < shown.size(); ++a) {
    Shown& own = shown[a];
    if (taxonomies[a] == nullptr) {
      bool const everything = own.known && own.below == Shown::kUnbounded;  // known, and has no bound to say so
      if (!own.unknown && (own.from == 0 || everything)) own = {};
      continue;
    }
    if (own.nodes.empty() || own.nodes.back() != kRoot) continue;
    own.known = own.nodes.front() != kUnknown;
    own.nodes = {kRoot};
  }
  return shown;
}

bool is_bounded_above(Partition const& partition, std::size_t attribute, RegionId id) {
  for (; region_of(partition, id).side != Side::kRoot; id = region_of(partition, id).parent)
    if (region_of(partition, id).side == Side::kBelow &&
        region_of(partition, id).attribute == static_cast<std::int16_t>(attribute))
      return true;
  return false;
}

}  // namespace anon_seq
