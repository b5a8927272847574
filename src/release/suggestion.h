// What to begin with: a taxonomy for a column, a policy for a table. Nothing is written; a person edits it.
#pragma once

#include "core/taxonomy/suggest.h"
//
#include "pg/spi.h"

namespace anon_seq::release {

// Of a column, read as the relation's reader. Throws kNoColumn, kType, kPrivilege, and what suggest_taxonomy() throws.
// Its hint holds a view that casts a text that is something else, where all of it can be cast.
Suggestion suggest(SpiSession& session, Oid source, std::string const& attribute, Checkpoint& checkpoint);

// The most frequent values and one for all others; its hint holds a view that has that for these.
Suggestion suggest_frequent(SpiSession& session, Oid source, std::string const& attribute, std::int64_t most,
                            Checkpoint& checkpoint);

// A policy as json: name (one that is free in the schema that its release goes into), source, person (its primary key),
// quasi, sensitive (by their names), publish_as_is, k, taxonomies; create_taxonomies, by name; left_out, with why;
// notes, by column.
std::string suggest_policy(SpiSession& session, Oid source, std::string const& schema, Checkpoint& checkpoint);

}  // namespace anon_seq::release
