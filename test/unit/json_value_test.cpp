#include "core/json_value.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "json_events.h"

namespace anon_seq {
namespace {

JsonValue read(std::string const& json) { return JsonValue(JsonEvents(json).span(), "options"); }

TEST(JsonValue, KeepsStructureAndOrder) {
  auto const json = read(R"({"a": [1, "x", {"b": null}], "c": true, "n": 0.30})");
  EXPECT_EQ(json.at("a").elements().size(), 3U);
  EXPECT_EQ(json.at("a").elements()[0].integer(), 1);
  EXPECT_EQ(json.at("a").elements()[1].string(), "x");
  EXPECT_EQ(json.at("a").elements()[2].at("b").kind(), JsonValue::Kind::kNull);
  EXPECT_EQ(json.at("a").elements()[2].at("b").place(), "options.a[2].b");
  EXPECT_TRUE(json.at("c").boolean());
  EXPECT_EQ(json.at("n").number(), "0.30");
  EXPECT_EQ(json.members()[1].first, "c");
}

TEST(JsonValue, SaysWhereSomethingElseStands) {
  auto const json = read(R"({"a": [1, "x"], "k": 2.5})");
  EXPECT_ERROR(error_of([&] { (void)json.at("a").elements()[1].integer(); }), Fault::kParameter,
               "options.a[1] must be a number");
  EXPECT_ERROR(error_of([&] { (void)json.at("k").integer(); }), Fault::kParameter, "options.k must be a whole number");
  EXPECT_ERROR(error_of([&] { (void)json.at("z"); }), Fault::kParameter, "options lacks the key \"z\"");
  EXPECT_ERROR(error_of([&] { json.expect_keys({"a"}); }), Fault::kParameter, "options has the unknown key \"k\"");
  EXPECT_ERROR(error_of([&] { (void)json.at("a").find("q"); }), Fault::kParameter, "options.a must be an object");
}

TEST(JsonValue, RatiosAreExactAndInRange) {
  EXPECT_EQ(parse_ratio("0.3", "max"), (Ratio{3, 10}));
  EXPECT_EQ(parse_ratio("1", "max"), (Ratio{1, 1}));
  EXPECT_EQ(parse_ratio("0.125", "max"), (Ratio{125, 1000}));
  for (char const* bad : {"0", "1.01", "-0.3", "x", "0.0000000000000000001"})
    EXPECT_EQ(error_of([&] { parse_ratio(bad, "max"); }).fault(), Fault::kParameter) << bad;
}

TEST(JsonValue, StringsAreQuoted) {
  EXPECT_EQ(json_string("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
  EXPECT_EQ(json_array(std::vector<std::string>{"a", "b"}, json_string), "[\"a\", \"b\"]");
}

}  // namespace
}  // namespace anon_seq
