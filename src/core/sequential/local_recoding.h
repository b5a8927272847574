// Local recoding: the quasi space divided into boxes, each cut wherever the rules hold behind it.
//
// Global recoding shows equal values alike in all rows; here the same value may stand in a narrow box and in a wide
// one. Boxes are disjoint and cover everything, every row of a box shows the whole box: what others know of T1 when
// they match it by what it shows is all there is to know. A box is cut where that saves most NCP for each bit by
// which its rows are told apart (LocalCuts): by counts and quasi values alone; what is secret only accepts or refuses.
// Each cut is measured exactly before it is made (LocalRules), and all rules once more at the end.
//
// Two descents: from the one box of everything, if the rules hold there, and from the classes of the global outcome;
// the one that loses less is kept. Of very many rows, where rules are counts alone, the first one is enough if it loses
// no more than those classes. So local recoding never loses more than global recoding does. The result is locally
// maximal: no single cut of any box, of those that were tried, keeps the rules. The order of rows plays no part.
//
// Cost: n log n where the rules' X hold all attributes. A rule whose X leaves some out has groups of many boxes, which
// are measured whole at each cut.
#pragma once

#include "core/sequential/specialize.h"

namespace anon_seq {

inline constexpr std::size_t kLocalTrace = 1000;  // so many cuts are traced, the first ones

// `global`: a feasible outcome of specialize() on the same rows, rules and releases, whose attributes may be more
// limited. `weights`: per attribute, of the order of kLossUnit; none: all alike.
// Throws kUnsupported for simulatable decisions.
SequentialOutcome recode_locally(Problem const& problem, SequentialOutcome global, Vector<std::int64_t> weights,
                                 Checkpoint& checkpoint);

}  // namespace anon_seq
