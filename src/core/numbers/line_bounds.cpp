#include "core/numbers/line_bounds.h"

#include <charconv>
#include <cmath>

#include "core/numbers/decimal.h"
#include "core/numbers/round_cut.h"
#include "core/numbers/round_date.h"

namespace anon_seq {
namespace {

std::string decimal_of(double value) {
  char digits[400];
  auto const end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr;
  return {digits, end};
}

// The next power of ten, of a plain decimal that has digits before the point.
std::string power_beyond(std::string const& text) {
  std::size_t const sign = text.front() == '-';
  return text.substr(0, sign) + "1" + std::string(std::min(text.find('.'), text.size()) - sign, '0');
}

std::string number_beyond(Column const& column, Code extreme, bool above) {
  auto const at = [&](Code code) { return column.positions[static_cast<std::size_t>(code)]; };
  double const value = at(extreme), reach = at(column.distinct() - 1) / 8 - at(1) / 8;
  double const step = std::max({reach, std::abs(value) / 1024, 2.0});  // there is a whole number in between
  auto const text = plain_decimal(column.values[extreme]);
  double const beyond = above ? std::ceil(value + step) : std::floor(value - step);
  auto const end = std::isfinite(beyond) ? decimal_of(beyond) : power_beyond(text);
  bool const whole = column.kind == ValueKind::kInteger;
  return (above ? roundest_between(text, end, whole) : roundest_between(end, text, whole)).value_or(end);
}

std::int32_t roundness_of_number(std::string_view text) {
  constexpr std::int32_t kZero = 1000;
  auto const last = text.find_last_of("123456789");
  if (last == std::string_view::npos) return kZero;
  auto const point = std::min(text.find('.'), text.size());
  auto const exponent = static_cast<std::int32_t>(point) - static_cast<std::int32_t>(last) - (last < point ? 1 : 0);
  auto const first = text.find_first_of("123456789");
  bool const five = first == last && text[last] == '5';
  return 2 * exponent + (five ? 1 : 0);
}

}  // namespace

std::string bound_text(Column const& column, Code t) {
  if (t > 1 && t < column.distinct()) return cut_point(column, t);
  Code const extreme = t == 1 ? 1 : column.distinct() - 1;
  if (column.kind < ValueKind::kDate) return number_beyond(column, extreme, t > 1);
  return date_beyond(column.values[extreme], t > 1).value_or(std::string(column.values[extreme]));
}

Vector<std::int32_t> roundness_of(Column const& column, std::span<char const> barred) {
  Vector<std::int32_t> roundness(static_cast<std::size_t>(column.distinct()) + 1, 0);
  for (Code t = 2; t < column.distinct(); ++t) {
    auto const at = static_cast<std::size_t>(t);
    if (barred[at] != 0) {
      roundness[at] = kNoPlace;
      continue;
    }
    auto const text = cut_point(column, t);
    roundness[at] = column.kind >= ValueKind::kDate ? roundness_of_date(text) : roundness_of_number(text);
  }
  return roundness;
}

}  // namespace anon_seq
