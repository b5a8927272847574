#include "core/lossy/signature.h"

namespace anon_seq {

Signature signature_of(Regions const& regions) {
  Signature first(regions.rows.size());
  for (auto const& part : regions.parts) {
    auto const rows = std::span(regions.rows).subspan(part.begin, part.size());
    std::uint32_t const least = *std::ranges::min_element(rows);
    for (auto const row : rows) first[row] = least;
  }
  return first;
}

namespace {

std::span<Node const> nodes_of(Recoding const& made, std::size_t id) {
  std::size_t const axes = made.nodes.size() / static_cast<std::size_t>(made.grouping.count);
  return std::span(made.nodes).subspan(id * axes, axes);
}

}  // namespace

Signature signature_of(Recoding const& made) {
  auto const& grouping = made.grouping;
  Signature first(grouping.rows.size());
  Vector<std::int64_t> least(static_cast<std::size_t>(grouping.count), static_cast<std::int64_t>(first.size()));
  for (std::size_t place = 0; place < first.size(); ++place) {
    auto& row = least[static_cast<std::size_t>(grouping.classes[place])];
    row = std::min<std::int64_t>(row, grouping.rows[place]);
  }
  for (std::size_t place = 0; place < grouping.rows.size(); ++place) {
    auto const id = static_cast<std::size_t>(grouping.classes[place]);
    first[grouping.rows[place]] = least[id];
  }
  Vector<std::int32_t> by_row(static_cast<std::size_t>(grouping.rows.size()), -1);
  for (std::size_t id = 0; id < least.size(); ++id)
    by_row[static_cast<std::size_t>(least[id])] = static_cast<std::int32_t>(id);
  for (auto const id : by_row)
    if (id >= 0)
      for (auto const node : nodes_of(made, static_cast<std::size_t>(id))) first.push_back(node);
  return first;
}

Signature bags_of(Recoding const& made, Sensitive const& sensitive) {
  std::vector<Signature> classes(static_cast<std::size_t>(made.grouping.count));
  for (std::size_t place = 0; place < made.grouping.rows.size(); ++place)
    classes[static_cast<std::size_t>(made.grouping.classes[place])].push_back(
        sensitive.joint_of(made.grouping.rows[place]));
  Signature all;
  for (std::size_t id = 0; id < classes.size(); ++id) {
    std::sort(classes[id].begin(), classes[id].end());
    for (auto const node : nodes_of(made, id)) classes[id].push_back(node);
    classes[id].push_back(-2);  // an end, which no value and no node is
  }
  std::sort(classes.begin(), classes.end());
  for (auto const& one : classes) all.insert(all.end(), one.begin(), one.end());
  return all;
}

}  // namespace anon_seq
