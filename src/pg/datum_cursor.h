// Rows of a query as they are, in batches: for ledger tables with arrays, which no column of codes can hold.
#pragma once

#include "core/memory.h"
//
#include "pg/context.h"
#include "pg/spi.h"

namespace anon_seq::pg {

class DatumCursor {
 public:
  enum class Form { kWhole, kPacked };  // packed: short headers stay, so that only bytes() and text() may look
  DatumCursor(SpiSession& session, std::string const& query, Form form = Form::kWhole);
  ~DatumCursor();
  DatumCursor(DatumCursor const&) = delete;
  DatumCursor& operator=(DatumCursor const&) = delete;

  // Fetches the next rows; false if there are none left. What the rows before held is freed.
  bool next();
  std::size_t rows() const { return rows_; }
  // Detoasted; valid until next(). Columns from 0.
  Datum get(std::size_t row, std::size_t column) const { return datums_[row * width_ + column]; }
  bool is_null(std::size_t row, std::size_t column) const { return nulls_[row * width_ + column] != 0; }
  std::int32_t integer(std::size_t row, std::size_t column) const { return DatumGetInt32(get(row, column)); }
  std::string_view text(std::size_t row, std::size_t column) const;
  // What tells two values of a column apart, by their representation. REQUIRES: not NULL.
  std::string_view bytes(std::size_t row, std::size_t column) const;
  // The elements of an array without NULLs, of a type that is passed by value and as wide as T.
  template <class T>
  std::span<T const> array(std::size_t row, std::size_t column) const {
    auto* const array = reinterpret_cast<ArrayType*>(DatumGetPointer(get(row, column)));
    auto const count = ARR_NDIM(array) == 0 ? 0 : ARR_DIMS(array)[0];
    return {reinterpret_cast<T const*>(ARR_DATA_PTR(array)), static_cast<std::size_t>(count)};
  }
  // The elements of any array of one dimension; valid until next().
  struct Elements {
    Datum* values = nullptr;
    bool* nulls = nullptr;
    std::size_t count = 0;
  };
  Elements elements(std::size_t row, std::size_t column);

 private:
  Portal portal_ = nullptr;
  SPITupleTable* batch_ = nullptr;
  Form form_;
  std::size_t width_ = 0, rows_ = 0;
  Vector<Datum> datums_;
  Vector<char> nulls_;
  ScratchContext scratch_;
  Live live_;
  int const unwinding_ = std::uncaught_exceptions();
};

}  // namespace anon_seq::pg
