#include "core/numbers/round_date.h"

#include "core/numbers/calendar.h"

namespace anon_seq {
namespace {

std::int64_t floor_to(std::int64_t value, std::int64_t unit) {
  std::int64_t const rest = value % unit;
  return value - (rest < 0 ? rest + unit : rest);
}

// Where PostgreSQL's dates and timestamps begin.
std::int64_t first_moment() { return kMicrosOfDay * days_of({-4713, 11, 24}); }

std::int64_t year_start(std::int64_t year) { return kMicrosOfDay * days_of({year, 1, 1}); }

// The latest start of a unit at or before a moment: 0 centuries, decades, years, quarters, months, days, hours,
// minutes, seconds, then tenths of these down to microseconds.
constexpr int kUnits = 15;
std::int64_t unit_start(std::int64_t micros, int unit) {
  constexpr std::int64_t kTimes[] = {kMicrosOfDay, 3600000000, 60000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
  if (unit >= 5) return floor_to(micros, kTimes[unit - 5]);
  auto date = civil_of(floor_to(micros, kMicrosOfDay) / kMicrosOfDay);
  if (unit == 0) return year_start(floor_to(date.year, 100));
  if (unit == 1) return year_start(floor_to(date.year, 10));
  if (unit == 2) return year_start(date.year);
  return kMicrosOfDay * days_of({date.year, unit == 3 ? (date.month - 1) / 3 * 3 + 1 : date.month, 1});
}

std::string text_like(Moment like, std::int64_t micros) {
  like.micros = micros;
  return moment_text(like);
}

std::int64_t year_of(std::int64_t micros) { return civil_of(floor_to(micros, kMicrosOfDay) / kMicrosOfDay).year; }

}  // namespace

std::optional<std::string> roundest_date(std::string_view lo, std::string_view hi) {
  auto const low = moment_of(lo), high = moment_of(hi);
  if (!low && !high) return std::nullopt;
  if (!high) {
    std::int64_t const century = floor_to(year_of(low->micros), 100) + 100;
    for (std::int64_t const year : {century, year_of(low->micros) + 1})
      if (year <= kLastYear) return text_like(*low, year_start(year));
    return std::nullopt;
  }
  std::int64_t const last = high->micros - (high->has_time ? 1 : kMicrosOfDay);
  std::int64_t const below = low ? low->micros : first_moment() - 1;
  for (int unit = 0; unit < kUnits; ++unit)
    if (std::int64_t const start = unit_start(last, unit); start > below) return text_like(*high, start);
  return std::nullopt;
}

std::optional<std::string> date_beyond(std::string_view date, bool above) {
  auto const moment = moment_of(date);
  if (!moment) return std::nullopt;
  std::int64_t const year = year_of(moment->micros);
  if (above) return year < kLastYear ? std::optional(text_like(*moment, year_start(year + 1))) : std::nullopt;
  std::int64_t const start = year_start(year) < moment->micros ? year_start(year) : year_start(year - 1);
  return start >= first_moment() ? std::optional(text_like(*moment, start)) : std::nullopt;
}

std::int32_t roundness_of_date(std::string_view text) {
  auto const moment = moment_of(text);
  if (!moment) return 0;
  constexpr std::int32_t kCentury = 9;
  for (std::int32_t unit = 0; unit < kCentury; ++unit)
    if (unit_start(moment->micros, unit) == moment->micros) return kCentury - unit;
  return 0;
}

}  // namespace anon_seq
