// An earlier release as the attacker has it: its cells, coded.
#pragma once

#include "core/sequential/sequential.h"
//
#include "catalog/release.h"
#include "pg/line_type.h"

namespace anon_seq::sequential {

struct EarlierTable {
  Release release;
  CodedTable table;  // column i is release.columns[i]; ranges by their text form; weights are counts
  // Of a range column, code -> bounds on the line of its element type; empty for others.
  std::vector<Vector<Interval>> intervals;
  std::vector<Line> lines;  // of each column
};

// Throws kPrivilege if the current user may not read it, see cell_source.h.
EarlierTable read_earlier(SpiSession& session, Release const& release, Checkpoint& checkpoint);

}  // namespace anon_seq::sequential
