#include "core/lossy/interval_tree.h"

#include <algorithm>
#include <string>

namespace anon_seq {
namespace {

// Where [begin, end) is cut: with rows[c] rows below code c, nearest to half of them. REQUIRES: two codes or more.
std::int32_t cut_of(Vector<std::int64_t> const& rows, Extent codes) {
  auto const at = [&](std::int32_t code) { return rows[static_cast<std::size_t>(code)]; };
  std::int64_t const twice_middle = at(codes.begin) + at(codes.end);
  auto const first = rows.begin() + codes.begin + 1, last = rows.begin() + codes.end - 1;
  auto const above = std::partition_point(first, last, [&](std::int64_t n) { return 2 * n < twice_middle; });
  auto const cut = static_cast<std::int32_t>(above - rows.begin());
  bool const lower = above != first && twice_middle - 2 * at(cut - 1) <= 2 * at(cut) - twice_middle;
  return lower ? cut - 1 : cut;
}

}  // namespace

IntervalTree interval_tree(std::span<std::int64_t const> counts, Checkpoint& checkpoint) {
  Vector<std::int64_t> rows(counts.size() + 1);
  // A code that nobody has weighs a row as well, so that the tree is not deep.
  for (std::size_t code = 1; code < counts.size(); ++code)
    rows[code + 1] = rows[code] + std::max<std::int64_t>(counts[code], 1);
  Dictionary labels;
  Vector<Node> parents;
  Vector<Extent> extents;  // in the order of making: parents first, siblings in order
  auto const add = [&](Extent codes, Node parent) {
    labels.intern(std::to_string(codes.begin) + "-" + std::to_string(codes.end));
    parents.push_back(parent);
    extents.push_back(codes);
  };
  add({1, static_cast<std::int32_t>(counts.size())}, kNoNode);
  for (std::size_t node = 0; node < extents.size(); ++node) {
    checkpoint.tick();
    Extent const codes = extents[node];
    if (codes.end - codes.begin < 2) continue;
    std::int32_t const cut = cut_of(rows, codes);
    add({codes.begin, cut}, static_cast<Node>(node));
    add({cut, codes.end}, static_cast<Node>(node));
  }
  IntervalTree made{Taxonomy(labels, parents), Vector<Node>(counts.size(), kNoNode), Vector<Extent>(extents.size())};
  for (std::size_t node = 0; node < extents.size(); ++node) {
    Node const placed = made.taxonomy.find(labels[static_cast<Code>(node)]);
    made.codes[static_cast<std::size_t>(placed)] = extents[node];
    if (made.taxonomy.is_leaf(placed)) made.leaves[static_cast<std::size_t>(extents[node].begin)] = placed;
  }
  return made;
}

}  // namespace anon_seq
