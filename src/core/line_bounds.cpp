#include "core/line_bounds.h"

#include <charconv>
#include <cmath>

#include "core/decimal.h"
#include "core/round_cut.h"

namespace anon_seq {
namespace {

std::string decimal_of(double value) {
  char digits[400];
  auto const end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr;
  return {digits, end};
}

std::string year_start(std::string_view date, int year) {
  std::string const digits = std::to_string(year);
  return std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits + "-01-01" +
         (date.size() > 10 ? " 00:00:00" : "") +
         (date.size() > 19 && date.find('+', 19) != std::string_view::npos
              ? std::string(date.substr(date.find('+', 19)))
              : "");
}

// The start of the year of a date, or of the year after it.
std::string date_beyond(std::string_view date, bool above) {
  int year = 0;
  auto const [end, error] = std::from_chars(date.data(), date.data() + date.size(), year);
  bool const plain = error == std::errc() && end == date.data() + 4 && date.find("BC") == std::string_view::npos;
  if (!plain || year >= 9999) return above ? "infinity" : std::string(date);
  return year_start(date, above ? year + 1 : year);
}

// The next power of ten, of a plain decimal that has digits before the point.
std::string power_beyond(std::string const& text) {
  std::size_t const sign = text.front() == '-';
  return text.substr(0, sign) + "1" + std::string(std::min(text.find('.'), text.size()) - sign, '0');
}

std::string number_beyond(Column const& column, Code extreme, bool above) {
  auto const at = [&](Code code) { return column.positions[static_cast<std::size_t>(code)]; };
  double const value = at(extreme), reach = at(column.distinct() - 1) / 8 - at(1) / 8;
  double const step = std::max({reach, std::abs(value) / 1024, 1.0});
  auto const text = plain_decimal(column.values[extreme]);
  double const beyond = above ? std::ceil(value + step) : std::floor(value - step);
  auto const end = std::isfinite(beyond) ? decimal_of(beyond) : power_beyond(text);
  return above ? roundest_between(text, end) : roundest_between(end, text);
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

// Units that begin at a date: second 1, minute 2, hour 3, day 4, month 5, quarter 6, year 7, decade 8, century 9.
std::int32_t roundness_of_date(std::string_view text) {
  auto digits = [&](std::size_t begin, std::size_t length) {
    int number = 0;
    std::from_chars(text.data() + begin, text.data() + begin + length, number);
    return number;
  };
  if (text.size() > 19 && text[19] == '.') return 0;
  if (text.size() >= 19) {
    if (digits(17, 2) != 0) return 1;
    if (digits(14, 2) != 0) return 2;
    if (digits(11, 2) != 0) return 3;
  }
  if (text.size() < 10 || text[4] != '-') return 0;
  if (digits(8, 2) != 1) return 4;
  int const month = digits(5, 2), year = digits(0, 4);
  if (month % 3 != 1) return 5;
  if (month != 1) return 6;
  return year % 100 == 0 ? 9 : year % 10 == 0 ? 8 : 7;
}

}  // namespace

std::string bound_text(Column const& column, Code t) {
  bool const is_date = column.kind >= ValueKind::kDate;
  if (t > 1 && t < column.distinct()) return cut_point(column, t);
  Code const extreme = t == 1 ? 1 : column.distinct() - 1;
  return is_date ? date_beyond(column.values[extreme], t > 1) : number_beyond(column, extreme, t > 1);
}

Vector<std::int32_t> roundness_of(Column const& column) {
  Vector<std::int32_t> roundness(static_cast<std::size_t>(column.distinct()) + 1, 0);
  for (Code t = 2; t < column.distinct(); ++t) {
    auto const text = cut_point(column, t);
    roundness[static_cast<std::size_t>(t)] =
        column.kind >= ValueKind::kDate ? roundness_of_date(text) : roundness_of_number(text);
  }
  return roundness;
}

}  // namespace anon_seq
