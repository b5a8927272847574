#include "core/attack/chance.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace anon_seq {
namespace {

constexpr Wide power_of_ten(int exponent) { return exponent == 0 ? 1 : 10 * power_of_ten(exponent - 1); }
constexpr Wide kCertain = power_of_ten(kChanceDigits);
constexpr Wide kLongest = ~Wide{0} / 10;  // denominators that can be divided digit by digit

Wide greatest_divisor(Wide a, Wide b) {
  while (b != 0) {
    Wide const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

struct Fraction {
  Wide num = 1, den = 1;
};

// nullopt: the product does not fit.
std::optional<Fraction> product(Fraction a, std::int64_t num, std::int64_t den) {
  Fraction b{static_cast<std::uint64_t>(num), static_cast<std::uint64_t>(den)};
  auto const reduce = [](Wide& up, Wide& down) {
    Wide const divisor = greatest_divisor(up, down);
    up /= divisor;
    down /= divisor;
  };
  reduce(b.num, b.den);
  reduce(a.num, b.den);
  reduce(b.num, a.den);
  Fraction made;
  if (__builtin_mul_overflow(a.num, b.num, &made.num) || __builtin_mul_overflow(a.den, b.den, &made.den) ||
      made.den > kLongest)
    return std::nullopt;
  return made;
}

// The chances that rows of the draws, one after the other, have another value: (n-c-i)/(n-i).
template <class Step>
void each_miss(std::span<Draw const> draws, Step step) {
  for (auto const& draw : draws)
    for (std::int64_t i = 0; i < draw.rows; ++i)
      if (!step(std::max(draw.size - draw.held - i, std::int64_t{0}), draw.size - i)) return;
}

// A product of as many factors, each and each product with an error of half a unit in the last place.
Chance floating_chance(std::span<Draw const> draws) {
  double missed = 1, factors = 0;
  each_miss(draws, [&](std::int64_t num, std::int64_t den) {
    missed *= static_cast<double>(num) / static_cast<double>(den);
    ++factors;
    return num > 0;
  });
  return at_most_about(1 - missed, (3 * factors + 2) * 0x1p-52);
}

}  // namespace

Chance share(Wide part, Wide whole) {
  Wide const divisor = greatest_divisor(part, whole);
  part /= divisor;
  whole /= divisor;
  if (whole > kLongest) return at_most_about(static_cast<double>(part) / static_cast<double>(whole), 0x1p-50);
  Wide units = part / whole, rest = part % whole;
  for (int digit = 0; digit < kChanceDigits; ++digit) {
    rest *= 10;
    units = units * 10 + rest / whole;
    rest %= whole;
  }
  // Two fractions with denominators up to 10^16 and 10^4 differ by 10^-20, or not at all.
  bool const up = whole <= power_of_ten(16) ? 2 * rest >= whole : rest > 0;
  return {units + (up ? 1 : 0), true};
}

Chance at_most_about(double chance, double error) {
  double const above = std::min(std::max(chance, 0.0) + error, 1.0);
  Wide const units = static_cast<Wide>(std::ceil(above * 1e15)) * power_of_ten(kChanceDigits - 15);
  return {std::min(units, kCertain), false};
}

Chance about(double chance) {
  auto const millionths = std::clamp(std::round(chance * 1e6), 1.0, 1e6);
  return {static_cast<Wide>(millionths) * power_of_ten(kChanceDigits - 6), false};
}

Chance chance_of_any(std::span<Draw const> draws) {
  std::optional<Fraction> missed = Fraction{};
  each_miss(draws, [&](std::int64_t num, std::int64_t den) {
    missed = product(*missed, num, den);
    return missed && num > 0;
  });
  return missed ? share(missed->den - missed->num, missed->den) : floating_chance(draws);
}

std::string chance_text(Wide units) {
  if (units >= kCertain) return "1";
  if (units == 0) return "0";
  std::string digits(kChanceDigits, '0');
  for (int i = kChanceDigits; i-- > 0; units /= 10) digits[static_cast<std::size_t>(i)] += static_cast<int>(units % 10);
  return "0." + digits.substr(0, digits.find_last_not_of('0') + 1);
}

}  // namespace anon_seq
