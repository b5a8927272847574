#include "core/numbers/cut_point.h"

#include <gtest/gtest.h>

#include "core/numbers/line_place.h"
#include "core/numbers/round_date.h"
#include "core/text/interval_text.h"

namespace anon_seq {
namespace {

Column column_of(ValueKind kind, std::vector<std::pair<std::string, double>> const& values) {
  Column column;
  column.kind = kind;
  column.values.add_hidden("");
  column.positions.push_back(0);
  for (auto const& [text, position] : values) {
    column.values.intern(text);
    column.positions.push_back(position);
  }
  return column;
}

std::string date(char const* lo, char const* hi) { return roundest_date(lo, hi).value_or("none"); }

TEST(CutPoint, DatesAreCutAtTheGreatestUnit) {
  EXPECT_EQ(date("1999-12-30", "2000-01-05"), "2000-01-01");
  EXPECT_EQ(date("2019-12-30", "2020-03-05"), "2020-01-01");
  EXPECT_EQ(date("2024-02-10", "2024-05-17"), "2024-04-01");
  EXPECT_EQ(date("2024-04-10", "2024-05-17"), "2024-05-01");
  EXPECT_EQ(date("2024-05-17 08:10:00", "2024-05-17 14:20:00"), "2024-05-17 14:00:00");
  EXPECT_EQ(date("2024-05-17 14:10:00+00", "2024-05-17 14:20:30.5+00"), "2024-05-17 14:20:00+00");
  EXPECT_EQ(date("2024-05-17 14:20:30.1234+00", "2024-05-17 14:20:30.123456+00"), "2024-05-17 14:20:30.12345+00");
}

TEST(CutPoint, DatesAreNeverOneOfTheTwo) {
  EXPECT_EQ(date("1999-12-30", "2000-01-01"), "1999-12-31");
  EXPECT_EQ(date("1999-12-31", "2000-01-01"), "none");
  EXPECT_EQ(date("2024-05-16", "2024-05-18"), "2024-05-17");
  EXPECT_EQ(date("2024-05-17 00:00:00", "2024-05-17 00:00:00.000002"), "2024-05-17 00:00:00.000001");
  EXPECT_EQ(date("2024-05-17 00:00:00", "2024-05-17 00:00:00.000001"), "none");
}

TEST(CutPoint, YearsBeforeAndFarAfterChrist) {
  EXPECT_EQ(date("0044-03-15 BC", "0030-01-01 BC"), "0031-01-01 BC");
  EXPECT_EQ(date("0002-03-15 BC", "0001-05-01"), "0001-01-01 BC");
  EXPECT_EQ(date("4713-01-01 00:00:00+00 BC", "2020-03-05 11:22:33.123456+00"), "2000-01-01 00:00:00+00");
  EXPECT_EQ(date("0987-03-15", "0999-05-01"), "0990-01-01");
  EXPECT_EQ(date("9999-12-30", "12345-05-01"), "12300-01-01");
  EXPECT_EQ(date("2020-05-01", "infinity"), "2100-01-01");
  EXPECT_EQ(date("-infinity", "2020-05-01"), "2000-01-01");
  EXPECT_EQ(date("-infinity", "4714-11-24 BC"), "none");
  EXPECT_EQ(date_beyond("2000-01-01", false), "1999-01-01");
  EXPECT_EQ(date_beyond("2000-01-02", false), "2000-01-01");
  EXPECT_EQ(date_beyond("0001-12-31 23:00:00 BC", true), "0001-01-01 00:00:00");
  EXPECT_EQ(date_beyond("4714-11-24 BC", false), std::nullopt);
  EXPECT_EQ(date_beyond("infinity", true), std::nullopt);
}

TEST(CutPoint, IsBetweenTheValueBeforeAndTheNext) {
  auto const ages = column_of(ValueKind::kInteger, {{"17", 17}, {"18", 18}, {"31", 31}, {"47", 47}});
  EXPECT_EQ(room_between(ages, 2), std::nullopt);
  EXPECT_EQ(cut_point(ages, 2), "18");
  EXPECT_EQ(cut_point(ages, 3), "20");
  EXPECT_EQ(cut_point(ages, 4), "40");
  auto const small = column_of(ValueKind::kFloat, {{"1.5e-05", 1.5e-5}, {"0.0003", 3e-4}});
  EXPECT_EQ(cut_point(small, 2), "0.0001");
}

TEST(CutPoint, FloatsInARowLeaveNoRoom) {
  auto column = column_of(ValueKind::kFloat, {{"1", 1}, {"1.0000000000000002", 1.0000000000000002}});
  EXPECT_EQ(room_between(column, 2), std::nullopt);
  column = column_of(ValueKind::kFloat, {{"1", 1}, {"1.0000001", 1.0000001}});
  EXPECT_TRUE(room_between(column, 2));
  column.single = true;
  EXPECT_EQ(room_between(column, 2), std::nullopt);
}

TEST(CutPoint, PlacesOfDatesAreDaysAndMicroseconds) {
  EXPECT_EQ(cut_position(ValueKind::kDate, "2000-01-01"), 0);
  EXPECT_EQ(cut_position(ValueKind::kDate, "2001-01-01"), 366);
  EXPECT_EQ(cut_position(ValueKind::kDate, "1999-12-31"), -1);
  EXPECT_EQ(cut_position(ValueKind::kTimestamp, "2000-01-02 01:00:00"), 25 * 3600e6);
  EXPECT_EQ(cut_position(ValueKind::kTimestampTz, "2000-01-01 00:00:01.5+00"), 1.5e6);
}

TEST(IntervalText, OtherToolsBracketsAreUnderstood) {
  EXPECT_EQ(interval_text("[20, 30["), "[20,30)");
  EXPECT_EQ(interval_text("[20,30)"), "[20,30)");
  EXPECT_EQ(interval_text("]20; 30.5]"), "(20,30.5]");
  EXPECT_EQ(interval_text("[20, ["), "[20,)");
  EXPECT_EQ(interval_text(" * "), "(,)");
  for (char const* none : {"20-30", "[20 30[", "[a, b[", "", "[20, 30", "4****"})
    EXPECT_EQ(interval_text(none), std::nullopt) << none;
}

TEST(LinePlace, StaysFinite) {
  EXPECT_EQ(number_place("-12.5"), -12.5);
  EXPECT_EQ(number_place("1" + std::string(400, '0')), std::numeric_limits<double>::max());
  EXPECT_EQ(number_place("-1" + std::string(400, '0') + ".5"), -std::numeric_limits<double>::max());
  EXPECT_EQ(number_place("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(line_unit(-1e200, 1e200), 1);
  double const most = std::numeric_limits<double>::max(), unit = line_unit(-most, 5);
  EXPECT_TRUE(std::isfinite((most * unit - -most * unit) * 1e18));
  EXPECT_EQ(cut_position(ValueKind::kNumeric, "-1" + std::string(400, '0')), -most);
}

}  // namespace
}  // namespace anon_seq
