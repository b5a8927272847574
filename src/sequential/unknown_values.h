// options {"unknown_values": "suppress"}: rows with a quasi value that its taxonomy does not know are left out.
//
// Who is left out follows from quasi values and taxonomies alone, before anything else is looked at: whoever knows
// these can tell it for himself.
#pragma once

#include "sequential/solution.h"

namespace anon_seq::sequential {

struct LeftOut {
  std::int64_t rows = 0;
  std::vector<std::string> columns;  // that have such values, in quotes
  std::vector<RuleNotice> notices;   // one, if any
};

// Takes those rows, and the values that nobody has any more, out of the source. Throws kData if nobody is left.
LeftOut leave_unknown_out(SpiSession& session, Policy const& policy, PolicySource const& from, SourceTable& source,
                          Checkpoint& checkpoint);

}  // namespace anon_seq::sequential
