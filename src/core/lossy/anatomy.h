// Anatomy: classes with l different sensitive values each, whatever their quasi-identifiers (Xiao, Tao: Anatomy, VLDB
// 2006, the paper's baseline).
//
// Rows of a block (sensitive.h) make a bucket: in one column without a list that is the paper's bucket per value. While
// l buckets are not empty, one row at random of each of the l largest, ties to the first, makes a class; each row left,
// at most one a bucket, joins a class at random that has none of its bucket. A row that nothing bounds is a bucket of
// its own; those come last, in random order. So a class has l rows or more and at most one of a block: each bound at
// most 1/l of it. Possible iff no block has more than n/l rows (Property 1 there).
//
// A reader of the code: the one node whose counts are read is the whole table, and chance chooses within a bucket. So
// 1/l holds for him as well.
#pragma once

#include "core/lossy/grouping.h"

namespace anon_seq {

// Before classes are numbered at random. REQUIRES: every alpha is 1/l. Throws kParameter for l < 1, kData if a block is
// too frequent. Cost: n log of the number of buckets.
Grouping bucketize(Sensitive const& sensitive, std::int64_t l, Draws& draws, Checkpoint& checkpoint);

// Checked, and numbered at random.
Classes anatomy(Sensitive const& sensitive, std::int64_t l, Draws& draws, Checkpoint& checkpoint);

}  // namespace anon_seq
