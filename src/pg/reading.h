// Rows of a query, decoded in batches into dictionary-coded columns.
//
// The query is a plain SELECT that any relation can answer; it runs read-only under the active snapshot
// through a cursor. Codes stand in the order of first sight until finish() puts them into the order of
// their types. Whoever needs no whole table takes batch after batch and forgets the rows between.
#pragma once

#include <span>

#include "core/table/table.h"
#include "pg/call_sql.h"
#include "pg/row_batch.h"
#include "pg/spi.h"
#include "pg/value_type.h"

namespace anon_seq::pg {

class RowReader {
 public:
  // `what` names the relation in messages. A last column called `weight_column`, a bigint, counts equal rows.
  // The first `raw` columns hold keys that are nearly all distinct: finish() leaves them in the order of first
  // sight, with keys for values (see KeyTexts); until then every row has a code of its own.
  RowReader(SpiSession& session, std::string const& query, std::string what, std::string_view weight_column = {},
            std::size_t raw = 0);
  RowReader(RowReader const&) = delete;
  RowReader& operator=(RowReader const&) = delete;

  // Gives a column values that no row need have: keys of its type, as another reader has them before finish().
  void seed(std::size_t column, Dictionary const& keys);

  // Appends the next rows; false if there are none left. Checks for interrupts.
  bool next_batch();

  std::vector<Column> const& columns() const { return table_.columns; }
  // The type of each of columns().
  std::span<ValueType const> types() const { return types_; }
  std::size_t rows() const { return table_.rows(); }
  void forget_rows();

  // Reads what is left and hands over the table, codes in the order of their types.
  CodedTable finish(Checkpoint& checkpoint);

 private:
  void describe(std::string_view weight_column);
  void decode();

  std::string what_;
  CodedTable table_;
  std::vector<ValueType> types_;
  std::size_t raw_;
  int weight_ = -1;  // number of the weight column
  RowBatch batch_;
};

enum class SourceStep { kPlan, kFetch };

// Takes from an ERROR what may show a value, everything but the code, unless the server itself raised it, and its class
// is one that speaks of names and of the server only; then lets it go on. What code of the relation's owner raises, the
// functions of a view, may say anything under any code. REQUIRES: raised below mark_reading().
[[noreturn]] void throw_without_values(PgError error, std::string const& what, SourceStep step);

// Writes a line into the context of every ERROR: what stands before it came from inside.
void mark_reading(void*) noexcept;

// Runs C code that plans or fetches from a query of ours on a user's relation, called `what` in messages.
template <class Body>
void call_source(char const* sql, std::string const& what, SourceStep step, Body body) {
  try {
    call_sql(sql, [&]() noexcept {
      ErrorContextCallback mark{error_context_stack, mark_reading, nullptr};
      error_context_stack = &mark;
      body();
      error_context_stack = mark.previous;
    });
  } catch (PgError const& error) {
    throw_without_values(error, what, step);
  }
}

// Runs a SELECT of few rows over users' relations, called `what` in messages; errors lose what could show a value.
Rows read_rows(SpiSession& session, std::string const& sql, std::span<SqlValue const> values, std::string const& what);

// Locks a relation, if there is one of that qualified name, against being dropped or replaced until the end of
// the transaction.
void lock_shared(std::string const& relation);

// SELECT of the named columns of a relation; Error kNoColumn for one that it lacks, kParameter for a repeated one.
std::string select_columns(SpiSession& session, Oid relation, std::span<std::string const> columns);

// Takes, until the end of the transaction, the locks that reading these columns of a relation will take: on it, on its
// partitions, on what a view is made of. To be called before the snapshot that it is read under: what another
// transaction empties and fills again (TRUNCATE, INSERT, COMMIT) is then seen either before that or after it. Says what
// the current user may not read.
void lock_source(SpiSession& session, Oid relation, std::span<std::string const> columns);

// Names of a relation's columns, in their order.
std::vector<std::string> column_names(SpiSession& session, Oid relation);

}  // namespace anon_seq::pg
