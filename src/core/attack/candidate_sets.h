// The attack under "cover" on all sets of versions at once: who knows somebody's true values, holds any versions and
// recognises everybody in all of them. His candidates are those whom some version that he holds shows, and every one
// that shows them where the victim would be.
//
// For a victim's point a version is a row of hits and misses, and equal rows are one. A version without hits only
// helps the reader, so he holds it. Of the others let him hold v1 < v2 < ...: whom he sees hit in vi, never missed
// before and not shown from v(i+1) on is a candidate, and no other is counted so; the sum over i is what he is left
// with at least, and its least over all sets is a shortest path. Where everybody is shown from one version to another
// and leaves the victim's surroundings once, it is exact. If that bound is below k, the set that reaches it is counted;
// if that one is not below k, all sets are tried, as far as the budget goes. What remains is not decided, and said to
// be so.
#pragma once

#include "core/attack/published_objects.h"

namespace anon_seq {

struct CandidateDemands {
  std::int64_t k = 2;
  std::int64_t budget = 1000000000;  // tests of a person against a set of versions
};

struct FewestCandidates {
  std::int64_t smallest = 0;                // candidates of the worst set that was found; no more than k is told
  std::int64_t at_risk = 0, undecided = 0;  // persons who have not k in some set; who may have not
  std::int64_t persons = 0, moved = 0;      // who were attacked; who were not, as they were shown elsewhere too
  std::vector<std::int32_t> versions;       // the worst set that was found: of the first person at risk
};

// person: object -> who it is. REQUIRES: published.points; whose are not there is not decided. A vague object
// (published.vague) is attacked at every point of another that lies in its box, and in every smallest box there.
FewestCandidates fewest_candidates(Boxes const& boxes, PublishedObjects const& published,
                                   std::span<std::int32_t const> person, CandidateDemands const& demands,
                                   Checkpoint& checkpoint);

}  // namespace anon_seq
