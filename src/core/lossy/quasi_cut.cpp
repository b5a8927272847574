#include "core/lossy/quasi_cut.h"

#include "core/table/nth_value.h"

namespace anon_seq {
namespace {

std::int32_t first_rank(Taxonomy const& taxonomy, Node node) { return taxonomy.leaf_rank(node) + 1; }
std::int32_t ranks_end(Taxonomy const& taxonomy, Node node) {
  return first_rank(taxonomy, node) + taxonomy.leaves(node);
}

}  // namespace

Vector<std::int32_t> children_above(Taxonomy const& taxonomy, std::int32_t low, std::int32_t high) {
  Vector<std::int32_t> firsts;
  if (low == kNull) firsts.push_back(0);
  for (Node node = kRoot; high > 0;) {
    Node inside = kNoNode;
    for (Node child = node + 1; child < taxonomy.end(node); child = taxonomy.end(child))
      if (first_rank(taxonomy, child) <= low && high < ranks_end(taxonomy, child)) inside = child;
    if (inside != kNoNode) {
      node = inside;
      continue;
    }
    for (Node child = node + 1; child < taxonomy.end(node); child = taxonomy.end(child))
      firsts.push_back(first_rank(taxonomy, child));
    break;
  }
  return firsts;
}

template <class Rank>
std::optional<QuasiCut> CutFinder<Rank>::find(QuasiRows<Rank> const& rows, Part part, std::size_t axis,
                                              std::int32_t low, std::int32_t high, std::size_t least) {
  if (low == high || part.size() < 2 * least) return std::nullopt;
  return axes_[axis].taxonomy == nullptr ? on_line(rows, part, axis, low, high, least)
                                         : by_children(rows, part, axis, low, high, least);
}

template <class Rank>
std::optional<QuasiCut> CutFinder<Rank>::on_line(QuasiRows<Rank> const& rows, Part part, std::size_t axis,
                                                 std::int32_t low, std::int32_t high, std::size_t least) {
  scratch_.resize(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    checkpoint_.tick();
    scratch_[i] = rows.rank(part.begin + i, axis);
  }
  std::int32_t const median = nth_value(scratch_, part.size() / 2, low, high, checkpoint_);
  // Two gaps can be nearest: below the median's equals, or above them. Their smaller sides are `below` and `above`.
  std::size_t below = 0, above = 0;
  for (auto const rank : scratch_) {
    below += rank < median;
    above += rank > median;
  }
  if (std::max(below, above) < least) return std::nullopt;
  bool const lower = below >= above;
  std::size_t const left = lower ? below : part.size() - above;
  return QuasiCut{axis, {low, lower ? median : median + 1}, {0, 1}, {left, part.size() - left}};
}

template <class Rank>
std::optional<QuasiCut> CutFinder<Rank>::by_children(QuasiRows<Rank> const& rows, Part part, std::size_t axis,
                                                     std::int32_t low, std::int32_t high, std::size_t least) {
  QuasiCut cut{axis, children_above(*axes_[axis].taxonomy, low, high), {}, {}};
  if (cut.firsts.size() < 2) return std::nullopt;
  for (std::size_t i = 0; i < cut.firsts.size(); ++i) cut.child_of.push_back(i);
  cut.sizes.resize(cut.firsts.size());
  for (std::size_t place = part.begin; place < part.end; ++place) {
    checkpoint_.tick();
    ++cut.sizes[cut.child(rows.rank(place, axis))];
  }
  if (!lump(cut, least)) return std::nullopt;
  return cut;
}

// Puts the small ones together. False if that leaves no two children.
template <class Rank>
bool CutFinder<Rank>::lump(QuasiCut& cut, std::size_t least) const {
  std::size_t const n = cut.sizes.size();
  Vector<std::size_t> order(n), sizes;
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return cut.sizes[a] < cut.sizes[b]; });
  std::size_t lumped = 0, together = 0;
  while (lumped < n && (cut.sizes[order[lumped]] < least || (together > 0 && together < least)))
    together += cut.sizes[order[lumped++]];
  if (n - lumped + (together > 0) < 2) return false;
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(lumped), order.end());
  for (std::size_t i = lumped; i < n; ++i) {
    cut.child_of[order[i]] = sizes.size();
    sizes.push_back(cut.sizes[order[i]]);
  }
  for (std::size_t i = 0; i < lumped; ++i) cut.child_of[order[i]] = sizes.size();
  if (together > 0) sizes.push_back(together);
  cut.sizes.swap(sizes);
  return true;
}

template class CutFinder<std::uint8_t>;
template class CutFinder<std::uint16_t>;
template class CutFinder<std::int32_t>;

}  // namespace anon_seq
