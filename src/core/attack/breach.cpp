#include "core/attack/breach.h"

#include <algorithm>
#include <tuple>

namespace anon_seq {
namespace {

// A value in a group that a person is in.
struct Met {
  std::int32_t value, release;
  Draw draw;
};

// The largest chance that the draws of one release give. They stand release by release.
void localize(std::span<Met const> met, Vector<Draw>& draws, Breach& breach) {
  for (std::size_t begin = 0, end; begin < met.size(); begin = end) {
    draws.clear();
    for (end = begin; end < met.size() && met[end].release == met[begin].release; ++end) draws.push_back(met[end].draw);
    auto const chance = chance_of_any(draws);
    breach.localized = std::max(breach.localized, chance.units);
    breach.exact &= chance.exact;
    ++breach.releases;
  }
}

Breach transient_breach(std::span<Met const> met, Vector<Draw>& draws) {
  Breach breach;
  localize(met, draws, breach);
  draws.clear();
  for (auto const& of : met) draws.push_back(of.draw);
  auto const chance = chance_of_any(draws);
  breach.p = chance.units;
  breach.exact &= chance.exact;
  return breach;
}

// Breaches by what they follow from: the same few groups over and over.
class KnownBreaches {
 public:
  explicit KnownBreaches(Breaches& breaches) : breaches_(breaches) {}

  std::int32_t of(std::span<Met const> met) {
    key_.clear();
    for (auto const& [value, release, draw] : met) key_.insert(key_.end(), {release, draw.size, draw.held, draw.rows});
    Code const code = known_.intern({reinterpret_cast<char const*>(key_.data()), key_.size() * sizeof(std::int64_t)});
    if (static_cast<std::size_t>(code) == numbers_.size())
      numbers_.push_back(breaches_.number_of(transient_breach(met, draws_)));
    return numbers_[static_cast<std::size_t>(code)];
  }

 private:
  Breaches& breaches_;
  Dictionary known_;
  Vector<std::int32_t> numbers_;
  Vector<std::int64_t> key_;
  Vector<Draw> draws_;
};

// The values that are asked for: groups may have many others.
GroupBags only(GroupBags const& bags, std::span<char const> asked) {
  GroupBags made;
  for (std::size_t g = 0; g + 1 < bags.begins.size(); ++g) {
    made.begins.push_back(made.values.size());
    for (auto const& value : bags.of(static_cast<std::int32_t>(g)))
      if (asked[static_cast<std::size_t>(value.value)] != 0) made.values.push_back(value);
  }
  made.begins.push_back(made.values.size());
  return made;
}

// Items in the order of what they count for, each below `bound`; equal ones in theirs.
template <class Of>
Vector<PersonBreach> counting_sorted(Vector<PersonBreach> const& items, std::size_t bound, Of of,
                                     Checkpoint& checkpoint) {
  Vector<std::size_t> next(bound + 1);
  for (auto const& item : items) ++next[static_cast<std::size_t>(of(item)) + 1];
  for (std::size_t i = 1; i <= bound; ++i) next[i] += next[i - 1];
  Vector<PersonBreach> sorted(items.size());
  for (auto const& item : items) {
    checkpoint.tick();
    sorted[next[static_cast<std::size_t>(of(item))]++] = item;
  }
  return sorted;
}

}  // namespace

std::int32_t Breaches::number_of(Breach const& breach) {
  std::uint64_t const key[] = {
      static_cast<std::uint64_t>(breach.p),         static_cast<std::uint64_t>(breach.p >> 64),
      static_cast<std::uint64_t>(breach.localized), static_cast<std::uint64_t>(breach.localized >> 64),
      static_cast<std::uint64_t>(breach.releases),  breach.exact};
  Code const code = known_.intern({reinterpret_cast<char const*>(key), sizeof key});
  if (static_cast<std::size_t>(code) == distinct_.size()) distinct_.push_back(breach);
  return code;
}

void Breaches::put_worst_first(std::size_t persons, Checkpoint& checkpoint) {
  Vector<std::int32_t> worst(distinct_.size()), rank(distinct_.size());
  for (std::size_t i = 0; i < worst.size(); ++i) worst[i] = static_cast<std::int32_t>(i);
  auto const p = [&](std::int32_t number) { return distinct_[static_cast<std::size_t>(number)].p; };
  std::sort(worst.begin(), worst.end(), [&](auto a, auto b) {
    checkpoint.tick();
    return p(a) > p(b);
  });
  std::int32_t ranks = 0;
  for (std::size_t i = 0; i < worst.size(); ++i) {
    if (i > 0 && p(worst[i]) != p(worst[i - 1])) ++ranks;
    rank[static_cast<std::size_t>(worst[i])] = ranks;
  }
  all_ = counting_sorted(
      all_, persons, [](auto const& found) { return found.person; }, checkpoint);
  all_ = counting_sorted(
      all_, static_cast<std::size_t>(ranks) + 1,
      [&](auto const& found) { return rank[static_cast<std::size_t>(found.breach)]; }, checkpoint);
}

void add_transient_breaches(PublishedGroups const& groups, GroupBags const& bags, std::span<char const> asked,
                            Breaches& breaches, Checkpoint& checkpoint) {
  KnownBreaches known(breaches);
  auto const wanted = only(bags, asked);
  Vector<Met> met;
  for (std::size_t person = 0; person < groups.persons(); ++person) {
    met.clear();
    for (auto const& [group, rows] : groups.of(person)) {
      auto const g = static_cast<std::size_t>(group);
      for (auto const& [value, held] : wanted.of(group)) {
        checkpoint.tick();
        met.push_back({value, groups.release_of[g], {groups.sizes[g], held, rows}});
      }
    }
    std::stable_sort(met.begin(), met.end(), [](auto const& a, auto const& b) { return a.value < b.value; });
    for (std::size_t begin = 0, end; begin < met.size(); begin = end) {
      for (end = begin; end < met.size() && met[end].value == met[begin].value; ++end) continue;
      breaches.add(person, met[begin].value, known.of(std::span(met).subspan(begin, end - begin)));
    }
  }
}

Breach localized_breach(PublishedGroups const& groups, GroupBags const& bags, std::span<Membership const> memberships,
                        std::int32_t value) {
  Vector<Met> met;
  for (auto const& [group, rows] : memberships) {
    auto const bag = bags.of(group);
    auto const found = std::ranges::lower_bound(bag, value, {}, &ValueRows::value);
    if (found == bag.end() || found->value != value) continue;
    auto const g = static_cast<std::size_t>(group);
    met.push_back({value, groups.release_of[g], {groups.sizes[g], found->rows, rows}});
  }
  Breach breach;
  Vector<Draw> draws;
  localize(met, draws, breach);
  return breach;
}

}  // namespace anon_seq
