#include "core/serial/kept.h"

namespace anon_seq {
namespace {

constexpr int kBits = 62;
constexpr Wide kMost = static_cast<Wide>(1) << kBits;

Wide greatest_divisor(Wide a, Wide b) {
  while (b != 0) {
    a %= b;
    std::swap(a, b);
  }
  return a;
}

}  // namespace

Ratio rounded_down(Wide num, Wide den) {
  if (num == 0) return {0, 1};
  Wide const divisor = greatest_divisor(num, den);
  num /= divisor;
  den /= divisor;
  if (den <= kMost) return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
  std::int64_t quotient = 0;
  for (int bit = 0; bit < kBits; ++bit) {  // num < den, both far below 2^127
    num <<= 1;
    bool const one = num >= den;
    if (one) num -= den;
    quotient = quotient << 1 | (one ? 1 : 0);
  }
  return {quotient, static_cast<std::int64_t>(kMost)};
}

Ratio times(Ratio a, Ratio b) { return rounded_down(wide_mul(a.num, b.num), wide_mul(a.den, b.den)); }

Ratio least_kept(Ratio l) { return {l.num - l.den, l.num}; }

// 1 - least / kept = (kept.num * least.den - least.num * kept.den) / (kept.num * least.den)
Ratio share_left(Ratio kept, Ratio least) {
  Wide const mine = wide_mul(kept.num, least.den), needed = wide_mul(least.num, kept.den);
  return needed >= mine ? Ratio{0, 1} : rounded_down(mine - needed, mine);
}

}  // namespace anon_seq
