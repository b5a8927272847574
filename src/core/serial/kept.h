// The chance that a person was never linked to a value: what serial releases keep above 1 - 1/l.
//
// Wong et al., Global Privacy Guarantee in Serial Data Publishing, Lemma 2: over releases whose groups have n rows, c
// of them with the value, it is the product of (1 - c/n). It is kept as an exact fraction while its reduced form has
// at most 62 bits, and from then on as one that is a little too small: nobody is ever thought safer than he is.
#pragma once

#include "core/numbers/ratio.h"

namespace anon_seq {

inline constexpr Ratio kUntouched{1, 1};

// num / den in lowest terms; the greatest fraction over 2^62 that is not above it where that has too many bits.
// REQUIRES: num <= den, 0 < den < 2^127.
Ratio rounded_down(Wide num, Wide den);

// Both chances together, of releases that say nothing of each other. REQUIRES: lowest terms, as all that comes from
// here has; else it is rounded down sooner.
Ratio times(Ratio a, Ratio b);

// After a class of `size` rows, `held` of them with the value.
inline Ratio kept_after(Ratio kept, std::int64_t held, std::int64_t size) {
  return times(kept, rounded_down(static_cast<Wide>(size - held), static_cast<Wide>(size)));
}

// 1 - 1/l: what has to be kept. REQUIRES: l >= 1.
Ratio least_kept(Ratio l);

// The greatest share of a value in the next class of somebody, not above 1 - least / kept; nothing left is 0.
Ratio share_left(Ratio kept, Ratio least);

// Whether 1/m is not more than that. REQUIRES: m >= 1.
bool is_left(Ratio kept, Ratio least, std::int64_t m);

}  // namespace anon_seq
