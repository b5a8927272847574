// Intervals over numbers: boundaries, clipping, bad arguments, and the listing of all of them.
#include <map>
#include <random>

#include "core/taxonomy/open_taxonomy.h"
#include "error_of.h"

namespace anon_seq {
namespace {

Path path_of(RangeRule const& rule, std::string_view value) { return rule.path(value).value_or(Path{"not in it"}); }

RangeRule const kHundred = make_range_rule("0", "100", {"5", "10", "20"});

TEST(RangeTaxonomy, Climbs) {
  EXPECT_EQ(path_of(kHundred, "23"), (Path{"23", "[20,25)", "[20,30)", "[20,40)", "[0,100)"}));
  EXPECT_EQ(path_of(kHundred, "[20,30)"), (Path{"[20,30)", "[20,40)", "[0,100)"}));
  EXPECT_EQ(path_of(kHundred, "[0,100)"), (Path{"[0,100)"}));
}

TEST(RangeTaxonomy, Boundaries) {
  EXPECT_EQ(path_of(kHundred, "0")[1], "[0,5)");
  EXPECT_EQ(path_of(kHundred, "4.999999999999999999999999")[1], "[0,5)");
  EXPECT_EQ(path_of(kHundred, "5")[1], "[5,10)");
  EXPECT_EQ(path_of(kHundred, "5.0")[1], "[5,10)");
  EXPECT_EQ(path_of(kHundred, "99.9")[1], "[95,100)");
  for (auto outside : {"-0.0000001", "100", "1e300", "-1e300", "NaN", "Infinity", "", "x", "5 "}) {
    SCOPED_TRACE(outside);
    EXPECT_EQ(kHundred.path(outside), std::nullopt);
  }
}

TEST(RangeTaxonomy, NegativeNumbersAndFractions) {
  auto const rule = make_range_rule("-1.5", "1", {"0.25", "0.50"});
  EXPECT_EQ(path_of(rule, "-1.5"), (Path{"-1.5", "[-1.5,-1.25)", "[-1.5,-1)", "[-1.5,1)"}));
  EXPECT_EQ(path_of(rule, "-0.01"), (Path{"-0.01", "[-0.25,0)", "[-0.5,0)", "[-1.5,1)"}));
  EXPECT_EQ(path_of(rule, "-0.0"), (Path{"-0.0", "[0,0.25)", "[0,0.5)", "[-1.5,1)"}));
}

TEST(RangeTaxonomy, TheLastIntervalIsCutOff) {
  auto const rule = make_range_rule("0", "12", {"5", "10"});
  EXPECT_EQ(path_of(rule, "11"), (Path{"11", "[10,12)", "[0,12)"}));  // one node, though of both widths
  EXPECT_EQ(path_of(rule, "[10,12)"), (Path{"[10,12)", "[0,12)"}));
  EXPECT_EQ(path_of(make_range_rule("0", "12", {"5", "50"}), "3"), (Path{"3", "[0,5)", "[0,12)"}));
}

TEST(RangeTaxonomy, OnlyItsOwnIntervalsAreNodes) {
  for (auto other : {"[20,26)", "[21,26)", "[20, 25)", "[20,25]", "(20,25)", "[20.0,25)", "[25,20)", "[20,)", "[,)",
                     "[)", "[-5,0)", "[100,105)", "[20,20)", "[020,25)"}) {
    SCOPED_TRACE(other);
    EXPECT_EQ(kHundred.path(other), std::nullopt);
  }
}

TEST(RangeTaxonomy, BadArguments) {
  auto make = [](std::string_view lower, std::string_view upper, std::vector<std::string> const& widths) {
    return error_of([&]() { make_range_rule(lower, upper, widths); });
  };
  EXPECT_ERROR(make("5", "5", {"1"}), Fault::kParameter, "lower bound 5 is not below upper bound 5");
  EXPECT_ERROR(make("9", "5", {"1"}), Fault::kParameter, "lower bound 9 is not below upper bound 5");
  EXPECT_ERROR(make("0", "9", {}), Fault::kParameter, "a range taxonomy needs at least one width");
  EXPECT_ERROR(make("0", "9", {"0"}), Fault::kParameter, "width 0 is not positive");
  EXPECT_ERROR(make("0", "9", {"-1"}), Fault::kParameter, "width -1 is not positive");
  EXPECT_ERROR(make("0", "9", {"2", "5"}), Fault::kParameter, "width 2 does not divide the next width 5");
  EXPECT_ERROR(make("0", "9", {"4", "2"}), Fault::kParameter, "width 4 does not divide the next width 2");
  EXPECT_ERROR(make("0", "9", {"2", "2"}), Fault::kParameter, "width 2 does not divide the next width 2");
  EXPECT_ERROR(make("NaN", "9", {"2"}), Fault::kParameter,
               "bounds and widths of a range taxonomy must be finite numbers");
  EXPECT_ERROR(make("0", "9", {"1e-16"}), Fault::kLimit, "number 1e-16 has too many digits after the point");
  EXPECT_ERROR(make("0", "1e19", {"1"}), Fault::kLimit, "number 1e19 is too large for a range taxonomy");
  EXPECT_ERROR(make("0", "1e5", {"1e-15"}), Fault::kLimit, "number 1e5 is too large for a range taxonomy");
  EXPECT_ERROR(make("-9e18", "9e18", {"1"}), Fault::kLimit, "the range from -9e18 to 9e18 is too wide");
}

TEST(RangeTaxonomy, TheWholeOfSixtyFourBits) {
  auto const rule = make_range_rule("0", "9223372036854775807", {"4611686018427387904"});
  EXPECT_EQ(path_of(rule, "9223372036854775806"),
            (Path{"9223372036854775806", "[4611686018427387904,9223372036854775807)", "[0,9223372036854775807)"}));
}

// Every interval is listed once, below its parent, in preorder, and path() knows them all.
TEST(RangeTaxonomy, ListAgreesWithPaths) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    int const lower = static_cast<int>(random() % 100) - 50, upper = lower + 1 + static_cast<int>(random() % 60);
    std::vector<std::string> widths;
    for (unsigned width = 1 + random() % 5; widths.size() < 1 + random() % 3; width *= 2 + random() % 3)
      widths.push_back(std::to_string(width));
    auto const rule = make_range_rule(std::to_string(lower), std::to_string(upper), widths);
    auto const root = rule.interval(rule.lower, rule.upper);

    std::map<std::string, int> depths{{root, 0}};
    NoCheckpoint checkpoint;
    list_intervals(rule, checkpoint, [&](int depth, std::string const& label, std::string const& parent) {
      EXPECT_TRUE(depths.emplace(label, depth).second) << label << " is listed twice";
      ASSERT_TRUE(depths.contains(parent)) << parent << " comes after " << label;
      EXPECT_EQ(depth, depths[parent] + 1);
      auto const path = path_of(rule, label);
      ASSERT_GE(path.size(), 2u) << label;
      EXPECT_EQ(path[1], parent);
    });
    for (int value = lower; value < upper; ++value) {
      auto const path = path_of(rule, std::to_string(value));
      for (std::size_t i = 1; i < path.size(); ++i) {
        ASSERT_TRUE(depths.contains(path[i])) << path[i];
        EXPECT_EQ(depths[path[i]], static_cast<int>(path.size() - i) - 1);
      }
    }
  }
}

}  // namespace
}  // namespace anon_seq
