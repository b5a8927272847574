#include "core/incremental.h"

#include <algorithm>
#include <optional>

#include "core/box.h"
#include "core/leaf_groups.h"
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
  Vector<char> unknown_axes() const;
  void settle_group(LeafGroup const& group);
  void publish_group(LeafGroup const& group);
  void check_rows(RegionId leaf, std::span<std::int32_t const> rows) const;
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
  LeafGroups groups_;
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
  if (first_) carve_domains(partition, axes, unknown_axes());
}

// Of which axes somebody has no value.
Vector<char> Refinement::unknown_axes() const {
  Vector<char> unknown(scales_.size(), 0);
  for (std::size_t row = 0; row < objects_.rows(); ++row) {
    checkpoint_.tick();
    for (std::size_t a = 0; a < scales_.size(); ++a)
      if (scales_[a].rank_of(objects_.points[row * scales_.size() + a]) == 0) unknown[a] = 1;
  }
  return unknown;
}

void Refinement::settle_group(LeafGroup const& group) {
  Region& region = partition_.regions[at(group.leaf)];
  auto const k = static_cast<std::size_t>(demands_.k);
  auto const rows = groups_.rows(group.begin, group.end), newcomers = groups_.rows(group.newcomers, group.end);
  if (!region.open) {  // all of them are newcomers
    if (rows.size() < k) return take_out(rows);
    region.open = true;
    note_change(rows.size(), 0);
    return cut_leaf(group.leaf, rows, true);
  }
  crowd_.there = groups_.rows(group.begin, group.gone);
  auto const gone = groups_.rows(group.gone, group.newcomers);
  crowd_.gone.assign(gone.begin(), gone.end());
  crowd_.newcomers.assign(newcomers.begin(), newcomers.end());
  crowd_.left.clear();
  crowd_.waiting.clear();
  settle(crowd_, objects_, demands_);
  if (crowd_.published() >= k) return publish_group(group);
  result_.withheld += static_cast<std::int64_t>(crowd_.there.size() + crowd_.newcomers.size());
  region.departed = true;
  note_change(0, rows.size() - newcomers.size());
  take_out(rows);
}

void Refinement::publish_group(LeafGroup const& group) {
  bool const in_groups = demands_.arrivals_known && !demands_.erase_at_once;
  if (!crowd_.left.empty() && !in_groups) partition_.regions[at(group.leaf)].departed = true;
  note_change(crowd_.newcomers.size(), crowd_.left.size());
  take_out(crowd_.left);
  take_out(crowd_.waiting);
  if (crowd_.published() < 2 * static_cast<std::size_t>(demands_.k)) return;
  check_rows(group.leaf, groups_.rows(group.begin, group.newcomers));
  auto const rest = groups_.rows(group.gone, group.end);
  std::copy(crowd_.newcomers.begin(), crowd_.newcomers.end(),
            std::copy(crowd_.gone.begin(), crowd_.gone.end(), rest.begin()));
  cut_leaf(group.leaf, groups_.rows(group.begin, group.begin + crowd_.published()), false);
}

void Refinement::check_rows(RegionId leaf, std::span<std::int32_t const> rows) const {
  std::size_t const axes = scales_.size();
  auto const region = [&](RegionId id) -> Region const& { return partition_.regions[at(id)]; };
  // Cut by cut, since those who are in one leaf have few values in an attribute.
  for (RegionId id = leaf; region(id).side != Side::kRoot; id = region(id).parent) {
    auto const a = static_cast<std::size_t>(region(id).attribute);
    std::optional<std::int32_t> last;
    for (auto const row : rows) {
      checkpoint_.tick();
      std::int32_t const point = objects_.points[at(row) * axes + a];
      if (point == last) continue;
      if (!is_on_side(partition_, id, taxonomies_[a], point))
        throw Error(Fault::kDamaged, "an object is outside its region");
      last = point;
    }
  }
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
  Cohorts const cohorts = cohorts_of(rows);
  PointRows points(objects_.points, rows, scales_, checkpoint_);
  mondrian_.cut(leaf, points, cohorts, [&](RegionId formed, Slice slice) {
    if (demands_.box && (opened || formed != leaf)) formed = carve_box(partition_, scales_, formed, points, slice);
    for (std::size_t i = slice.begin; i < slice.end; ++i) result_.region[at(points.id(i))] = formed;
  });
}

void Refinement::count() {
  Vector<std::int32_t> sizes(partition_.regions.size(), 0);
  for (std::size_t row = 0; row < objects_.rows(); ++row) {
    checkpoint_.tick();
    RegionId const leaf = result_.region[row];
    bool const gone = objects_.gone[row] != 0;
    if (leaf != kNoRegion) {
      ++result_.published;
      result_.deferred += gone;
      ++sizes[at(leaf)];
    } else if (gone) {
      result_.left += objects_.region[row] != kNoRegion;
    } else {
      ++result_.waiting;
    }
  }
  result_.waiting -= result_.withheld;
  for (std::int64_t const size : sizes) {
    checkpoint_.tick();
    if (size == 0) continue;
    if (result_.leaves++ == 0 || size < result_.smallest_leaf) result_.smallest_leaf = size;
  }
}

Refined Refinement::run() {
  if (demands_.arrivals_known)
    for (std::size_t row = 0; row < objects_.rows(); ++row)
      if (objects_.region[row] == kNoRegion) objects_.since[row] = version_;
  groups_.locate(partition_, taxonomies_, objects_, result_.region, checkpoint_);
  std::int64_t const all_from = demands_.cut_all ? 2 * demands_.k : 0;
  for (auto const& group : groups_.collect(objects_, result_.region, all_from, checkpoint_)) settle_group(group);
  count();
  return std::move(result_);
}

}  // namespace

Refined refine(Partition& partition, std::span<Axis const> axes, IncrementalDemands const& demands, Objects& objects,
               std::int32_t version, Checkpoint& checkpoint) {
  return Refinement(partition, axes, demands, objects, version, checkpoint).run();
}

}  // namespace anon_seq
