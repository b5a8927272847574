#include "core/interval_text.h"

#include "core/decimal.h"

namespace anon_seq {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::string> interval_text(std::string_view text) {
  text = trimmed(text);
  if (text == "*") return "(,)";
  auto const comma = text.find_first_of(",;");
  if (text.size() < 3 || comma == std::string_view::npos) return std::nullopt;
  char const opening = text.front(), closing = text.back();
  bool const known_opening = opening == '[' || opening == '(' || opening == ']';
  bool const known_closing = closing == ']' || closing == ')' || closing == '[';
  if (!known_opening || !known_closing) return std::nullopt;
  auto const lower = trimmed(text.substr(1, comma - 1)),
             upper = trimmed(text.substr(comma + 1, text.size() - comma - 2));
  auto is_bound = [](std::string_view bound) { return bound.empty() || decimal_scale(bound).has_value(); };
  if (!is_bound(lower) || !is_bound(upper)) return std::nullopt;
  // A bracket turned outward, as in [20, 30[, leaves its bound out.
  return (opening == '[' && !lower.empty() ? "[" : "(") + plain_decimal(lower) + "," + plain_decimal(upper) +
         (closing == ']' && !upper.empty() ? "]" : ")");
}

}  // namespace anon_seq
