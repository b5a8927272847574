// Kinds of people: those of one kind are in the same groups, so that nothing published tells them apart.
#pragma once

#include "core/attack/published_groups.h"
#include "core/base/checkpoint.h"

namespace anon_seq {

struct Kinds {
  Vector<std::int64_t> people;  // kind -> how many, > 0
  Vector<std::size_t> begins;   // kind -> the first of its memberships; one more at the end
  Vector<Membership> groups;    // ascending by group
  Vector<std::int32_t> of;      // person -> kind; kNoKind: in no group that has a bag

  std::size_t count() const { return people.size(); }
  std::span<Membership const> groups_of(std::size_t kind) const {
    return std::span(groups).subspan(begins[kind], begins[kind + 1] - begins[kind]);
  }
};

inline constexpr std::int32_t kNoKind = -1;

// Of people in groups with a bag; rows of those whom nobody knows make people of their own, in one group each. Throws
// kData if somebody has several rows in a release.
Kinds kinds_of(PublishedGroups const& groups, GroupBags const& bags, Checkpoint& checkpoint);

}  // namespace anon_seq
