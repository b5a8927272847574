// An earlier release as the attacker has it: its cells, coded.
#pragma once

#include "core/sequential.h"
//
#include "pg/release.h"

namespace anon_seq::pg {

struct EarlierTable {
  Release release;
  CodedTable table;  // column i is release.columns[i]; ranges by their text form; weights are counts
  // Of a range column, code -> bounds on the line of its element type; empty for others.
  std::vector<Vector<Interval>> intervals;
};

// Reads the cells from the ledger or, where the current user has no rights on that, from the release's own
// relation. Throws kPrivilege if neither can be read.
EarlierTable read_earlier(SpiSession& session, Release const& release, Checkpoint& checkpoint);

// A SELECT of a release's cells: c1, c2, ... and n.
std::string select_cells(SpiSession& session, Release const& release);

bool is_range(PublishedColumn const& column);

}  // namespace anon_seq::pg
