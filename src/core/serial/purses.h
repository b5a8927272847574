// What each row of a new version may still stand beside: shares of bounded values, by what its person met before.
//
// A purse is a share per bound; persons with equal purses are equal to everything that follows. It is made of earlier
// releases and public parameters alone, never of the values of this version: of all bounds that are listed, whether
// anybody has them now or not. Else who is withheld would tell that a value occurs, and nobody but he could have it.
#pragma once

#include <limits>
#include <span>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"
#include "core/serial/plan.h"

namespace anon_seq {

// A person of this version has met a bounded value before.
struct Met {
  std::int32_t row = 0, bound = 0;
  std::int32_t times = 0;
  Ratio kept{1, 1};
};

struct Purses {
  static constexpr std::int32_t kWithheld = -1;
  std::size_t bounds = 0;
  Vector<std::int64_t> classes_of;  // purse * bounds + bound -> m: a class may have at most 1/m of it
  Vector<std::int32_t> of_row;      // row -> purse, or kWithheld: no class is large enough for him
  Vector<std::int64_t> rows;        // purse -> rows
  std::int64_t withheld = 0;

  std::size_t size() const { return rows.size(); }
  std::span<std::int64_t const> sizes(std::size_t purse) const { return {classes_of.data() + purse * bounds, bounds}; }
};

struct Spending {
  Plan plan;
  Ratio least;                 // see least_kept()
  std::int64_t largest_m = 0;  // who would need more rows than that for one of a value is withheld; 0: no limit
};

// Nobody may be where one of the value is, however large the class.
inline constexpr std::int64_t kNoRows = std::numeric_limits<std::int64_t>::max();

// 1/m at most `share`, m rounded up to four significant bits where that is not the plan's own: few purses.
std::int64_t rows_for_one(Ratio share, Ratio planned);

// bounds: all that are listed. met: in the order of rows, each (row, bound) once. Cost: linear, and a map of the
// distinct purses of those who met something.
Purses make_purses(std::size_t rows, std::size_t bounds, std::span<Met const> met, Spending const& spending,
                   Checkpoint& checkpoint);

// Who is not withheld, in the order of rows.
Vector<std::uint32_t> shown_rows(Purses const& purses, Checkpoint& checkpoint);

// Purses of those rows alone, renumbered, under some of the bounds: those that occur in them.
Purses shown_purses(Purses const& purses, std::span<std::int32_t const> bounds, Checkpoint& checkpoint);

}  // namespace anon_seq
