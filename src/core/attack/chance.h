// Chances as whole multiples of 10^-20: what numeric has of 1/l, too, so that both compare.
//
// Fractions of 128-bit integers, reduced in every step. What they cannot hold is rounded up, and said to be not exact.
#pragma once

#include <span>
#include <string>

#include "core/numbers/ratio.h"

namespace anon_seq {

inline constexpr int kChanceDigits = 20;

struct Chance {
  Wide units = 0;
  bool exact = true;
};

// The rows of a person in a group: `rows` of its `size` rows, of which `held` have a value.
struct Draw {
  std::int64_t size = 1, held = 0, rows = 1;
};

// part / whole, rounded half up; up, if a denominator is so large that a bound might be met by rounding alone.
// REQUIRES: part <= whole, whole > 0.
Chance share(Wide part, Wide whole);

// The same of floating point: up by at least `error`, in whole multiples of 10^-15; not exact.
Chance at_most_about(double chance, double error);

// An estimate: to six digits, and more than 0; not exact.
Chance about(double chance);

// The chance that a person has the value in at least one of his rows, groups being independent of each other:
// 1 - prod C(n-c,m)/C(n,m), Lemma 2 of GG for m = 1. REQUIRES: 0 <= held <= size, 1 <= rows <= size. Cost: linear in
// rows.
Chance chance_of_any(std::span<Draw const> draws);

// A decimal without zeros at the end.
std::string chance_text(Wide units);

}  // namespace anon_seq
