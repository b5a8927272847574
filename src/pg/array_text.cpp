#include "pg/array_text.h"

#include <array>
#include <charconv>

#include "pg/guard.h"

namespace anon_seq::pg {
namespace {

// Characters that array_out puts into quotes.
constexpr auto kSpecial = [] {
  std::array<bool, 256> special{};
  for (char c : {'{', '}', '"', '\\', ',', ' ', '\t', '\n', '\r', '\v', '\f'})
    special[static_cast<unsigned char>(c)] = true;
  return special;
}();

// Whether array_out writes a text without quotes.
bool is_plain(std::string_view text) {
  if (text.empty() || (text.size() == 4 && pg_strncasecmp(text.data(), "NULL", 4) == 0)) return false;
  for (char c : text)
    if (kSpecial[static_cast<unsigned char>(c)]) return false;
  return true;
}

void append_comma(std::string& array) {
  if (array.size() > 1) array += ',';
}

}  // namespace

void append_element(std::string& array, std::string_view text) {
  append_comma(array);
  if (is_plain(text)) {
    array += text;
    return;
  }
  array += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') array += '\\';
    array += c;
  }
  array += '"';
}

void append_null_element(std::string& array) {
  append_comma(array);
  array += "NULL";
}

void append_element(std::string& array, std::int64_t number) {
  append_comma(array);
  char digits[24];
  array.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
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
