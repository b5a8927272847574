// The inference attack on several releases of one table (Pei et al., "Maintaining K-Anonymity against
// Incremental Updates", SSDBM'07, sections 1, 2 and 4).
//
// Who can tell which rows of different releases are one object intersects what they say of it: I(o), attribute
// by attribute, over the releases that hold o. An object is safe in a set of releases if k objects are as good
// as it, which has three readings; each implies the next:
//   equal    k objects have the same I (the paper's);
//   contain  the I of k objects contains I(o);
//   cover    the I of k objects holds o's true point: the candidates of who knows o's true values.
// Where the true point is not given, cover takes the thinnest point of I(o) over all the releases, or of the box in
// which it is said to lie, of which the true one cannot be worse. An empty I is a contradiction: it tells that
// something was changed, and is unsafe.
//
// Condition (3) of the paper asks for every subset of the releases, and an object is as safe as its worst one.
// Equal and contain are not monotone, so all of them are looked at, or a sample where there are too many. Under
// cover, if no object ever disappears, the prefixes decide: of the sets that end in release m the first m have
// the same objects with the smallest I.
#pragma once

#include "core/attack/published_objects.h"

namespace anon_seq {

enum class Reading { kEqual, kContain, kCover };

// kAuto: all subsets up to six releases; beyond, a sample: prefixes, pairs and singles; under cover without
// disappearances the prefixes, which then are exact.
enum class Subsets { kAuto, kAll, kPrefixes, kFull };

struct InferenceDemands {
  std::int64_t k = 2;
  Reading reading = Reading::kEqual;
  Subsets subsets = Subsets::kAuto;
  // Tests of boxes that cover may spend on one object, and on all of a call.
  std::int64_t object_budget = 1000000, whole_budget = 4000000000;
};

struct Finding {
  std::int64_t group = 0;    // objects as good as it, in its worst subset; 0: a contradiction. Of contain and
                             // cover no more than k are counted
  BoxId inferred = kAbsent;  // I in that subset
  std::int32_t subset = 0;
};

struct Inference {
  RowGroups histories;                                          // objects with one row of boxes are one history
  Vector<Finding> findings;                                     // of histories
  std::vector<std::vector<std::int32_t>> subsets;               // that were looked at, of releases
  bool sampled = false;                                         // not all that matter, or some object was not decided
  std::int64_t at_risk = 0, contradictions = 0, undecided = 0;  // objects
  std::int64_t smallest = 0;                                    // group of all; 0 also if there is no object

  Finding const& of(std::size_t object) const { return findings[static_cast<std::size_t>(histories.of_row[object])]; }
};

inline constexpr std::size_t kAllSubsetsUpTo = 6;  // releases, unless all are asked for
inline constexpr std::size_t kMostReleasesForAll = 16;

// Throws kLimit if all subsets of more than kMostReleasesForAll releases are asked for.
// Cost: per subset linear in the histories for equal; n log n in the distinct I for contain, and in practice for
// cover. 4 bytes an object and release besides the input.
Inference infer(Boxes& boxes, PublishedObjects const& published, InferenceDemands const& demands,
                Checkpoint& checkpoint);

// The subsets of n releases that infer() looks at, `sampled` as in Inference. No release ever loses an object if
// `only_grows`.
std::vector<std::vector<std::int32_t>> subsets_to_examine(std::size_t n, InferenceDemands const& demands,
                                                          bool only_grows, bool& sampled);

}  // namespace anon_seq
