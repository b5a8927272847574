#include "core/table/nth_value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace anon_seq {
namespace {

TEST(NthValue, AgreesWithSorting) {
  std::mt19937_64 random(7);
  NoCheckpoint checkpoint;
  for (std::size_t const size : {1UL, 2UL, 1000UL, 50000UL})
    for (std::uint64_t const range : {1ULL, 3ULL, 5000ULL, 2000000000ULL}) {
      Vector<std::int32_t> values;
      for (std::size_t i = 0; i < size; ++i) {
        // Most of them close together, so that one bucket has to be parted again.
        std::uint64_t const value = random() % range;
        values.push_back(static_cast<std::int32_t>(random() % 10 == 0 ? value : value % 40));
      }
      Vector<std::int32_t> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t const nth : {std::size_t{0}, size / 3, size / 2, size - 1})
        EXPECT_EQ(nth_value(values, nth, sorted.front(), sorted.back(), checkpoint), sorted[nth]);
    }
}

}  // namespace
}  // namespace anon_seq
