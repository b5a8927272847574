// Rows that are taken out of a source before anything is made of it.
#pragma once

#include "release/source_table.h"

namespace anon_seq::release {

// The source as if these rows (row -> not 0) had never been read: values that nobody else has are gone, too, so that no
// bound depends on them; persons and fingerprint are of those that stay. REQUIRES: some do. Cost: linear.
void leave_out(SourceTable& source, Vector<char> const& rows, Checkpoint& checkpoint);

}  // namespace anon_seq::release
