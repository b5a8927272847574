#include "pg/value_type.h"

#include <cmath>

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

std::string_view numeric_key(Datum value, std::string_view column) {
  // NaN and the infinities have no digits but a flag in the first two bytes: see numeric.c, NUMERIC_SPECIAL.
  auto const bytes = contents(value);
  std::uint16_t header = 0;
  memcpy(&header, bytes.data(), sizeof header);
  if ((header & 0xC000) == 0xC000)
    throw Error(Fault::kData, "column " + quoted(column) + " holds NaN or infinite numbers");
  return bytes;
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
    case UUIDOID: return {DatumGetPointer(value), 16};
    case NAMEOID: return DatumGetCString(value);
    case CHAROID: buffer[0] = DatumGetChar(value); return {buffer, buffer[0] == '\0' ? 0u : 1u};  // a zero shows as ''
    case BPCHAROID: return trimmed(contents(value));
    default: break;
  }
  if (type.kind == ValueKind::kEnum) return fixed<std::int64_t>(DatumGetObjectId(value), buffer);
  return contents(value);
}

}  // namespace anon_seq::pg
