// The attack under "cover" (inference.h) where every release shows disjoint regions, place by place instead of person
// by person: whoever is at a place has the candidates of that place.
//
// A path says of a place which region each release shows around it; a track, which one each release shows of a person.
// A reader who knows somebody's place and recognises everybody holds some of the releases, of which one at least shows
// something there. Left are those whom one of these shows where the place is, and none elsewhere.
#pragma once

#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

inline constexpr std::int32_t kNowhere = -1;  // in a track: not shown; in a path: nothing is shown around the place

struct PathAttack {
  std::int64_t smallest = 0;           // candidates on the worst path, for the worst set; 0 also if there is no path
  std::int64_t at_risk = 0;            // paths with fewer than k for some set
  std::vector<std::int32_t> releases;  // that set, of the first of these
};

inline constexpr std::size_t kMostReleasesOfPaths = 6;

// tracks, paths: one after the other, a region (from 0) for each release. Every set of releases is tried. REQUIRES: at
// most kMostReleasesOfPaths releases. Cost: n log n in the tracks; for each path what the regions on it have of tracks
// that differ, and a step per set for each way in which these meet it.
PathAttack attack_paths(std::span<std::int32_t const> tracks, std::span<std::int32_t const> paths, std::size_t releases,
                        std::int64_t k, Checkpoint& checkpoint);

}  // namespace anon_seq
