// Codes in the order of first sight, whatever the bytes.
#include "core/table/dictionary.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace anon_seq {
namespace {

TEST(Dictionary, NumbersValuesInTheOrderOfFirstSight) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.size(), 0);
  EXPECT_EQ(dictionary.find("a"), kNoCode);
  EXPECT_EQ(dictionary.intern("b"), 0);
  EXPECT_EQ(dictionary.intern("a"), 1);
  EXPECT_EQ(dictionary.intern("b"), 0);
  EXPECT_EQ(dictionary[0], "b");
  EXPECT_EQ(dictionary[1], "a");
  EXPECT_EQ(dictionary.find("a"), 1);
  EXPECT_EQ(dictionary.size(), 2);
}

TEST(Dictionary, EmptyStringsAndNulBytesAreValues) {
  Dictionary dictionary;
  std::string_view const with_nul("a\0b", 3);
  EXPECT_EQ(dictionary.intern(""), 0);
  EXPECT_EQ(dictionary.intern(with_nul), 1);
  EXPECT_EQ(dictionary.intern("a"), 2);
  EXPECT_EQ(dictionary[0], "");
  EXPECT_EQ(dictionary[1], with_nul);
}

TEST(Dictionary, AHiddenEntryIsNeverFound) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.add_hidden(""), 0);
  EXPECT_EQ(dictionary.find(""), kNoCode);
  EXPECT_EQ(dictionary.intern(""), 1);
  EXPECT_EQ(dictionary.find(""), 1);
  EXPECT_EQ(dictionary.add_hidden(""), 2);
  EXPECT_EQ(dictionary.find(""), 1);
}

TEST(Dictionary, CopiesAreIndependent) {
  Dictionary one;
  one.intern("a");
  Dictionary two(one);
  two.intern("b");
  EXPECT_EQ(one.find("b"), kNoCode);
  EXPECT_EQ(two.find("a"), 0);
  EXPECT_EQ(two.find("b"), 1);
}

TEST(Dictionary, HashIsTheSameEverywhere) {
  EXPECT_EQ(hash_bytes("clerk"), hash_bytes(std::string("clerk")));
  EXPECT_NE(hash_bytes("clerk"), hash_bytes("clerl"));
  EXPECT_NE(hash_bytes(""), hash_bytes(std::string_view("\0", 1)));
  EXPECT_NE(hash_bytes(std::string_view("a\0", 2)), hash_bytes("a"));
}

TEST(Dictionary, EveryByteCounts) {
  for (std::size_t length = 1; length <= 44; ++length) {
    SCOPED_TRACE(length);
    Dictionary dictionary;
    std::string const value(length, 'a');
    dictionary.intern(value);
    for (std::size_t i = 0; i < length; ++i) {
      std::string other = value;
      other[i] = 'b';
      EXPECT_NE(hash_bytes(other), hash_bytes(value)) << i;
      EXPECT_EQ(dictionary.intern(other), static_cast<Code>(i) + 1);
    }
  }
}

TEST(Dictionary, IsEmptyOnceCleared) {
  Dictionary dictionary;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(dictionary.intern(std::string(static_cast<std::size_t>(i + round), 'x')), i);
    dictionary.clear();
    EXPECT_EQ(dictionary.size(), 0);
    EXPECT_EQ(dictionary.find("x"), kNoCode);
  }
}

TEST(Dictionary, TheIndexOfHiddenEntriesComesAndGoes) {
  Dictionary dictionary;
  dictionary.add_hidden("");
  dictionary.add_hidden("a");
  dictionary.add_hidden("b");
  EXPECT_EQ(dictionary.find("b"), kNoCode);
  auto const before = heap_meter.used;
  dictionary.index();
  EXPECT_GT(heap_meter.used, before);
  EXPECT_EQ(dictionary.find("b"), 2);
  dictionary.forget_index();
  EXPECT_EQ(dictionary.find("b"), kNoCode);
  EXPECT_EQ(heap_meter.used, before);
}

// Against a map, with values short and long, alike and unlike.
TEST(Dictionary, AgreesWithAMap) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Dictionary dictionary;
    std::map<std::string, Code> expected;
    for (int i = 0; i < 2000; ++i) {
      std::string value(random() % (i % 2 == 0 ? 12 : 44), '\0');
      for (char& c : value) c = static_cast<char>('a' + random() % 2);
      auto const [entry, is_new] = expected.emplace(value, static_cast<Code>(expected.size()));
      EXPECT_EQ(dictionary.find(value), is_new ? kNoCode : entry->second);
      EXPECT_EQ(dictionary.intern(value), entry->second);
    }
    ASSERT_EQ(dictionary.size(), static_cast<Code>(expected.size()));
    for (auto const& [value, code] : expected) {
      EXPECT_EQ(dictionary.find(value), code);
      EXPECT_EQ(dictionary[code], value);
    }
  }
}

TEST(Dictionary, ValuesOfOneLengthAndThenOthers) {
  for (bool const hidden_first : {false, true}) {
    Dictionary dictionary;
    std::vector<std::string> values;
    if (hidden_first) values.emplace_back("");
    if (hidden_first) dictionary.add_hidden("");
    for (char c = 'a'; c <= 'z'; ++c) values.push_back(std::string(3, c));
    values.push_back("");
    values.push_back("longer");
    values.push_back("abc");
    for (std::size_t i = hidden_first ? 1 : 0; i < values.size(); ++i) {
      EXPECT_EQ(dictionary.intern(values[i]), static_cast<Code>(i));
      for (std::size_t j = 0; j <= i; ++j) ASSERT_EQ(dictionary[static_cast<Code>(j)], values[j]) << i << " " << j;
    }
    EXPECT_EQ(dictionary.size(), static_cast<Code>(values.size()));
    EXPECT_EQ(dictionary.find("zzz"), hidden_first ? 26 : 25);
  }
}

}  // namespace
}  // namespace anon_seq
