// The roundest decimal between two values: what is published where rows are cut.
//
// A cut at a row's own value would publish somebody's exact value. Any m with lo < m < hi cuts the same rows apart, so
// the roundest one is shown: 0 if it lies in the gap; else a multiple of the greatest power of ten that has one there,
// of these the one with the digit 5, else the nearest to zero.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anon_seq {

// Plain decimals: a sign, digits, a point; no exponent. Of whole numbers nothing if they are neighbours; else there is
// always room, with a digit more if need be.
// Throws kInternal unless both are decimals and lo < hi.
std::optional<std::string> roundest_between(std::string_view lo, std::string_view hi, bool whole);

}  // namespace anon_seq
