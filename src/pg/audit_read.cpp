#include "pg/audit_read.h"

namespace anon_seq::pg {

AuditPlanning::AuditPlanning() {
  call_pg([this]() noexcept {
    level_ = NewGUCNestLevel();
    auto const set = [](char const* name, char const* value) {
      (void)set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
    };
    for (char const* const off : {"enable_nestloop", "enable_sort", "jit"}) set(off, "off");
    if (work_mem < 64 * 1024) set("work_mem", "64MB");
  });
}

AuditPlanning::~AuditPlanning() {
  if (std::uncaught_exceptions() == unwinding_) AtEOXact_GUC(false, level_);
}

Rows read_source(SpiSession&, std::string const& sql, std::span<SqlValue const> values, std::string const& what) {
  std::vector<Oid> types(values.size());
  std::vector<Datum> datums(values.size());
  SPIPlanPtr plan = nullptr;
  char const* const text = sql.c_str();
  call_source(what, SourceStep::kPlan, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) types[i] = values[i].type;
    plan = SPI_prepare(text, static_cast<int>(values.size()), types.data());
    if (plan == nullptr) elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
  });
  call_source(what, SourceStep::kFetch, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) datums[i] = values[i].make();
    int const result = SPI_execute_plan(plan, datums.data(), nullptr, true, 0);
    if (result != SPI_OK_SELECT) elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(result));
    SPI_freeplan(plan);
  });
  return Rows::take();
}

Datum text_array(std::vector<std::string_view> const& texts) {
  Datum array = 0;
  call_pg([&]() noexcept {
    auto* const datums =
        static_cast<Datum*>(MemoryContextAllocHuge(CurrentMemoryContext, (texts.size() + 1) * sizeof(Datum)));
    for (std::size_t i = 0; i < texts.size(); ++i)
      datums[i] = PointerGetDatum(cstring_to_text_with_len(texts[i].data(), static_cast<int>(texts[i].size())));
    array = PointerGetDatum(construct_array(datums, static_cast<int>(texts.size()), TEXTOID, -1, false, TYPALIGN_INT));
  });
  return array;
}

Datum integer_array(std::vector<std::int32_t> const& numbers) {
  Datum array = 0;
  call_pg([&]() noexcept {
    auto* const datums =
        static_cast<Datum*>(MemoryContextAllocHuge(CurrentMemoryContext, (numbers.size() + 1) * sizeof(Datum)));
    for (std::size_t i = 0; i < numbers.size(); ++i) datums[i] = Int32GetDatum(numbers[i]);
    array = PointerGetDatum(construct_array(datums, static_cast<int>(numbers.size()), INT4OID, 4, true, TYPALIGN_INT));
  });
  return array;
}

}  // namespace anon_seq::pg
