// Exact decimals on a grid: numbers as whole multiples of 10^-scale.
//
// Bounds and widths of range taxonomies must be exact, so no double is used. Digits beyond the grid are
// floored, which moves no number across a bound that lies on the grid.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anon_seq {

inline constexpr int kMaxScale = 15;

// Digits after the point that `text` needs, trailing zeros aside: "5" 0, "2.50" 1, "1e-3" 3; nullopt if
// it is no finite decimal number.
std::optional<int> decimal_scale(std::string_view text);

// floor(text * 10^scale); nullopt if text is no finite decimal number or the result leaves 64 bits.
std::optional<std::int64_t> decimal_floor(std::string_view text, int scale);

// units * 10^-scale in plain notation without trailing zeros: (250, 2) is "2.5".
std::string decimal_text(std::int64_t units, int scale);

// A finite decimal without exponent: "1.5e-3" is "0.0015". Text that is no decimal comes back as it is.
std::string plain_decimal(std::string_view text);

// The one spelling that all of a number have: "5" of "5.00", "05" and "0.5e1". Empty for what is no finite decimal.
std::string normal_decimal(std::string_view text);

// Whether two texts are one number, however it is spelled. False for what is no finite decimal.
bool same_decimal(std::string_view a, std::string_view b);

// The order of two finite decimals as numbers, whatever their size. What is no finite decimal counts as 0.
std::strong_ordering compare_decimals(std::string_view a, std::string_view b);

}  // namespace anon_seq
