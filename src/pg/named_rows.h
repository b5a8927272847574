// Rows that SQL of this session reads by a name of its own, as triggers read their transition tables: values that cross
// from one role to another, or that must stand in no text of a statement, nor in its plan.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pg/context.h"

namespace anon_seq::pg {

// Lets SQL read a tuplestore by this name. Only inside call_pg(), with SPI connected.
void name_rows(char const* name, TupleDesc row, Tuplestorestate* rows) noexcept;

class NamedRows {
 public:
  // Columns by name and type.
  explicit NamedRows(std::vector<std::pair<std::string, Oid>> const& columns);
  ~NamedRows();
  NamedRows(NamedRows const&) = delete;
  NamedRows& operator=(NamedRows const&) = delete;

  // Copies a row. Then publish(), once, before a statement reads them.
  void add(Datum const* values, bool const* nulls);
  void publish();

  // What the rows are called in SQL, as long as this lives.
  std::string const& name() const { return name_; }

 private:
  int const unwinding_ = std::uncaught_exceptions();
  ScratchContext home_;
  std::string name_;
  TupleDesc row_ = nullptr;
  Tuplestorestate* rows_ = nullptr;
  bool published_ = false;
  Live live_;
};

}  // namespace anon_seq::pg
