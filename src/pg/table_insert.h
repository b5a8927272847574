// Rows into a table many at a time, as COPY puts them, in half the time of an INSERT .. SELECT: for tables of which
// nothing is asked that only a statement can do.
//
// All of it is PostgreSQL's C, which may raise an ERROR: to be called within call_pg() or call_contained().
#pragma once

#include <span>

#include "pg/row_sums.h"

namespace anon_seq::pg {

// A relation by its qualified name, locked until the end of the transaction: the types of its columns stay what they
// are.
Oid lock_for_writing(char const* name) noexcept;

// Whether a relation is a plain table of the current user's: no triggers but those before a statement and the one that
// keeps sums, no partition, no generated columns, no domains, no defaults of columns beside these, no row security that
// holds for its owner. Or a materialized view of his that was made WITH NO DATA.
bool takes_rows(Oid relation, std::span<AttrNumber const> columns) noexcept;

// Puts the values of a row, in the order of the columns.
using FillRow = void (*)(void const* context, std::size_t row, Datum* values, bool* nulls);

// Where rows are put: wherever there is room, or behind all others, so that they stand in the order in which they come.
// A page may have room for a short row only: then where a row stands tells how long it is.
enum class Placement : char { kAnywhere, kAtEnd };

// Whether indexes are told of each row, or made anew once all rows are there: of many rows in an empty table that takes
// a quarter of the time.
enum class Indexing : char { kAtOnce, kLater };

// Fires the triggers before a statement, checks constraints, keeps indexes unless that is for later. What the trigger
// that keeps sums would add is added to `sums`; nullptr: there is none. REQUIRES: takes_rows(), lock_for_writing()
// before the types of the columns were asked for.
void insert_rows(Oid relation, std::span<AttrNumber const> columns, std::size_t rows, FillRow fill, void const* context,
                 Placement placement, Indexing indexing, RowSummer* sums) noexcept;

// Whether a table has indexes, and nothing else, and nobody else has it in use: then nobody has it until the
// transaction ends, as REINDEX has to lock it and must not wait for it, midway. Not of an extension's tables, which are
// everybody's.
bool may_index_later(Oid relation) noexcept;

// Whether the lock that brin_summarize_new_values() takes on a relation is free: it is held then, until it is given
// back. Who waited for it while he writes to the relation could wait for somebody who waits for him.
bool lock_for_summary(Oid relation) noexcept;
void unlock_for_summary(Oid relation) noexcept;

// Whether a materialized view by its qualified name waits for its rows; and that it has them now.
bool is_unfilled(char const* name) noexcept;
void set_filled(char const* name) noexcept;

}  // namespace anon_seq::pg
