// Points of a line in exact order: against the server's own arithmetic where that is exact, __int128 here.
#include "core/numbers/place_order.h"

#include <gtest/gtest.h>

#include <random>

#include "core/numbers/cut_point.h"
#include "core/numbers/decimal.h"

namespace anon_seq {
namespace {

Vector<Place> places_of(ValueKind kind, std::vector<std::string> const& texts) {
  PlaceOrder order;
  Vector<Place> places;
  for (auto const& text : texts) places.push_back(order.add(kind, text, cut_position(kind, text)));
  order.settle();
  for (auto& place : places) place = order.settled(place);
  return places;
}

TEST(PlaceOrder, WholeNumbersBeyondDoublesStayApart) {
  auto const places = places_of(ValueKind::kNumeric, {"9007199254740993", "9007199254740992", "9.007199254740992e+15"});
  EXPECT_EQ(places[1], places[2]);
  EXPECT_GT(places[0], after(places[1]));  // there is room just after a point
}

TEST(PlaceOrder, OneNumberIsOnePlaceHoweverItIsSpelled) {
  auto const places = places_of(ValueKind::kNumeric, {"5", "+5.00", "0.5e1", "005", "5.00000000000000000000", "-0",
                                                      "0.0", "5.00000000000000000001", "4.99999999999999999999"});
  for (std::size_t i = 1; i <= 4; ++i) EXPECT_EQ(places[i], places[0]);
  EXPECT_EQ(places[5], places[6]);
  EXPECT_GT(places[7], places[0]);
  EXPECT_LT(places[8], places[0]);
}

TEST(PlaceOrder, NumbersPastTheLargestAndTheLeastDouble) {
  std::string const huge = "1" + std::string(400, '0'), more = "1" + std::string(399, '0') + "1",
                    tiny = "0." + std::string(400, '0') + "1", less = "0." + std::string(400, '0') + "01";
  auto const places = places_of(ValueKind::kNumeric, {"-" + huge, "-" + tiny, "0", less, tiny, huge, more, "Infinity"});
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_LT(places[i - 1], places[i]) << i;
}

TEST(PlaceOrder, MicrosecondsOfFarYearsStayApart) {
  auto const places = places_of(ValueKind::kTimestamp, {"9999-01-01 00:00:00.000001", "9999-01-01 00:00:00",
                                                        "9999-01-01 00:00:00.000002", "0044-03-15 12:00:00 BC"});
  EXPECT_LT(places[1], places[0]);
  EXPECT_LT(places[0], places[2]);
  EXPECT_LT(places[3], places[1]);
}

TEST(PlaceOrder, BeyondAllStaysThere) {
  PlaceOrder order;
  auto const point = order.add(ValueKind::kInteger, "7", 7);
  order.settle();
  EXPECT_EQ(order.settled(kBelowAll), kBelowAll);
  EXPECT_EQ(order.settled(kAboveAll), kAboveAll);
  EXPECT_EQ(order.settled(after(point)), after(order.settled(point)));
}

TEST(PlaceOrder, IsTheOrderOfTheNumbers) {
  auto const seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> texts;
    std::vector<__int128> units;  // of 10^-4
    std::int64_t const middle = static_cast<std::int64_t>(random()) >> (random() % 64);
    for (int i = 0; i < 6; ++i) {
      std::int64_t const whole = middle / 2 + static_cast<std::int64_t>(random() % 5) - 2;
      int const part = random() % 2 == 0 ? 0 : static_cast<int>(random() % 10000);
      bool const negative = whole < 0;
      char fraction[8];
      std::snprintf(fraction, sizeof fraction, ".%04d", part);
      texts.push_back(std::to_string(whole) + (part == 0 && random() % 2 == 0 ? "" : fraction));
      units.push_back(static_cast<__int128>(whole) * 10000 + (negative ? -part : part));
      if (whole == 0 && part != 0) texts.back() = texts.back().substr(texts.back().starts_with("-"));
    }
    auto const places = places_of(ValueKind::kNumeric, texts);
    for (std::size_t a = 0; a < texts.size(); ++a)
      for (std::size_t b = 0; b < texts.size(); ++b) {
        ASSERT_EQ(places[a] < places[b], units[a] < units[b]) << texts[a] << " and " << texts[b];
        ASSERT_EQ(compare_decimals(texts[a], texts[b]) < 0, units[a] < units[b]) << texts[a] << " and " << texts[b];
      }
  }
}

}  // namespace
}  // namespace anon_seq
