// Exact fractions and checked counts.
//
// Counts of a join are products of counts: 64 bits, every sum and product checked. Thresholds are fractions
// of integers and are compared by cross multiplication in 128 bits; no guarantee ever rests on a float.
#pragma once

#include <cstdint>

#include "core/base/error.h"

namespace anon_seq {

// num / den of a threshold. REQUIRES of users: den > 0, num >= 0.
struct Ratio {
  std::int64_t num = 0, den = 1;
  bool operator==(Ratio const&) const = default;
};

[[noreturn]] inline void count_overflow() {
  throw Error(Fault::kLimit, "a count over the join does not fit in 64 bits",
              "Counts of a join are products of the counts of its releases.");
}

inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) count_overflow();
  return sum;
}

inline std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) count_overflow();
  return product;
}

using Wide = unsigned __int128;

inline Wide wide_mul(std::int64_t a, std::int64_t b) {
  return static_cast<Wide>(static_cast<std::uint64_t>(a)) * static_cast<std::uint64_t>(b);
}

// Whether a / b < c / d, by Euclid's algorithm, so that nothing can overflow. REQUIRES: b, d > 0.
inline bool fraction_less(Wide a, Wide b, Wide c, Wide d) {
  bool swapped = false;  // whether the question has become "greater"
  for (;;) {
    Wide const p = a / b, q = c / d;
    if (p != q) return swapped ? p > q : p < q;
    a %= b;
    c %= d;
    if (a == 0 || c == 0) return swapped ? c == 0 && a != 0 : a == 0 && c != 0;
    // a/b < c/d  iff  b/a > d/c
    Wide t = a;
    a = b;
    b = t;
    t = c;
    c = d;
    d = t;
    swapped = !swapped;
  }
}

// Whether num / den <= limit. REQUIRES: den > 0, num >= 0.
inline bool at_most(std::int64_t num, std::int64_t den, Ratio limit) {
  return wide_mul(num, limit.den) <= wide_mul(limit.num, den);
}

}  // namespace anon_seq
