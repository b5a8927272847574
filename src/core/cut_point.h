// Where a cut between two values of a continuous column is published: at the roundest value of the gap.
//
// A cut below code c keeps all values before c on one side and c on the other; any value in
// (value before c, c] does that. Numbers: roundest_between (round_cut.h). Dates and timestamps: the start of
// the greatest calendar unit that lies there, from centuries down to microseconds. So a person's exact value
// is shown only where nothing rounder tells the two apart.
#pragma once

#include <string>

#include "core/table.h"

namespace anon_seq {

// REQUIRES: a continuous column and 2 <= code < distinct().
std::string cut_point(Column const& column, Code code);

// Place on the column's line of a cut point's text.
double cut_position(ValueKind kind, std::string_view text);

// code -> cut_position(cut_point(code)); for the codes 0 and 1 the column's own positions.
Vector<double> cut_positions(Column const& column);

// Start of the greatest calendar unit in (lo, hi]; ISO dates or timestamps, lo < hi. hi itself where a year
// does not have four digits.
std::string roundest_date(std::string_view lo, std::string_view hi);

}  // namespace anon_seq
