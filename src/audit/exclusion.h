// Declared inconsistencies as pairs of label groups that must not meet.
//
// Two labels are excluded iff every leaf under the one is declared inconsistent with every leaf under the
// other: the ground-instance reading. It is closed downwards, as the paper says, and
// upwards: a parent all of whose leaves are excluded is excluded, as the attacker knows the taxonomy too. NULL is a
// leaf of the root.
#pragma once

#include <map>

#include "audit/forest.h"
#include "audit/match.h"

namespace anon_seq::audit {

using LeafSpans = std::map<std::string, std::map<std::string, Span>>;  // attribute, label or kNullLabel: its leaves
inline std::string const kNullLabel(1, '\0');                          // no label: text holds no such byte

// The values of an attribute that predicates name.
std::vector<std::string> stated_values(std::vector<DeclaredInconsistency> const& all, std::string const& attribute);

// Fills in exclusions, groups of labels, and which columns decide by group.
void exclude(MatchPlan& plan, std::vector<DeclaredInconsistency> const& all, LeafSpans const& leaves);

}  // namespace anon_seq::audit
