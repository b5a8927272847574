// Changes that cancel out are not told; the others come summed and in order, as a map would have them.
#include "core/partition/count_changes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace anon_seq {
namespace {

TEST(CountChanges, AgreeWithAMap) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::size_t const codes = random() % 3;
    CountChanges changes(codes);
    changes.begin(1, 7);
    for (std::size_t c = 0; c < codes; ++c) changes.add(0);
    changes.settle([](RegionId region, auto, std::int64_t) { EXPECT_EQ(region, 7); });
    std::map<std::vector<std::int32_t>, std::int64_t> expected;
    for (unsigned i = random() % 60; i > 0; --i) {
      std::vector<std::int32_t> key{static_cast<RegionId>(random() % 4)};
      std::int32_t const persons = random() % 2 == 0 ? 1 : -1;
      changes.begin(persons, key[0]);
      for (std::size_t c = 0; c < codes; ++c) {
        key.push_back(static_cast<Code>(random() % 3));
        changes.add(key.back());
      }
      expected[key] += persons;
    }
    std::erase_if(expected, [](auto const& entry) { return entry.second == 0; });
    auto next = expected.begin();
    changes.settle([&](RegionId region, std::span<Code const> of, std::int64_t persons) {
      ASSERT_NE(next, expected.end());
      std::vector<std::int32_t> key{region};
      key.insert(key.end(), of.begin(), of.end());
      EXPECT_EQ(key, next->first);
      EXPECT_EQ(persons, next->second);
      ++next;
    });
    EXPECT_EQ(next, expected.end());
  }
}

}  // namespace
}  // namespace anon_seq
