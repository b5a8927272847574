#include "core/table/number_codes.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <vector>

namespace anon_seq {
namespace {

// Against a map, however the numbers lie.
void compare(std::vector<std::int64_t> const& numbers) {
  NumberCodes codes;
  std::map<std::int64_t, Code> expected;
  for (auto const number : numbers) {
    auto const [at, fresh] = expected.try_emplace(number, static_cast<Code>(expected.size()));
    auto& code = codes.at(number);
    ASSERT_EQ(code == kNoCode, fresh) << number;
    if (fresh) code = at->second;
    ASSERT_EQ(codes.at(number), at->second) << number;
  }
  for (auto const& [number, code] : expected) ASSERT_EQ(codes.at(number), code) << number;
  EXPECT_EQ(codes.at(expected.rbegin()->first - 12345), kNoCode);
}

TEST(NumberCodes, FindsWhatWasSet) {
  std::mt19937_64 random(1);
  for (std::int64_t const step : {1, 2, 16, 17, 128, 4096, 1 << 20}) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = -3000; i < 3000; ++i) numbers.push_back(i * step);
    compare(numbers);
    std::shuffle(numbers.begin(), numbers.end(), random);
    numbers.insert(numbers.end(), numbers.begin(), numbers.end());
    compare(numbers);
  }
  std::vector<std::int64_t> any;
  for (int i = 0; i < 5000; ++i) any.push_back(static_cast<std::int64_t>(random()));
  any.push_back(std::numeric_limits<std::int64_t>::min() + 20000);
  any.push_back(std::numeric_limits<std::int64_t>::max());
  compare(any);
}

}  // namespace
}  // namespace anon_seq
