// NSS and an SS counted again, as a reader would, class by class: for the checks of projections with one sensitive
// column, where SQL would group as many rows as there are people, several times.
#pragma once

#include "catalog/release.h"
#include "lossy_join/policy.h"

namespace anon_seq::lossy_join {

struct ClassRecount {
  std::int64_t classes = 0;       // of NSS or SS
  std::int64_t smallest = 0;      // rows in NSS
  std::int64_t differing = 0;     // other sizes in NSS and SS, or a value twice in SS
  std::int64_t broken = 0;        // fewer than k rows in NSS, or more than its alpha with a bounded value, or no number
  std::int64_t held = 0, of = 1;  // the largest share: so many of a class of so many
};

// REQUIRES: the relations are there; one sensitive column, without options.near.
ClassRecount recount_classes(SpiSession& session, Release const& release, LossyPolicy const& demands);

}  // namespace anon_seq::lossy_join
