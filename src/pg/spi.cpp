#include <vector>

#include "pg/spi.h"

namespace anon_seq::pg {

SpiSession::SpiSession() {
  call_pg([]() noexcept {
    if (SPI_connect() != SPI_OK_CONNECT) elog(ERROR, "SPI_connect failed");
  });
}

SpiSession::~SpiSession() {
  if (std::uncaught_exceptions() == unwinding_) SPI_finish();  // else the abort closes it
}

Rows SpiSession::execute(std::string const& sql, std::span<SqlValue const> values, bool read_only) {
  std::vector<Oid> types(values.size());
  std::vector<Datum> datums(values.size());
  char const* const text = sql.c_str();
  call_contained([&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) {
      types[i] = values[i].type;
      datums[i] = values[i].make();
    }
    int const result = SPI_execute_with_args(text, static_cast<int>(values.size()), types.data(), datums.data(),
                                             nullptr, read_only, 0);
    if (result < 0) elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
  });
  return {};
}

std::optional<std::string> Rows::text(std::uint64_t row, int column) const {
  char* value = nullptr;
  call_pg([&]() noexcept { value = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column); });
  if (value == nullptr) return std::nullopt;
  std::string copied(value);
  pfree(value);
  return copied;
}

std::string quote_name(std::string_view name) {
  std::string const terminated(name);
  char const* const from = terminated.c_str();
  char const* to = nullptr;
  call_pg([&]() noexcept { to = quote_identifier(from); });
  return to;
}

std::string sql_literal(std::string_view text) {
  std::string const terminated(text);
  char const* const from = terminated.c_str();
  char const* to = nullptr;
  call_pg([&]() noexcept { to = quote_literal_cstr(from); });
  return to;
}

std::string qualified_name(Oid relation) {
  char const* name = nullptr;
  call_pg([&]() noexcept {
    char* const relname = get_rel_name(relation);
    if (relname != nullptr) name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), relname);
  });
  if (name == nullptr) throw Error(Fault::kNoObject, "the relation does not exist any more");
  return name;
}

std::string role_name(Oid role) {
  char const* name = nullptr;
  call_pg([&]() noexcept { name = GetUserNameFromId(role, false); });
  return name;
}

std::string type_name(Oid type) {
  char const* name = nullptr;
  call_pg([&]() noexcept { name = format_type_be(type); });
  return name;
}

std::string base_type_name(Oid type, std::int32_t typmod) {
  char const* name = nullptr;
  call_pg([&]() noexcept {
    Oid const base = getBaseTypeAndTypmod(type, &typmod);
    name = format_type_with_typemod(base, typmod);
  });
  return name;
}

std::string_view text_argument(Datum datum) {
  auto* value = reinterpret_cast<varlena*>(DatumGetPointer(datum));
  if (VARATT_IS_COMPRESSED(value) || VARATT_IS_EXTERNAL(value))
    call_pg([&]() noexcept { value = pg_detoast_datum_packed(value); });
  return {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
}

}  // namespace anon_seq::pg
