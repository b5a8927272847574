// The columns of a source that a policy reads, and whether they are still what they were when it was declared. What was
// declared of a column, how its labels, cuts and keys are stored, and which algorithm may read it, follow from its
// type.
//
// Nobody reads the source of a policy without this: policy_source() asks it, and read_policy_source() takes no other
// source.
#pragma once

#include "release/source_table.h"

namespace anon_seq::release {

// The type of each column that is read, by name: of persons, of the policy's columns, and of what its method reads
// beside them. Types share a word if they share all texts of values and their order: smallint and bigint, text and
// varchar. Columns that are not there are left out.
std::map<std::string, std::string> source_types(SpiSession& session, Oid source, Policy const& policy);

// Throws kType, with the name of the column, if one has another type than what was declared: it would fail later, on a
// value, or in what the ledger holds.
void require_same_shape(SpiSession& session, Policy const& policy, PolicySource const& source, Declared declared);

// The first part of it: the types that are told apart by name. For who asks before anything else is made of the source.
void require_declared_types(SpiSession& session, Policy const& policy, Oid source);

// Throws kParameter for a change after the first release by which a column that is read on has another type.
void require_same_types(Policy const& before, Policy const& after, std::string const& hint);

}  // namespace anon_seq::release
