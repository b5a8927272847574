// What a lossy join reads of its source: for a draft, and for who does the same again.
#pragma once

#include "release/source_table.h"

namespace anon_seq::lossy_join {

// All that a policy publishes, but for the number of a class; `prepare` may seed the reader.
SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& source, Checkpoint& checkpoint,
                         std::function<void(RowReader&)> const& prepare = {});

}  // namespace anon_seq::lossy_join
