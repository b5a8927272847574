// No bound of a cut that is allowed shows a value that fewer than k persons have, whatever the kind of the column.
#include "core/numbers/line_bounds.h"

#include <gtest/gtest.h>

#include <charconv>
#include <map>
#include <random>

#include "core/numbers/calendar.h"
#include "core/numbers/decimal.h"
#include "core/partition/incremental.h"

namespace anon_seq {
namespace {

struct Sample {
  Column column;
  std::vector<std::int64_t> holders;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Sample sample(ValueKind kind) {
    Sample made;
    made.column.kind = kind;
    made.column.single = kind == ValueKind::kFloat && draw(2) == 0;
    made.column.values.add_hidden("");
    made.column.positions.push_back(0);
    made.holders.push_back(0);
    std::map<double, std::string> values;
    std::int64_t const reach = draw(3) == 0 ? 12 : 4000;
    auto const steps = static_cast<std::int64_t>(draw(5)) * reach - reach;
    for (int n = 1 + static_cast<int>(draw(20)); n > 0; --n) {
      auto const [text, place] = value(made.column, steps + static_cast<std::int64_t>(draw(reach)));
      values.emplace(place, text);
    }
    for (auto const& [place, text] : values) {
      made.column.values.intern(text);
      made.column.positions.push_back(place);
      made.holders.push_back(1 + static_cast<std::int64_t>(draw(5)));
    }
    return made;
  }

 private:
  std::uint64_t draw(std::int64_t n) { return random_() % static_cast<std::uint64_t>(n); }

  std::pair<std::string, double> value(Column const& column, std::int64_t step) {
    if (column.kind >= ValueKind::kDate) {
      Moment moment;
      moment.has_time = column.kind != ValueKind::kDate;
      if (column.kind == ValueKind::kTimestampTz) moment.zone = "+00";
      moment.micros =
          moment.has_time ? step * (draw(2) == 0 ? 1 : 1000003) - 8000000000000000 : (step - 730000) * kMicrosOfDay;
      return {moment_text(moment), static_cast<double>(moment.micros)};
    }
    if (column.kind == ValueKind::kInteger) return {std::to_string(step), static_cast<double>(step)};
    if (column.kind == ValueKind::kNumeric) return {decimal_text(step, 2), static_cast<double>(step) / 100};
    char digits[64];
    if (column.single) {
      float number = 1.5F;
      for (std::int64_t i = 0; i < step % 20; ++i) number = std::nextafter(number, 9.0F);
      return {std::string(digits, std::to_chars(digits, digits + 64, number).ptr), number};
    }
    double number = 0.1;
    for (std::int64_t i = 0; i < step % 20; ++i) number = std::nextafter(number, 9.0);
    return {std::string(digits, std::to_chars(digits, digits + 64, number).ptr), number};
  }

  std::mt19937_64 random_;
};

// As the column's type reads it.
double read(Column const& column, std::string const& text) {
  if (column.kind >= ValueKind::kDate) return static_cast<double>(moment_of(text)->micros);
  auto const plain = plain_decimal(text);
  float single = 0;
  double number = 0;
  if (column.single) {
    std::from_chars(plain.data(), plain.data() + plain.size(), single);
    return single;
  }
  std::from_chars(plain.data(), plain.data() + plain.size(), number);
  return number;
}

// Whether a value is a step of a scale that has at most 20 of them in a column.
bool is_coarse(Column const& column, std::string const& text) {
  double const width = column.positions.back() - column.positions[1];
  if (column.kind == ValueKind::kDate) return width <= 20 || text.ends_with("-01");
  if (column.kind != ValueKind::kInteger) return false;
  for (std::int64_t const step : {1, 5, 10, 50, 100, 500, 1000})
    if (width <= 20 * static_cast<double>(step)) return std::stoll(text) % step == 0;
  return false;
}

TEST(LineBounds, NoBoundIsAValueThatFewerThanKHaveButStepsOfACoarseScale) {
  Maker make(20070710);
  std::int64_t const k = 3;
  int room = 0, shown = 0, barred_places = 0;
  for (int i = 0; i < 4000; ++i) {
    auto const [column, holders] = make.sample(static_cast<ValueKind>(static_cast<int>(ValueKind::kInteger) + i % 6));
    auto const barred = barred_cuts(column, holders, k);
    auto const roundness = roundness_of(column, barred);
    for (Code t = 1; t <= column.distinct(); ++t) {
      if (roundness[static_cast<std::size_t>(t)] == kNoPlace) {
        ++barred_places;
        continue;
      }
      auto const text = bound_text(column, t);
      double const at = read(column, text);
      if (t > 1) {
        EXPECT_GT(at, column.positions[static_cast<std::size_t>(t) - 1]) << text << ", below code " << t;
      }
      if (t == column.distinct()) continue;
      double const next = column.positions[static_cast<std::size_t>(t)];
      EXPECT_LE(at, next) << text << ", below code " << t;
      if (at < next) {
        ++room;
      } else {
        ++shown;
        EXPECT_TRUE(holders[static_cast<std::size_t>(t)] >= k || is_coarse(column, text))
            << text << ", below code " << t;
      }
    }
  }
  EXPECT_GT(room, 1000);
  EXPECT_GT(shown, 1000);
  EXPECT_GT(barred_places, 1000);
}

// One value far off makes a scale coarse for all; without it steps are finer, and no other cut is let through.
TEST(LineBounds, BarsAreLiftedAtStepsThatAreCoarseForAPart) {
  Column column;
  column.kind = ValueKind::kInteger;
  column.values.add_hidden("");
  column.positions.push_back(0);
  std::vector<std::int64_t> holders{0};
  for (int age = 20; age <= 80; ++age) {
    bool const last = age == 80;
    column.values.intern(std::to_string(last ? 900 : age));
    column.positions.push_back(last ? 900 : age);
    holders.push_back(last ? 1 : age == 33 ? 10 : 5);
  }
  auto barred = barred_cuts(column, holders, 10);
  auto const open = [&] {
    std::vector<int> ages;
    for (std::size_t code = 2; code < barred.size(); ++code)
      if (barred[code] == 0) ages.push_back(static_cast<int>(column.positions[code]));
    return ages;
  };
  EXPECT_EQ(open(), (std::vector<int>{33, 50, 900}));
  lift_bars(column, {1, 61}, barred);
  EXPECT_EQ(open(), (std::vector<int>{25, 30, 33, 35, 40, 45, 50, 55, 60, 65, 70, 75, 900}));
}

}  // namespace
}  // namespace anon_seq
