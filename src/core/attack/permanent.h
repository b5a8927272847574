// Breach probabilities of values that stay: a person's is the same in every release that he is in.
//
// Whose value follows from bags alone (fixed_values.h) is taken out of his groups. What is left falls into components,
// persons who meet in a group being in one. The worlds of a component are counted (worlds.h) as far as that is little
// work: its chances are exact. In a larger one they are estimates, of the values that all bags of a person have left:
// the largest share in one of them, or the product of the shares, which is exact if he alone is in several of them,
// whichever is more.
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
