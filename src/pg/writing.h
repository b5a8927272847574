// Rows into a relation, in batches.
//
// Plain tables take a batch as COPY would bring it (table_insert.h). For any other relation that takes an INSERT a
// batch is a tuplestore with the types of its columns, which one INSERT .. SELECT reads by a name of its own, as
// triggers read their transition tables. Memory is bounded by a batch; equal texts of a batch are converted once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/table/dictionary.h"
//
#include "pg/context.h"
#include "pg/spi.h"
#include "pg/table_insert.h"

namespace anon_seq::pg {

class BulkWriter {
 public:
  // `relation` is a qualified name, quoted where needed; so are not the names of its columns.
  BulkWriter(SpiSession& session, std::string const& relation, std::vector<std::string> const& columns,
             Placement placement = Placement::kAnywhere);

  // A row is put value by value, in the order of the columns. Texts, bytes and numbers are copied.
  void put(std::int64_t value);     // of int4 or int8
  void put(std::string_view text);  // what the type's input function reads; of bytea the bytes themselves
  void put(std::span<std::int64_t const> numbers);  // of int4[] or int8[]
  void put_null();
  // A text by its code in a dictionary, that of the column for the writer's whole life; `null` stands for NULL.
  void put_code(Dictionary const& texts, Code code, Code null);
  // Ends a row; writes when a batch is full. Checks for interrupts then.
  void end_row();
  // Writes what is left, and makes the indexes of a table that was empty. Without it nothing of the last batch, and no
  // sum, is written.
  void finish();

 private:
  enum class Kind : char { kNull, kNumber, kText, kNumbers };
  struct Cell {
    std::int64_t value;  // a number, the code of a text, or where numbers begin
    std::uint32_t count;
    Kind kind;
  };
  struct Target {  // a column of the relation
    Oid type = InvalidOid, parameter = InvalidOid;
    AttrNumber number = 0;
    std::int32_t modifier = -1;
    FmgrInfo input = {};
  };
  void add(Cell const& cell) {
    cells_.push_back(cell);
    if (++next_ == targets_.size()) next_ = 0;
  }
  void describe(std::string const& relation, std::vector<std::string> const& columns);
  void flush();
  void convert_texts(Datum** converted) const noexcept;
  void fill_row(std::size_t row, Datum* const* converted, Datum* values, bool* nulls) const noexcept;
  void store(Tuplestorestate* store, Datum* const* converted) const noexcept;
  Datum make_array(Cell const& cell, Oid type) const noexcept;

  SpiSession& session_;
  ScratchContext home_, scratch_;
  Oid relation_ = InvalidOid;
  bool begun_ = false;
  Placement const placement_;
  std::vector<AttrNumber> numbers_of_;  // of the targets
  std::string relation_name_, insert_;
  Indexing indexing_ = Indexing::kAtOnce;
  std::vector<Target> targets_;
  TupleDesc row_ = nullptr;
  RowSummer* sums_ = nullptr;  // of rows that no statement wrote, where the relation keeps sums
  Vector<Cell> cells_;
  std::vector<Dictionary> texts_;  // per column
  struct Known {                   // of a column whose texts come by codes
    Vector<Code> in_batch;         // code -> its code in texts_, kNoCode
    Vector<Code> met;              // codes that have one
  };
  std::vector<Known> known_;
  std::size_t next_ = 0;  // column that the next value is of
  Vector<std::int64_t> numbers_;
  std::size_t bytes_ = 0;  // of the texts and numbers
  Live live_;
};

}  // namespace anon_seq::pg
