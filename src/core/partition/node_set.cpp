#include "core/partition/node_set.h"

#include <algorithm>

namespace anon_seq {
namespace {

enum class Part { kNone, kSome, kAll };

// What of the set is wanted, where judge(node) says which part of what lies below node is.
template <class Judge>
Vector<Node> part_of(Taxonomy const& taxonomy, std::span<Node const> set, Judge judge) {
  Vector<Node> wanted;
  for (Node top : set) {
    if (top == kUnknown) {
      if (judge(top) == Part::kAll) wanted.push_back(top);
      continue;
    }
    for (Node n = top; n < taxonomy.end(top);) {
      Part const part = judge(n);
      if (part == Part::kAll) wanted.push_back(n);
      n = part == Part::kSome ? n + 1 : taxonomy.end(n);
    }
  }
  return wanted;
}

}  // namespace

bool holds(Taxonomy const& taxonomy, std::span<Node const> set, Node node) {
  auto const after = std::upper_bound(set.begin(), set.end(), node);
  if (after == set.begin()) return false;
  Node const last = *(after - 1);
  return last == node || (last != kUnknown && taxonomy.covers(last, node));
}

Vector<Node> held_by(Partition const& partition, Taxonomy const& taxonomy, std::size_t attribute, RegionId id) {
  auto const region = [&](RegionId r) -> Region const& { return partition.regions[static_cast<std::size_t>(r)]; };
  Vector<RegionId> others;  // below the nearest region that has a set
  while (region(id).side != Side::kRoot) {
    if (region(id).attribute == static_cast<std::int16_t>(attribute)) {
      if (region(id).side == Side::kNodes) break;
      others.push_back(id);
    }
    id = region(id).parent;
  }
  Vector<Node> held;
  if (region(id).side == Side::kRoot)
    held = {kUnknown, kRoot};
  else
    held.assign(partition.nodes_of(region(id)).begin(), partition.nodes_of(region(id)).end());
  for (; !others.empty(); others.pop_back()) {
    Vector<Node> taken;
    for (RegionId sister = region(region(others.back()).parent).first_child; sister < others.back(); ++sister) {
      auto const nodes = partition.nodes_of(region(sister));
      taken.insert(taken.end(), nodes.begin(), nodes.end());
    }
    std::sort(taken.begin(), taken.end());
    held = part_of(taxonomy, held, [&](Node n) {
      if (holds(taxonomy, taken, n)) return Part::kNone;
      if (n == kUnknown) return Part::kAll;
      auto const below = std::lower_bound(taken.begin(), taken.end(), n);
      return below != taken.end() && *below < taxonomy.end(n) ? Part::kSome : Part::kAll;
    });
  }
  return held;
}

Vector<Node> within(Taxonomy const& taxonomy, std::span<Node const> set, RankInterval ranks) {
  return part_of(taxonomy, set, [&](Node n) {
    auto const own = ranks_below(taxonomy, n);
    if (own.end <= ranks.begin || own.begin >= ranks.end) return Part::kNone;
    return own.begin >= ranks.begin && own.end <= ranks.end ? Part::kAll : Part::kSome;
  });
}

Vector<Node> covering(Taxonomy const& taxonomy, std::span<Node const> set, std::span<std::int32_t const> ranks) {
  return part_of(taxonomy, set, [&](Node n) {
    auto const own = ranks_below(taxonomy, n);
    auto const first = std::lower_bound(ranks.begin(), ranks.end(), own.begin);
    auto const present = std::lower_bound(first, ranks.end(), own.end) - first;
    return present == 0 ? Part::kNone : present == own.end - own.begin ? Part::kAll : Part::kSome;
  });
}

void put_in_order(Partition& partition) {
  auto const at = [&](std::uint32_t i) { return partition.nodes.begin() + static_cast<std::ptrdiff_t>(i); };
  for (auto const& region : partition.regions) std::sort(at(region.nodes_begin), at(region.nodes_end));
}

Vector<Node> children_of(Taxonomy const& taxonomy, Node node) {
  Vector<Node> children;
  for (Node c = node + 1; c < taxonomy.end(node); c = taxonomy.end(c)) children.push_back(c);
  return children;
}

}  // namespace anon_seq
