#include "core/table/unite.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace anon_seq {
namespace {

Column appended(std::vector<std::string> const& keys) {
  Column column;
  column.values.add_hidden("");
  for (auto const& key : keys) column.codes.push_back(key == "NULL" ? kNull : column.values.add_hidden(key));
  return column;
}

// Codes and values as a dictionary that looks every key up would give them.
void expect_as_interned(std::vector<std::string> const& keys) {
  NoCheckpoint checkpoint;
  Column column = appended(keys);
  unite_equal(column, checkpoint);
  std::map<std::string, Code> met;
  std::vector<std::string> values{""};
  ASSERT_EQ(column.codes.size(), keys.size());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    Code expected = kNull;
    if (keys[row] != "NULL") {
      auto const [at, added] = met.emplace(keys[row], static_cast<Code>(values.size()));
      if (added) values.push_back(keys[row]);
      expected = at->second;
    }
    ASSERT_EQ(column.codes[row], expected) << "row " << row;
  }
  ASSERT_EQ(column.distinct(), static_cast<Code>(values.size()));
  for (Code code = 1; code < column.distinct(); ++code)
    EXPECT_EQ(column.values[code], values[static_cast<std::size_t>(code)]);
}

TEST(Unite, FewKeys) {
  expect_as_interned({});
  expect_as_interned({"NULL"});
  expect_as_interned({""});
  expect_as_interned({"a", "b", "c"});
  expect_as_interned({"b", "a", "b", "NULL", "a", "", "b", ""});
}

TEST(Unite, ManyKeysAndPartsAgreeWithAMap) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::size_t const rows = random() % 40000;
    std::uint32_t const keys = 1 + random() % (2 * static_cast<std::uint32_t>(rows) + 1);
    std::vector<std::string> list;
    for (std::size_t row = 0; row < rows; ++row)
      list.push_back(random() % 50 == 0 ? "NULL" : std::to_string(random() % keys));
    expect_as_interned(list);
  }
}

TEST(Unite, DistinctKeysKeepTheirCodes) {
  std::vector<std::string> keys;
  for (int i = 0; i < 100000; ++i) keys.push_back(std::to_string(i * 7919));
  expect_as_interned(keys);
}

}  // namespace
}  // namespace anon_seq
