// Rows into a relation, in batches.
//
// Each batch is one INSERT .. SELECT FROM unnest(arrays), so any relation that takes an INSERT will do:
// a catalog table under a CatalogWriter, a ledger, later a distributed table. Memory is bounded by a batch.
#pragma once

#include <string>
#include <vector>

#include "core/memory.h"
#include "pg/spi.h"

namespace anon_seq::pg {

struct WriteColumn {
  std::string name;
  Oid type;          // as it travels: INT4OID, INT8OID, TEXTOID or BYTEAOID
  std::string cast;  // SQL type that the column wants, read from the text form; empty: as it travels
};

class BulkWriter {
 public:
  // `relation` is a qualified name, quoted where needed.
  BulkWriter(SpiSession& session, std::string const& relation, std::vector<WriteColumn> columns);

  // A row is put value by value, in the order of the columns. Texts and bytes are copied.
  void put(std::int64_t value);
  void put(std::string_view text);
  void put_null();
  // Ends a row; writes when a batch is full. Checks for interrupts then.
  void end_row();
  // Writes what is left. Without it nothing of the last batch is written.
  void finish();

 private:
  struct Cell {
    bool null;
    std::int64_t number;  // or where the text begins
    std::size_t length;
  };
  Cell& add_cell();
  void flush();
  Datum array_of(std::size_t column) const noexcept;

  SpiSession& session_;
  std::string insert_;
  std::vector<WriteColumn> columns_;
  Vector<Cell> cells_;
  Vector<char> bytes_;
  Live live_;
};

}  // namespace anon_seq::pg
