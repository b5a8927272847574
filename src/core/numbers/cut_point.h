// Where a cut between two values of a continuous column is published: at the roundest value strictly between them.
//
// A cut below code c keeps all values before c on one side and c on the other. Numbers: roundest_between (round_cut.h),
// halved where a float's decimals are no better. Dates and timestamps: roundest_date (round_date.h). Where the two are
// neighbours on their lattice, whole numbers, days, microseconds or floats in a row, there is no room: a bound would be
// the exact value c, which may be shown only if many persons have it, or if it is a step of a coarse scale: 1, 5, 10,
// 50, 100, ..., or the first day of a month, quarter or year, with at most 20 steps from the least value to the
// greatest. There a bound says no more than that values lie on both sides.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/table/classes.h"
#include "core/table/table.h"

namespace anon_seq {

// Strictly between codes c - 1 and c; nothing if there is no room. REQUIRES: a continuous column, 2 <= code <
// distinct().
std::optional<std::string> room_between(Column const& column, Code code);

// The same, or value c where there is no room.
std::string cut_point(Column const& column, Code code);

// The double nearest to the place of a cut point's text on the column's line.
double cut_position(ValueKind kind, std::string_view text);

// code -> whether a cut below it would show a value that somebody has, but fewer than k have, and that is no step of a
// coarse scale. holders: code -> persons who have it. Cost: a cut point for each code.
Vector<char> barred_cuts(Column const& column, std::span<std::int64_t const> holders, std::int64_t k);

// Lifts bars at the steps of a scale that is coarse for a part of the codes, as if no others were there.
void lift_bars(Column const& column, Extent codes, Vector<char>& barred);

}  // namespace anon_seq
