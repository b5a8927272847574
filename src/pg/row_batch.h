// Rows of a query in batches, row by row as datums: what readers of sources and of ledgers stand on.
//
// A portal can be found by its name, and code that runs while we read another one (a cast, a function of a view) could
// fetch from it or close it. So it is listed nowhere, it is pinned, and between our fetches it counts as running: then
// the server refuses both.
//
// The executor hands its rows over directly, without the copy of each that SPI's tables of tuples would make.
#pragma once

#include "core/base/memory.h"
//
#include "pg/context.h"

namespace anon_seq::pg {

class RowBatch {
 public:
  // Whole: as functions of the server take values. Packed: short headers stay, so that only the *_ANY macros may look.
  // Runs: packed, and rows of a table that follow their like in it are counted, not kept, as far as that is cheap to
  // see.
  enum class Form { kWhole, kPacked, kRuns };
  RowBatch(Form form, std::size_t most_rows) : form_(form), most_(most_rows) {}
  ~RowBatch();
  RowBatch(RowBatch const&) = delete;
  RowBatch& operator=(RowBatch const&) = delete;

  // Opens a read-only portal under the active snapshot. Only inside call_pg(), with SPI connected; then make_room().
  void open(char const* sql) noexcept;
  void make_room();
  // The next rows; none if there are none left. What the rows before held is freed. Only inside call_pg().
  void fetch() noexcept;

  TupleDesc descriptor() const { return portal_->tupDesc; }
  std::size_t width() const { return static_cast<std::size_t>(portal_->tupDesc->natts); }
  std::size_t rows() const { return rows_; }
  // How many rows a row stands for: 1 but for runs.
  std::int64_t repeats(std::size_t row) const { return form_ == Form::kRuns ? repeats_[row] : 1; }
  // Detoasted; valid until fetch(). Columns from 0.
  Datum const& get(std::size_t row, std::size_t column) const { return datums_[row * width() + column]; }
  bool is_null(std::size_t row, std::size_t column) const { return nulls_[row * width() + column] != 0; }
  // Freed with the batch.
  MemoryContext memory() const { return scratch_.get(); }

 private:
  struct Receiver {
    DestReceiver base;
    RowBatch* batch;
  };
  static bool receive(TupleTableSlot* slot, DestReceiver* self) noexcept;
  void take(TupleTableSlot* slot) noexcept;
  bool is_repeated(TupleTableSlot* slot) noexcept;
  Datum kept(Datum value, std::int16_t length) noexcept;
  char* copied(void const* from, std::size_t size) noexcept;

  Form const form_;
  std::size_t const most_;
  Portal portal_ = nullptr;
  std::size_t rows_ = 0, used_ = 0;
  Vector<Datum> datums_;
  Vector<char> nulls_;
  Vector<Datum> arena_;  // of values that are not passed by value, as far as they fit
  Vector<std::int64_t> repeats_;
  Vector<char> last_;  // the contents of the last row of a table
  std::uint64_t last_shape_ = 0;
  ScratchContext scratch_;
  int const unwinding_ = std::uncaught_exceptions();
};

}  // namespace anon_seq::pg
