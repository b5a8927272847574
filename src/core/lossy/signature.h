// Whether two runs of an algorithm made the same release, the draw aside: for those who try arrangements
// (attack/minimality.h).
//
// An arrangement inside published classes has the same joint values, so what is bounded stays as it was.
#pragma once

#include "core/lossy/regional.h"
#include "core/lossy/topdown.h"

namespace anon_seq {

using Signature = Vector<std::int64_t>;

// Regions as sets of rows. An arrangement inside the classes leaves their bags as they are, and so the groups' bags.
Signature signature_of(Regions const& regions);

// Classes as sets of rows, with what they show. By the paper's decisions chance may return other rows of a value.
Signature signature_of(Recoding const& made);

// What classes show, and their bags, whoever is in them: less than the reader sees, for the paper's decisions.
Signature bags_of(Recoding const& made, Sensitive const& sensitive);

}  // namespace anon_seq
