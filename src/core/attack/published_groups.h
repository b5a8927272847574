// Several releases as somebody has them who knows who is in which group: groups, with their members and their bags of
// sensitive values.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/memory.h"

namespace anon_seq {

struct Membership {
  std::int32_t group = 0, rows = 0;
};

struct PublishedGroups {
  Vector<std::int32_t> release_of;  // group -> release; ascending
  Vector<std::int64_t> sizes;       // group -> rows, at least those of its members: some people nobody knows
  Vector<std::size_t> begins;       // person -> the first of his memberships; one more at the end
  Vector<Membership> memberships;   // of a person: ascending by group, each group once

  std::size_t persons() const { return begins.empty() ? 0 : begins.size() - 1; }
  std::span<Membership const> of(std::size_t person) const {
    return std::span(memberships).subspan(begins[person], begins[person + 1] - begins[person]);
  }
};

struct ValueRows {
  std::int32_t value = 0;
  std::int64_t rows = 0;
};

// The bags of one sensitive attribute. The rows of a group add up to its size, or it has none: its release does not
// show the attribute.
struct GroupBags {
  Vector<std::size_t> begins;  // group -> the first of its values; one more at the end
  Vector<ValueRows> values;    // of a group: ascending by value, each value once, rows > 0

  std::span<ValueRows const> of(std::int32_t group) const {
    auto const g = static_cast<std::size_t>(group);
    return std::span(values).subspan(begins[g], begins[g + 1] - begins[g]);
  }
};

}  // namespace anon_seq
