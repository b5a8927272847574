// Places of numbers on the line of a continuous column, as doubles: for widths, which need not be exact, but finite.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace anon_seq {

// The number that a text shows; the largest double, with its sign, for what is larger still.
inline double number_place(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);  // from_chars knows none
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::size_t kManyDigits = 300;
  if (error != std::errc::result_out_of_range || std::min(text.find('.'), text.size()) < kManyDigits) return value;
  double const most = std::numeric_limits<double>::max();
  return text.front() == '-' ? -most : most;
}

// What places from `lower` to `upper` are multiplied by before widths are taken and added up: 1, or less where these
// would pass the largest double. A power of two: shares of the whole come out the same.
inline double line_unit(double lower, double upper) {
  return std::max(std::abs(lower), std::abs(upper)) > 0x1p900 ? 0x1p-200 : 1;
}

}  // namespace anon_seq
