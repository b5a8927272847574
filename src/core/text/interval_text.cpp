#include "core/text/interval_text.h"

#include <algorithm>

#include "core/numbers/decimal.h"

namespace anon_seq {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool ascends(std::string_view lower, std::string_view upper) {
  int const scale = std::max(*decimal_scale(lower), *decimal_scale(upper));
  auto const from = decimal_floor(lower, scale), to = decimal_floor(upper, scale);
  return from && to && *from <= *to;
}

// Where the separator of two bounds stands: a comma, a semicolon, or the hyphen between two ascending numbers.
std::size_t separator(std::string_view bounds) {
  auto const comma = bounds.find_first_of(",;");
  if (comma != std::string_view::npos) return comma;
  for (auto at = bounds.find('-'); at != std::string_view::npos; at = bounds.find('-', at + 1)) {
    auto const lower = trimmed(bounds.substr(0, at)), upper = trimmed(bounds.substr(at + 1));
    if (decimal_scale(lower) && decimal_scale(upper) && ascends(lower, upper)) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<std::string> interval_text(std::string_view text) {
  text = trimmed(text);
  if (text == "*") return "(,)";
  if (text.size() < 3) return std::nullopt;
  char const opening = text.front(), closing = text.back();
  bool const known_opening = opening == '[' || opening == '(' || opening == ']';
  bool const known_closing = closing == ']' || closing == ')' || closing == '[';
  if (!known_opening || !known_closing) return std::nullopt;
  auto const bounds = text.substr(1, text.size() - 2);
  auto const between = separator(bounds);
  if (between == std::string_view::npos) return std::nullopt;
  auto const lower = trimmed(bounds.substr(0, between)), upper = trimmed(bounds.substr(between + 1));
  auto is_bound = [](std::string_view bound) { return bound.empty() || decimal_scale(bound).has_value(); };
  if (!is_bound(lower) || !is_bound(upper)) return std::nullopt;
  // A bracket turned outward, as in [20, 30[, leaves its bound out.
  return (opening == '[' && !lower.empty() ? "[" : "(") + plain_decimal(lower) + "," + plain_decimal(upper) +
         (closing == ']' && !upper.empty() ? "]" : ")");
}

std::optional<std::string> interval_or_point(std::string_view text) {
  auto const number = trimmed(text);
  if (!decimal_scale(number)) return interval_text(text);
  return "[" + plain_decimal(number) + "," + plain_decimal(number) + "]";
}

}  // namespace anon_seq
