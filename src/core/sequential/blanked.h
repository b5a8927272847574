// Persons who are published without quasi values: rows beside the classes of the cut, with the most general value in
// every generalized column.
//
// Who they are follows from quasi columns, k and a limit (finest_cut.h). They are one class, whatever the cut is, and
// have to keep every rule by themselves, as T1, which they are not in, has to without them. Then the release keeps it:
// a share of both together is none above the larger one, and there are no fewer y. What is counted of them does not
// depend on the cut.
//
// The root matches every value of another release, but whoever knows the code knows that they lie outside the published
// classes, and tied_by() finds joins that depend on it. Of this release's own a rule says the same whatever they match
// if they match alike; else nothing is promised. Those of an earlier release are candidates for all rows of an x or for
// none, if x holds what they are matched by: so a rule that holds with all of them, and without any, holds for him.
#pragma once

#include "core/sequential/level.h"
#include "core/sequential/loss.h"

namespace anon_seq {

// Whether some other table of the rule's join is matched by one of these columns of a table, directly or by what is
// stated as inconsistent. `outside_x`: by a column that is not in x.
bool tied_by(Problem const& problem, Rule const& rule, std::size_t table, std::vector<std::size_t> const& columns,
             bool outside_x);

// Whether what the rule counts of rows of T1 that differ in no tied column, but those generalized, is the same whatever
// they match: y lies in T1 alone.
bool matches_alike(Problem const& problem, Rule const& rule);

// The level of each rule among them, at worst where decisions are simulatable. `rows`: T1's columns, of those alone.
// Throws as specialize() for a statement that makes no sense.
std::vector<Level> measure_blanked(Problem const& problem, CodedTable rows, Checkpoint& checkpoint);

// Adds them to what the other rows lost, `published` in `classes`: a class of those that say nothing.
void add_blanked(Loss& loss, CodedTable const& rows, std::span<LossAxis const> axes, std::int64_t published,
                 std::int64_t classes, std::int64_t k);

}  // namespace anon_seq
