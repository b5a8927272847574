// Worlds in which a value is its person's for good: how many there are, and who has what in how many of them.
//
// A component: groups, and kinds of people, who are in the same groups and cannot be told apart. A world gives every
// person a value such that each group's bag is what its members have. Kind after kind takes its values out of the bags
// of its groups; what is left of the bags is a state, and ways that lead to one state are counted together.
#pragma once

#include <optional>
#include <span>

#include "core/attack/chance.h"
#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

struct WorldsOf {
  std::size_t groups = 0, values = 0;
  Vector<std::int32_t> bags;       // group * values + value -> rows
  Vector<std::int32_t> people;     // kind -> how many, > 0
  Vector<std::size_t> begins;      // kind -> the first of its groups; one more at the end
  Vector<std::int32_t> groups_of;  // ascending; every group is some kind's

  std::size_t kinds() const { return people.size(); }
  std::span<std::int32_t const> of(std::size_t kind) const {
    return std::span(groups_of).subspan(begins[kind], begins[kind + 1] - begins[kind]);
  }
};

struct Worlds {
  bool none = false;       // no world has these bags
  Vector<Chance> chances;  // kind * values + value
};

// nullopt: it would take more than `most_work` entries of bags looked at, or counts beyond 128 bits.
// REQUIRES: connected; of every group the rows are as many as the people of its kinds.
std::optional<Worlds> count_worlds(WorldsOf const& asked, std::size_t most_work, Checkpoint& checkpoint);

}  // namespace anon_seq
