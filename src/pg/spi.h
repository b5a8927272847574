// SQL from C++: one session, its statements, their small results.
//
// A SpiSession connects SPI under pinned settings. Values travel as parameters; names are quoted by
// quote_name() or come as regclass. Large results are read by reading.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pg/guard.h"
#include "pg/settings.h"

namespace anon_seq::pg {

// A parameter of a statement. Borrows its bytes.
struct SqlValue {
  SqlValue(std::string_view value) : type(TEXTOID), bytes(value.data()), length(value.size()) {}
  SqlValue(char const* value) : SqlValue(std::string_view(value)) {}
  SqlValue(std::string const& value) : SqlValue(std::string_view(value)) {}
  SqlValue(std::int32_t value) : type(INT4OID), number(Int32GetDatum(value)) {}
  static SqlValue oid(Oid value) { return SqlValue(OIDOID, ObjectIdGetDatum(value)); }
  static SqlValue binary(std::string_view value) {  // bytea
    SqlValue made(value);
    made.type = BYTEAOID;
    return made;
  }
  static SqlValue datum(Oid type, Datum value) { return SqlValue(type, value); }

  Datum make() const {  // palloc: only inside call_pg
    return bytes == nullptr ? number : PointerGetDatum(cstring_to_text_with_len(bytes, static_cast<int>(length)));
  }

  Oid type;
  Datum number = 0;
  char const* bytes = nullptr;
  std::size_t length = 0;

 private:
  SqlValue(Oid of, Datum value) : type(of), number(value) {}
};

// The rows of a statement: a copy, in text form. Column numbers begin at 1, rows at 0. Whoever asks for a row or column
// that is not there, or for a value of another form, gets Error kDamaged: statements read ledgers, which their owners
// may have altered.
class Rows {
 public:
  Rows() = default;
  // Of the statement that SPI executed last, which it frees.
  static Rows take();

  // How many rows there are; of a statement that returns none, how many it wrote.
  std::uint64_t count() const { return count_; }
  std::optional<std::string> text(std::uint64_t row, int column) const;  // nullopt: NULL
  std::string get(std::uint64_t row, int column) const { return text(row, column).value_or(std::string()); }
  std::optional<std::int64_t> integer_or_null(std::uint64_t row, int column) const;
  std::int64_t integer(std::uint64_t row, int column) const;  // not NULL
  std::int32_t int32(std::uint64_t row, int column) const;    // not NULL
  Oid oid(std::uint64_t row, int column) const;               // InvalidOid: NULL
  bool boolean(std::uint64_t row, int column) const;          // false: NULL

 private:
  std::uint64_t count_ = 0;
  std::size_t width_ = 0;
  std::vector<std::optional<std::string>> values_;  // row by row
};

// Error kDamaged: a row or column that must be there is missing.
[[noreturn]] void throw_missing();

class SpiSession {
 public:
  SpiSession();
  ~SpiSession();
  SpiSession(SpiSession const&) = delete;
  SpiSession& operator=(SpiSession const&) = delete;

  Rows execute(std::string const& sql, std::span<SqlValue const> values = {}, bool read_only = false);
  Rows execute(std::string const& sql, std::initializer_list<SqlValue> values, bool read_only = false) {
    return execute(sql, std::span(values.begin(), values.size()), read_only);
  }
  // Writes, but what it finds is what the active snapshot shows: rows that were committed after it are left alone.
  Rows execute_as_seen(std::string const& sql, std::initializer_list<SqlValue> values);
  // Whether a statement returns any row; whether the one value it returns is true.
  bool exists(std::string const& sql, std::initializer_list<SqlValue> values = {}) {
    return execute(sql, values, true).count() > 0;
  }
  bool is_true(std::string const& sql, std::initializer_list<SqlValue> values = {}) {
    return execute(sql, values, true).boolean(0, 1);
  }

 private:
  int const unwinding_ = std::uncaught_exceptions();
  Settings settings_ = Settings::pinned();
  Live live_;
};

// Everything committed, or done by this command, up to now is visible while it lives: for what is read
// after a lock was waited for, and for reading a source once.
class FreshSnapshot {
 public:
  FreshSnapshot() {
    call_pg([]() noexcept {
      CommandCounterIncrement();
      PushActiveSnapshot(GetTransactionSnapshot());
    });
  }
  ~FreshSnapshot() {
    if (std::uncaught_exceptions() == unwinding_) PopActiveSnapshot();
  }
  FreshSnapshot(FreshSnapshot const&) = delete;
  FreshSnapshot& operator=(FreshSnapshot const&) = delete;

 private:
  int const unwinding_ = std::uncaught_exceptions();
};

// The same, also of what the snapshot of a REPEATABLE READ transaction does not show. For reading only.
class LatestSnapshot {
 public:
  LatestSnapshot() {
    call_pg([]() noexcept {
      CommandCounterIncrement();
      PushActiveSnapshot(GetLatestSnapshot());
    });
  }
  ~LatestSnapshot() {
    if (std::uncaught_exceptions() == unwinding_) PopActiveSnapshot();
  }
  LatestSnapshot(LatestSnapshot const&) = delete;
  LatestSnapshot& operator=(LatestSnapshot const&) = delete;

 private:
  int const unwinding_ = std::uncaught_exceptions();
};

// An identifier, quoted where it must be.
std::string quote_name(std::string_view name);

// A text as an SQL literal.
std::string sql_literal(std::string_view text);

// schema.relation, quoted; Error kNoObject if it has gone.
std::string qualified_name(Oid relation);

// Schema, or nothing, and name of a possibly qualified and quoted name.
std::pair<std::string, std::string> split_name(std::string const& name);

std::string role_name(Oid role);
std::string type_name(Oid type);

// The type as SQL, a domain as what it is over: its CHECKs are code of whoever made it.
std::string base_type_name(Oid type, std::int32_t typmod);

// The bytes of a text-like argument; they live as long as the argument, or the current context.
std::string_view text_argument(Datum datum);

}  // namespace anon_seq::pg
