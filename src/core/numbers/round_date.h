// The roundest date or timestamp between two: what is published where rows are cut.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anon_seq {

// The start of the greatest calendar unit strictly between lo and hi, from centuries down to days, or microseconds; of
// these the last. ISO dates or timestamps, one of them may be infinite. Nothing if there is no room: two days, or
// microseconds, in a row; nor beyond the last year.
std::optional<std::string> roundest_date(std::string_view lo, std::string_view hi);

// The start of the next year that begins after a date, or of the last that began before it; nothing if there is none.
std::optional<std::string> date_beyond(std::string_view date, bool above);

// How round a date is. Units that begin at it: a part of a second 0, second 1, minute 2, hour 3, day 4, month 5,
// quarter 6, year 7, decade 8, century 9.
std::int32_t roundness_of_date(std::string_view text);

}  // namespace anon_seq
