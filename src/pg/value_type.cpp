#include "pg/value_type.h"

#include <algorithm>
#include <cmath>
//
#include "pg/spi.h"

namespace anon_seq::pg {
namespace {

// text, varchar, char(n), name, "char", citext: whatever reads as a string.
bool is_text_like(Oid type) {
  char category = 0;
  bool preferred = false;
  call_pg([&]() noexcept { get_type_category_preferred(type, &category, &preferred); });
  return category == TYPCATEGORY_STRING || type == CHAROID;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view contents(Datum value) {
  auto* const bytes = reinterpret_cast<varlena*>(DatumGetPointer(value));
  return {VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)};
}

template <class T>
std::string_view fixed(T value, char (&buffer)[8]) {
  static_assert(sizeof(T) == 8);
  memcpy(buffer, &value, 8);
  return {buffer, 8};
}

std::string_view float_key(double value, char (&buffer)[8], std::string_view column) {
  if (!std::isfinite(value)) throw Error(Fault::kData, "column " + quoted(column) + " holds NaN or infinite numbers");
  return fixed(value == 0 ? 0.0 : value, buffer);  // -0 is 0
}

// A numeric as numeric.c stores it: a header of one or two words, then digits to the base of 10,000.
class StoredNumeric {
 public:
  explicit StoredNumeric(Datum value) : value_(reinterpret_cast<varlena*>(DatumGetPointer(value))) {}

  // NaN and the infinities have no digits but a flag.
  bool is_finite() const { return (word(0) & 0xC000) != 0xC000; }

  // Takes away the zeros at the end that it was written with, in place.
  void trim() {
    bool const is_short = (word(0) & 0x8000) != 0;
    std::size_t const header = is_short ? 1 : 2, digits = contents(PointerGetDatum(value_)).size() / 2 - header;
    int const weight = is_short ? (word(0) & 0x3F) - (word(0) & 0x40) : static_cast<std::int16_t>(word(1));
    int scale = 0;
    if (digits > 0) {
      scale = 4 * (static_cast<int>(digits) - 1 - weight);
      for (int last = word(header + digits - 1); scale > 0 && last % 10 == 0; last /= 10) --scale;
      scale = std::max(scale, 0);
    }
    if (is_short) return put(0, (word(0) & ~0x1F80) | scale << 7);
    bool const may_be_short = scale <= 63 && weight >= -64 && weight <= 63;
    if (!may_be_short) return put(0, (word(0) & 0xC000) | scale);
    put(1, 0x8000 | (word(0) & 0x4000) >> 1 | scale << 7 | (weight & 0x7F));
    drop_first();
  }

 private:
  std::uint16_t word(std::size_t i) const {
    std::uint16_t word = 0;
    memcpy(&word, VARDATA_ANY(value_) + 2 * i, sizeof word);
    return word;
  }
  void put(std::size_t i, int bits) {
    auto const word = static_cast<std::uint16_t>(bits);
    memcpy(VARDATA_ANY(value_) + 2 * i, &word, sizeof word);
  }
  void drop_first() {
    std::size_t const size = VARSIZE_ANY_EXHDR(value_) - 2;
    memmove(VARDATA_ANY(value_), VARDATA_ANY(value_) + 2, size);
    if (VARATT_IS_1B(value_))
      SET_VARSIZE_SHORT(value_, size + VARHDRSZ_SHORT);
    else
      SET_VARSIZE(value_, size + VARHDRSZ);
  }

