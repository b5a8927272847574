// Rows of a query as they are, in batches: for ledger tables with arrays, which no column of codes can hold.
//
// Who owns a ledger may have altered its tables: a value that is not of the type asked for is an Error kDamaged.
#pragma once

#include "pg/reading.h"
#include "pg/row_batch.h"
#include "pg/spi.h"

namespace anon_seq::pg {

class DatumCursor {
 public:
  using Form = RowBatch::Form;  // packed: only bytes() and text() may look
  // `what`: what errors call something of another role's, which lose what could show a value (reading.h).
  DatumCursor(SpiSession& session, std::string const& query, Form form = Form::kWhole, std::string what = {});

  // Fetches the next rows; false if there are none left. What the rows before held is freed.
  bool next();
  std::size_t rows() const { return batch_.rows(); }
  std::int64_t repeats(std::size_t row) const { return batch_.repeats(row); }
  // Detoasted; valid until next(). Columns from 0.
  Datum const& get(std::size_t row, std::size_t column) const { return batch_.get(row, column); }
  bool is_null(std::size_t row, std::size_t column) const { return batch_.is_null(row, column); }
  FormData_pg_attribute const& type(std::size_t column) const {
    return *TupleDescAttr(batch_.descriptor(), static_cast<int>(column));
  }
  std::int32_t integer(std::size_t row, std::size_t column) const {
    require_type(row, column, INT4OID);
    return DatumGetInt32(get(row, column));
  }
  std::int64_t bigint(std::size_t row, std::size_t column) const {
    require_type(row, column, INT8OID);
    return DatumGetInt64(get(row, column));
  }
  bool boolean(std::size_t row, std::size_t column) const {
    require_type(row, column, BOOLOID);
    return DatumGetBool(get(row, column));
  }
  std::string_view text(std::size_t row, std::size_t column) const;
  // What tells two values of a column apart, by their representation. REQUIRES: not NULL.
  std::string_view bytes(std::size_t row, std::size_t column) const;
  // The elements of an array without NULLs, of a type that is passed by value and as wide as T.
  template <class T>
  std::span<T const> array(std::size_t row, std::size_t column) const {
    require_type(row, column, sizeof(T) == sizeof(std::int64_t) ? INT8ARRAYOID : INT4ARRAYOID);
    auto* const array = reinterpret_cast<ArrayType*>(DatumGetPointer(get(row, column)));
    auto const count = ARR_NDIM(array) != 1 || ARR_HASNULL(array) ? 0 : ARR_DIMS(array)[0];
    return {reinterpret_cast<T const*>(ARR_DATA_PTR(array)), static_cast<std::size_t>(count)};
  }
  // The elements of an array of this type; valid until next().
  struct Elements {
    Datum* values = nullptr;
    bool* nulls = nullptr;
    std::size_t count = 0;
  };
  Elements elements(std::size_t row, std::size_t column, Oid array_type);

 private:
  template <class Body>
  void call(char const* sql, SourceStep step, Body body);

  void require_type(std::size_t row, std::size_t column, Oid type) const;
  [[noreturn]] static void throw_altered();

  std::string what_;
  RowBatch batch_;
  Live live_;
};

}  // namespace anon_seq::pg
