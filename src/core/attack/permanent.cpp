#include "core/attack/permanent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attack/fixed_values.h"
#include "core/attack/worlds.h"

namespace anon_seq {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

struct ValueChance {
  std::int32_t value;
  Chance chance;
};

std::size_t rank(Vector<std::int32_t> const& numbers, std::int32_t number) {
  return static_cast<std::size_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
}

// Chances of kinds of people whose values are open, as far as worlds are counted.
class CountedWorlds {
 public:
  CountedWorlds(PublishedGroups const& groups, Kinds const& kinds, FixedValues& fixed, std::size_t most_work,
                Checkpoint& checkpoint)
      : groups_(groups),
        kinds_(kinds),
        fixed_(fixed),
        most_work_(most_work),
        checkpoint_(checkpoint),
        place_(kinds.count(), kNowhere) {
    auto const is_open = [&](std::size_t kind) { return fixed.value_of(kind) == kOpen && !fixed.is_broken(kind); };
    Joined open(groups.sizes.size());
    for (std::size_t kind = 0; kind < kinds.count(); ++kind)
      if (is_open(kind))
        for (auto const& [group, rows] : kinds.groups_of(kind)) open.join(group, kinds.groups_of(kind).front().group);
    auto const components = make_lists(groups.sizes.size(), [&](auto put) {
      for (std::size_t kind = 0; kind < kinds.count(); ++kind)
        if (is_open(kind)) put(open.set_of(kinds.groups_of(kind).front().group), static_cast<std::int32_t>(kind));
    });
    for (std::size_t i = 0; i < groups.sizes.size(); ++i)
      if (auto const of = components.of(i); !of.empty()) count(of);
    begins_.push_back(chances_.size());
  }

  // Ascending by value; empty: not counted.
  std::span<ValueChance const> of(std::size_t kind) const {
    if (place_[kind] == kNowhere) return {};
    auto const begin = begins_[place_[kind]];
    return std::span(chances_).subspan(begin, begins_[place_[kind] + 1] - begin);
  }

 private:
  void count(std::span<std::int32_t const> kinds) {
    WorldsOf component;
    Vector<std::int32_t> values;
    if (!describe(kinds, component, values)) return;
    auto const worlds = count_worlds(component, most_work_, checkpoint_);
    if (!worlds) return;
    if (worlds->none) return fixed_.set_broken(static_cast<std::size_t>(kinds.front()));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      place_[static_cast<std::size_t>(kinds[i])] = begins_.size();
      begins_.push_back(chances_.size());
      for (std::size_t v = 0; v < values.size(); ++v)
        if (auto const& chance = worlds->chances[i * values.size() + v]; chance.units > 0)
          chances_.push_back({values[v], chance});
    }
  }

  // False if it is too large to be looked at.
  bool describe(std::span<std::int32_t const> kinds, WorldsOf& of, Vector<std::int32_t>& values) {
    Vector<std::int32_t> groups;
    for (auto const kind : kinds)
      for (auto const& [group, rows] : kinds_.groups_of(static_cast<std::size_t>(kind))) groups.push_back(group);
    sort_distinct(groups, checkpoint_);
    if (groups.size() > most_work_) return false;
    for (auto const group : groups) {
      if (groups_.sizes[static_cast<std::size_t>(group)] > std::numeric_limits<std::int32_t>::max()) return false;
      fixed_.each_left(group, [&](std::int32_t value, std::int64_t) { values.push_back(value); });
    }
    sort_distinct(values, checkpoint_);
    if (groups.size() * values.size() > most_work_) return false;
    of.groups = groups.size();
    of.values = values.size();
    of.bags.resize(of.groups * of.values);
    for (std::size_t g = 0; g < groups.size(); ++g)
      fixed_.each_left(groups[g], [&](std::int32_t value, std::int64_t rows) {
        of.bags[g * of.values + rank(values, value)] = static_cast<std::int32_t>(rows);
      });
    for (auto const kind : kinds) {
      of.begins.push_back(of.groups_of.size());
      of.people.push_back(static_cast<std::int32_t>(kinds_.people[static_cast<std::size_t>(kind)]));
      for (auto const& [group, rows] : kinds_.groups_of(static_cast<std::size_t>(kind)))
        of.groups_of.push_back(static_cast<std::int32_t>(rank(groups, group)));
    }
    of.begins.push_back(of.groups_of.size());
    return true;
  }

