#include "core/text/json_value.h"

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
  EXPECT_EQ((*++json.members().begin()).first, "c");
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

TEST(JsonValue, KnowsItsPlaceAfterItMoved) {
  auto json = read(R"([[], {}, [[1, {"a": [2, {"b": 3}]}], 4], "x"])");
  auto const moved = std::move(json);
  auto const& inner = moved.elements()[2].elements()[0].elements()[1].at("a").elements()[1];
  EXPECT_EQ(inner.at("b").place(), "options[2][0][1].a[1].b");
  EXPECT_EQ(inner.place(), "options[2][0][1].a[1]");
  EXPECT_EQ(moved.elements()[3].place(), "options[3]");
  EXPECT_EQ(moved.place(), "options");
  EXPECT_EQ(moved.elements()[0].elements().size(), 0U);
  EXPECT_EQ(moved.elements()[1].members().size(), 0U);
  EXPECT_EQ(moved.elements()[2].elements()[1].integer(), 4);
}

TEST(JsonValue, TheLastOfEqualKeysCounts) {
  auto const json = read(R"({"a": 1, "b": 2, "a": 3})");
  EXPECT_EQ(json.at("a").integer(), 3);
  std::string all;
  for (auto const& [key, value] : json.members()) all += key + value.number();
  EXPECT_EQ(all, "a1b2a3");
}

TEST(JsonValue, ShortensLongKeysInMessages) {
  auto const json = read("{\"" + std::string(99, 'k') + "\xc3\xa4" + std::string(2000, 'k') + "\": [1, \"x\"]}");
  EXPECT_EQ((*json.members().begin()).second.elements()[1].place(), "options." + std::string(99, 'k') + "...[1]");
  auto const error = error_of([&] { json.expect_keys({"a"}); });
  EXPECT_EQ(error.what(), "options has the unknown key \"" + std::string(99, 'k') + "...\"");
}

// The most that reading a text takes of the metered heap beyond what is held already; what the events of the test take
// is not metered.
std::size_t cost(std::string const& text) {
  JsonEvents const events(text);
  auto const before = heap_meter.used;
  heap_meter.reset_peak();
  {
    JsonValue const json(events.span(), "options");
    EXPECT_GE(heap_meter.used, before);
  }
  EXPECT_EQ(heap_meter.used, before);
  return heap_meter.peak - before;
}

std::string repeated(std::string const& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(JsonValue, CostsNoMoreThanItsTextAndAFewBytesAValue) {
  std::string const key(100000, 'k');
  EXPECT_LT(cost("{\"" + key + "\": [" + repeated("1, ", 1500) + "1]}"), 100000 + 1500 * 200);
  EXPECT_LT(cost("{\"" + key + "\": " + repeated("{\"" + key + "\": ", 20) + "1" + repeated("}", 21)), 2300000);
  EXPECT_LT(cost("[" + repeated("1, ", 99999) + "1]"), 100000 * 200);
  EXPECT_LT(cost(repeated("[", 50000) + repeated("]", 50000)), 50000 * 250);
  EXPECT_LT(cost("[" + repeated("[], {}, ", 25000) + "1]"), 50000 * 200);
}

TEST(JsonValue, RefusesInsteadOfAllocatingTooMuch) {
  JsonEvents const events("[\"" + std::string(100000, 'x') + "\"]");
  auto const limit = heap_meter.limit;
  heap_meter.limit = heap_meter.used + 50000;
  EXPECT_EQ(error_of([&] { JsonValue(events.span(), "options"); }).fault(), Fault::kLimit);
  heap_meter.limit = limit;
}

TEST(JsonValue, SmallIsWhatPeopleWrite) {
  require_small_json("{}", "x");
  require_small_json(repeated("[", 32) + repeated("]", 32), "x");
  require_small_json("[" + repeated("1, ", 99998) + "1]", "x");
  require_small_json("[" + repeated("[], {}, [ ], { }, ", 24999) + "0, 0, 0]", "x");
  require_small_json("[\"" + repeated("[{,\\\"", 100000) + "\"]", "x");
  auto refused = [](std::string const& json) {
    auto const error = error_of([&] { require_small_json(json, "argument \"x\""); });
    EXPECT_EQ(error.fault(), Fault::kLimit);
    EXPECT_STREQ(error.what(), "argument \"x\" is too large");
    return error.detail();
  };
  EXPECT_EQ(refused(repeated("[", 33) + repeated("]", 33)), "It is nested 33 levels deep, 32 are allowed.");
  EXPECT_EQ(refused("[" + repeated("1, ", 99999) + "1]"), "It has 100001 values, 100000 are allowed.");
  EXPECT_EQ(refused("[" + repeated("[], {}, [ ], { }, ", 25000) + "0]"), "It has 100002 values, 100000 are allowed.");
  EXPECT_EQ(refused('"' + std::string(1 << 20, 'x') + '"'), "It has 1048578 bytes, 1048576 are allowed.");
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
