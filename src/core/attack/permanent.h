// Breach probabilities of values that stay: a person's is the same in every release that he is in.
//
// Whose bags have a single value in common has it; he and it are taken out of his groups, and others are found out so.
// What is left falls into components, persons who meet in a group being in one. The worlds of a component are counted
// (worlds.h) as far as that is little work: its chances are exact. In a larger one a person's chances are estimates:
// they go by the product of how often a value is left in his bags, which is exact where he alone is in several of them.
//
// Where no world has all these bags, as somebody's value has changed, persons are estimated from all bags of theirs.
#pragma once

#include "core/attack/breach.h"

namespace anon_seq {

inline constexpr std::size_t kMostWorldsWork = 200000;  // of a component

struct PermanentFinding {
  std::int64_t estimated = 0;  // persons whose chances are not exact
  std::int64_t changed = 0;    // persons whose bags have no value in common: no chances are told of them
};

// Adds pairs as add_transient_breaches() does. Throws kData if somebody has several rows in a release. Cost: linear in
// memberships times the values of a group, and the work on components.
PermanentFinding add_permanent_breaches(PublishedGroups const& groups, GroupBags const& bags,
                                        std::span<char const> asked, Breaches& breaches, Checkpoint& checkpoint,
                                        std::size_t most_work = kMostWorldsWork);

}  // namespace anon_seq
