#include "pg/arguments.h"

#include "core/text/json_value.h"
//
#include "pg/spi.h"

extern "C" {
#include "access/detoast.h"
}

namespace anon_seq::pg {

Datum Arguments::datum(int number, char const* name) const {
  if (call_->args[number].isnull) throw Error(Fault::kParameter, "argument " + quoted(name) + " must not be NULL");
  return call_->args[number].value;
}

std::string Arguments::text(int number, char const* name) const {
  return std::string(text_argument(datum(number, name)));
}

std::int32_t Arguments::integer(int number, char const* name) const { return DatumGetInt32(datum(number, name)); }

Oid Arguments::relation(int number, char const* name) const { return DatumGetObjectId(datum(number, name)); }

std::string Arguments::printed(int number, char const* name, Oid type) const {
  Datum const value = datum(number, name);
  char const* text = nullptr;
  call_pg([&]() noexcept {
    Oid output = InvalidOid;
    bool is_varlena = false;
    getTypeOutputInfo(type, &output, &is_varlena);
    text = OidOutputFunctionCall(output, value);
  });
  if (type == JSONBOID) require_small_json(text, "argument " + quoted(name));
  return text;
}

std::vector<std::string> Arguments::array(int number, char const* name) const {
  Datum const value = datum(number, name);
  constexpr std::size_t kMostBytes = 1 << 24;  // of an element; nothing that we take is as long
  char** texts = nullptr;
  int count = 0, too_long = 0;
  std::size_t bytes = 0;
  call_pg([&]() noexcept {
    ArrayType* const array = DatumGetArrayTypeP(value);
    Oid const type = ARR_ELEMTYPE(array);
    std::int16_t length = 0;
    bool by_value = false, is_varlena = false;
    char alignment = 0;
    Oid output = InvalidOid;
    Datum* elements = nullptr;
    bool* nulls = nullptr;
    get_typlenbyvalalign(type, &length, &by_value, &alignment);
    deconstruct_array(array, type, length, by_value, alignment, &elements, &nulls, &count);
    getTypeOutputInfo(type, &output, &is_varlena);
    texts = static_cast<char**>(palloc0((static_cast<std::size_t>(count) + 1) * sizeof(char*)));
    for (int i = 0; i < count && too_long == 0; ++i) {
      CHECK_FOR_INTERRUPTS();
      if (nulls[i]) continue;
      if (length == -1) bytes = toast_raw_datum_size(elements[i]) - VARHDRSZ;
      if (bytes > kMostBytes)
        too_long = i + 1;
      else
        texts[i] = OidOutputFunctionCall(output, elements[i]);
    }
  });
  if (too_long > 0)
    throw Error(Fault::kLimit, "argument " + quoted(name) + " is too large",
                "The element at position " + std::to_string(too_long) + " has " + std::to_string(bytes) + " bytes, " +
                    std::to_string(kMostBytes) + " are allowed.");
  std::vector<std::string> copied;
  for (int i = 0; i < count; ++i) {
    if (texts[i] == nullptr)
      throw Error(Fault::kParameter, "argument " + quoted(name) + " has a NULL at position " + std::to_string(i + 1));
    copied.emplace_back(texts[i]);
  }
  return copied;
}

std::vector<Oid> Arguments::relations(int number, char const* name) const {
  Datum const array = datum(number, name);
  Datum* elements = nullptr;
  bool* nulls = nullptr;
  int count = 0;
  call_pg([&]() noexcept {
    deconstruct_array(DatumGetArrayTypeP(array), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &elements, &nulls,
                      &count);
  });
  std::vector<Oid> relations;
  for (int i = 0; i < count; ++i) {
    if (nulls[i])
      throw Error(Fault::kParameter, "argument " + quoted(name) + " has a NULL at position " + std::to_string(i + 1));
    relations.push_back(DatumGetObjectId(elements[i]));
  }
  return relations;
}

}  // namespace anon_seq::pg
