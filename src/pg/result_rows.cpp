#include <vector>

#include "pg/result_rows.h"

#include "pg/call_sql.h"
#include "pg/context.h"

namespace anon_seq::pg {
namespace {

std::vector<char*> pointers(std::vector<std::optional<std::string>> const& texts) {
  std::vector<char*> pointers;
  for (auto const& text : texts) pointers.push_back(text ? const_cast<char*>(text->c_str()) : nullptr);
  return pointers;
}

ReturnSetInfo& result_of(FunctionCallInfo fcinfo) { return *reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo); }

}  // namespace

void begin_result(FunctionCallInfo fcinfo) {
  call_pg([&]() noexcept {
    bool const one_column = get_call_result_type(fcinfo, nullptr, nullptr) == TYPEFUNC_SCALAR;
    InitMaterializedSRF(fcinfo, one_column ? MAT_SRF_USE_EXPECTED_DESC : 0);
  });
}

void put_query(FunctionCallInfo fcinfo, std::string const& sql, std::initializer_list<SqlValue> values) {
  constexpr long kBatch = 4096;
  std::vector<Oid> types(values.size());
  std::vector<Datum> datums(values.size());
  char const* const text = sql.c_str();
  call_sql(text, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) {
      types[i] = values.begin()[i].type;
      datums[i] = values.begin()[i].make();
    }
    Portal const portal = SPI_cursor_open_with_args(nullptr, text, static_cast<int>(values.size()), types.data(),
                                                    datums.data(), nullptr, true, CURSOR_OPT_NO_SCROLL);
    for (;;) {
      CHECK_FOR_INTERRUPTS();
      SPI_cursor_fetch(portal, true, kBatch);
      if (SPI_processed == 0) break;
      for (std::uint64_t row = 0; row < SPI_processed; ++row)
        tuplestore_puttuple(result_of(fcinfo).setResult, SPI_tuptable->vals[row]);
      SPI_freetuptable(SPI_tuptable);
    }
    SPI_cursor_close(portal);
  });
}

void put_texts(FunctionCallInfo fcinfo, std::vector<std::optional<std::string>> const& texts) {
  auto values = pointers(texts);
  call_pg([&]() noexcept {
    HeapTuple const tuple = BuildTupleFromCStrings(TupleDescGetAttInMetadata(result_of(fcinfo).setDesc), values.data());
    tuplestore_puttuple(result_of(fcinfo).setResult, tuple);
    heap_freetuple(tuple);
  });
}

TextRows::TextRows(FunctionCallInfo fcinfo) : fcinfo_(fcinfo) {
  call_pg([&]() noexcept { input_ = TupleDescGetAttInMetadata(result_of(fcinfo_).setDesc); });
}

void TextRows::put(std::vector<std::optional<std::string>> const& texts) {
  pointers_.clear();
  for (auto const& text : texts) pointers_.push_back(text ? const_cast<char*>(text->c_str()) : nullptr);
  call_pg([&]() noexcept {
    MemoryContext const home = MemoryContextSwitchTo(scratch_.get());
    tuplestore_puttuple(result_of(fcinfo_).setResult, BuildTupleFromCStrings(input_, pointers_.data()));
    MemoryContextSwitchTo(home);
  });
  if (++rows_ % 1024 == 0) scratch_.reset();
}

Datum text_datum(std::string const& text) {
  Datum result{};
  char const* const chars = text.c_str();
  call_pg([&]() noexcept { result = CStringGetTextDatum(chars); });
  return result;
}

Datum make_row(FunctionCallInfo fcinfo, std::vector<std::optional<std::string>> const& texts) {
  auto values = pointers(texts);
  Datum row{};
  call_pg([&]() noexcept {
    TupleDesc description = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &description) != TYPEFUNC_COMPOSITE) elog(ERROR, "the result is no row");
    row = HeapTupleGetDatum(
        BuildTupleFromCStrings(TupleDescGetAttInMetadata(BlessTupleDesc(description)), values.data()));
  });
  return row;
}

}  // namespace anon_seq::pg
