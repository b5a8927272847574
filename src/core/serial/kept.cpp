#include "core/serial/kept.h"

#include <algorithm>
#include <bit>

namespace anon_seq {
namespace {

constexpr int kBits = 62;
constexpr Wide kMost = static_cast<Wide>(1) << kBits;

template <class Number>
Number greatest_divisor(Number a, Number b) {
  while (b != 0) {
    a %= b;
    std::swap(a, b);
  }
  return a;
}

// Of a fraction in lowest terms.
Ratio fitted(Wide num, Wide den) {
  if (den <= kMost) return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
  int const room = den >> 64 == 0 ? 64 : std::countl_zero(static_cast<std::uint64_t>(den >> 64));
  std::uint64_t quotient = 0;
  for (int left = kBits; left > 0;) {  // long division, as many digits at once as num < den leaves room for
    int const digits = std::min(left, room);
    num <<= digits;
    quotient = quotient << digits | static_cast<std::uint64_t>(num / den);
    num %= den;
    left -= digits;
  }
  if (quotient == 0) return {0, 1};
  int const twos = std::countr_zero(quotient);
  return {static_cast<std::int64_t>(quotient >> twos), std::int64_t{1} << (kBits - twos)};
}

}  // namespace

Ratio rounded_down(Wide num, Wide den) {
  Wide const divisor = greatest_divisor(num, den);
  return fitted(num / divisor, den / divisor);
}

Ratio times(Ratio a, Ratio b) {
  auto const across = greatest_divisor(a.num, b.den), other = greatest_divisor(b.num, a.den);
  return fitted(wide_mul(a.num / across, b.num / other), wide_mul(a.den / other, b.den / across));
}

Ratio least_kept(Ratio l) { return {l.num - l.den, l.num}; }

// 1 - least / kept = (kept.num * least.den - least.num * kept.den) / (kept.num * least.den)
Ratio share_left(Ratio kept, Ratio least) {
  Wide const mine = wide_mul(kept.num, least.den), needed = wide_mul(least.num, kept.den);
  return needed >= mine ? Ratio{0, 1} : rounded_down(mine - needed, mine);
}

bool is_left(Ratio kept, Ratio least, std::int64_t m) {
  Wide const mine = wide_mul(kept.num, least.den), needed = wide_mul(least.num, kept.den);
  if (needed >= mine) return false;
  Wide product;  // 1/m <= (mine - needed) / mine
  return __builtin_mul_overflow(mine - needed, static_cast<Wide>(m), &product) || product >= mine;
}

}  // namespace anon_seq
