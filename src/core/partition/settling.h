// Who of an open leaf's people is published in this version: who has come joins, who has gone leaves, as far as
// k allows.
#pragma once

#include "core/partition/incremental.h"

namespace anon_seq {

// Rows of one leaf, ascending.
struct Crowd {
  std::span<std::int32_t const> there;   // published in the last version, and not gone
  Vector<std::int32_t> gone, newcomers;  // that are published in this one
  Vector<std::int32_t> left, waiting;

  std::size_t published() const { return there.size() + gone.size() + newcomers.size(); }
  // Of those, who count towards k.
  std::size_t counting(Objects const& objects) const;
};

// Moves rows from gone to left and from newcomers to waiting. Who stays depends on those who count alone.
// With erase_at_once fewer than k who count may be left; else not, if there were k before.
void settle(Crowd& crowd, Objects const& objects, IncrementalDemands const& demands);

}  // namespace anon_seq
