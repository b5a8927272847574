// Dates and timestamps as PostgreSQL writes them in ISO form, as numbers, and back: proleptic Gregorian, years BC and
// years of more than four digits included. No change of time zone: an offset is kept as it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anon_seq {

inline constexpr std::int64_t kMicrosOfDay = 86400000000;

struct CivilDay {
  std::int64_t year;  // 0 is 1 BC, -1 is 2 BC
  int month, day;
};

// Days since 2000-01-01.
std::int64_t days_of(CivilDay date);
CivilDay civil_of(std::int64_t days);

struct Moment {
  std::int64_t micros = 0;  // since 2000-01-01 00:00:00
  bool has_time = false;
  std::string zone;  // "+00", or nothing
};

// The last year whose moments are numbers: that of timestamps. Dates go further.
inline constexpr std::int64_t kLastYear = 294275;

// Nothing if the text is neither date nor timestamp, infinity for instance, or lies after the last year.
std::optional<Moment> moment_of(std::string_view text);

// With the fraction of a second only where there is one.
std::string moment_text(Moment const& moment);

}  // namespace anon_seq
