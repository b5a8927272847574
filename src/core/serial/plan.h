// How a person's budget is spent over releases that are still to come.
//
// What is kept is a product, so -ln(1 - r) adds up, and the budget of a person and a value is B = ln(l / (l - 1)). A
// plan spends a part w_j of it where somebody meets a value for the j-th time, with w_1 + w_2 + ... <= 1: the next
// class may have a share of r = 1 - (1 - 1/l)^w_j. Releases in which he does not meet the value cost nothing. Then the
// whole stays at most 1/l, however often he meets it.
#pragma once

#include "core/serial/kept.h"

namespace anon_seq {

enum class PlanKind {
  kFixed,      // w_j = 1/horizon, as often as that: smallest classes, if the number of releases is known
  kHarmonic,   // w_j = 1/(j(j+1)): no end
  kGeometric,  // w_j = (1 - rho) rho^(j-1): no end, and classes that soon grow fast
  kWindow      // w_j = 1/horizon for ever: kept over any so many releases in a row
};

struct Plan {
  PlanKind kind = PlanKind::kHarmonic;
  std::int64_t horizon = 1;  // of kFixed and kWindow
  Ratio rho{1, 2};           // of kGeometric
};

// What a class may have of a value, for who met it `met` times: 1/m, with the least m that the plan allows. 0: nothing
// more (kFixed, after its horizon; kGeometric, where m would have 40 bits). REQUIRES: 0 <= least < 1, see least_kept().
Ratio planned_share(Plan const& plan, Ratio least, std::int64_t met);

}  // namespace anon_seq
