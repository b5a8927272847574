// What an incremental policy demands, read from its parameters and options.
#pragma once

#include <map>
#include <optional>

#include "core/partition/incremental.h"
//
#include "catalog/policy.h"
#include "release/domain.h"

namespace anon_seq::incremental {

struct IncrementalPolicy {
  IncrementalDemands demands;
  bool by_children = true;             // taxonomies are cut into children, else in leaf order
  bool object_id = false;              // releases show object ids
  std::optional<std::int64_t> keep;    // relations of so many versions; the ledger keeps all
  std::string changed_since;           // a column that grows whenever a row changes; empty: every row is read
  std::vector<std::string> unguarded;  // releases of the population that are left out of account
  std::vector<std::string> allow_unique;
  std::map<std::string, Domain> domains;  // column -> declared domain
  bool independent = false;               // of a preview only: Mondrian from scratch, as others publish
};

// Throws kParameter, saying which parameter or option is wrong. Meets no table.
IncrementalPolicy incremental_policy(Policy const& policy);

// Throws kParameter for a change after the first release that weakens what was promised or cannot be followed:
// k is raised, the shape or what arrivals tell changes. A lower k is followed from the next version on.
void require_followable(Policy const& before, Policy const& after);

}  // namespace anon_seq::incremental
