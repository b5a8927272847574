// An earlier release as the attacker has it: its cells, coded.
#pragma once

#include "core/sequential/sequential.h"
//
#include "catalog/release.h"
#include "pg/line_type.h"

namespace anon_seq::sequential {

// The bounds of a column of ranges, as values of its element type.
struct RangeBounds {
  Column lower, upper;
  Vector<std::pair<Code, Code>> of;  // code of the range -> codes of its bounds, kNull for none
};

// Out of the columns that read the ends of ranges: any row with a code of `text` tells its bounds.
RangeBounds bounds_of(Column const& text, Column lower, Column upper);

struct EarlierTable {
  Release release;
  CodedTable table;                 // column i is release.columns[i]; ranges by their text form; weights are counts
  std::vector<RangeBounds> bounds;  // of each column; empty unless it is one of ranges
  std::vector<Line> lines;          // of each column
};

// Throws kPrivilege if the current user may not read it, see cell_source.h.
EarlierTable read_earlier(SpiSession& session, Release const& release, Checkpoint& checkpoint);

}  // namespace anon_seq::sequential
