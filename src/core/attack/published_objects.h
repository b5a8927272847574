// Several releases of one table, object by object.
#pragma once

#include "core/attack/boxes.h"

namespace anon_seq {

// Objects are numbers 0 .. objects - 1, in an order that does not depend on that of the rows.
struct PublishedObjects {
  std::size_t objects = 0;
  std::vector<Vector<BoxId>> releases;  // release -> object -> its box there, or kAbsent
  Vector<BoxId> points;                 // object -> its true point, for cover; empty: not known
  Vector<char> vague;                   // object -> its point is somewhere in that box; empty: none is
  bool is_vague(std::size_t object) const { return !vague.empty() && vague[object] != 0; }
};

}  // namespace anon_seq
