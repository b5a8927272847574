#include "core/partition/region_cuts.h"

namespace anon_seq {
namespace {

RegionId begin_children(Partition& partition, RegionId leaf) {
  // Ids are 32 bits; a region takes more memory than that allows for long before.
  auto const first = static_cast<RegionId>(partition.regions.size());
  Region& region = partition.regions[static_cast<std::size_t>(leaf)];
  region.first_child = first;
  region.open = false;
  return first;
}

Region& add_child(Partition& partition, RegionId parent, std::size_t attribute, Side side) {
  ++partition.regions[static_cast<std::size_t>(parent)].children;
  make_room(partition.regions, 1);
  Region& region = partition.regions.emplace_back();
  region.parent = parent;
  region.attribute = static_cast<std::int16_t>(attribute);
  region.side = side;
  return region;
}

}  // namespace

RegionId cut_line(Partition& partition, RegionId leaf, std::size_t attribute, std::int32_t at) {
  RegionId const first = begin_children(partition, leaf);
  add_child(partition, leaf, attribute, at == 0 ? Side::kUnknownOnly : Side::kBelow).at = at;
  add_child(partition, leaf, attribute, at == 0 ? Side::kKnown : Side::kFrom).at = at;
  return first;
}

RegionId cut_nodes(Partition& partition, RegionId leaf, std::size_t attribute, std::span<Vector<Node> const> sets) {
  RegionId const first = begin_children(partition, leaf);
  for (auto const& set : sets) {
    Region& region = add_child(partition, leaf, attribute, Side::kNodes);
    region.nodes_begin = static_cast<std::uint32_t>(partition.nodes.size());
    partition.nodes.insert(partition.nodes.end(), set.begin(), set.end());
    region.nodes_end = static_cast<std::uint32_t>(partition.nodes.size());
  }
  add_child(partition, leaf, attribute, Side::kOthers);
  return first;
}

}  // namespace anon_seq
