// What releases have in common, as whoever joins them sees it: which columns, and how their values are compared.
#pragma once

#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

// How two columns of one attribute are compared: by labels of a taxonomy, by overlap of ranges, by equality; waived, or
// not at all, as a label and a range, or labels of two taxonomies, cannot be.
enum class Comparison { kLabels, kOverlap, kEqual, kWaived, kNone };
char const* name_of(Comparison comparison);

Comparison comparison(SpiSession& session, SequentialPolicy const& demands, PublishedColumn const& ours,
                      PublishedColumn const& theirs);

// An attribute that two releases show in forms that cannot be compared. `a`: the policy itself if nullptr.
struct Clash {
  std::string attribute;
  PublishedColumn const *column_a, *column_b;
  Release const *a, *b;
};

// Those of a policy and the releases it heeds, among all of them, that are not waived.
std::vector<Clash> clashes(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                           std::vector<Release> const& releases);

// Throws kParameter for the first of them, with a way out in the hint.
void require_comparable(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                        std::vector<Release> const& releases);

// For describe_policy: {"job": "labels", ...} for each column that the policy and a release have in common.
std::string common_json(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                        Release const& release);

}  // namespace anon_seq::sequential
