#include "core/numbers/round_cut.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/error.h"

namespace anon_seq {
namespace {

std::string between(char const* lo, char const* hi) { return roundest_between(lo, hi, false).value_or("none"); }
std::string whole(char const* lo, char const* hi) { return roundest_between(lo, hi, true).value_or("none"); }

TEST(RoundCut, PrefersTheGreatestPowerOfTen) {
  EXPECT_EQ(whole("17", "23"), "20");
  EXPECT_EQ(whole("36", "41"), "40");
  EXPECT_EQ(whole("98", "103"), "100");
  EXPECT_EQ(whole("999", "1001"), "1000");
  EXPECT_EQ(whole("39", "61"), "50");
  EXPECT_EQ(whole("21", "29"), "25");
  EXPECT_EQ(between("1.2", "1.4"), "1.3");
  EXPECT_EQ(between("0.1", "0.25"), "0.2");
  EXPECT_EQ(whole("99999", "123456"), "100000");
}

TEST(RoundCut, IsNeverOneOfTheTwo) {
  EXPECT_EQ(whole("36", "40"), "37");
  EXPECT_EQ(whole("30", "40"), "35");
  EXPECT_EQ(whole("1", "3"), "2");
  EXPECT_EQ(whole("22", "23"), "none");
  EXPECT_EQ(whole("-23", "-22"), "none");
  EXPECT_EQ(whole("-1", "0"), "none");
  EXPECT_EQ(whole("0", "1"), "none");
  EXPECT_EQ(between("22", "23"), "22.5");
  EXPECT_EQ(between("41234.56", "41234.57"), "41234.565");
  EXPECT_EQ(between("1.20", "1.21"), "1.205");
}

TEST(RoundCut, ZeroAndNegatives) {
  EXPECT_EQ(whole("-3", "8"), "0");
  EXPECT_EQ(whole("-3", "0"), "-1");
  EXPECT_EQ(whole("0", "8"), "5");
  EXPECT_EQ(whole("-23", "-17"), "-20");
  EXPECT_EQ(whole("-41", "-36"), "-40");
  EXPECT_EQ(whole("-20", "-12"), "-15");
  EXPECT_EQ(between("-1.5", "-0.25"), "-1");
  EXPECT_EQ(between("-0", "0.1"), "0.05");
}

TEST(RoundCut, AnyLength) {
  EXPECT_EQ(whole("123456789012345678901234567890", "123456789012345678901234567899"),
            "123456789012345678901234567895");
  EXPECT_EQ(between("9007199254740992.5", "9007199254740993"), "9007199254740992.6");
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
    auto const found = roundest_between(text(a), text(b), false);
    ASSERT_TRUE(found) << text(a) << " " << text(b);
    double const m = std::stod(*found) * 100;
    EXPECT_GT(m, static_cast<double>(a) + 0.05) << text(a) << " " << text(b);
    EXPECT_LT(m, static_cast<double>(b) - 0.05) << text(a) << " " << text(b);
  }
}

TEST(RoundCut, RefusesWhatIsNoGap) {
  EXPECT_THROW(roundest_between("2", "2.0", false), Error);
  EXPECT_THROW(roundest_between("3", "2", false), Error);
  EXPECT_THROW(roundest_between("a", "2", false), Error);
  EXPECT_THROW(roundest_between("", "2", false), Error);
}

}  // namespace
}  // namespace anon_seq
