#include "core/partition/incremental.h"

#include <algorithm>
#include <optional>

#include "core/partition/box.h"
#include "core/partition/leaf_groups.h"
#include "core/partition/mondrian.h"
#include "core/partition/region_cuts.h"
#include "core/partition/settling.h"

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
  void tell_moved();
  bool is_around(RegionId region, RegionId leaf) const;
  void gather(LeafGroup const& group);
  void hold_back(LeafGroup const& group);
  void settle_group(LeafGroup const& group);
  void publish_group(LeafGroup const& group, bool opened);
  bool place_all(LeafGroup const& group);
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
  Vector<char> held_;              // rows of persons whose old row stays; empty: nobody's does
  Vector<std::int32_t> of_since_;  // version -> group of the leaf at hand
  Vector<std::int32_t> of_row_;    // row -> half of a group
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
  auto unknown = unknown_axes();
  for (std::size_t a = 0; a < axes.size(); ++a) unknown[a] |= axes[a].unknown_elsewhere ? 1 : 0;
  for (std::size_t a = 0; a < scales_.size(); ++a)
    if (unknown[a] != 0) scales_[a].count_unknown();
  if (first_) carve_domains(partition, axes, unknown);
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

// Of those who are not published yet: whether they were, in a region that does not hold their leaf.
void Refinement::tell_moved() {
  if (objects_.before.empty()) return;
  objects_.moved.resize(objects_.rows(), 0);
  for (std::size_t row = 0; row < objects_.before.size(); ++row) {
    checkpoint_.tick();
    RegionId const before = objects_.before[row], leaf = result_.region[row];
    if (before == kNoRegion || leaf == kNoRegion || objects_.region[row] != kNoRegion) continue;
    objects_.moved[row] = demands_.arrivals_known || !is_around(before, leaf);
    if (before != kNeverAgain) continue;
    held_.resize(objects_.rows(), 0);
    held_[row] = 1;
  }
}

bool Refinement::is_around(RegionId region, RegionId leaf) const {
  while (leaf > region && leaf != kNoRegion) leaf = partition_.regions[at(leaf)].parent;  // ids grow downwards
  return leaf == region;
}

// Who of a leaf is there, comes and goes, settled.
void Refinement::gather(LeafGroup const& group) {
  crowd_.there = groups_.rows(group.begin, group.gone);
  auto const gone = groups_.rows(group.gone, group.newcomers), newcomers = groups_.rows(group.newcomers, group.end);
  crowd_.gone.assign(gone.begin(), gone.end());
  crowd_.left.clear();
  crowd_.newcomers.clear();
  crowd_.waiting.clear();
  for (auto const row : newcomers)
    (!held_.empty() && held_[at(row)] != 0 ? crowd_.waiting : crowd_.newcomers).push_back(row);
  settle(crowd_, objects_, demands_);
}

// Who is somewhere else now waits there as long as his old row stays here. He does not count there, so who stays
// does not depend on him.
void Refinement::hold_back(LeafGroup const& group) {
  if (group.gone == group.newcomers) return;
  gather(group);
  for (auto const row : crowd_.gone) {
    std::int32_t const successor = objects_.successor[at(row)];
    if (successor < 0) continue;
    held_.resize(objects_.rows(), 0);
    held_[at(successor)] = 1;
  }
}

void Refinement::settle_group(LeafGroup const& group) {
  gather(group);
  Region& region = partition_.regions[at(group.leaf)];
  bool const was_open = region.open;
  if (crowd_.counting(objects_) >= static_cast<std::size_t>(demands_.k)) {
    region.open = true;
    return publish_group(group, !was_open);
  }
  auto const rows = groups_.rows(group.begin, group.end);
  if (was_open) {
    result_.withheld += static_cast<std::int64_t>(crowd_.there.size() + crowd_.newcomers.size());
    region.departed = true;
    note_change(0, group.newcomers - group.begin);
  }
  take_out(rows);
}

void Refinement::publish_group(LeafGroup const& group, bool opened) {
  bool const in_groups = demands_.arrivals_known && !demands_.erase_at_once;
  if (!crowd_.left.empty() && !in_groups) partition_.regions[at(group.leaf)].departed = true;
  note_change(crowd_.newcomers.size(), crowd_.left.size());
  take_out(crowd_.left);
  take_out(crowd_.waiting);
  if (!opened && crowd_.counting(objects_) < 2 * static_cast<std::size_t>(demands_.k)) return;
  if (!place_all(group)) return;
  check_rows(group.leaf, groups_.rows(group.begin, group.newcomers));
  auto const rest = groups_.rows(group.gone, group.end);
  std::copy(crowd_.newcomers.begin(), crowd_.newcomers.end(),
            std::copy(crowd_.gone.begin(), crowd_.gone.end(), rest.begin()));
  cut_leaf(group.leaf, groups_.rows(group.begin, group.begin + crowd_.published()), opened);
}

// Those whose point is not known go with the least point of the others; where they are in truth, somebody has to be
// too. False if there are no others, or if it would have to be somebody who came with them: then nothing is cut.
bool Refinement::place_all(LeafGroup const& group) {
  if (objects_.placeless.empty()) return true;
  auto const rows = groups_.rows(group.begin, group.newcomers);
  if (std::none_of(rows.begin(), rows.end(), [&](auto row) { return objects_.is_placeless(at(row)); })) return true;
  if (demands_.arrivals_known) return false;
  partition_.regions[at(group.leaf)].departed = true;
  auto const axes = static_cast<std::ptrdiff_t>(scales_.size());
  auto const point = [&](std::int32_t row) { return objects_.points.begin() + row * axes; };
  std::int32_t least = -1;
  for (auto const row : groups_.rows(group.begin, group.end))
    if (!objects_.is_placeless(at(row)) &&
        (least < 0 || std::lexicographical_compare(point(row), point(row) + axes, point(least), point(least) + axes)))
      least = row;
  if (least < 0) return false;
  for (auto const row : rows)
    if (objects_.is_placeless(at(row))) std::copy_n(point(least), axes, point(row));
  return true;
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

// With arrivals known those who came together are a group; else all are one.
Cohorts Refinement::cohorts_of(std::span<std::int32_t const> rows) {
  bool const known = demands_.arrivals_known;
  auto const has_moved = [&](auto row) { return objects_.has_moved(at(row)); };
  if (!known && std::none_of(rows.begin(), rows.end(), has_moved)) return {};
  of_row_.resize(objects_.rows());
  std::int32_t count = 1;
  if (known) {
    of_since_.assign(at(version_) + 1, -1);
    for (auto const row : rows) of_since_[at(objects_.since[at(row)])] = 0;
    count = 0;
    for (auto& cohort : of_since_)
      if (cohort == 0) cohort = count++;
  }
  for (auto const row : rows)
    of_row_[at(row)] = 2 * (known ? of_since_[at(objects_.since[at(row)])] : 0) + has_moved(row);
  return {2 * at(count), of_row_};
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
  auto const groups = groups_.collect(objects_, result_.region, all_from, checkpoint_);
  tell_moved();
  for (auto const& group : groups) hold_back(group);
  for (auto const& group : groups) settle_group(group);
  count();
  return std::move(result_);
}

}  // namespace

Refined refine(Partition& partition, std::span<Axis const> axes, IncrementalDemands const& demands, Objects& objects,
               std::int32_t version, Checkpoint& checkpoint) {
  return Refinement(partition, axes, demands, objects, version, checkpoint).run();
}

}  // namespace anon_seq
