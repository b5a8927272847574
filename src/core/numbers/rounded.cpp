#include "core/numbers/rounded.h"

#include <charconv>
#include <cmath>

namespace anon_seq {

std::string rounded_text(double value) {
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char digits[40];
  auto const end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 6).ptr;
  std::string text(digits, end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace anon_seq
