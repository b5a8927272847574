#include "core/lossy/regional.h"

#include "core/lossy/infeasible.h"
#include "core/lossy/quasi_cut.h"

namespace anon_seq {
namespace {

constexpr std::size_t kManyRows = 10000;

template <class Rank>
class RegionFinder {
 public:
  RegionFinder(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Checkpoint& checkpoint)
      : axes_(axes),
        sensitive_(sensitive),
        k_(k),
        checkpoint_(checkpoint),
        tally_(sensitive, k),
        least_(static_cast<std::size_t>(tally_.least_class())),
        rows_(axes, sensitive, checkpoint),
        finder_(axes, checkpoint),
        widths_(axes.size()) {}

  Regions find() {
    regions_.least_class = tally_.least_class();
    require_whole();
    Vector<Part> todo;
    todo.push_back({0, rows_.size()});
    while (!todo.empty()) {
      Part const part = todo.back();
      todo.pop_back();
      part.size() > kManyRows ? checkpoint_.poll() : checkpoint_.tick();
      if (auto const cut = choose(part))
        take(part, *cut, todo);
      else
        regions_.parts.push_back(part);
    }
    regions_.rows.swap(rows_.rows());
    regions_.values.swap(rows_.values());
    return std::move(regions_);
  }

 private:
  void require_whole() {
    Part const whole{0, rows_.size()};
    if (needed(whole) <= whole.size()) return;
    std::int64_t const near = tally_.most_near(rows_.values(whole), checkpoint_);
    if (sensitive_.blocks().size() == sensitive_.bounds().size()) throw not_dealable(sensitive_, k_, tally_, near);
    regions_.dealt = false;
    if (needed(whole) > whole.size()) throw not_one_class(sensitive_, k_, near);
    least_ = static_cast<std::size_t>(k_);
  }

  // The fewest rows of a part that can hold all bounded values of this one.
  std::size_t needed(Part part) {
    regions_.tested.push_back(part);
    if (!regions_.dealt) return static_cast<std::size_t>(tally_.rows_needed(rows_.values(part), checkpoint_));
    return least_ * static_cast<std::size_t>(tally_.classes_needed(rows_.values(part), checkpoint_));
  }

  std::optional<QuasiCut> choose(Part part) {
    if (part.size() < 2 * least_) return std::nullopt;
    std::size_t const needed = this->needed(part);
    if (part.size() < 2 * needed) return std::nullopt;
    rows_.extents(part, low_, high_);
    for (std::size_t a = 0; a < axes_.size(); ++a) widths_[a] = width(a, low_[a], high_[a]);
    for (;;) {
      std::size_t best = axes_.size();
      for (std::size_t a = 0; a < axes_.size(); ++a)
        if (widths_[a] >= 0 && (best == axes_.size() || widths_[a] > widths_[best] + 1e-9)) best = a;
      if (best == axes_.size()) return std::nullopt;
      widths_[best] = -1;
      if (auto cut = finder_.find(rows_, part, best, low_[best], high_[best], needed)) return cut;
    }
  }

  // As a share of the axis; -1 where there is nothing to cut. NULL lies where the smallest number does.
  double width(std::size_t a, std::int32_t low, std::int32_t high) const {
    if (low == high) return -1;
    auto const& axis = axes_[a];
    auto const place = [&](std::int32_t rank) {
      if (axis.positions.empty()) return static_cast<double>(rank);
      return axis.positions[static_cast<std::size_t>(std::max(rank, 1))];
    };
    double const whole = place(axis.ranks() - 1) - place(1), part = place(high) - place(std::max(low, 1));
    return whole > 0 ? part / whole : 0;
  }

  void take(Part part, QuasiCut const& cut, Vector<Part>& todo) {
    rows_.arrange(
        part, cut.sizes, [&](std::size_t place) { return cut.child(rows_.rank(place, cut.axis)); }, checkpoint_);
    std::size_t begin = part.begin;
    for (auto const size : cut.sizes) {
      if (size > 0) todo.push_back({begin, begin + size});
      begin += size;
    }
  }

