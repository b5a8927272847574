// The best full-domain recoding: one level for the whole of each attribute, k kept by leaving at most so many persons
// out.
//
// Attributes that go together (KDemands::linked) are one dimension: as many levels below the most general one, as far
// as they have them. Levels of a taxonomy are its depths, those of a continuous attribute what comes of cutting every
// interval at its best place, again and again. Nodes of the lattice are looked at in the order of what their levels
// alone lose, which no suppression can better; so the first one whose bound is no less than the best loss found ends
// the search. What breaks the limit, in two attributes or in all, breaks it in every finer node (as Incognito, OLA and
// Flash know). Work is bounded: where the lattice, or what a look costs, is too large the best node met is returned.
#pragma once

#include "core/sequential/k_descent.h"

namespace anon_seq {

struct FullDomain {
  std::vector<std::size_t> levels;  // per attribute
  std::vector<AttributeCut> cuts;
  std::int64_t loss = 0, out = 0;
  bool found = false, exhaustive = false;
};

// `work`: cells that may be looked at. A node that loses `known` or more need not be found: exhaustive means that no
// node that was not looked at loses less than that and than the one returned.
FullDomain best_full_domain(KTable const& table, KDemands const& demands, std::vector<AttributeCut> const& root,
                            std::int64_t known, std::int64_t work, Checkpoint& checkpoint);

}  // namespace anon_seq
