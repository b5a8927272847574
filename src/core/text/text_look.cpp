#include "core/text/text_look.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace anon_seq {
namespace {

constexpr Code kFewValues = 8;  // below, numbers are rather names of categories

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 12, -3.50 and 1,5; not 007.
bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return false;
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return false;
  std::size_t points = 0;
  for (char c : text) {
    points += c == '.' || c == ',';
    if (!is_digit(c) && c != '.' && c != ',') return false;
  }
  return points <= 1;
}

// Three numbers with one sign between them, a time after them or not: 15.03.2024, 3/15/24, 2024-03-15 12:00.
bool is_date(std::string_view text) {
  text = text.substr(0, std::min(text.find(' '), text.find('T')));
  if (text.empty()) return false;
  std::array<std::string_view, 3> parts;
  char const sign = text[std::min(text.find_first_not_of("0123456789"), text.size() - 1)];
  if (sign != '.' && sign != '-' && sign != '/') return false;
  for (std::size_t i = 0; i < 3; ++i) {
    auto const end = i == 2 ? text.size() : text.find(sign);
    if (end == std::string_view::npos) return false;
    parts[i] = text.substr(0, end);
    if (i < 2) text.remove_prefix(end + 1);
  }
  if (parts[0].size() == 4) std::swap(parts[0], parts[2]);
  int number[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    auto const [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), number[i]);
    if (error != std::errc() || end != parts[i].data() + parts[i].size() || !is_digit(parts[i].front())) return false;
  }
  bool const is_year = parts[2].size() == 4 || parts[2].size() == 2;
  auto const [less, more] = std::minmax(number[0], number[1]);
  return is_year && parts[0].size() <= 2 && parts[1].size() <= 2 && less >= 1 && less <= 12 && more <= 31;
}

bool is_iso_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  if (text.size() < kIsoDay || !is_date(text)) return false;
  for (std::size_t i = 0; i < kIsoDay; ++i)
    if (is_digit(kForm[i]) ? !is_digit(text[i]) : text[i] != kForm[i]) return false;
  return text.size() == kIsoDay || text[kIsoDay] == ' ' || text[kIsoDay] == 'T';
}

template <class Is>
Code count(Column const& column, Is is) {
  Code found = 0;
  for (Code code = 1; code < column.distinct(); ++code)
    found += !column.values[code].empty() && is(column.values[code]);
  return found;
}

}  // namespace

TextLook look_of(Column const& column) {
  Code const all = column.distinct() - 1;
  auto const most = [all](Code some) { return 10 * std::int64_t{some} >= 9 * std::int64_t{all}; };
  if (all == 0) return TextLook::kText;
  if (count(column, is_iso_date) == all) return TextLook::kIsoDates;
  if (most(count(column, is_date))) return TextLook::kDates;
  if (all < kFewValues || !most(count(column, is_number))) return TextLook::kText;
  constexpr std::size_t kShortCode = 3;
  std::size_t const length = column.values[1].size();
  bool const one_length = count(column, [length](std::string_view text) { return text.size() == length; }) == all;
  return one_length && length >= kShortCode ? TextLook::kText : TextLook::kNumbers;
}

double year_of(std::string_view date) {
  int year = 0;
  std::from_chars(date.data(), date.data() + std::min<std::size_t>(date.size(), 4), year);
  return year;
}

}  // namespace anon_seq