  std::span<QuasiAxis const> axes_;
  Sensitive const& sensitive_;
  std::int64_t k_;
  Checkpoint& checkpoint_;
  Tally tally_;
  std::size_t least_;  // rows of a class, whatever it holds
  QuasiRows<Rank> rows_;
  CutFinder<Rank> finder_;
  Vector<Rank> low_, high_;
  Vector<double> widths_;
  Regions regions_;
};

}  // namespace

Regions find_regions(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k,
                     Checkpoint& checkpoint) {
  return with_rank_type(axes,
                        [&]<class Rank>(Rank) { return RegionFinder<Rank>(axes, sensitive, k, checkpoint).find(); });
}

Grouping deal(Regions&& regions, Sensitive const& sensitive, Draws& draws, Checkpoint& checkpoint) {
  Grouping grouping{std::move(regions.rows), {}, 0, std::move(regions.tested)};
  grouping.classes.resize(grouping.rows.size());
  ValueCounts counts(static_cast<std::size_t>(sensitive.joints()));
  Vector<std::size_t> next(static_cast<std::size_t>(sensitive.joints()));
  for (auto const& part : regions.parts) {
    std::span<JointValue> const values(regions.values.data() + part.begin, part.size());
    for (std::size_t i = part.size(); i > 1; --i) {
      checkpoint.tick();
      std::size_t const other = draws.below(i);
      std::swap(grouping.rows[part.begin + i - 1], grouping.rows[part.begin + other]);
      std::swap(values[i - 1], values[other]);
    }
    counts.count(values, checkpoint);
    std::size_t begin = 0;
    for (auto const value : counts.distinct()) {
      next[static_cast<std::size_t>(value)] = begin;
      begin += static_cast<std::size_t>(counts.of(value));
    }
    ClassId const groups = regions.classes_in(part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      checkpoint.tick();
      auto const turn = next[static_cast<std::size_t>(values[i])]++;
      grouping.classes[part.begin + i] = grouping.count + static_cast<ClassId>(turn % static_cast<std::size_t>(groups));
    }
    grouping.count += groups;
  }
  return grouping;
}

namespace {

Grouping checked_deal(Regions&& regions, Sensitive const& sensitive, std::int64_t k, Draws& draws,
                      Checkpoint& checkpoint) {
  Grouping grouping = deal(std::move(regions), sensitive, draws, checkpoint);
  check_one_rule(grouping);
  check_classes(sensitive, grouping, k, checkpoint);
  return grouping;
}

Extent lowest_above(Taxonomy const& taxonomy, std::int32_t first_leaf, std::int32_t last_leaf) {
  Node above = kRoot;
  for (Node child = above + 1; child < taxonomy.end(above);) {
    std::int32_t const begin = taxonomy.leaf_rank(child);
    if (begin <= first_leaf && last_leaf < begin + taxonomy.leaves(child))
      above = child++;
    else
      child = taxonomy.end(child);
  }
  return {above, taxonomy.end(above)};
}

// What ranks low to high have in common; empty: they are NULL.
Extent common_extent(QuasiAxis const& axis, std::int32_t low, std::int32_t high) {
  if (high == 0) return {0, 0};
  if (axis.taxonomy != nullptr)
    return low == 0 ? Extent{kRoot, axis.taxonomy->end(kRoot)} : lowest_above(*axis.taxonomy, low - 1, high - 1);
  return low == 0 ? Extent{1, axis.distinct} : Extent{low, high + 1};
}

// Of each region on each axis.
Vector<Extent> common_extents(std::span<QuasiAxis const> axes, Regions const& regions, Checkpoint& checkpoint) {
  Vector<Extent> extents;
  for (auto const& part : regions.parts)
    for (auto const& axis : axes) {
      std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = 0;
      for (std::size_t place = part.begin; place < part.end; ++place) {
        checkpoint.tick();
        std::int32_t const rank = axis.rank_of(axis.codes[regions.rows[place]]);
        low = std::min(low, rank);
        high = std::max(high, rank);
      }
      extents.push_back(common_extent(axis, low, high));
    }
  return extents;
}

}  // namespace

Classes regional(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Draws& draws,
                 Checkpoint& checkpoint) {
  Grouping grouping = checked_deal(find_regions(axes, sensitive, k, checkpoint), sensitive, k, draws, checkpoint);
  renumber(grouping, draws, checkpoint);
  return bare_classes(grouping);
}

Classes regional_shown(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Draws& draws,
                       Checkpoint& checkpoint) {
  Regions regions = find_regions(axes, sensitive, k, checkpoint);
  auto const extents = common_extents(axes, regions, checkpoint);
  Vector<std::size_t> part_of;  // class as it was made -> region
  for (std::size_t part = 0; part < regions.parts.size(); ++part)
    part_of.insert(part_of.end(), static_cast<std::size_t>(regions.classes_in(regions.parts[part])), part);
  Grouping grouping = checked_deal(std::move(regions), sensitive, k, draws, checkpoint);
  auto const ids = renumber(grouping, draws, checkpoint);
  Vector<std::size_t> shown(ids.size());  // class -> region
  for (std::size_t made = 0; made < ids.size(); ++made) shown[static_cast<std::size_t>(ids[made])] = part_of[made];
  Classes classes(grouping.rows.size(), axes.size());
  for (auto const part : shown) {
    classes.add_class();
    for (std::size_t a = 0; a < axes.size(); ++a) {
      auto const& extent = extents[part * axes.size() + a];
      classes.add_region(std::span(&extent, extent.begin < extent.end ? 1 : 0));
    }
  }
  for (std::size_t place = 0; place < grouping.rows.size(); ++place)
    classes.assign(grouping.rows[place], grouping.classes[place]);
  return classes;
}

}  // namespace anon_seq
