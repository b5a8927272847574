// Who of an open leaf's people is published in this version: who has come joins, who has gone leaves, as far as
// k allows.
#pragma once

#include "core/incremental.h"

namespace anon_seq {

// Rows of one leaf, ascending.
struct Crowd {
  Vector<std::int32_t> there, gone;  // published in the last version; gone: those that are still published
  Vector<std::int32_t> newcomers;    // those that join
  Vector<std::int32_t> left, waiting;

  void clear() {
    for (auto* rows : {&there, &gone, &newcomers, &left, &waiting}) rows->clear();
  }
  std::size_t published() const { return there.size() + gone.size() + newcomers.size(); }
};

// Moves rows from gone to left and from newcomers to waiting. All in `there` stay.
// With erase_at_once fewer than k may be left; else not, if there were k before.
void settle(Crowd& crowd, Objects const& objects, IncrementalDemands const& demands);

}  // namespace anon_seq
