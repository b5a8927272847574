#include "core/numbers/calendar.h"

#include <charconv>

namespace anon_seq {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

std::string padded(std::int64_t number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

// Reads digits, and what must follow them; false if there are none.
bool read_number(std::string_view& text, std::int64_t& number) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool skip(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

bool read_time(std::string_view& text, std::int64_t& micros) {
  std::int64_t hour = 0, minute = 0, second = 0;
  if (!read_number(text, hour) || !skip(text, ':') || !read_number(text, minute) || !skip(text, ':') ||
      !read_number(text, second))
    return false;
  micros += ((hour * 60 + minute) * 60 + second) * 1000000;
  if (!skip(text, '.')) return true;
  for (std::int64_t unit = 100000; !text.empty() && text.front() >= '0' && text.front() <= '9'; unit /= 10) {
    micros += (text.front() - '0') * unit;
    text.remove_prefix(1);
  }
  return true;
}

}  // namespace

// H. Hinnant, chrono-Compatible Low-Level Date Algorithms: days_from_civil, civil_from_days.
constexpr std::int64_t kEpoch = 730425;  // 2000-01-01, in days since 0000-03-01

std::int64_t days_of(CivilDay date) {
  std::int64_t const y = date.year - (date.month <= 2);
  std::int64_t const era = floor_div(y, 400);
  std::int64_t const year_of_era = y - era * 400;
  std::int64_t const day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - kEpoch;
}

CivilDay civil_of(std::int64_t days) {
  std::int64_t const since = days + kEpoch, era = floor_div(since, 146097), day_of_era = since - era * 146097;
  std::int64_t const year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  auto const day_of_year = static_cast<int>(day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100));
  int const shifted = (5 * day_of_year + 2) / 153, month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {year_of_era + era * 400 + (month <= 2), month, day_of_year - (153 * shifted + 2) / 5 + 1};
}

std::optional<Moment> moment_of(std::string_view text) {
  bool const before_christ = text.ends_with(" BC");
  if (before_christ) text.remove_suffix(3);
  std::int64_t year = 0, month = 0, day = 0;
  if (!read_number(text, year) || !skip(text, '-') || !read_number(text, month) || !skip(text, '-') ||
      !read_number(text, day) || month < 1 || month > 12 || year > kLastYear)
    return std::nullopt;
  Moment moment;
  moment.micros =
      kMicrosOfDay * days_of({before_christ ? 1 - year : year, static_cast<int>(month), static_cast<int>(day)});
  if (text.empty()) return moment;
  moment.has_time = true;
  if (!skip(text, ' ') || !read_time(text, moment.micros)) return std::nullopt;
  moment.zone = text;
  return moment;
}

std::string moment_text(Moment const& moment) {
  std::int64_t const days = floor_div(moment.micros, kMicrosOfDay), time = moment.micros - days * kMicrosOfDay;
  auto const date = civil_of(days);
  bool const before_christ = date.year <= 0;
  std::string text =
      padded(before_christ ? 1 - date.year : date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2);
  if (moment.has_time) {
    std::int64_t const seconds = time / 1000000;
    text += " " + padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2);
    std::string fraction = padded(time % 1000000, 6);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += (fraction.empty() ? "" : "." + fraction) + moment.zone;
  }
  return text + (before_christ ? " BC" : "");
}

}  // namespace anon_seq