  varlena* value_;
};

std::string_view numeric_key(Datum value, std::string_view column) {
  StoredNumeric number(value);
  if (!number.is_finite()) throw Error(Fault::kData, "column " + quoted(column) + " holds NaN or infinite numbers");
  number.trim();
  return contents(value);
}

}  // namespace

ValueType value_type_of(Oid declared, std::string_view column) {
  ValueType found;
  bool is_enum = false;
  call_pg([&]() noexcept {
    found.type = getBaseType(declared);
    is_enum = type_is_enum(found.type);
  });
  switch (found.type) {
    case BOOLOID: found.kind = ValueKind::kBoolean; return found;
    case UUIDOID: found.kind = ValueKind::kUuid; return found;
    case INT2OID:
    case INT4OID:
    case INT8OID: found.kind = ValueKind::kInteger; return found;
    case NUMERICOID: found.kind = ValueKind::kNumeric; return found;
    case FLOAT4OID:
    case FLOAT8OID: found.kind = ValueKind::kFloat; return found;
    case DATEOID: found.kind = ValueKind::kDate; return found;
    case TIMESTAMPOID: found.kind = ValueKind::kTimestamp; return found;
    case TIMESTAMPTZOID: found.kind = ValueKind::kTimestampTz; return found;
    default: break;
  }
  if (is_enum) {
    found.kind = ValueKind::kEnum;
    return found;
  }
  if (is_text_like(found.type)) return found;
  char const* name = nullptr;
  call_pg([&]() noexcept { name = format_type_be(declared); });
  throw Error(Fault::kType, "column " + quoted(column) + " has type " + name + ", which cannot be read",
              "Readable are text, numbers, dates, timestamps, boolean, uuid, enums and domains over these.",
              "Offer it as text in a view.");
}

namespace {

// Types that PostgreSQL brings itself tell texts apart by their bytes, or show equal values alike.
bool is_plain_type(Oid declared) {
  bool is_plain = true;
  call_pg([&]() noexcept {
    Oid const type = getBaseType(declared);
    is_plain = type < FirstNormalObjectId || type_is_enum(type);
  });
  return is_plain;
}

bool is_deterministic(Oid collation) {
  bool is = true;
  call_pg([&]() noexcept { is = !OidIsValid(collation) || get_collation_isdeterministic(collation); });
  return is;
}

}  // namespace

bool has_plain_equality(Oid declared, Oid collation) { return is_plain_type(declared) && is_deterministic(collation); }

void require_plain_equality(Oid declared, Oid collation, std::string_view column) {
  if (has_plain_equality(declared, collation)) return;
  bool const by_type = !is_plain_type(declared);
  char const* name = nullptr;
  call_pg([&]() noexcept { name = by_type ? format_type_be(declared) : get_collation_name(collation); });
  throw Error(Fault::kType,
              "column " + quoted(column) + (by_type ? " has type " : " has the nondeterministic collation ") + name +
                  ", in which different texts can be equal",
              "Values and persons are told apart by their texts, readers would tell them apart by that.",
              "Offer one spelling of it in a view: lower(" + quote_name(column) + "::text) COLLATE \"C\".");
}

bool is_foreign_enum(Oid declared) {
  bool is_foreign = false;
  call_pg([&]() noexcept {
    Oid const type = getBaseType(declared);
    HeapTuple const tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
    if (!HeapTupleIsValid(tuple)) return;
    Oid const owner = reinterpret_cast<Form_pg_type>(GETSTRUCT(tuple))->typowner;
    ReleaseSysCache(tuple);
    is_foreign = type_is_enum(type) && owner != GetUserId() && !superuser_arg(owner);
  });
  return is_foreign;
}

void require_own_enum(Oid declared, std::string_view column) {
  if (!is_foreign_enum(declared)) return;
  throw Error(Fault::kPrivilege, "column " + quoted(column) + " has an enum type of another role",
              "Casts of that type are code of its owner, which printing a release would run.",
              "Offer it as text in a view of your own, or have the type given to the policy's owner.");
}

std::string_view key_of(ValueType type, Datum value, char (&buffer)[8], std::string_view column) {
  switch (type.type) {
    case INT2OID: return fixed<std::int64_t>(DatumGetInt16(value), buffer);
    case INT4OID:
    case DATEOID: return fixed<std::int64_t>(DatumGetInt32(value), buffer);
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID: return fixed<std::int64_t>(DatumGetInt64(value), buffer);
    case BOOLOID: return fixed<std::int64_t>(DatumGetBool(value), buffer);
    case FLOAT4OID: return float_key(DatumGetFloat4(value), buffer, column);
    case FLOAT8OID: return float_key(DatumGetFloat8(value), buffer, column);
    case NUMERICOID: return numeric_key(value, column);
    case UUIDOID: return {static_cast<char*>(DatumGetPointer(value)), 16};
    case NAMEOID: return DatumGetCString(value);
    case CHAROID: buffer[0] = DatumGetChar(value); return {buffer, buffer[0] == '\0' ? 0u : 1u};  // a zero shows as ''
    case BPCHAROID: return trimmed(contents(value));
    default: break;
  }
  if (type.kind == ValueKind::kEnum) return fixed<std::int64_t>(DatumGetObjectId(value), buffer);
  return contents(value);
}

}  // namespace anon_seq::pg
