#include "core/cut_point.h"

#include <charconv>

#include "core/decimal.h"
#include "core/line_place.h"
#include "core/round_cut.h"

namespace anon_seq {
namespace {

int number_at(std::string_view text, std::size_t begin, std::size_t length) {
  int number = 0;
  std::from_chars(text.data() + begin, text.data() + begin + length, number);
  return number;
}

bool has_plain_year(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text.find("BC") == std::string_view::npos;
}

std::string padded(int number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

// Days since 2000-01-01 in the proleptic Gregorian calendar (H. Hinnant, days_from_civil).
std::int64_t days_of(int year, int month, int day) {
  constexpr std::int64_t kEpoch = 730425;  // days_of(2000, 1, 1) before this is taken off
  std::int64_t const y = year - (month <= 2);
  std::int64_t const era = (y >= 0 ? y : y - 399) / 400;
  std::int64_t const year_of_era = y - era * 400;
  std::int64_t const day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - kEpoch;
}

double date_position(ValueKind kind, std::string_view text) {
  auto const days = static_cast<double>(days_of(number_at(text, 0, 4), number_at(text, 5, 2), number_at(text, 8, 2)));
  if (kind == ValueKind::kDate) return days;
  double micros = days * 86400e6;
  if (text.size() >= 19) {
    micros += number_at(text, 11, 2) * 3600e6 + number_at(text, 14, 2) * 60e6;
    double seconds = 0;
    std::from_chars(text.data() + 17, text.data() + text.size(), seconds);
    micros += seconds * 1e6;
  }
  return micros;
}

}  // namespace

std::string roundest_date(std::string_view lo, std::string_view hi) {
  if (!has_plain_year(lo) || !has_plain_year(hi)) return std::string(hi);
  bool const has_time = hi.size() > 10;
  std::string const midnight = has_time ? " 00:00:00" : "";
  std::string const zone =
      has_time && hi.find('+', 19) != std::string_view::npos ? std::string(hi.substr(hi.find('+', 19))) : "";
  int const year = number_at(hi, 0, 4), month = number_at(hi, 5, 2);
  auto start = [&](int y, int m) { return padded(y, 4) + "-" + padded(m, 2) + "-01" + midnight; };
  std::string const date(hi.substr(0, 10));
  std::string candidates[] = {start(year / 100 * 100, 1),
                              start(year / 10 * 10, 1),
                              start(year, 1),
                              start(year, (month - 1) / 3 * 3 + 1),
                              start(year, month),
                              date + midnight,
                              has_time ? std::string(hi.substr(0, 13)) + ":00:00" : date,
                              has_time ? std::string(hi.substr(0, 16)) + ":00" : date,
                              has_time ? std::string(hi.substr(0, 19)) : date};
  for (auto& candidate : candidates)
    if (candidate >= "0001" && candidate + zone > lo) return candidate + zone;
  return std::string(hi);
}

std::string cut_point(Column const& column, Code code) {
  auto const lo = column.values[code - 1], hi = column.values[code];
  switch (column.kind) {
    case ValueKind::kDate:
    case ValueKind::kTimestamp:
    case ValueKind::kTimestampTz: return roundest_date(lo, hi);
    default: return roundest_between(plain_decimal(lo), plain_decimal(hi));
  }
}

double cut_position(ValueKind kind, std::string_view text) {
  if (kind >= ValueKind::kDate) return has_plain_year(text) ? date_position(kind, text) : 0;
  return number_place(text);
}

Vector<double> cut_positions(Column const& column) {
  Vector<double> positions(column.positions);
  for (Code code = 2; code < column.distinct(); ++code) {
    auto const text = cut_point(column, code);
    if (text != column.values[code]) positions[static_cast<std::size_t>(code)] = cut_position(column.kind, text);
  }
  return positions;
}

}  // namespace anon_seq
