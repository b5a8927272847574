// New classes for life, of persons that the ledger has never seen: grouped among themselves, all of them or none.
#pragma once

#include "core/table/classes.h"
//
#include "lossy_join/problem.h"
#include "serial/lives.h"
#include "serial/policy.h"

namespace anon_seq::serial {

// How many newcomers make classes: fewer wait. cohort_min classes' worth, of max(k, l rounded up) rows: so nobody is
// made to wait for what he has.
struct LeastNewcomers {
  std::int64_t rows_of_class, persons;
};
LeastNewcomers least_newcomers(SerialPolicy const& demands);

// Regions that are dealt, each listed value at most 1/l of a class, by random numbers of the server's. Throws kData if
// a listed value is too frequent. REQUIRES: the problem has rows.
Classes new_classes(SerialPolicy const& demands, lossy_join::LossyProblem const& problem, Checkpoint& checkpoint);

// Gives rows `joining` of the source the places of new classes, numbered from the last one on. `values`: of the
// sensitive columns, by rows of the source.
void append_classes(Lives& lives, Classes const& classes, std::span<std::uint32_t const> joining,
                    std::vector<std::span<Code const>> const& values, Checkpoint& checkpoint);

// Of classes, whose entries these are, how many have more of a listed value than they may: those that were made before
// it was listed. `listed`: of the sensitive columns, their rows aside; `together`: see LossyProblem.
std::int64_t classes_above(Lives const& lives, Vector<std::size_t> const& entries, std::vector<SensitiveColumn> listed,
                           std::vector<Vector<Code>> const& together, Checkpoint& checkpoint);

}  // namespace anon_seq::serial
