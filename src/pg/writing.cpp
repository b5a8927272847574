#include "pg/writing.h"

#include "pg/named_rows.h"

extern "C" {
#include "utils/tuplestore.h"
}

namespace anon_seq::pg {
namespace {

constexpr std::size_t kRows = 8192, kBytes = std::size_t{16} << 20;  // that a batch has at most, about
constexpr int kKilobytes = 1 << 16;                                  // of a tuplestore in memory
constexpr std::size_t kLong = 200;                                   // texts that hardly come twice
constexpr char kBatchName[] = "anon_seq_batch";

// Numbers come for columns of numbers: another type is what somebody made of them.
[[noreturn]] void raise_altered(Oid type) noexcept {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("a column of numbers was altered to type %s", format_type_be(type))));
  pg_unreachable();
}

}  // namespace

BulkWriter::BulkWriter(SpiSession& session, std::string const& relation, std::vector<std::string> const& columns,
                       Placement placement)
    : session_(session),
      placement_(placement),
      relation_name_(relation),
      targets_(columns.size()),
      texts_(columns.size()),
      known_(columns.size()) {
  std::string names;
  for (auto const& column : columns) names += (names.empty() ? "" : ", ") + quote_name(column);
  insert_ = "INSERT INTO " + relation + " (" + names + ") SELECT * FROM " + kBatchName;
  describe(relation, columns);
}

void BulkWriter::describe(std::string const& relation, std::vector<std::string> const& columns) {
  char const* const name = relation.c_str();
  Oid& id = relation_;
  call_pg([&]() noexcept {
    id = lock_for_writing(name);
    MemoryContext const before = MemoryContextSwitchTo(home_.get());
    row_ = CreateTemplateTupleDesc(static_cast<int>(targets_.size()));
    MemoryContextSwitchTo(before);
  });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    char const* const column = columns[i].c_str();
    Target& target = targets_[i];
    call_pg([&]() noexcept {
      AttrNumber const number = get_attnum(id, column);
      if (number <= 0)
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("relation %s lacks column \"%s\"", name, column)));
      Oid collation = InvalidOid, input = InvalidOid;
      get_atttypetypmodcoll(id, number, &target.type, &target.modifier, &collation);
      target.number = number;
      getTypeInputInfo(target.type, &input, &target.parameter);
      fmgr_info_cxt(input, &target.input, home_.get());
      TupleDescInitEntry(row_, static_cast<AttrNumber>(i + 1), column, target.type, target.modifier, 0);
    });
    numbers_of_.push_back(target.number);
  }
}

void BulkWriter::put(std::int64_t value) { add({value, 0, Kind::kNumber}); }

void BulkWriter::put(std::string_view text) {
  auto& texts = texts_[next_];
  Code const next = texts.size(), code = text.size() > kLong ? texts.add_hidden(text) : texts.intern(text);
  if (code == next) bytes_ += text.size();
  add({code, 0, Kind::kText});
}

void BulkWriter::put(std::span<std::int64_t const> numbers) {
  add({static_cast<std::int64_t>(numbers_.size()), static_cast<std::uint32_t>(numbers.size()), Kind::kNumbers});
  make_room(numbers_, numbers.size());
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  bytes_ += numbers.size_bytes();
}

void BulkWriter::put_code(Dictionary const& texts, Code code, Code null) {
  if (code == null) return put_null();
  auto& known = known_[next_];
  if (known.in_batch.empty()) known.in_batch.assign(static_cast<std::size_t>(texts.size()), kNoCode);
  auto& own = known.in_batch[static_cast<std::size_t>(code)];
  if (own != kNoCode) return add({own, 0, Kind::kText});
  put(texts[code]);
  own = static_cast<Code>(cells_.back().value);
  known.met.push_back(code);
}

void BulkWriter::put_null() { add({0, 0, Kind::kNull}); }

void BulkWriter::end_row() {
  if (next_ != 0) throw Error(Fault::kInternal, "a row with too few or too many values");
  if (cells_.size() >= kRows * targets_.size() || bytes_ >= kBytes) flush();
}

void BulkWriter::finish() {
  if (!cells_.empty()) flush();
  add_sums(session_, relation_name_, listed(sums_));
  if (sums_ != nullptr) sums_->clear();
  if (std::exchange(indexing_, Indexing::kAtOnce) == Indexing::kLater)
    session_.execute("REINDEX TABLE " + relation_name_);
}

void BulkWriter::convert_texts(Datum** converted) const noexcept {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    auto const count = static_cast<std::size_t>(texts_[i].size());
    converted[i] = static_cast<Datum*>(palloc_extended(count * sizeof(Datum) + 1, MCXT_ALLOC_HUGE));
    for (std::size_t code = 0; code < count; ++code) {
      auto const text = texts_[i][static_cast<Code>(code)];
      bool const as_it_is = targets_[i].type == TEXTOID || targets_[i].type == BYTEAOID;
      if (as_it_is)
        converted[i][code] = PointerGetDatum(cstring_to_text_with_len(text.data(), static_cast<int>(text.size())));
      else
        converted[i][code] =
            InputFunctionCall(const_cast<FmgrInfo*>(&targets_[i].input), pnstrdup(text.data(), text.size()),
                              targets_[i].parameter, targets_[i].modifier);
    }
  }
}

