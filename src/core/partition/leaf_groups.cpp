#include "core/partition/leaf_groups.h"

namespace anon_seq {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

[[noreturn]] void throw_not_open() { throw Error(Fault::kDamaged, "an object is in a region that is not open"); }

}  // namespace

void LeafGroups::locate(Partition const& partition, std::span<Taxonomy const* const> taxonomies, Objects const& objects,
                        Vector<RegionId>& leaf, Checkpoint& checkpoint) {
  leaf = objects.region;
  for (auto* counts : {&sizes_, &gone_, &newcomers_}) counts->assign(partition.regions.size(), 0);
  states_.reserve(partition.regions.size());
  for (auto const& region : partition.regions) states_.push_back(region.open ? kNothing : kNotOpen);
  std::size_t const axes = taxonomies.size();
  // Most rows stay where they are: they are looked at in their order, not region by region.
  for (std::size_t row = 0; row < leaf.size(); ++row) {
    checkpoint.tick();
    RegionId& own = leaf[row];
    bool const newcomer = own == kNoRegion, gone = objects.gone[row] != 0;
    if (newcomer == gone) continue;  // gone before he was published, or there as before
    if (newcomer) own = leaf_of(partition, taxonomies, std::span(objects.points).subspan(row * axes, axes));
    if (at(own) >= states_.size()) throw_not_open();
    ++(gone ? gone_ : newcomers_)[at(own)];
    states_[at(own)] |= kChanges;
  }
}

void LeafGroups::count(Objects const& objects, std::span<RegionId const> leaf, bool all, Checkpoint& checkpoint) {
  for (std::size_t row = 0; row < leaf.size(); ++row) {
    checkpoint.tick();
    RegionId const own = leaf[row];
    if (own == kNoRegion) continue;
    char const state = at(own) < states_.size() ? states_[at(own)] : char{kNotOpen};
    if ((state & kNotOpen) != 0 && objects.region[row] != kNoRegion) throw_not_open();
    if (!all && (state & kChanges) == 0) continue;
    ++sizes_[at(own)];
    make_room(changed_, 1);
    changed_.push_back(static_cast<std::int32_t>(row));
  }
}

std::vector<LeafGroup> LeafGroups::collect(Objects const& objects, std::span<RegionId const> leaf,
                                           std::int64_t all_from, Checkpoint& checkpoint) {
  count(objects, leaf, all_from > 0, checkpoint);
  std::vector<LeafGroup> groups;
  std::size_t begin = 0;
  for (std::size_t id = 0; id < sizes_.size(); ++id) {
    checkpoint.tick();
    if (all_from > 0 && sizes_[id] >= all_from) states_[id] |= kChanges;
    if ((states_[id] & kChanges) == 0) continue;
    std::size_t const end = begin + at(sizes_[id]), newcomers = end - at(newcomers_[id]);
    groups.push_back({static_cast<RegionId>(id), begin, newcomers - at(gone_[id]), newcomers, end});
    sizes_[id] = static_cast<std::int32_t>(begin);
    gone_[id] = static_cast<std::int32_t>(groups.back().gone);
    newcomers_[id] = static_cast<std::int32_t>(newcomers);
    begin = end;
  }
  rows_.resize(begin);
  for (auto const row : changed_) {
    checkpoint.tick();
    RegionId const own = leaf[at(row)];
    if ((states_[at(own)] & kChanges) == 0) continue;
    auto& next = objects.region[at(row)] == kNoRegion ? newcomers_ : objects.gone[at(row)] != 0 ? gone_ : sizes_;
    rows_[at(next[at(own)]++)] = row;
  }
  give_back(changed_);
  return groups;
}

}  // namespace anon_seq
