#include "core/round_cut.h"

#include <gtest/gtest.h>

#include <random>

#include "core/error.h"

namespace anon_seq {
namespace {

TEST(RoundCut, PrefersTheGreatestPowerOfTen) {
  EXPECT_EQ(roundest_between("17", "23"), "20");
  EXPECT_EQ(roundest_between("39", "40"), "40");
  EXPECT_EQ(roundest_between("36", "41"), "40");
  EXPECT_EQ(roundest_between("98", "103"), "100");
  EXPECT_EQ(roundest_between("999", "1001"), "1000");
  EXPECT_EQ(roundest_between("39", "61"), "50");
  EXPECT_EQ(roundest_between("21", "29"), "25");
  EXPECT_EQ(roundest_between("1.2", "1.4"), "1.3");
  EXPECT_EQ(roundest_between("1.20", "1.21"), "1.21");
  EXPECT_EQ(roundest_between("0.1", "0.25"), "0.2");
  EXPECT_EQ(roundest_between("99999", "123456"), "100000");
}

TEST(RoundCut, AvoidsTheRowsOwnValueAmongEquallyRoundOnes) {
  EXPECT_EQ(roundest_between("22", "24"), "23");
  EXPECT_EQ(roundest_between("1", "3"), "2");
  EXPECT_EQ(roundest_between("22", "23"), "23");  // there is no other whole number
}

TEST(RoundCut, ZeroAndNegatives) {
  EXPECT_EQ(roundest_between("-3", "8"), "0");
  EXPECT_EQ(roundest_between("-3", "0"), "0");
  EXPECT_EQ(roundest_between("0", "8"), "5");
  EXPECT_EQ(roundest_between("-23", "-17"), "-20");
  EXPECT_EQ(roundest_between("-40", "-39"), "-39");
  EXPECT_EQ(roundest_between("-41", "-36"), "-40");
  EXPECT_EQ(roundest_between("-20", "-12"), "-15");
  EXPECT_EQ(roundest_between("-1.5", "-0.25"), "-1");
}

TEST(RoundCut, AnyLength) {
  EXPECT_EQ(roundest_between("123456789012345678901234567890", "123456789012345678901234567899"),
            "123456789012345678901234567895");
  EXPECT_EQ(roundest_between("9007199254740992.5", "9007199254740993"), "9007199254740993");
}

TEST(RoundCut, LiesInTheGap) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    auto const a = static_cast<std::int64_t>(random() % 4000) - 2000,
               b = a + 1 + static_cast<std::int64_t>(random() % 60);
    auto text = [](std::int64_t cents) {
      std::string const sign = cents < 0 ? "-" : "";
      cents = cents < 0 ? -cents : cents;
      return sign + std::to_string(cents / 100) + "." + std::to_string(cents / 10 % 10) + std::to_string(cents % 10);
    };
    double const m = std::stod(roundest_between(text(a), text(b))) * 100;
    EXPECT_GT(m, static_cast<double>(a) + 0.5) << text(a) << " " << text(b);
    EXPECT_LT(m, static_cast<double>(b) + 0.5) << text(a) << " " << text(b);
  }
}

TEST(RoundCut, RefusesWhatIsNoGap) {
  EXPECT_THROW(roundest_between("2", "2.0"), Error);
  EXPECT_THROW(roundest_between("3", "2"), Error);
  EXPECT_THROW(roundest_between("a", "2"), Error);
  EXPECT_THROW(roundest_between("", "2"), Error);
}

}  // namespace
}  // namespace anon_seq
