#include "core/incremental.h"

#include <algorithm>

#include "core/box.h"
#include "core/mondrian.h"
#include "core/region_cuts.h"
#include "core/settling.h"

namespace anon_seq {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

class Refinement {
 public:
  Refinement(Partition& partition, std::span<Axis const> axes, IncrementalDemands const& demands, Objects& objects,
             std::int32_t version, Checkpoint& checkpoint);

  Refined run();

 private:
  struct Group {
    RegionId leaf;
    std::span<std::int32_t> rows;  // ascending
  };

  void locate();
  std::span<std::int32_t const> point(std::size_t row) const;
  std::vector<Group> changed_groups();
  void prefetch_after(std::int32_t const& place) const;
  void settle_group(Group group);
  void take_out(std::span<std::int32_t const> rows);
  void note_change(std::size_t arrived, std::size_t departed);
  void cut_leaf(RegionId leaf, std::span<std::int32_t> rows, bool opened);
  Cohorts cohorts_of(std::span<std::int32_t const> rows);
  void count();

  Partition& partition_;
  IncrementalDemands const& demands_;
  Objects& objects_;
  std::int32_t const version_;
  Checkpoint& checkpoint_;
  std::vector<Scale> scales_;
  std::vector<Taxonomy const*> taxonomies_;
  Mondrian mondrian_;
  bool const first_;
  Refined result_;
  Vector<std::int32_t> rows_;   // of leaves that change, leaf by leaf
  Vector<std::int32_t> sizes_;  // leaf -> rows
  enum : char { kNothing = 0, kChanges = 1, kNotOpen = 2 };
  Vector<char> changes_;           // region -> of these
  Vector<std::int32_t> of_since_;  // version -> cohort of the leaf at hand
  Crowd crowd_;
};

Refinement::Refinement(Partition& partition, std::span<Axis const> axes, IncrementalDemands const& demands,
                       Objects& objects, std::int32_t version, Checkpoint& checkpoint)
    : partition_(partition),
      demands_(demands),
      objects_(objects),
      version_(version),
      checkpoint_(checkpoint),
      scales_(axes.begin(), axes.end()),
      mondrian_(partition, scales_, demands, checkpoint),
      first_(partition.regions.size() == 1 && !partition.regions.front().open) {
  for (auto const& axis : axes) taxonomies_.push_back(axis.taxonomy);
  if (first_) carve_domains(partition, axes);
}

std::span<std::int32_t const> Refinement::point(std::size_t row) const {
  return std::span(objects_.points).subspan(row * scales_.size(), scales_.size());
}

void Refinement::locate() {
  result_.region = objects_.region;
  sizes_.assign(partition_.regions.size(), 0);
  changes_.clear();
  for (auto const& region : partition_.regions) changes_.push_back(region.open ? kNothing : kNotOpen);
  for (std::size_t row = 0; row < objects_.rows(); ++row) {
    checkpoint_.tick();
    RegionId& leaf = result_.region[row];
    bool const newcomer = leaf == kNoRegion, gone = objects_.gone[row] != 0;
    if (newcomer && gone) continue;
    if (newcomer) {
      leaf = leaf_of(partition_, taxonomies_, point(row));
      if (demands_.arrivals_known) objects_.since[row] = version_;
    } else if (at(leaf) >= changes_.size() || (changes_[at(leaf)] & kNotOpen) != 0) {
      throw Error(Fault::kInternal, "an object is in a region that is not open");
    }
    ++sizes_[at(leaf)];
    if (newcomer || gone) changes_[at(leaf)] |= kChanges;
  }
}

std::vector<Refinement::Group> Refinement::changed_groups() {
  std::vector<Group> groups;
  std::size_t rows = 0;
  for (std::size_t leaf = 0; leaf < sizes_.size(); ++leaf) {
    checkpoint_.tick();
    if (demands_.cut_all && sizes_[leaf] >= 2 * demands_.k) changes_[leaf] |= kChanges;
    if ((changes_[leaf] & kChanges) != 0) rows += at(sizes_[leaf]);
  }
  rows_.resize(rows);
  Vector<std::int32_t> next(sizes_.size());
  std::size_t begin = 0;
  for (std::size_t leaf = 0; leaf < sizes_.size(); ++leaf) {
    if ((changes_[leaf] & kChanges) == 0) continue;
    next[leaf] = static_cast<std::int32_t>(begin);
    groups.push_back({static_cast<RegionId>(leaf), std::span(rows_).subspan(begin, at(sizes_[leaf]))});
    begin += at(sizes_[leaf]);
  }
  for (std::size_t row = 0; row < objects_.rows(); ++row) {
    checkpoint_.tick();
    RegionId const leaf = result_.region[row];
    if (leaf == kNoRegion || (changes_[at(leaf)] & kChanges) == 0) continue;
    rows_[at(next[at(leaf)]++)] = static_cast<std::int32_t>(row);
  }
  return groups;
}

// Rows of a leaf lie far apart.
void Refinement::prefetch_after(std::int32_t const& place) const {
  constexpr std::ptrdiff_t kAhead = 16;
  if (rows_.data() + rows_.size() - &place <= kAhead) return;
  std::size_t const row = at(*(&place + kAhead));
  __builtin_prefetch(&objects_.region[row]);
  __builtin_prefetch(&objects_.gone[row]);
  __builtin_prefetch(&objects_.points[row * scales_.size()]);
}

void Refinement::settle_group(Group group) {
  Region& region = partition_.regions[at(group.leaf)];
  auto const k = at(static_cast<std::int32_t>(demands_.k));
  if (!region.open) {  // all of them are newcomers
    if (group.rows.size() < k) return take_out(group.rows);
    region.open = true;
    note_change(group.rows.size(), 0);
    return cut_leaf(group.leaf, group.rows, true);
  }
  crowd_.clear();
  for (auto const& row : group.rows) {
    checkpoint_.tick();
    prefetch_after(row);
    if (objects_.region[at(row)] == kNoRegion) {
      crowd_.newcomers.push_back(row);
      continue;
    }
    if (!lies_in(partition_, taxonomies_, point(at(row)), group.leaf))
      throw Error(Fault::kInternal, "an object is outside its region");
    (objects_.gone[at(row)] != 0 ? crowd_.gone : crowd_.there).push_back(row);
  }
  settle(crowd_, objects_, demands_);
  if (crowd_.published() < k) {
    result_.withheld += static_cast<std::int64_t>(crowd_.there.size() + crowd_.newcomers.size());
    region.departed = true;
    note_change(0, crowd_.there.size() + crowd_.gone.size() + crowd_.left.size());
    return take_out(group.rows);
  }
  bool const in_groups = demands_.arrivals_known && !demands_.erase_at_once;
  if (!crowd_.left.empty() && !in_groups) region.departed = true;
  note_change(crowd_.newcomers.size(), crowd_.left.size());
  take_out(crowd_.left);
  take_out(crowd_.waiting);
  auto const stay = std::remove_if(group.rows.begin(), group.rows.end(),
                                   [&](auto row) { return result_.region[at(row)] == kNoRegion; });
  cut_leaf(group.leaf, group.rows.first(static_cast<std::size_t>(stay - group.rows.begin())), false);
}

void Refinement::take_out(std::span<std::int32_t const> rows) {
  for (auto const row : rows) {
    checkpoint_.tick();
    result_.region[at(row)] = kNoRegion;
  }
}

void Refinement::note_change(std::size_t arrived, std::size_t departed) {
  auto const take = [&](std::int64_t& least, std::size_t n) {
    auto const count = static_cast<std::int64_t>(n);
    if (!first_ && count > 0 && (least == 0 || count < least)) least = count;
  };
  take(result_.smallest_arrival, arrived);
  take(result_.smallest_departure, departed);
}

Cohorts Refinement::cohorts_of(std::span<std::int32_t const> rows) {
  Cohorts cohorts;
  if (!demands_.arrivals_known) return cohorts;
  of_since_.assign(at(version_) + 1, -1);
  for (auto const row : rows) of_since_[at(objects_.since[at(row)])] = 0;
  std::int32_t count = 0;
  for (auto& cohort : of_since_)
    if (cohort == 0) cohort = count++;
  return {at(count), objects_.since, of_since_};
}

void Refinement::cut_leaf(RegionId leaf, std::span<std::int32_t> rows, bool opened) {
  if (!opened && rows.size() < 2 * at(static_cast<std::int32_t>(demands_.k))) return;
  Cohorts const cohorts = cohorts_of(rows);
  PointRows points(objects_.points, rows, scales_, checkpoint_);
  mondrian_.cut(leaf, points, cohorts, [&](RegionId formed, Slice slice) {
    if (demands_.box && (opened || formed != leaf)) formed = carve_box(partition_, scales_, formed, points, slice);
    for (std::size_t i = slice.begin; i < slice.end; ++i) result_.region[at(points.id(i))] = formed;
  });
}

void Refinement::count() {
  sizes_.assign(partition_.regions.size(), 0);
  for (std::size_t row = 0; row < objects_.rows(); ++row) {
    checkpoint_.tick();
    RegionId const leaf = result_.region[row];
    bool const gone = objects_.gone[row] != 0;
    if (leaf != kNoRegion) {
      ++result_.published;
      result_.deferred += gone;
      ++sizes_[at(leaf)];
    } else if (gone) {
      result_.left += objects_.region[row] != kNoRegion;
    } else {
      ++result_.waiting;
    }
  }
  result_.waiting -= result_.withheld;
  for (std::int64_t const size : sizes_) {
    checkpoint_.tick();
    if (size == 0) continue;
    if (result_.leaves++ == 0 || size < result_.smallest_leaf) result_.smallest_leaf = size;
  }
}

Refined Refinement::run() {
  locate();
  for (auto const& group : changed_groups()) settle_group(group);
  count();
  return std::move(result_);
}

}  // namespace

Refined refine(Partition& partition, std::span<Axis const> axes, IncrementalDemands const& demands, Objects& objects,
               std::int32_t version, Checkpoint& checkpoint) {
  return Refinement(partition, axes, demands, objects, version, checkpoint).run();
}

}  // namespace anon_seq
