#include "core/partition/mondrian.h"

#include <bit>
#include <cmath>

#include "core/partition/region_cuts.h"

namespace anon_seq {
namespace {

constexpr std::size_t kEntropyBuckets = 1024, kManyRows = 10000, kTerms = 1024;

bool clearly_more(double a, double b) { return a - b > 1e-9 * std::max(1.0, std::abs(b)); }

}  // namespace

Mondrian::Mondrian(Partition& partition, std::span<Scale> scales, IncrementalDemands const& demands,
                   Checkpoint& checkpoint)
    : partition_(partition),
      scales_(scales),
      demands_(demands),
      checkpoint_(checkpoint),
      search_(partition, scales, demands.k, checkpoint),
      low_(scales.size()),
      high_(scales.size()),
      scores_(scales.size()),
      shifts_(scales.size()),
      counts_(scales.size()) {
  for (std::size_t n = 0; n < kTerms; ++n) terms_.push_back(n > 1 ? static_cast<double>(n) * std::log2(n) : 0);
}

void Mondrian::cut(RegionId leaf, PointRows& rows, Cohorts const& cohorts, Formed const& formed) {
  parts_.assign(1, {leaf, {0, rows.size()}});
  while (!parts_.empty()) {
    Part const part = parts_.back();
    // Passes over many rows are work for more than a tick.
    part.rows.size() > kManyRows ? checkpoint_.poll() : checkpoint_.tick();
    parts_.pop_back();
    std::optional<AxisCut> const cut = choose(part, rows, cohorts);
    if (cut)
      take(part, *cut, rows);
    else
      formed(part.leaf, part.rows);
  }
}

std::optional<AxisCut> Mondrian::choose(Part const& part, PointRows const& rows, Cohorts const& cohorts) {
  if (part.rows.size() < 2 * static_cast<std::size_t>(demands_.k)) return std::nullopt;
  rows.extents(part.rows, low_, high_);
  score(rows, part.rows);
  for (;;) {
    std::size_t best = 0;
    for (std::size_t a = 1; a < scores_.size(); ++a)
      if (clearly_more(scores_[a], scores_[best])) best = a;
    if (scores_[best] < 0) return std::nullopt;
    scores_[best] = -1;
    if (auto cut = search_.find(part.leaf, best, rows, part.rows, cohorts, low_[best], high_[best])) return cut;
  }
}

void Mondrian::score(PointRows const& rows, Slice slice) {
  if (demands_.by_entropy) count_ranks(rows, slice);
  for (std::size_t a = 0; a < scores_.size(); ++a)
    scores_[a] = low_[a] == high_[a]   ? -1
                 : demands_.by_entropy ? entropy(a, slice.size())
                                       : scales_[a].width(low_[a], high_[a]);
}

void Mondrian::count_ranks(PointRows const& rows, Slice slice) {
  std::size_t const most = std::bit_ceil(std::clamp<std::size_t>(2 * slice.size(), 16, kEntropyBuckets));
  for (std::size_t a = 0; a < scores_.size(); ++a) {
    auto const range = static_cast<std::size_t>(high_[a] - low_[a]);
    shifts_[a] = 0;
    while (range >> shifts_[a] >= most) ++shifts_[a];
    counts_[a].assign((range >> shifts_[a]) + 1, 0);
  }
  for (std::size_t row = slice.begin; row < slice.end; ++row) {
    checkpoint_.tick();
    for (std::size_t a = 0; a < scores_.size(); ++a)
      ++counts_[a][static_cast<std::size_t>(rows.rank(row, a) - low_[a]) >> shifts_[a]];
  }
}

double Mondrian::entropy(std::size_t axis, std::size_t rows) const {
  auto const bits = [](std::size_t n) { return static_cast<double>(n) * std::log2(n); };
  double sum = 0;
  for (auto const count : counts_[axis])
    if (count > 1) sum += count < kTerms ? terms_[count] : bits(count);
  return (bits(rows) - sum) / static_cast<double>(rows);
}

void Mondrian::take(Part const& part, AxisCut const& cut, PointRows& rows) {
  bool const line = scales_[cut.attribute].is_line();
  RegionId child =
      line ? cut_line(partition_, part.leaf, cut.attribute, cut.at == 1 && low_[cut.attribute] == 0 ? 0 : cut.at)
           : cut_nodes(partition_, part.leaf, cut.attribute, cut.sets);
  Vector<Part> children;
  if (cut.sizes.empty()) {
    std::size_t const middle = rows.split(part.rows, cut.attribute, cut.at);
    children.push_back({child, {part.rows.begin, middle}});
    children.push_back({child + 1, {middle, part.rows.end}});
  } else {
    rows.deal(part.rows, cut.attribute, cut.sizes, [&](std::int32_t rank) { return cut.child(rank); });
    std::size_t begin = part.rows.begin;
    for (auto const size : cut.sizes) {
      if (size > 0) children.push_back({child, {begin, begin + size}});
      begin += size;
      ++child;
    }
  }
  for (auto const& c : children) open_leaf(partition_, c.leaf, part.leaf);
  parts_.insert(parts_.end(), children.rbegin(), children.rend());
}

}  // namespace anon_seq
