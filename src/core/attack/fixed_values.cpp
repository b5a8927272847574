#include "core/attack/fixed_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  for (auto const& value : bags.values) left_.push_back(value.rows);
  for (std::size_t kind = 0; kind < kinds.count(); ++kind)
    for (auto const& [group, rows] : kinds.groups_of(kind)) met_.join(group, kinds.groups_of(kind).front().group);
  auto const kinds_in = make_lists(groups.sizes.size(), [&](auto put) {
    for (std::size_t kind = 0; kind < kinds.count(); ++kind)
      for (auto const& [group, rows] : kinds.groups_of(kind))
        put(static_cast<std::size_t>(group), static_cast<std::int32_t>(kind));
  });
  Vector<std::int32_t> waiting(kinds.count());
  for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = static_cast<std::int32_t>(i);
  std::size_t looked_at = 0;
  while (!waiting.empty() && looked_at <= kMostLooks * (kinds.count() + 1)) {
    looked_at += waiting.size();
    waiting = look_at(waiting, kinds_in);
  }
}

// Fixes those of the kinds who can be fixed. Returns whoever is in a group that thereby lost a value.
Vector<std::int32_t> FixedValues::look_at(Vector<std::int32_t> const& waiting, Lists const& kinds_in) {
  Vector<std::int32_t> poorer, next;  // groups; kinds in them
  Vector<CommonValue> common;
  for (auto const number : waiting) {
    checkpoint_.tick();
    auto const kind = static_cast<std::size_t>(number);
    if (value_of_[kind] != kOpen || is_broken(kind)) continue;
    common_left(kind, common);
    if (common.empty()) set_broken(kind);
    if (common.size() == 1) fix(kind, common.front().value, poorer);
  }
  sort_distinct(poorer, checkpoint_);
  for (auto const group : poorer)
    for (auto const kind : kinds_in.of(static_cast<std::size_t>(group)))
      if (value_of_[static_cast<std::size_t>(kind)] == kOpen) next.push_back(kind);
  sort_distinct(next, checkpoint_);
  return next;
}

std::int64_t& FixedValues::left(std::int32_t group, std::int32_t value) { return left_[place_of(bags_, group, value)]; }

void FixedValues::fix(std::size_t kind, std::int32_t value, Vector<std::int32_t>& poorer) {
  value_of_[kind] = value;
  for (auto const& [group, rows] : kinds_.groups_of(kind)) {
    auto& others_have = left(group, value);
    others_have -= kinds_.people[kind];
    if (others_have < 0) set_broken(kind);
    if (others_have == 0) poorer.push_back(group);
  }
}

template <class Rows>
void FixedValues::find_common(std::size_t kind, Rows rows, Vector<CommonValue>& common) const {
  common.clear();
  auto const groups = kinds_.groups_of(kind);
  auto const fewest = std::ranges::min_element(groups, {}, [&](auto const& in) { return bags_.of(in.group).size(); });
  for (auto const& [value, unused] : bags_.of(fewest->group)) {
    checkpoint_.tick();
    double weight = 0;
    bool in_all = true;
    for (auto const& [group, one] : groups) {
      auto const place = place_of(bags_, group, value);
      in_all = place != kNowhere && rows(place) > 0;
      if (!in_all) break;
      auto const size = groups_.sizes[static_cast<std::size_t>(group)];
      weight += std::log(static_cast<double>(rows(place)) / static_cast<double>(size));
    }
    if (in_all) common.push_back({value, weight});
  }
}

void FixedValues::common_left(std::size_t kind, Vector<CommonValue>& common) const {
  find_common(
      kind, [&](std::size_t place) { return left_[place]; }, common);
}

void FixedValues::common_values(std::size_t kind, Vector<CommonValue>& common) const {
  find_common(
      kind, [&](std::size_t place) { return bags_.values[place].rows; }, common);
}

}  // namespace anon_seq
