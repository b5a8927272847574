#include "pg/row_batch.h"

extern "C" {
#include "executor/tuptable.h"
#include "tcop/dest.h"
#include "tcop/pquery.h"
}

namespace anon_seq::pg {
namespace {

constexpr std::size_t kArena = std::size_t{1} << 15;  // datums
constexpr std::size_t kLongest = 8192;                // bytes of a row that may be found again

}  // namespace

RowBatch::~RowBatch() {
  if (portal_ == nullptr) return;
  if (portal_->status == PORTAL_ACTIVE)
    portal_->status = PORTAL_READY;  // as the server expects it, whatever comes next
  if (std::uncaught_exceptions() != unwinding_) return;
  UnpinPortal(portal_);
  SPI_cursor_close(portal_);
}

void RowBatch::open(char const* sql) noexcept {
  Portal const portal =
      SPI_cursor_open_with_args(nullptr, sql, 0, nullptr, nullptr, nullptr, true, CURSOR_OPT_NO_SCROLL);
  PinPortal(portal);
  portal->visible = false;
  portal->status = PORTAL_ACTIVE;
  portal_ = portal;
}

void RowBatch::make_room() {
  datums_.resize(most_ * width());
  nulls_.resize(most_ * width());
  arena_.resize(kArena);
  if (form_ == Form::kRuns) repeats_.resize(most_), last_.resize(kLongest);
}

void RowBatch::fetch() noexcept {
  Receiver receiver{};
  receiver.base.receiveSlot = receive;
  receiver.base.rStartup = [](DestReceiver*, int, TupleDesc) {};
  receiver.base.rShutdown = receiver.base.rDestroy = [](DestReceiver*) {};
  receiver.base.mydest = DestTuplestore;
  receiver.batch = this;
  rows_ = used_ = 0;
  last_shape_ = 0;
  scratch_.reset();
  CHECK_FOR_INTERRUPTS();
  portal_->status = PORTAL_READY;
  PortalRunFetch(portal_, FETCH_FORWARD, static_cast<long>(most_), &receiver.base);
  portal_->status = PORTAL_ACTIVE;
}

bool RowBatch::receive(TupleTableSlot* slot, DestReceiver* self) noexcept {
  auto* const batch = reinterpret_cast<Receiver*>(self)->batch;
  if (batch->form_ == Form::kRuns && batch->is_repeated(slot))
    ++batch->repeats_[batch->rows_ - 1];
  else
    batch->take(slot);
  return true;
}

// Whether a row that comes straight out of a table has the bytes of the one before.
bool RowBatch::is_repeated(TupleTableSlot* slot) noexcept {
  HeapTuple const tuple =
      TTS_IS_BUFFERTUPLE(slot) ? reinterpret_cast<BufferHeapTupleTableSlot*>(slot)->base.tuple : nullptr;
  if (tuple == nullptr || tuple->t_len > kLongest) {
    last_shape_ = 0;
    return false;
  }
  // Flags and addresses of the header tell when a row was written, not what is in it; what follows begins with its
  // NULLs.
  auto const* const contents = reinterpret_cast<char const*>(tuple->t_data) + SizeofHeapTupleHeader;
  std::size_t const size = tuple->t_len - SizeofHeapTupleHeader;
  std::uint64_t const columns = HeapTupleHeaderGetNatts(tuple->t_data);
  std::uint64_t const shape = columns << 33 | size << 1 | (HeapTupleHasNulls(tuple) ? 1U : 0U);
  if (last_shape_ == shape && memcmp(last_.data(), contents, size) == 0) return true;
  last_shape_ = shape;
  memcpy(last_.data(), contents, size);
  return false;
}

void RowBatch::take(TupleTableSlot* slot) noexcept {
  MemoryContext const before = MemoryContextSwitchTo(scratch_.get());
  slot_getallattrs(slot);
  std::size_t const columns = width(), begin = rows_ * columns;
  for (std::size_t i = 0; i < columns; ++i) {
    auto const* const type = TupleDescAttr(slot->tts_tupleDescriptor, static_cast<int>(i));
    bool const is_null = slot->tts_isnull[i];
    nulls_[begin + i] = is_null;
    datums_[begin + i] = is_null ? 0 : type->attbyval ? slot->tts_values[i] : kept(slot->tts_values[i], type->attlen);
  }
  if (form_ == Form::kRuns) repeats_[rows_] = 1;
  ++rows_;
  MemoryContextSwitchTo(before);
}

// A value that outlives its slot.
Datum RowBatch::kept(Datum value, std::int16_t length) noexcept {
  auto* const bytes = static_cast<char*>(DatumGetPointer(value));
  if (length > 0) return PointerGetDatum(copied(bytes, static_cast<std::size_t>(length)));
  if (length == -2) return PointerGetDatum(copied(bytes, strlen(bytes) + 1));
  auto* const plain = form_ == Form::kWhole ? pg_detoast_datum(reinterpret_cast<varlena*>(bytes))
                                            : pg_detoast_datum_packed(reinterpret_cast<varlena*>(bytes));
  if (reinterpret_cast<char*>(plain) != bytes) return PointerGetDatum(plain);  // made just now, out of a compressed one
  return PointerGetDatum(copied(bytes, VARSIZE_ANY(bytes)));
}

char* RowBatch::copied(void const* from, std::size_t size) noexcept {
  std::size_t const datums = (size + sizeof(Datum) - 1) / sizeof(Datum);
  char* to = nullptr;
  if (used_ + datums <= arena_.size()) {
    to = reinterpret_cast<char*>(&arena_[used_]);
    used_ += datums;
  } else {
    to = static_cast<char*>(palloc(size));
  }
  memcpy(to, from, size);
  return to;
}

}  // namespace anon_seq::pg
