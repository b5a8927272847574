#include "core/text/order_key.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace anon_seq {
namespace {

TEST(OrderKey, ThereIsAlwaysRoom) {
  std::string low, high;
  for (int i = 0; i < 1000; ++i) {  // towards one side, then the other
    auto const key = key_between(low, high);
    ASSERT_TRUE(low < key && (high.empty() || key < high)) << i;
    (i / 100 % 2 == 0 ? high : low) = key;
  }
  EXPECT_LT(high.size(), 200U);
}

TEST(OrderKey, ManyStayShort) {
  std::vector<std::string> keys(70000);
  spread_keys("", "", keys.size(), [&](std::size_t i, std::string key) { keys[i] = std::move(key); });
  EXPECT_FALSE(keys.front().empty());
  for (std::size_t i = 1; i < keys.size(); ++i) ASSERT_LT(keys[i - 1], keys[i]) << i;
  for (auto const& key : keys) ASSERT_LE(key.size(), 3U);
}

TEST(OrderKey, RandomInsertionsKeepTheOrder) {
  auto const seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<std::string> keys;
  for (int round = 0; round < 300; ++round) {
    std::size_t const at = random() % (keys.size() + 1), count = random() % 5;
    std::vector<std::string> more(count);
    spread_keys(at == 0 ? "" : keys[at - 1], at == keys.size() ? "" : keys[at], count,
                [&](std::size_t i, std::string key) { more[i] = std::move(key); });
    keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
  }
  for (std::size_t i = 1; i < keys.size(); ++i) ASSERT_LT(keys[i - 1], keys[i]) << i;
}

}  // namespace
}  // namespace anon_seq
