#include "core/partition/axis_cut.h"

#include "core/partition/node_set.h"
#include "core/table/nth_value.h"

namespace anon_seq {

std::optional<AxisCut> CutSearch::find(RegionId leaf, std::size_t attribute, PointRows const& rows, Slice slice,
                                       Cohorts const& cohorts, std::int32_t low, std::int32_t high) {
  Scale& scale = scales_[attribute];
  if (!scale.is_line() && scale.axis().by_children)
    return by_children(leaf, attribute, rows, slice, cohorts, low, high);
  auto const gap = cohorts.count > 1 ? nearest_gap(leaf, attribute, rows, slice, cohorts)
                                     : median_gap(leaf, attribute, rows, slice, low, high);
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

// Whether what a cut there leaves can be shown. Unknown and known: only with a bound can the latter say so.
bool CutSearch::has_place(RegionId leaf, std::size_t attribute, Gap gap) {
  Scale& scale = scales_[attribute];
  if (!scale.is_line()) return true;
  if (gap.low == 0) return is_bounded_above(partition_, attribute, leaf);
  return scale.is_place(scale.roundest(gap.low, gap.high));
}

// Looks at the two places beside the median first, without sorting.
std::optional<CutSearch::Gap> CutSearch::median_gap(RegionId leaf, std::size_t attribute, PointRows const& rows,
                                                    Slice slice, std::int32_t low, std::int32_t high) {
  scratch_.resize(slice.size());
  for (std::size_t i = 0; i < slice.size(); ++i) {
    checkpoint_.tick();
    scratch_[i] = rows.rank(slice.begin + i, attribute);
  }
  std::int32_t const median = nth_value(scratch_, slice.size() / 2, low, high, checkpoint_);
  // Two cuts can be nearest: below the median's equals, or above them.
  std::size_t below = 0, above = 0;
  std::int32_t before = low, next = high;
  for (auto const rank : scratch_) {
    below += rank < median;
    above += rank > median;
    before = rank < median ? std::max(before, rank) : before;
    next = rank > median ? std::min(next, rank) : next;
  }
  bool const lower = below >= k_, upper = above >= k_;
  if (!lower && !upper) return std::nullopt;
  // Their distances from the middle are n - 2 * below and n - 2 * above.
  Gap const nearest = upper && (!lower || above > below) ? Gap{median, next} : Gap{before, median};
  return has_place(leaf, attribute, nearest) ? nearest : nearest_gap(leaf, attribute, rows, slice, {});
}

// Whether the group that a half is of has too few on a side.
bool CutSearch::is_broken(std::span<std::size_t const> counts, std::size_t half) const {
  std::size_t const first = half / 2 * 2, staying = counts[first];
  std::size_t const all = staying + (first + 1 < counts.size() ? counts[first + 1] : 0);
  return (staying > 0 && staying < k_) || (all > 0 && all < k_);
}

bool CutSearch::fits(std::span<std::size_t const> counts) const {
  std::size_t staying = 0;
  for (std::size_t half = 0; half < counts.size(); half += 2) {
    if (is_broken(counts, half)) return false;
    staying += counts[half];
  }
  return staying >= k_;
}

std::optional<CutSearch::Gap> CutSearch::nearest_gap(RegionId leaf, std::size_t attribute, PointRows const& rows,
                                                     Slice slice, Cohorts const& cohorts) {
  Vector<std::pair<std::int32_t, std::size_t>> sorted;
  std::vector<std::size_t> left(cohorts.count), right(cohorts.count);
  std::size_t staying[2] = {0, 0};
  for (std::size_t row = slice.begin; row < slice.end; ++row) {
    checkpoint_.tick();
    sorted.emplace_back(rows.rank(row, attribute), cohorts.half_of(rows.id(row)));
    ++right[sorted.back().second];
    staying[1] += sorted.back().second % 2 == 0;
  }
  std::sort(sorted.begin(), sorted.end());
  std::optional<Gap> best;
  std::size_t const n = sorted.size();
  auto const breaks = [&](std::size_t c) { return is_broken(left, c) || is_broken(right, c); };
  std::size_t best_distance = n + 1, broken = 0;
  for (std::size_t c = 0; c < cohorts.count; c += 2) broken += breaks(c);
  for (std::size_t i = 1; i < n; ++i) {
    checkpoint_.tick();
    std::size_t const c = sorted[i - 1].second;
    broken -= breaks(c);
    ++left[c], --right[c];
    broken += breaks(c);
    if (c % 2 == 0) ++staying[0], --staying[1];
    if (staying[0] < k_ || staying[1] < k_) continue;
    std::size_t const distance = 2 * i > n ? 2 * i - n : n - 2 * i;
    if (sorted[i - 1].first == sorted[i].first || broken > 0 || distance >= best_distance) continue;
    Gap const gap{sorted[i - 1].first, sorted[i].first};
    if (!has_place(leaf, attribute, gap)) continue;
    best_distance = distance;
    best = gap;
  }
  return best;
}

}  // namespace anon_seq
