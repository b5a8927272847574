// Calendar units: make_date_rule and DateRule of open_taxonomy.h.
#include <array>
#include <charconv>

#include "core/base/error.h"
#include "core/taxonomy/open_taxonomy.h"

namespace anon_seq {
namespace {

constexpr std::array<char const*, 6> kUnits{"hour", "day", "month", "quarter", "year", "decade"};
constexpr int kExact = -1;  // finer than an hour

// A date or one of our labels, and how exact it is: a unit, or kExact.
struct Calendar {
  int year = 0, month = 0, day = 0, hour = 0;
  int exactness = kExact;
};

// Reads digits of a fixed count (at least, for years) and moves on; false if there are none.
bool read_number(std::string_view& text, std::size_t least, std::size_t most, int& number) {
  std::size_t digits = 0;
  while (digits < text.size() && digits < most && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits < least) return false;
  std::from_chars(text.data(), text.data() + digits, number);
  text.remove_prefix(digits);
  return true;
}

bool skip(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

bool is_day(Calendar const& c) {
  bool const leap = c.year % 4 == 0 && (c.year % 100 != 0 || c.year % 400 == 0);
  std::array<int, 13> const lengths{0, 31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= lengths[static_cast<std::size_t>(c.month)];
}

// What follows the hour of a timestamp: [:MM[:SS[.ffffff]]][+zone], digits and signs only.
bool is_time_rest(std::string_view text) { return text.find_first_not_of("0123456789:.+-") == std::string_view::npos; }

std::optional<Calendar> parse(std::string_view text) {
  Calendar c;
  if (!read_number(text, 4, 6, c.year)) return std::nullopt;
  if (text == "s" && c.year % 10 == 0) return c.exactness = DateRule::kDecade, c;
  if (text.empty()) return c.exactness = DateRule::kYear, c;
  if (!skip(text, '-')) return std::nullopt;
  if (skip(text, 'Q')) {
    int quarter = 0;
    if (!read_number(text, 1, 1, quarter) || !text.empty() || quarter < 1 || quarter > 4) return std::nullopt;
    c.month = quarter * 3;
    return c.exactness = DateRule::kQuarter, c;
  }
  if (!read_number(text, 2, 2, c.month) || c.month < 1 || c.month > 12) return std::nullopt;
  if (text.empty()) return c.exactness = DateRule::kMonth, c;
  if (!skip(text, '-') || !read_number(text, 2, 2, c.day) || !is_day(c)) return std::nullopt;
  if (text.empty()) return c.exactness = DateRule::kDay, c;
  if (!skip(text, ' ') && !skip(text, 'T')) return std::nullopt;
  if (!read_number(text, 2, 2, c.hour) || c.hour > 23 || !is_time_rest(text)) return std::nullopt;
  c.exactness = text.empty() ? static_cast<int>(DateRule::kHour) : kExact;
  return c;
}

std::string digits(int number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

std::string label(Calendar const& c, DateRule::Unit unit) {
  std::string const year = digits(c.year, 4);
  switch (unit) {
    case DateRule::kDecade: return digits(c.year / 10 * 10, 4) + "s";
    case DateRule::kYear: return year;
    case DateRule::kQuarter: return year + "-Q" + std::to_string((c.month + 2) / 3);
    case DateRule::kMonth: return year + "-" + digits(c.month, 2);
    case DateRule::kDay: return year + "-" + digits(c.month, 2) + "-" + digits(c.day, 2);
    case DateRule::kHour: return label(c, DateRule::kDay) + " " + digits(c.hour, 2);
  }
  return year;
}

}  // namespace

DateRule make_date_rule(std::vector<std::string> const& units) {
  if (units.empty()) throw Error(Fault::kParameter, "a date taxonomy needs at least one unit");
  DateRule rule;
  for (auto const& unit : units) {
    std::size_t found = 0;
    while (found < kUnits.size() && unit != kUnits[found]) ++found;
    if (found == kUnits.size())
      throw Error(Fault::kParameter, quoted(unit) + " is not a unit of a date taxonomy", "",
                  "Units are hour, day, month, quarter, year and decade.");
    if (!rule.units.empty() && static_cast<int>(found) <= rule.units.back())
      throw Error(Fault::kParameter, "unit " + quoted(unit) + " does not follow " + quoted(kUnits[rule.units.back()]),
                  "", "Give units from short to long, such as '{day,month,quarter,year}'.");
    rule.units.push_back(static_cast<DateRule::Unit>(found));
  }
  return rule;
}

std::optional<Path> DateRule::path(std::string_view value) const {
  if (value == "ANY") return Path{"ANY"};
  Path path{std::string(value)};
  if (value != "infinity" && value != "-infinity") {
    auto const calendar = parse(value);
    if (!calendar) return std::nullopt;
    for (Unit unit : units)
      if (unit > calendar->exactness) path.push_back(label(*calendar, unit));
  }
  path.emplace_back("ANY");
  return path;
}

}  // namespace anon_seq
