#include "core/attack/fixed_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace anon_seq {
namespace {

constexpr std::size_t kMostLooks = 20;  // at each kind, on average
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// Where a value of a group stands among all values.
std::size_t place_of(GroupBags const& bags, std::int32_t group, std::int32_t value) {
  auto const bag = bags.of(group);
  auto const found = std::ranges::lower_bound(bag, value, {}, &ValueRows::value);
  if (found == bag.end() || found->value != value) return kNowhere;
  return bags.begins[static_cast<std::size_t>(group)] + static_cast<std::size_t>(found - bag.begin());
}

}  // namespace

FixedValues::FixedValues(PublishedGroups const& groups, GroupBags const& bags, Kinds const& kinds,
                         Checkpoint& checkpoint)
    : groups_(groups),
      bags_(bags),
      kinds_(kinds),
      checkpoint_(checkpoint),
      met_(groups.sizes.size()),
      broken_(groups.sizes.size()),
      value_of_(kinds.count(), kOpen) {
  for (auto const& value : bags.values) rows_.push_back(value.rows);
  left_ = rows_;
  left_of_ = groups.sizes;
  for (std::size_t kind = 0; kind < kinds.count(); ++kind)
    for (auto const& [group, rows] : kinds.groups_of(kind)) met_.join(group, kinds.groups_of(kind).front().group);
  auto const kinds_in = make_lists(groups.sizes.size(), [&](auto put) {
    for (std::size_t kind = 0; kind < kinds.count(); ++kind)
      for (auto const& [group, rows] : kinds.groups_of(kind))
        put(static_cast<std::size_t>(group), static_cast<std::int32_t>(kind));
  });
  Vector<std::int32_t> waiting(groups.sizes.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = static_cast<std::int32_t>(i);
  std::size_t looks = 0;
  while (!waiting.empty() && looks <= kMostLooks * (kinds.groups.size() + 1)) {
    Changed changed;
    for (auto const group : waiting) looks += look_at(group, kinds_in.of(static_cast<std::size_t>(group)), changed);
    waiting = groups_of(changed, kinds_in);
  }
}

// Groups where somebody was fixed, and all groups of those who cannot have a value any more that another group lost.
Vector<std::int32_t> FixedValues::groups_of(Changed& changed, Lists const& kinds_in) {
  Vector<std::int32_t> poorer;
  sort_distinct(changed.without_a_value, checkpoint_);
  for (auto const group : changed.without_a_value)
    for (auto const kind : kinds_in.of(static_cast<std::size_t>(group)))
      if (value_of_[static_cast<std::size_t>(kind)] == kOpen) poorer.push_back(kind);
  sort_distinct(poorer, checkpoint_);
  auto groups = std::move(changed.with_fixed);
  for (auto const kind : poorer)
    for (auto const& [group, rows] : kinds_.groups_of(static_cast<std::size_t>(kind))) groups.push_back(group);
  sort_distinct(groups, checkpoint_);
  return groups;
}

// Fixes, of the kinds in a group, those who can have one value only, and those without whom a value has too few who
// can. Returns how many kinds it looked at.
std::size_t FixedValues::look_at(std::int32_t group, std::span<std::int32_t const> kinds, Changed& changed) {
  auto const first = bags_.begins[static_cast<std::size_t>(group)];
  Vector<std::int64_t> can_have(bags_.of(group).size());  // people, by value of the group
  Vector<std::pair<std::size_t, std::int32_t>> can;       // kind, value
  Vector<CommonValue> common;
  std::size_t looks = 1;
  for (auto const number : kinds) {
    auto const kind = static_cast<std::size_t>(number);
    if (value_of_[kind] != kOpen || is_broken(kind)) continue;
    ++looks;
    common_left(kind, common);
    if (common.empty()) set_broken(kind);
    if (common.size() == 1) fix(kind, common.front().value, changed);
    if (common.size() < 2) continue;
    for (auto const& of : common) {
      can.emplace_back(kind, of.value);
      can_have[place_of(bags_, group, of.value) - first] += kinds_.people[kind];
    }
  }
  for (std::size_t i = 0; i < can_have.size(); ++i)
    if (left_[first + i] > can_have[i]) set_broken(static_cast<std::size_t>(kinds.front()));
  for (auto const& [kind, value] : can) {
    auto const place = place_of(bags_, group, value);
    if (value_of_[kind] != kOpen || is_broken(kind) || can_have[place - first] > left_[place]) continue;
    can_have[place - first] -= kinds_.people[kind];
    fix(kind, value, changed);
  }
  return looks;
}

void FixedValues::fix(std::size_t kind, std::int32_t value, Changed& changed) {
  value_of_[kind] = value;
  for (auto const& [group, rows] : kinds_.groups_of(kind)) {
    auto& left = left_[place_of(bags_, group, value)];
    left -= kinds_.people[kind];
    left_of_[static_cast<std::size_t>(group)] -= kinds_.people[kind];
    if (left < 0) set_broken(kind);
    if (left == 0) changed.without_a_value.push_back(group);
    changed.with_fixed.push_back(group);
  }
}

void FixedValues::find_common(std::size_t kind, Vector<std::int64_t> const& rows, Vector<std::int64_t> const& sizes,
                              Vector<CommonValue>& common) const {
  common.clear();
  auto const groups = kinds_.groups_of(kind);
  auto const fewest = std::ranges::min_element(groups, {}, [&](auto const& in) { return bags_.of(in.group).size(); });
  for (auto const& [value, unused] : bags_.of(fewest->group)) {
    checkpoint_.tick();
    CommonValue found{value, 0, 0};
    bool in_all = true;
    for (auto const& [group, one] : groups) {
      auto const place = place_of(bags_, group, value);
      in_all = place != kNowhere && rows[place] > 0;
      if (!in_all) break;
      auto const share = static_cast<double>(rows[place]) / static_cast<double>(sizes[static_cast<std::size_t>(group)]);
      found.share = std::max(found.share, share);
      found.weight += std::log(share);
    }
    if (in_all) common.push_back(found);
  }
}

void FixedValues::common_left(std::size_t kind, Vector<CommonValue>& common) const {
  find_common(kind, left_, left_of_, common);
}

void FixedValues::common_values(std::size_t kind, Vector<CommonValue>& common) const {
  find_common(kind, rows_, groups_.sizes, common);
}

}  // namespace anon_seq
