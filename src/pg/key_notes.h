// Notes of the keys of changed rows: what the triggers of a watched table write.
//
// A queue is a table (policy int, missed boolean, k1, k2, ...). Rows go into it as they are, without a statement: no
// code of anybody's runs, whoever writes to the watched table. A row with `missed` stands for a change that has no
// keys, such as TRUNCATE.
#pragma once

#include "pg/guard.h"

namespace anon_seq::pg {

// What a trigger was given when it was made, as texts: number of the watch, place, queue, relation, and the key
// columns' numbers there, 1,3.
struct NoteTarget {
  std::int32_t watch = 0;
  Oid queue = InvalidOid;
  Oid relation = InvalidOid;  // the trigger is on
  bool owners_agree = false;  // else only missed() may be written, and only where the catalog knows the relation
};

// Where a trigger notes; false if that is nowhere any more: the table was restored, elsewhere or over what was there,
// or its queue has gone, which the next publish finds out. ERROR for what is no trigger of watch_source().
bool note_target(FunctionCallInfo call, NoteTarget& target) noexcept;

// Notes the keys of the rows, or the row, that fired the trigger, old and new, or of a TRUNCATE that keys were missed.
// All of it is PostgreSQL's C, to be called within call_pg().
void note_keys(FunctionCallInfo call, NoteTarget const& target) noexcept;
void note_missed(NoteTarget const& target) noexcept;

}  // namespace anon_seq::pg
