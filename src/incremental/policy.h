// What an incremental policy demands, read from its parameters and options.
#pragma once

#include <optional>

#include "core/partition/incremental.h"
//
#include "catalog/policy.h"
#include "release/demands.h"

namespace anon_seq::incremental {

struct IncrementalPolicy : Demands {
  // "*": also what is another role's, and has no name for us.
  bool leaves_out_all() const override { return leaves_out("*", "*"); }

  IncrementalDemands demands;
  bool by_children = true;           // taxonomies are cut into children, else in leaf order
  bool object_id = false;            // releases show object ids
  std::optional<std::int64_t> keep;  // relations of so many versions; the ledger keeps all
  bool shared = false;               // versions are views of the ledger's rows; else each is a copy of its own
  std::string changed_since;         // a column that grows whenever a row changes; empty: every row is read
  std::optional<Ratio> max_leavers, max_newcomers;  // of those who were there at the last version
  bool unknown_wait = false;  // who has a value that a taxonomy does not know; else the publish is refused
  bool independent = false;   // of a preview only: Mondrian from scratch, as others publish
};

// Throws kParameter, saying which parameter or option is wrong. Meets no table.
IncrementalPolicy incremental_policy(Policy const& policy);

// The type of what shows labels: text, as regions that are cut into children show one node each; else text[], the nodes
// that cover the region.
char const* labels_of(Policy const& policy);

}  // namespace anon_seq::incremental
