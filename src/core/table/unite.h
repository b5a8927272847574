// Equal keys found without a hash table of all of them.
//
// A table's person keys are nearly all distinct: to look each up in one large table costs a cache miss or
// two per row. Here rows are dealt by hash into parts that fit a cache, and compared within their part.
#pragma once

#include "core/base/checkpoint.h"
#include "core/table/table.h"

namespace anon_seq {

// Gives equal values one code, in the order of first sight. REQUIRES: values were appended row by row, so that
// a value's code is one more than the number of values before it. Cost: linear, 8 bytes a row meanwhile.
void unite_equal(Column& column, Checkpoint& checkpoint);

}  // namespace anon_seq
