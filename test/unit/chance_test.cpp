// Chances: exact where fractions hold them, never below the truth where they do not.
#include "core/attack/chance.h"

#include <gtest/gtest.h>

#include <vector>

namespace anon_seq {
namespace {

TEST(Chance, RoundsNoBoundAway) {
  EXPECT_EQ(chance_text(share(1, 3).units), "0.33333333333333333333");
  EXPECT_EQ(chance_text(share(2, 3).units), "0.66666666666666666667");
  EXPECT_EQ(chance_text(share(1000, 1000).units), "1");
  EXPECT_EQ(chance_text(share(0, 7).units), "0");
  // A little more than a third, with a denominator of 19 digits: not the text of a third.
  Wide const large = 3000000000000000001;
  auto const above = share((large + 2) / 3, large);
  EXPECT_TRUE(above.exact);
  EXPECT_GT(above.units, share(1, 3).units);
  // Half, by way of many releases: (1-1/2)(1-1/3)...(1-1/n) = 1/n.
  std::vector<Draw> draws;
  for (std::int64_t n = 2; n <= 1000; ++n) draws.push_back({n, 1, 1});
  EXPECT_EQ(chance_text(chance_of_any(draws).units), "0.999");
  EXPECT_TRUE(chance_of_any(draws).exact);
}

TEST(Chance, WhatDoesNotFitIsRoundedUp) {
  std::vector<Draw> draws;
  long double missed = 1;
  for (std::int64_t n = 1000003; n < 1000003 + 40; n += 2) {
    draws.push_back({n, 1, 1});
    missed *= 1 - 1.0L / static_cast<long double>(n);
  }
  auto const chance = chance_of_any(draws);
  EXPECT_FALSE(chance.exact);
  auto const p = static_cast<long double>(chance.units) / 1e20L;
  EXPECT_GE(p, 1 - missed);
  EXPECT_LT(p, 1 - missed + 1e-12L);
  EXPECT_EQ(chance_text(at_most_about(1, 1e-9).units), "1");
  EXPECT_EQ(chance_text(about(0).units), "0.000001");
  EXPECT_EQ(chance_text(about(2.0 / 3).units), "0.666667");
}

TEST(Chance, DrawsOfLargeGroups) {
  Draw const draw{1000000, 400000, 300};
  long double missed = 1;
  for (int i = 0; i < 300; ++i) missed *= (600000.0L - i) / (1000000.0L - i);
  auto const p = static_cast<long double>(chance_of_any({&draw, 1}).units) / 1e20L;
  EXPECT_GE(p, 1 - missed);
  EXPECT_LE(p, 1);
  Draw const all{5, 3, 3};  // three rows, two others: certain
  EXPECT_EQ(chance_text(chance_of_any({&all, 1}).units), "1");
}

}  // namespace
}  // namespace anon_seq
