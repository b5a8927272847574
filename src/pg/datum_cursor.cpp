#include "pg/datum_cursor.h"

namespace anon_seq::pg {
namespace {

constexpr long kBatch = 1024;

}  // namespace

DatumCursor::DatumCursor(SpiSession&, std::string const& query, Form form) : form_(form) {
  char const* const sql = query.c_str();
  call_pg([this, sql]() noexcept {
    portal_ = SPI_cursor_open_with_args(nullptr, sql, 0, nullptr, nullptr, nullptr, true, CURSOR_OPT_NO_SCROLL);
  });
  width_ = static_cast<std::size_t>(portal_->tupDesc->natts);
  datums_.resize(static_cast<std::size_t>(kBatch) * width_);
  nulls_.resize(static_cast<std::size_t>(kBatch) * width_);
}

DatumCursor::~DatumCursor() {
  if (portal_ == nullptr || std::uncaught_exceptions() != unwinding_) return;
  if (batch_ != nullptr) SPI_freetuptable(batch_);
  SPI_cursor_close(portal_);
}

bool DatumCursor::next() {
  scratch_.reset();
  call_pg([this]() noexcept {
    CHECK_FOR_INTERRUPTS();
    if (batch_ != nullptr) SPI_freetuptable(batch_);
    batch_ = nullptr;
    SPI_cursor_fetch(portal_, true, kBatch);
    batch_ = SPI_tuptable;
    rows_ = SPI_processed;
    MemoryContext const home = MemoryContextSwitchTo(scratch_.get());
    for (std::size_t row = 0; row < rows_; ++row) {
      Datum* const datums = datums_.data() + row * width_;
      bool* const nulls = reinterpret_cast<bool*>(nulls_.data()) + row * width_;
      heap_deform_tuple(batch_->vals[row], batch_->tupdesc, datums, nulls);
      for (std::size_t i = 0; i < width_; ++i) {
        if (nulls[i] || TupleDescAttr(batch_->tupdesc, static_cast<int>(i))->attlen != -1) continue;
        auto* const value = reinterpret_cast<varlena*>(DatumGetPointer(datums[i]));
        datums[i] = PointerGetDatum(form_ == Form::kPacked ? pg_detoast_datum_packed(value) : pg_detoast_datum(value));
      }
    }
    MemoryContextSwitchTo(home);
  });
  return rows_ > 0;
}

std::string_view DatumCursor::text(std::size_t row, std::size_t column) const {
  auto* const bytes = reinterpret_cast<varlena*>(DatumGetPointer(get(row, column)));
  return {VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)};
}

std::string_view DatumCursor::bytes(std::size_t row, std::size_t column) const {
  auto const* const type = TupleDescAttr(batch_->tupdesc, static_cast<int>(column));
  Datum const& value = datums_[row * width_ + column];
  if (type->attbyval) return {reinterpret_cast<char const*>(&value), sizeof value};
  if (type->attlen == -1) return text(row, column);
  if (type->attlen == -2) return DatumGetCString(value);
  return {DatumGetPointer(value), static_cast<std::size_t>(type->attlen)};
}

DatumCursor::Elements DatumCursor::elements(std::size_t row, std::size_t column) {
  Elements found;
  auto* const array = reinterpret_cast<ArrayType*>(DatumGetPointer(get(row, column)));
  call_pg([&]() noexcept {
    MemoryContext const home = MemoryContextSwitchTo(scratch_.get());
    std::int16_t length = 0;
    bool by_value = false;
    char alignment = 0;
    int count = 0;
    get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
    deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, alignment, &found.values, &found.nulls, &count);
    found.count = static_cast<std::size_t>(count);
    MemoryContextSwitchTo(home);
  });
  return found;
}

}  // namespace anon_seq::pg
