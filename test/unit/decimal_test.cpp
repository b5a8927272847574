// Decimals on a grid: exact, floored, and nothing when they do not fit.
#include "core/numbers/decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "core/numbers/rounded.h"

namespace anon_seq {
namespace {

TEST(Decimal, Scale) {
  EXPECT_EQ(decimal_scale("5"), 0);
  EXPECT_EQ(decimal_scale("2.50"), 1);
  EXPECT_EQ(decimal_scale("1e-3"), 3);
  EXPECT_EQ(decimal_scale("-0.000"), 0);
  EXPECT_EQ(decimal_scale("100"), 0);
  EXPECT_EQ(decimal_scale("1.5E+1"), 0);
  EXPECT_EQ(decimal_scale("NaN"), std::nullopt);
  EXPECT_EQ(decimal_scale("1e-100000"), std::nullopt);
}

TEST(Decimal, FloorsWhatLiesBetweenTwoPoints) {
  EXPECT_EQ(decimal_floor("2.59", 1), 25);
  EXPECT_EQ(decimal_floor("-2.59", 1), -26);
  EXPECT_EQ(decimal_floor("-2.50", 1), -25);
  EXPECT_EQ(decimal_floor("-0.0000001", 0), -1);
  EXPECT_EQ(decimal_floor("0.0000001", 0), 0);
  EXPECT_EQ(decimal_floor("-0", 3), 0);
  EXPECT_EQ(decimal_floor("+7", 0), 7);
  EXPECT_EQ(decimal_floor("1e3", 2), 100000);
  EXPECT_EQ(decimal_floor(".5", 1), 5);
  EXPECT_EQ(decimal_floor("0e999999", 15), 0);
  EXPECT_EQ(decimal_floor("-1e-999999", 15), -1);
}

TEST(Decimal, SixtyFourBits) {
  EXPECT_EQ(decimal_floor("9223372036854775807", 0), INT64_MAX);
  EXPECT_EQ(decimal_floor("9223372036854775808", 0), std::nullopt);
  EXPECT_EQ(decimal_floor("-9223372036854775807.5", 0), INT64_MIN);
  EXPECT_EQ(decimal_floor("922337203685477580.7", 1), INT64_MAX);
  EXPECT_EQ(decimal_floor("1e999999999", 0), std::nullopt);
}

TEST(Decimal, RefusesWhatIsNoNumber) {
  for (auto text :
       {"", "-", "+", ".", "e5", "1e", "1e+", "1e1.5", "1 ", " 1", "1.2.3", "0x1", "1_000", "Infinity", "١"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(decimal_floor(text, 0), std::nullopt);
    EXPECT_EQ(decimal_scale(text), std::nullopt);
  }
}

TEST(Decimal, TextHasNoTrailingZeros) {
  EXPECT_EQ(decimal_text(250, 2), "2.5");
  EXPECT_EQ(decimal_text(-5, 2), "-0.05");
  EXPECT_EQ(decimal_text(0, 3), "0");
  EXPECT_EQ(decimal_text(100, 0), "100");
  EXPECT_EQ(decimal_text(-1200, 2), "-12");
  EXPECT_EQ(decimal_text(INT64_MIN, 0), "-9223372036854775808");
}

TEST(Decimal, TextAndFloorAreInverse) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int i = 0; i < 500; ++i) {
      auto const units = static_cast<std::int64_t>(random()) >> (random() % 64);
      if (units == INT64_MIN) continue;
      auto const scale = static_cast<int>(random() % (kMaxScale + 1));
      auto const text = decimal_text(units, scale);
      EXPECT_EQ(decimal_floor(text, scale), units) << text;
      EXPECT_LE(decimal_scale(text), scale) << text;
    }
  }
}

TEST(Decimal, ANumberHasOneNormalSpelling) {
  for (char const* text : {"5", "5.00", "05", "+5", "0.5e1", "500e-2"}) EXPECT_EQ(normal_decimal(text), "5") << text;
  for (char const* text : {"0", "-0", "0.00", "-0.0e5"}) EXPECT_EQ(normal_decimal(text), "0") << text;
  EXPECT_EQ(normal_decimal("9.007199254740994e+15"), "9007199254740994");
  EXPECT_EQ(normal_decimal(".50"), "0.5");
  EXPECT_EQ(normal_decimal("-0.250"), "-0.25");
  EXPECT_EQ(normal_decimal("NaN"), "");
  EXPECT_TRUE(same_decimal("1.50", "15e-1"));
  EXPECT_FALSE(same_decimal("x", "x"));
}

TEST(Rounded, ShowsSixDigits) {
  EXPECT_EQ(rounded_text(1.0 / 3), "0.333333");
  EXPECT_EQ(rounded_text(2.0000000001), "2");
  EXPECT_EQ(rounded_text(100), "100");
  EXPECT_EQ(rounded_text(0.25), "0.25");
  EXPECT_EQ(rounded_text(-1e-9), "0");
  EXPECT_EQ(rounded_text(-0.5), "-0.5");
  EXPECT_EQ(rounded_text(1e19), "10000000000000000000");
  EXPECT_EQ(rounded_text(std::numeric_limits<double>::infinity()), "Infinity");
}

TEST(Decimal, AFewLettersDoNotStandForGigabytes) {
  EXPECT_EQ(decimal_scale("1e2000000000"), std::nullopt);
  EXPECT_EQ(plain_decimal("1e2000000000"), "1e2000000000");
  EXPECT_EQ(plain_decimal("1e-2000000000"), "1e-2000000000");
  EXPECT_EQ(normal_decimal("1e2000000000"), "");
  EXPECT_FALSE(same_decimal("1e2000000000", "1e2000000000"));
  EXPECT_TRUE(same_decimal("1e1000", "10e999"));
}

}  // namespace
}  // namespace anon_seq