Datum BulkWriter::make_array(Cell const& cell, Oid type) const noexcept {
  bool const wide = type == INT8ARRAYOID;
  if (!wide && type != INT4ARRAYOID) raise_altered(type);
  std::size_t const header = ARR_OVERHEAD_NONULLS(1), each = wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
  std::size_t const size = header + cell.count * each;
  auto* const array = static_cast<ArrayType*>(palloc0(size));
  SET_VARSIZE(array, size);
  array->ndim = cell.count > 0 ? 1 : 0;
  array->elemtype = wide ? INT8OID : INT4OID;
  if (cell.count == 0) {
    SET_VARSIZE(array, sizeof(ArrayType));
    return PointerGetDatum(array);
  }
  ARR_DIMS(array)[0] = static_cast<int>(cell.count);
  ARR_LBOUND(array)[0] = 1;
  auto const* const from = &numbers_[static_cast<std::size_t>(cell.value)];
  if (wide)
    memcpy(ARR_DATA_PTR(array), from, cell.count * each);
  else
    for (std::uint32_t i = 0; i < cell.count; ++i)
      reinterpret_cast<std::int32_t*>(ARR_DATA_PTR(array))[i] = static_cast<std::int32_t>(from[i]);
  return PointerGetDatum(array);
}

void BulkWriter::fill_row(std::size_t row, Datum* const* converted, Datum* values, bool* nulls) const noexcept {
  std::size_t const width = targets_.size();
  for (std::size_t i = 0; i < width; ++i) {
    Cell const& cell = cells_[row * width + i];
    Oid const type = targets_[i].type;
    nulls[i] = cell.kind == Kind::kNull;
    values[i] = 0;
    if (cell.kind == Kind::kText) values[i] = converted[i][cell.value];
    if (cell.kind == Kind::kNumbers) values[i] = make_array(cell, type);
    if (cell.kind != Kind::kNumber) continue;
    if (type != INT4OID && type != INT8OID) raise_altered(type);
    values[i] = type == INT4OID ? Int32GetDatum(static_cast<std::int32_t>(cell.value)) : Int64GetDatum(cell.value);
  }
}

void BulkWriter::store(Tuplestorestate* store, Datum* const* converted) const noexcept {
  std::size_t const width = targets_.size();
  auto* const values = static_cast<Datum*>(palloc(width * sizeof(Datum)));
  auto* const nulls = static_cast<bool*>(palloc(width * sizeof(bool)));
  for (std::size_t row = 0; row < cells_.size() / width; ++row) {
    fill_row(row, converted, values, nulls);
    tuplestore_putvalues(store, row_, values, nulls);
  }
}

void BulkWriter::flush() {
  Tuplestorestate* batch = nullptr;
  scratch_.reset();
  call_contained([&]() noexcept {
    MemoryContext const before = MemoryContextSwitchTo(scratch_.get());
    CHECK_FOR_INTERRUPTS();
    auto** const converted = static_cast<Datum**>(palloc(targets_.size() * sizeof(Datum*)));
    convert_texts(converted);
    if (takes_rows(relation_, numbers_of_)) {
      bool const many = !begun_ && cells_.size() >= kRows * targets_.size();
      if (many && may_index_later(relation_)) indexing_ = Indexing::kLater;
      struct Filling {
        BulkWriter const* writer;
        Datum* const* converted;
      } const filling{this, converted};
      auto const fill = [](void const* of, std::size_t row, Datum* values, bool* nulls) {
        auto const* const from = static_cast<Filling const*>(of);
        from->writer->fill_row(row, from->converted, values, nulls);
      };
      if (sums_ == nullptr && keeps_sums(relation_)) {
        MemoryContextSwitchTo(home_.get());
        sums_ = RowSummer::make(relation_);
        MemoryContextSwitchTo(scratch_.get());
      }
      insert_rows(relation_, numbers_of_, cells_.size() / targets_.size(), fill, &filling, placement_, indexing_,
                  sums_);
      MemoryContextSwitchTo(before);
      return;
    }
    batch = tuplestore_begin_heap(false, false, kKilobytes);
    store(batch, converted);
    MemoryContextSwitchTo(before);  // the list of such names outlives this batch
    name_rows(kBatchName, row_, batch);
  });
  if (batch != nullptr) {
    session_.execute(insert_);
    call_pg([&]() noexcept {
      SPI_unregister_relation(kBatchName);
      tuplestore_end(batch);
    });
  }
  begun_ = true;
  cells_.clear();
  for (auto& texts : texts_) texts.clear();
  for (auto& known : known_) {
    for (Code const code : known.met) known.in_batch[static_cast<std::size_t>(code)] = kNoCode;
    known.met.clear();
  }
  numbers_.clear();
  bytes_ = 0;
}

}  // namespace anon_seq::pg
