// What a release is recognised by: sha256 of its rows as COPY writes them in text format; of a relation that shows a
// part of the columns, in the order of these lines.
#pragma once

#include "release/release_cells.h"

namespace anon_seq::release {

// As hexadecimal digits. Of a release with several relations: sha256 of their digests, one after the other.
std::string digest_of(SpiSession& session, Policy const& policy, std::vector<RelationShape> const& relations,
                      ReleaseCells const& cells, Checkpoint& checkpoint);

}  // namespace anon_seq::release
