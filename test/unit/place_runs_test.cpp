// place_runs() against what a tree says of its regions.
#include <gtest/gtest.h>

#include <random>

#include "core/attack/place_runs.h"
#include "error_of.h"

namespace anon_seq::testing {
namespace {

bool is_around(std::vector<std::int32_t> const& parents, std::int32_t outer, std::int32_t inner) {
  while (inner > outer) inner = parents[static_cast<std::size_t>(inner)];
  return inner == outer;
}

bool is_leaf(std::vector<std::int32_t> const& parents, std::int32_t region) {
  return std::find(parents.begin(), parents.end(), region) == parents.end();
}

TEST(PlaceRuns, OneRegionHoldsAnotherIfItIsAroundIt) {
  std::mt19937_64 random(20261120);
  for (int tree = 0; tree < 200; ++tree) {
    std::vector<std::int32_t> parents{-1};
    auto const regions = static_cast<std::int32_t>(1 + random() % 30);
    for (std::int32_t region = 1; region < regions; ++region)
      parents.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(region)));
    auto const runs = place_runs(parents);
    ASSERT_EQ(runs.size(), parents.size());
    for (std::int32_t outer = 0; outer < regions; ++outer) {
      auto const wide = runs[static_cast<std::size_t>(outer)];
      if (is_leaf(parents, outer)) {
        EXPECT_EQ(wide.first, wide.last);
      }
      for (std::int32_t inner = 0; inner < regions; ++inner) {
        auto const narrow = runs[static_cast<std::size_t>(inner)];
        bool const holds = wide.first <= narrow.first && narrow.last <= wide.last;
        // What has one child only is as large as that.
        bool const alike = wide == narrow && is_around(parents, std::min(outer, inner), std::max(outer, inner));
        EXPECT_EQ(holds, is_around(parents, outer, inner) || alike);
        bool const meets = wide.first <= narrow.last && narrow.first <= wide.last;
        EXPECT_EQ(meets, is_around(parents, outer, inner) || is_around(parents, inner, outer));
      }
    }
  }
}

TEST(PlaceRuns, RefusesWhatIsNoTree) {
  for (auto const& parents : {std::vector<std::int32_t>{0}, {-1, 1}, {-1, 2, 1}, {-2}, {-1, 7}})
    EXPECT_EQ(error_of([&] { place_runs(parents); }).fault(), Fault::kDamaged);
}

}  // namespace
}  // namespace anon_seq::testing
