// Which PostgreSQL types we can read, and how their values become dictionary keys and text.
//
// A key is a few bytes that tell two values of a column apart: eight for numbers, dates, booleans and
// enums, the contents for text, numeric and uuid. Keys are made per row and must be cheap; text forms
// and the order of a type are worked out once per distinct value, when all rows are in.
#pragma once

#include <span>

#include "core/table/table.h"
#include "pg/guard.h"

namespace anon_seq::pg {

struct ValueType {
  Oid type = InvalidOid;  // of which domains are stripped
  ValueKind kind = ValueKind::kText;
};

// Throws kType, naming the column, for a type that cannot be read: json, arrays, bytea, ...
ValueType value_type_of(Oid declared, std::string_view column);

// Whether a type is an enum whose casts are code of somebody else than the current user: its owner is another role, who
// is no superuser. Of these only the labels are taken, never a cast.
bool is_foreign_enum(Oid declared);
// Throws kPrivilege for such a type.
void require_own_enum(Oid declared, std::string_view column);

// Whether different texts of a type are different values: not those of citext, and of other types that are not
// PostgreSQL's own, nor those under a nondeterministic collation. REQUIRES: value_type_of() takes the type.
bool has_plain_equality(Oid declared, Oid collation);
// Throws kType, naming the column, unless they are.
void require_plain_equality(Oid declared, Oid collation, std::string_view column);

// The key of a value that is not NULL: two values have one key if their type takes them for equal. REQUIRES: detoasted,
// and the caller's own copy: a numeric loses the zeros at its end. `buffer` may hold the bytes.
// Throws kData, naming the column, for NaN and infinite numbers.
std::string_view key_of(ValueType type, Datum value, char (&buffer)[8], std::string_view column);

// The number behind the key of an integer, date, timestamp, boolean or enum.
inline std::int64_t integer_of(std::string_view key) {
  std::int64_t value;
  memcpy(&value, key.data(), sizeof value);
  return value;
}

// Replaces keys by text forms, fills positions and puts codes into the order of the type.
void put_in_order(Column& column, ValueType type, Checkpoint& checkpoint);

// Text forms of a column whose keys were left as they came: person keys, of which there are as many as rows.
class KeyTexts {
 public:
  KeyTexts(Column const& column, ValueType type, Checkpoint& checkpoint);
  // Valid until the next call. REQUIRES: not kNull.
  std::string_view operator[](Code code);
  // Fetches ahead for whoever goes through `codes` and is now at the i-th.
  void prefetch(std::span<Code const> codes, std::size_t i) const;

 private:
  Column const& column_;
  ValueType type_;
  Dictionary labels_;  // of types that only the server can print
  char digits_[24];
};

}  // namespace anon_seq::pg
