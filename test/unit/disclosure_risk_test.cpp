// Risks by hand, and who fits against a look at every pair.
#include "core/attack/disclosure_risk.h"

#include <gtest/gtest.h>

#include <random>

namespace anon_seq {
namespace {

NoCheckpoint checkpoint;

TEST(DisclosureRisk, ByHand) {
  Vector<std::int64_t> const sizes{1, 3, 4};
  auto const alone = disclosure_risk(sizes, nullptr);
  EXPECT_EQ(alone.records, 8);
  EXPECT_EQ(alone.classes, 3);
  EXPECT_EQ(alone.uniques, 1);
  EXPECT_DOUBLE_EQ(alone.prosecutor_max, 1);
  EXPECT_DOUBLE_EQ(alone.prosecutor_average, 3.0 / 8);
  EXPECT_FALSE(alone.population);
  Fitting const fitting{{4, 6, 2}, true};  // the last has fewer than are in the release: 4 count
  auto const risk = disclosure_risk(sizes, &fitting);
  ASSERT_TRUE(risk.population);
  EXPECT_EQ(risk.population->k_map, 4);
  EXPECT_EQ(risk.population->uncovered, 4);
  EXPECT_EQ(risk.population->unique_both, 0);
  EXPECT_EQ(risk.population->half_shown, 2);
  EXPECT_DOUBLE_EQ(risk.population->journalist_max, 0.25);
  EXPECT_DOUBLE_EQ(risk.population->journalist_average, (0.25 + 0.5 + 1) / 8);
  EXPECT_DOUBLE_EQ(risk.population->delta_min, 0.25);
  EXPECT_DOUBLE_EQ(risk.population->delta_max, 1);
}

TEST(DisclosureRisk, NobodyAndUniques) {
  auto const none = disclosure_risk({}, nullptr);
  EXPECT_EQ(none.records, 0);
  EXPECT_DOUBLE_EQ(none.prosecutor_max, 0);
  Fitting const nobody;
  EXPECT_EQ(disclosure_risk({}, &nobody).population->k_map, 0);
  Fitting const one{{1, 9}, false};
  auto const risk = disclosure_risk({1, 1}, &one);
  EXPECT_EQ(risk.population->unique_both, 1);
  EXPECT_DOUBLE_EQ(risk.population->journalist_max, 1);
  EXPECT_DOUBLE_EQ(risk.population->delta_min, 0);  // somebody of the population is in no class
}

TEST(DisclosureRisk, FittingAsPairByPair) {
  std::mt19937 random(7);
  auto below = [&](int n) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 40; ++round) {
    std::size_t const classes = round < 3 ? 1023 + static_cast<std::size_t>(round) : 1 + random() % 90,
                      people = 1 + random() % 60;
    std::size_t const width = 1 + random() % 3;
    std::vector<ValueSets> sets(width);
    std::vector<Vector<SetId>> of_class(width), of_person(width);
    auto run = [&](int longest) {
      std::int32_t const first = below(12);
      return PieceRun{first, first + below(longest)};
    };
    for (std::size_t a = 0; a < width; ++a) {
      for (std::size_t c = 0; c < classes; ++c) of_class[a].push_back(sets[a].add(run(9)));
      for (std::size_t p = 0; p < people; ++p) of_person[a].push_back(sets[a].add(run(2)));
    }
    Vector<std::int64_t> weights;
    for (std::size_t p = 0; p < people; ++p) weights.push_back(1 + below(5));
    std::vector<RiskAxis> axes;
    for (std::size_t a = 0; a < width; ++a) axes.push_back({&sets[a], of_class[a], of_person[a]});
    auto const fitting = people_fitting(axes, classes, weights, checkpoint);
    Vector<std::int64_t> expected(classes, 0);
    bool all_placed = true;
    for (std::size_t p = 0; p < people; ++p) {
      bool placed = false;
      for (std::size_t c = 0; c < classes; ++c) {
        bool fits = true;
        for (std::size_t a = 0; a < width; ++a) {
          auto const outer = sets[a][of_class[a][c]][0], inner = sets[a][of_person[a][p]][0];
          fits = fits && outer.first <= inner.first && inner.last <= outer.last;
        }
        if (fits) expected[c] += weights[p], placed = true;
      }
      all_placed = all_placed && placed;
    }
    EXPECT_EQ(fitting.people, expected);
    EXPECT_EQ(fitting.all_placed, all_placed);
  }
}

}  // namespace
}  // namespace anon_seq
