#include "core/partition/box.h"

#include "core/partition/node_set.h"
#include "core/partition/region_cuts.h"

namespace anon_seq {
namespace {

class BoxCutter {
 public:
  BoxCutter(Partition& partition, std::span<Scale const> scales, RegionId leaf)
      : partition_(partition), scales_(scales), box_(leaf) {
    std::vector<Taxonomy const*> taxonomies;
    for (auto const& scale : scales) taxonomies.push_back(scale.axis().taxonomy);
    shown_ = shown_of(partition, taxonomies, leaf);
  }

  RegionId box() const { return box_; }

  void fit_line(std::size_t a, std::int32_t low, std::int32_t high) {
    Shown const& now = shown_[a];
    if (high == 0) {
      if (!now.unknown) move_to(cut_line(partition_, box_, a, 0));
      return;
    }
    if (low == 0) return;  // it may hold unknown: a bound would not be shown
    // A side moves outwards where its bound would be somebody's own value.
    auto const& axis = scales_[a].axis();
    std::int32_t const from = now.known ? 0 : now.from;
    std::int32_t lower = low, upper = high + 1;
    while (lower > 1 && !scales_[a].is_place(lower)) --lower;
    while (upper < axis.size && !scales_[a].is_place(upper)) ++upper;
    if (lower > from && (lower > 1 || !axis.ends_below)) move_to(cut_line(partition_, box_, a, lower) + 1);
    if (upper < now.below && (upper < axis.size || !axis.ends_above)) move_to(cut_line(partition_, box_, a, upper));
  }

  void fit_nodes(std::size_t a, std::span<std::int32_t const> ranks) {
    Taxonomy const& taxonomy = *scales_[a].axis().taxonomy;
    auto const held = held_by(partition_, taxonomy, a, box_);
    Vector<Node> const fitting[] = {covering(taxonomy, held, ranks)};
    if (fitting[0] != held) move_to(cut_nodes(partition_, box_, a, fitting));
  }

 private:
  void move_to(RegionId child) {
    open_leaf(partition_, child, box_);
    box_ = child;
  }

  Partition& partition_;
  std::span<Scale const> scales_;
  RegionId box_;
  std::vector<Shown> shown_;
};

}  // namespace

RegionId carve_box(Partition& partition, std::span<Scale const> scales, RegionId leaf, PointRows const& rows,
                   Slice slice) {
  if (partition.regions[static_cast<std::size_t>(leaf)].departed) return leaf;
  BoxCutter cutter(partition, scales, leaf);
  Vector<std::int32_t> low(scales.size()), high(scales.size()), ranks;
  rows.extents(slice, low, high);
  for (std::size_t a = 0; a < scales.size(); ++a) {
    if (scales[a].is_line()) {
      cutter.fit_line(a, low[a], high[a]);
      continue;
    }
    ranks.clear();
    for (std::size_t row = slice.begin; row < slice.end; ++row) ranks.push_back(rows.rank(row, a));
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    cutter.fit_nodes(a, ranks);
  }
  return cutter.box();
}

void carve_domains(Partition& partition, std::span<Axis const> axes, std::span<char const> unknown) {
  RegionId inside = kWholeSpace;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    Axis const& axis = axes[a];
    bool const below = axis.domain_from > 0, above = axis.domain_below != Shown::kUnbounded;
    if (axis.taxonomy != nullptr || (!below && !above && unknown[a] != 0)) continue;
    inside = cut_line(partition, inside, a, 0) + 1;
    if (below) inside = cut_line(partition, inside, a, axis.domain_from) + 1;
    if (above) inside = cut_line(partition, inside, a, axis.domain_below);
  }
}

}  // namespace anon_seq
