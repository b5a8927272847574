// What an attacker gets who knows when people came and went (in the spirit of BCF-anonymity: Fung, Wang, Fu and
// Pei, "Anonymity for Continuous Data Publishing", EDBT 2008).
//
// Between a release R1 and the next, R2, with objects linked across them. A group is the objects with one box in
// a release, an object's cohort the first release that holds it. Every check counts the objects of certain sets,
// none of which should be non-empty and small:
//   newcomers  of a group of R2, who are not in R1
//   leavers    of a group of R1, who are not in R2
//   cut        of a group of R1 that goes to several of R2, who are in one of these: a side of the cut
//   forward    the victim's group in R1 is known and narrowed by R2: of a group of R1 and a cohort, who are in one
//              group of R2
//   cross      the victim came before R2 and his group there is known: of a group of R2, a cohort before R2
//   backward   the victim came with R2: of a group of R2, the cohort of R2
// Newcomers differ from backward by those who had been away.
#pragma once

#include "core/attack/published_objects.h"

namespace anon_seq {

enum class ArrivalCheck { kNewcomers, kLeavers, kCut, kForward, kCross, kBackward };
inline constexpr int kArrivalChecks = 6;
char const* arrival_check_name(ArrivalCheck check);

struct ArrivalFinding {
  ArrivalCheck check = ArrivalCheck::kNewcomers;
  std::int32_t release = 0;   // R2, of the releases given
  std::int64_t groups = 0;    // non-empty sets that were counted
  std::int64_t objects = 0;   // in them
  std::int64_t smallest = 0;  // of them; 0: there is none
  // The first of the smallest: its groups in R1 and R2, kAbsent where the check looks at one release only, and its
  // cohort, -1 where the check does not ask.
  BoxId from = kAbsent, to = kAbsent;
  std::int32_t cohort = -1;
};

// All checks of every release but the first, in the order of releases and checks. Cost: linear per release.
std::vector<ArrivalFinding> find_arrivals(PublishedObjects const& published, Checkpoint& checkpoint);

}  // namespace anon_seq
