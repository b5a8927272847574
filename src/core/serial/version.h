// A new version, from what its persons met before to what they meet in it.
//
// Whom it withholds is decided first, of earlier releases and of all listed bounds; rows of the withheld are taken out
// before a sensitive value is read. Not even which values occur among them has a part in what follows: else a release
// in which nobody has a value, and somebody is missing who must not meet it, tells that he has it.
#pragma once

#include "core/lossy/draws.h"
#include "core/serial/cohorts.h"
#include "core/table/classes.h"

namespace anon_seq {

// What is bounded: a value of a column, or with kNoCode all listed values together. A value that occurs nowhere has a
// code that the column does not have.
struct ListedBound {
  std::size_t column = 0;
  Code code = kNoCode;
};

struct VersionDemands {
  Spending spending;
  CohortDemands cohorts;
};

struct Version {
  Classes classes;  // of all rows; the withheld have none
  std::int64_t withheld = 0;
  std::size_t cohorts = 0;
  std::int64_t rows_for_one = 1;  // of how many rows one may have a bounded value, in the tightest cohort
  Vector<Met> charges;            // by row and listed bound, see charges_of()
};

// columns: their alphas are not read, but must be below 1. listed: every bound of the columns. met: of all rows, by row
// and listed bound, each once. Throws kData if the version is refused (cohorts.h). Cost: that of the classes.
Version make_version(std::span<QuasiAxis const> axes, std::span<SensitiveColumn const> columns,
                     std::span<ListedBound const> listed, std::span<Met const> met, VersionDemands const& demands,
                     Draws& draws, Checkpoint& checkpoint);

}  // namespace anon_seq