  PublishedGroups const& groups_;
  Kinds const& kinds_;
  FixedValues& fixed_;
  std::size_t const most_work_;
  Checkpoint& checkpoint_;
  Vector<std::size_t> place_;   // kind -> place in begins_
  Vector<std::size_t> begins_;  // the first of its chances; one more at the end
  Vector<ValueChance> chances_;
};

// What one of the groups tells of a value, or all of them if the others in each were others: whichever is more.
void estimate(Vector<CommonValue> const& common, Vector<ValueChance>& chances) {
  double most = -std::numeric_limits<double>::infinity(), all = 0;
  for (auto const& of : common) most = std::max(most, of.weight);
  for (auto const& of : common) all += std::exp(of.weight - most);
  for (auto const& of : common)
    chances.push_back({of.value, about(std::max(of.share, std::exp(of.weight - most) / all))});
}

class PermanentBreaches {
 public:
  PermanentBreaches(PublishedGroups const& groups, GroupBags const& bags, std::size_t most_work, Checkpoint& checkpoint)
      : groups_(groups),
        bags_(bags),
        checkpoint_(checkpoint),
        kinds_(kinds_of(groups, bags, checkpoint)),
        fixed_(groups, bags, kinds_, checkpoint),
        counted_(groups, kinds_, fixed_, most_work, checkpoint) {}

  PermanentFinding add(std::span<char const> asked, Breaches& breaches) {
    for (std::size_t kind = 0; kind < kinds_.count(); ++kind) look_at(kind, asked, breaches);
    begins_.push_back(found_.size());
    PermanentFinding finding;
    for (std::size_t person = 0; person < kinds_.of.size(); ++person) {
      if (kinds_.of[person] == kNoKind) continue;
      auto const kind = static_cast<std::size_t>(kinds_.of[person]);
      finding.estimated += estimated_[kind];
      finding.changed += changed_[kind];
      for (std::size_t i = begins_[kind]; i < begins_[kind + 1]; ++i) {
        checkpoint_.tick();
        breaches.add(person, found_[i].first, found_[i].second);
      }
    }
    return finding;
  }

 private:
  void look_at(std::size_t kind, std::span<char const> asked, Breaches& breaches) {
    Vector<ValueChance> chances;
    chances_of(kind, chances);
    begins_.push_back(found_.size());
    changed_.push_back(chances.empty());
    estimated_.push_back(!chances.empty() && !chances.front().chance.exact);
    for (auto const& [value, chance] : chances) {
      if (asked[static_cast<std::size_t>(value)] == 0) continue;
      auto breach = localized_breach(groups_, bags_, kinds_.groups_of(kind), value);
      breach.p = chance.units;
      breach.exact &= chance.exact;
      found_.emplace_back(value, breaches.number_of(breach));
    }
  }

  // Ascending by value; none: no value fits.
  void chances_of(std::size_t kind, Vector<ValueChance>& chances) {
    Vector<CommonValue> common;
    if (fixed_.is_broken(kind)) {
      fixed_.common_values(kind, common);
      estimate(common, chances);
    } else if (fixed_.value_of(kind) != kOpen) {
      chances.push_back({fixed_.value_of(kind), share(1, 1)});
    } else if (auto const counted = counted_.of(kind); !counted.empty()) {
      chances.assign(counted.begin(), counted.end());
    } else {
      fixed_.common_left(kind, common);
      estimate(common, chances);
    }
  }

  PublishedGroups const& groups_;
  GroupBags const& bags_;
  Checkpoint& checkpoint_;
  Kinds const kinds_;
  FixedValues fixed_;
  CountedWorlds const counted_;
  Vector<std::size_t> begins_;                           // kind -> the first of its pairs; one more at the end
  Vector<std::pair<std::int32_t, std::int32_t>> found_;  // value, breach
  Vector<char> estimated_, changed_;
};

}  // namespace

PermanentFinding add_permanent_breaches(PublishedGroups const& groups, GroupBags const& bags,
                                        std::span<char const> asked, Breaches& breaches, Checkpoint& checkpoint,
                                        std::size_t most_work) {
  return PermanentBreaches(groups, bags, most_work, checkpoint).add(asked, breaches);
}

}  // namespace anon_seq
