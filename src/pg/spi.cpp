#include "pg/spi.h"

#include <charconv>

#include "pg/call_sql.h"

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
  call_sql(text, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) {
      types[i] = values[i].type;
      datums[i] = values[i].make();
    }
    int const result = SPI_execute_with_args(text, static_cast<int>(values.size()), types.data(), datums.data(),
                                             nullptr, read_only, 0);
    if (result < 0) elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
  });
  return Rows::take();
}

Rows SpiSession::execute_as_seen(std::string const& sql, std::initializer_list<SqlValue> values) {
  std::vector<Oid> types(values.size());
  std::vector<Datum> datums(values.size());
  char const* const text = sql.c_str();
  call_sql(text, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) {
      types[i] = values.begin()[i].type;
      datums[i] = values.begin()[i].make();
    }
    SPIPlanPtr const plan = SPI_prepare(text, static_cast<int>(values.size()), types.data());
    if (plan == nullptr) elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
    int const result =
        SPI_execute_snapshot(plan, datums.data(), nullptr, GetActiveSnapshot(), InvalidSnapshot, false, true, 0);
    if (result < 0) elog(ERROR, "SPI_execute_snapshot failed: %s", SPI_result_code_string(result));
    SPI_freeplan(plan);
  });
  return Rows::take();
}

void throw_missing() {
  throw Error(Fault::kDamaged, "a row or column that must be there is missing",
              "The catalog, or a table of a ledger, was altered.");
}

Rows Rows::take() {
  Rows rows;
  rows.count_ = SPI_processed;
  SPITupleTable* const table = SPI_tuptable;
  if (table == nullptr) return rows;
  rows.width_ = static_cast<std::size_t>(table->tupdesc->natts);
  rows.values_.resize(rows.count_ * rows.width_);
  std::vector<char*> texts(rows.width_);
  auto value = rows.values_.begin();
  for (std::uint64_t row = 0; row < rows.count_; ++row) {
    call_pg([&]() noexcept {
      for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = SPI_getvalue(table->vals[row], table->tupdesc, static_cast<int>(i) + 1);
    });
    for (char* const text : texts) {
      if (text != nullptr) {
        value->emplace(text);
        pfree(text);
      }
      ++value;
    }
  }
  call_pg([&]() noexcept { SPI_freetuptable(table); });
  return rows;
}

std::optional<std::string> Rows::text(std::uint64_t row, int column) const {
  auto const place = static_cast<std::size_t>(column) - 1;
  if (place >= width_ || row >= values_.size() / width_) throw_missing();
  return values_[row * width_ + place];
}

std::optional<std::int64_t> Rows::integer_or_null(std::uint64_t row, int column) const {
  auto const value = text(row, column);
  if (!value) return std::nullopt;
  std::int64_t number = 0;
  auto const [end, fault] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (fault != std::errc() || end != value->data() + value->size())
    throw Error(Fault::kDamaged, "a value that must be a whole number is none",
                "The catalog, or a table of a ledger, was altered.");
  return number;
}

std::int64_t Rows::integer(std::uint64_t row, int column) const {
  if (auto const number = integer_or_null(row, column)) return *number;
  throw Error(Fault::kDamaged, "a number that must be there is NULL",
              "The catalog, or a table of a ledger, was altered.");
}

std::int32_t Rows::int32(std::uint64_t row, int column) const {
  auto const number = integer(row, column);
  if (number != static_cast<std::int32_t>(number))
    throw Error(Fault::kDamaged, "a number is out of range", "The catalog, or a table of a ledger, was altered.");
  return static_cast<std::int32_t>(number);
}

Oid Rows::oid(std::uint64_t row, int column) const {
  return static_cast<Oid>(integer_or_null(row, column).value_or(InvalidOid));
}

bool Rows::boolean(std::uint64_t row, int column) const { return text(row, column) == "t"; }

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

std::pair<std::string, std::string> split_name(std::string const& name) {
  char const* const text = name.c_str();
  char const *schema = nullptr, *relation = nullptr;
  call_pg([&]() noexcept {
#if PG_VERSION_NUM >= 160000
    List* const names = stringToQualifiedNameList(text, nullptr);
#else
    List* const names = stringToQualifiedNameList(text);
#endif
    DeconstructQualifiedName(names, const_cast<char**>(&schema), const_cast<char**>(&relation));
  });
  return {schema == nullptr ? "" : schema, relation};
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
