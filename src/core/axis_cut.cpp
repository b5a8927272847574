#include "core/axis_cut.h"

#include "core/node_set.h"

namespace anon_seq {

std::optional<AxisCut> CutSearch::find(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                       Cohorts const& cohorts, std::int32_t low, std::int32_t high) {
  Scale& scale = scales_[attribute];
  if (!scale.is_line() && scale.axis().by_children)
    return by_children(leaf, attribute, rows, slice, cohorts, low, high);
  auto const gap = cohorts.count > 1 ? cohort_gap(attribute, rows, slice, cohorts) : median_gap(attribute, rows, slice);
  if (!gap) return std::nullopt;
  AxisCut cut;
  cut.attribute = attribute;
  // Between unknown and the rest there is but one place; in leaf order rank 1 is that.
  cut.at = gap->low == 0 && scale.is_line() ? 1 : scale.roundest(gap->low, gap->high);
  if (scale.is_line()) return cut;
  Taxonomy const& taxonomy = *scale.axis().taxonomy;
  auto const held = held_by(partition_, taxonomy, attribute, leaf);
  cut.sets.push_back(within(taxonomy, held, {0, cut.at}));
  cut.sets.push_back(within(taxonomy, held, {cut.at, taxonomy.leaves(kRoot) + 1}));
  return cut;
}

std::optional<CutSearch::Gap> CutSearch::median_gap(std::size_t attribute, PointRows const& rows, Slice slice) {
  std::size_t const n = slice.size();
  scratch_.resize(n);
  for (std::size_t i = 0; i < n; ++i) scratch_[i] = rows.rank(slice.begin + i, attribute);
  auto const middle = scratch_.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(scratch_.begin(), middle, scratch_.end());
  std::int32_t const median = *middle;
  // Two cuts can be nearest: below the median's equals, or above them.
  std::size_t below = 0, above = 0;
  Gap gap{-1, median};
  std::int32_t next = std::numeric_limits<std::int32_t>::max();
  for (auto const rank : scratch_) {
    below += rank < median;
    above += rank > median;
    gap.low = std::max(gap.low, rank < median ? rank : -1);
    next = std::min(next, rank > median ? rank : next);
  }
  bool const lower = below >= k_, upper = above >= k_;
  if (!lower && !upper) return std::nullopt;
  // Their distances from the middle are n - 2 * below and n - 2 * above.
  if (upper && (!lower || above > below)) return Gap{median, next};
  return gap;
}

bool CutSearch::fits(std::span<std::size_t const> counts) const {
  std::size_t all = 0;
  for (auto const count : counts) {
    if (count > 0 && count < k_) return false;
    all += count;
  }
  return all >= k_;
}

std::optional<CutSearch::Gap> CutSearch::cohort_gap(std::size_t attribute, PointRows const& rows, Slice slice,
                                                    Cohorts const& cohorts) {
  Vector<std::pair<std::int32_t, std::size_t>> sorted;
  std::vector<std::size_t> left(cohorts.count), right(cohorts.count);
  for (std::size_t row = slice.begin; row < slice.end; ++row) {
    checkpoint_.tick();
    sorted.emplace_back(rows.rank(row, attribute), cohorts.of(rows.id(row)));
    ++right[sorted.back().second];
  }
  std::sort(sorted.begin(), sorted.end());
  std::optional<Gap> best;
  std::size_t const n = sorted.size();
  auto const is_broken = [&](std::size_t c) {
    return (left[c] > 0 && left[c] < k_) || (right[c] > 0 && right[c] < k_);
  };
  std::size_t best_distance = n + 1, broken = 0;
  for (std::size_t c = 0; c < cohorts.count; ++c) broken += is_broken(c);
  for (std::size_t i = 1; i < n; ++i) {
    checkpoint_.tick();
    std::size_t const c = sorted[i - 1].second;
    broken -= is_broken(c);
    ++left[c], --right[c];
    broken += is_broken(c);
    std::size_t const distance = 2 * i > n ? 2 * i - n : n - 2 * i;
    if (sorted[i - 1].first == sorted[i].first || broken > 0 || distance >= best_distance) continue;
    best_distance = distance;
    best = Gap{sorted[i - 1].first, sorted[i].first};
  }
  return best;
}

std::optional<AxisCut> CutSearch::by_children(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                              Cohorts const& cohorts, std::int32_t low, std::int32_t high) {
  Taxonomy const& taxonomy = *scales_[attribute].axis().taxonomy;
  AxisCut cut;
  cut.attribute = attribute;
  Vector<Node> items = held_by(partition_, taxonomy, attribute, leaf);
  auto const expand = [&](std::size_t i) {
    Vector<Node> const children = children_of(taxonomy, items[i]);
    auto const at = items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    items.insert(at, children.begin(), children.end());
  };
  // Unknown stands beside the root's children.
  if (items.size() == 2 && items[0] == kUnknown && items[1] == kRoot) expand(1);
  auto const item_of = [&](std::int32_t rank) {
    auto const after = std::upper_bound(items.begin(), items.end(), rank,
                                        [&](std::int32_t r, Node n) { return r < ranks_below(taxonomy, n).begin; });
    return static_cast<std::size_t>(after - items.begin()) - 1;
  };
  // Down to where the rows part.
  bool outside = false;
  for (std::size_t i = item_of(low); i == item_of(high); i = item_of(low)) {
    if (items[i] == kUnknown || taxonomy.is_leaf(items[i])) return std::nullopt;
    outside |= items.size() > 1;
    items = children_of(taxonomy, items[i]);
  }
  for (Node const n : items) cut.firsts.push_back(ranks_below(taxonomy, n).begin);
  std::size_t const c = cohorts.count;
  std::vector<std::size_t> counts(items.size() * c), totals(items.size()), others(c);
  for (std::size_t i = 0; i < items.size(); ++i) cut.child_of.push_back(i);
  for (std::size_t row = slice.begin; row < slice.end; ++row) {
    checkpoint_.tick();
    std::size_t const i = cut.child(rows.rank(row, attribute));
    ++totals[i];
    ++counts[i * c + cohorts.of(rows.id(row))];
  }
  std::vector<char> alone(items.size());
  std::size_t regions = items.size();
  auto const lump = [&](std::size_t i) {
    alone[i] = 0;
    --regions;
    for (std::size_t j = 0; j < c; ++j) others[j] += counts[i * c + j];
  };
  for (std::size_t i = 0; i < items.size(); ++i)
    if (alone[i] = fits(std::span(counts).subspan(i * c, c)); !alone[i]) lump(i);
  // Somebody who left may have been in what no other child has.
  bool const departed = partition_.regions[static_cast<std::size_t>(leaf)].departed;
  bool open = std::any_of(others.begin(), others.end(), [](auto n) { return n > 0; }) ||
              (departed && (outside || regions < items.size()));
  while (open && regions > 0 && !fits(others)) {
    std::size_t smallest = items.size();
    for (std::size_t i = 0; i < items.size(); ++i)
      if (alone[i] != 0 && (smallest == items.size() || totals[i] < totals[smallest])) smallest = i;
    lump(smallest);
  }
  if (regions + open < 2) return std::nullopt;
  for (std::size_t i = 0; i < items.size(); ++i) {
    cut.child_of[i] = alone[i] != 0 ? cut.sets.size() : regions;
    if (alone[i] == 0) continue;
    cut.sets.push_back({items[i]});
    cut.sizes.push_back(totals[i]);
  }
  cut.sizes.push_back(0);
  for (auto const count : others) cut.sizes.back() += count;
  return cut;
}

}  // namespace anon_seq
