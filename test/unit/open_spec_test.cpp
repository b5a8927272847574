// Open taxonomies as JSON: {"kind": ...}, what is one, and what only looks like one.
#include "core/taxonomy/open_spec.h"

#include "error_of.h"
#include "json_events.h"

namespace anon_seq {
namespace {

std::optional<OpenSpec> read(std::string const& json) {
  JsonEvents const events(json);
  return spec_from_json("t", events);
}

std::string wrong(std::string const& json) {
  auto const error = error_of([&]() { read(json); });
  EXPECT_ERROR(error, Fault::kParameter, "json of taxonomy \"t\" has the wrong shape");
  return error.detail();
}

TEST(OpenSpec, ReadsEveryKind) {
  auto const range = read(R"({"kind": "range", "upper": 100, "lower": -2.5, "widths": [5, 10]})");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->kind, "range");
  EXPECT_EQ(range->parameters, (std::vector<std::string>{"-2.5", "100", "5", "10"}));
  EXPECT_EQ(read(R"({"kind": "prefix", "lengths": [4, 3]})")->parameters, (std::vector<std::string>{"4", "3"}));
  EXPECT_EQ(read(R"({"kind": "date", "units": ["month", "year"]})")->parameters,
            (std::vector<std::string>{"month", "year"}));
}

TEST(OpenSpec, AnythingElseIsATree) {
  for (auto json :
       {R"({})", R"([])", R"("kind")", R"({"ANY": ["a"]})", R"({"kind": ["a", "b"]})", R"({"kind": {"a": []}})"}) {
    SCOPED_TRACE(json);
    EXPECT_FALSE(read(json));
  }
}

TEST(OpenSpec, SaysWhereItIsWrong) {
  EXPECT_EQ(wrong(R"({"kind": "cube"})"), "At $.kind: Kinds are prefix, range and date.");
  EXPECT_EQ(wrong(R"({"kind": "range", "lower": 0, "widths": [1]})"), "At $: The key \"upper\" is missing.");
  EXPECT_EQ(wrong(R"({"kind": "date", "units": "year"})"), "At $.units: An array should stand here.");
  EXPECT_EQ(wrong(R"({"kind": "date", "units": ["year", 1]})"), "At $.units[1]: A string should stand here.");
  EXPECT_EQ(wrong(R"({"kind": "prefix", "lengths": [4, "3"]})"), "At $.lengths[1]: A number should stand here.");
  EXPECT_EQ(wrong(R"({"kind": "range", "lower": [0], "upper": 9, "widths": [1]})"),
            "At $.lower: A number should stand here.");
  EXPECT_EQ(wrong(R"({"kind": "prefix", "lengths": [4], "color": 1})"), "At $.color: This key has no meaning here.");
  EXPECT_EQ(wrong(R"({"kind": "prefix", "lengths": [4], "lengths": [3]})"),
            "At $.lengths: This key stands here twice.");
  EXPECT_EQ(wrong(R"({"kind": "prefix", "lengths": [4], "kind": "date"})"), "At $.kind: This key has no meaning here.");
}

TEST(OpenSpec, MakesTheRule) {
  EXPECT_EQ(climb(open_rule({"range", {"0", "9", "3"}}), "4", 1), "[3,6)");
  EXPECT_EQ(climb(open_rule({"prefix", {"2"}}), "abc", 1), "ab*");
  EXPECT_EQ(climb(open_rule({"date", {"year"}}), "2024-01-01", 1), "2024");
}

TEST(OpenSpec, ChecksItsParameters) {
  auto fault = [](OpenSpec const& spec) { return error_of([&]() { open_rule(spec); }); };
  EXPECT_ERROR(fault({"prefix", {"2.5"}}), Fault::kParameter, "lengths of a prefix taxonomy must be whole numbers");
  EXPECT_ERROR(fault({"prefix", {"99999999999"}}), Fault::kParameter,
               "lengths of a prefix taxonomy must be whole numbers");
  EXPECT_ERROR(fault({"range", {"9", "0", "1"}}), Fault::kParameter, "lower bound 9 is not below upper bound 0");
  EXPECT_ERROR(fault({"cube", {}}), Fault::kDamaged, "an open taxonomy of an unknown kind");
}

}  // namespace
}  // namespace anon_seq
