// Where a line begins to be cut: against all cuts of small lines.
#include "core/sequential/detail_limits.h"

#include <gtest/gtest.h>

#include <random>

#include "core/numbers/cut_point.h"
#include "core/sequential/attribute_cut.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

struct Line {
  explicit Line(std::vector<int> const& ages) {
    Rows rows;
    for (int age : ages) rows.push_back({std::to_string(age)});
    c.add_table({"age"}, rows);
    c.generalize("age");
    holders.assign(static_cast<std::size_t>(column().distinct()), 0);
    for (Code code : column().codes) ++holders[static_cast<std::size_t>(code)];
  }
  Column const& column() const { return c.problem.table->columns[0]; }
  Attribute& attribute() { return c.problem.attributes[0]; }
  double value(Code code) const { return column().positions[static_cast<std::size_t>(code)]; }
  double bound(Code code) const {
    return code <= 1                     ? value(1)
           : code == column().distinct() ? value(code - 1)
                                         : cut_position(column().kind, cut_point(column(), code));
  }
  // The persons of its smallest range, and the number of ranges; -1: it does not keep the limits.
  std::pair<std::int64_t, std::size_t> judge(Vector<Code> const& cut, DetailLimits const& limits) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    Code from = 1;
    for (std::size_t i = 0; i <= cut.size(); ++i) {
      Code const to = i < cut.size() ? cut[i] : column().distinct();
      if (limits.coarsest && value(to - 1) - value(from) >= *limits.coarsest) return {-1, 0};
      if (limits.finest && !cut.empty() && bound(to) - bound(from) < *limits.finest) return {-1, 0};
      std::int64_t held = 0;
      for (Code code = from; code < to; ++code) held += holders[static_cast<std::size_t>(code)];
      least = std::min(least, held);
      from = to;
    }
    return {least, cut.size() + 1};
  }

  Case c;
  Vector<std::int64_t> holders;
};

TEST(DetailLimits, TheStartOfALineHasTheLargestSmallestRangeAndFewestOfThem) {
  std::mt19937_64 random(7);
  auto const draw = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  int possible = 0, impossible = 0;
  for (int seed = 0; seed < 400; ++seed) {
    std::vector<int> ages;
    for (int i = draw(25) + 1; i > 0; --i) ages.push_back(20 + draw(12) * (draw(10) == 0 ? 9 : 1));
    Line line(ages);
    DetailLimits limits;
    limits.coarsest = 1 + draw(20);
    if (draw(2) == 0) limits.finest = 1 + draw(6);
    auto const distinct = line.column().distinct();
    for (Code code = 0; code < distinct; ++code) line.attribute().barred.push_back(draw(4) == 0);
    std::int64_t most = -1;
    std::size_t fewest = 0;
    Vector<Code> places;
    for (Code code = 2; code < distinct; ++code)
      if (line.attribute().barred[static_cast<std::size_t>(code)] == 0) places.push_back(code);
    for (std::size_t set = 0; set < std::size_t{1} << places.size(); ++set) {
      Vector<Code> cut;
      for (std::size_t i = 0; i < places.size(); ++i)
        if ((set >> i & 1) != 0) cut.push_back(places[i]);
      auto const [least, ranges] = line.judge(cut, limits);
      if (least > most || (least == most && least >= 0 && ranges < fewest)) most = least, fewest = ranges;
    }
    bool const found = limit_width(line.attribute(), line.column(), line.holders, limits);
    ASSERT_EQ(found, most >= 0) << seed;
    (found ? possible : impossible) += 1;
    if (!found) continue;
    ASSERT_EQ(line.judge(line.attribute().start, limits), std::pair(most, fewest)) << seed;
    NoCheckpoint none;
    AttributeCut cut(line.c.problem, 0, none);
    cut.to_start();
    ASSERT_EQ(cut.current().size(), fewest) << seed;
  }
  EXPECT_GT(possible, 100);
  EXPECT_GT(impossible, 40);
}

// Decimals that no double is: 0.3 - 0.1 is 0.2, and as far apart as the ceiling.
TEST(DetailLimits, WidthsAreDecimals) {
  Case c;
  c.add_table({"dose"}, {{"0.1"}, {"0.2"}, {"0.3"}, {"0.4"}});
  c.generalize("dose");
  auto& attribute = c.problem.attributes[0];
  Vector<std::int64_t> const holders{0, 1, 1, 1, 1};
  ASSERT_TRUE(limit_width(attribute, c.problem.table->columns[0], holders, {{}, 0.2}));
  EXPECT_EQ(attribute.start, (Vector<Code>{3}));
}

}  // namespace
}  // namespace anon_seq::testing
