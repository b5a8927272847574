// From budgets to classes: who is withheld, which cohorts there are, what the version costs.
#pragma once

#include "core/lossy/draws.h"
#include "core/table/classes.h"
//
#include "lossy_join/problem.h"
#include "serial/budget.h"

namespace anon_seq::serial {

// The rows whose persons have nothing left, or less than the policy wants, for any value that anybody was ever charged
// for: whatever their own value. row -> 1.
Vector<char> exhausted_rows(SerialPolicy const& demands, SourceTable const& source, Budget const& budget,
                            Checkpoint& checkpoint);

struct SpentVersion {
  Classes classes{0, 0};
  std::size_t cohorts = 0;
  std::int64_t rows_for_one = 0;  // the most rows that a class needs for one of a value
  Vector<Account> after;          // own accounts, of everybody
};

// Classes of a version, and what it costs. Throws kData if a listed value is too frequent; then nothing is charged.
SpentVersion spend(SerialPolicy const& demands, SourceTable const& source, Budget& budget,
                   lossy_join::LossyProblem const& problem, Draws& draws, Checkpoint& checkpoint);

}  // namespace anon_seq::serial
