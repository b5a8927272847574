#include "core/sequential/rule_spec.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "json_events.h"

namespace anon_seq {
namespace {

std::vector<RuleSpec> parse(std::string const& json) {
  return parse_rules(JsonValue(JsonEvents(json).span(), "rules"));
}

TEST(RuleSpec, TextIsReadBackAsItWas) {
  for (
      char const* text :
      {R"({"kind": "anonymity", "x": ["job", {"release": "imm", "column": "race"}], "y": ["person"], "min": 40})",
       R"({"kind": "anonymity", "x": ["job"], "y": [{"release": "imm"}], "min": 2, "partial_x": true})",
       R"({"kind": "linkability", "x": ["job"], "y": [{"release": "imm", "column": "ill"}], "values": ["HIV"], "max": 0.3})",
       R"({"kind": "linkability", "x": ["job"], "y": ["ill"], "values": ["a", "b"], "each": true, "max": 1})",
       R"({"kind": "anonymity", "x": ["job"], "y": ["person"], "min": 2, "with": ["imm", "p/1"]})",
       R"({"kind": "linkability", "x": ["job"], "y": ["ill"], "max": 0.5, "with": ["imm"], "partial_x": true})",
       R"({"kind": "linkability", "x": ["job"], "y": ["ill"], "values": {"HIV": 0.05, "flu": 0.5}})",
       R"({"kind": "linkability", "x": ["job"], "y": ["ill"], "values": ["HIV", null], "max": 0.3})",
       R"({"kind": "linkability", "x": ["job"], "y": ["ill"], "nulls": true, "max": 0.3})",
       R"({"kind": "k_map", "population": "town", "min": 20})",
       R"({"kind": "k_map", "population": "the \"town\"", "x": ["job"], "min": 1})",
       R"({"kind": "presence", "population": "town", "max": 0.5})",
       R"({"kind": "presence", "population": "town", "x": ["age", "job"], "below": 0.5, "min": 0.01})",
       R"({"kind": "presence", "population": "town", "min": 1})",
       R"({"kind": "linkability", "x": ["job"], "y": ["ill", "ward"], "values": [["HIV", "3"], [null, "4"]], "max": 0.3})"}) {
    auto const rules = parse("[" + std::string(text) + "]");
    ASSERT_EQ(rules.size(), 1U);
    EXPECT_EQ(rules[0].text(), text);
  }
}

TEST(RuleSpec, PresenceWithTwoBoundsIsTwoRules) {
  auto const parts = parts_of(parse(R"([{"kind": "presence", "population": "t", "below": 0.5, "min": 0.1}])")[0]);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].text(), R"({"kind": "presence", "population": "t", "below": 0.5})");
  EXPECT_EQ(parts[1].text(), R"({"kind": "presence", "population": "t", "min": 0.1})");
  EXPECT_EQ(parts_of(parse(R"([{"kind": "k_map", "population": "t", "min": 3}])")[0]).size(), 1U);
}

TEST(RuleSpec, WhatMakesNoRuleIsRefusedWithItsPlace) {
  struct Bad {
    char const *json, *message;
  };
  for (auto const& bad : {
           Bad{R"({"kind": "anonymity"})", "rules must be an array"},
           Bad{R"([{"kind": "diversity", "x": ["a"], "y": ["b"], "min": 2}])",
               "rules[0].kind must be \"anonymity\", \"linkability\", \"k_map\" or \"presence\""},
           Bad{R"([{"kind": "anonymity", "x": ["a"], "y": ["b"], "min": 0}])", "rules[0].min must be at least 1"},
           Bad{R"([{"kind": "anonymity", "x": ["a"], "y": ["b"]}])", "rules[0] lacks the key \"min\""},
           Bad{R"([{"kind": "anonymity", "x": [], "y": ["b"], "min": 2}])",
               "rules[0].x must be a list of at least one column"},
           Bad{R"([{"kind": "anonymity", "x": ["a", "a"], "y": ["b"], "min": 2}])", "rules[0].x[1] must be named once"},
           Bad{R"([{"kind": "anonymity", "x": ["a"], "y": ["a"], "min": 2}])",
               "rules[0] must be free of columns that are both in x and in y"},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"]}])", "rules[0] lacks the key \"max\""},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"], "max": 2}])",
               "rules[0].max must be above 0 and at most 1"},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"], "max": 0.5, "values": []}])",
               "rules[0].values must be at least one value"},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"], "max": 0.5, "with": []}])",
               "rules[0].with must be at least one release"},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"], "max": 0.5, "with": ["r", "r"]}])",
               "rules[0].with must be free of repeated names"},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"], "max": 0.5, "values": ["c"], "nulls": true}])",
               "rules[0].nulls must be left out beside \"values\""},
           Bad{R"([{"kind": "linkability", "x": ["a"], "y": ["b"], "maxx": 0.5}])",
               "rules[0] has the unknown key \"maxx\""},
           Bad{R"([{"kind": "linkability", "x": [{"release": "r"}], "y": ["b"], "max": 0.5}])",
               "rules[0].x must be a list of columns; records can stand in y only"},
           Bad{R"([{"kind": "k_map", "min": 2}])", "rules[0] lacks the key \"population\""},
           Bad{R"([{"kind": "k_map", "population": "", "min": 2}])",
               "rules[0].population must be the name of a registered population"},
           Bad{R"([{"kind": "k_map", "population": "t", "min": 0}])", "rules[0].min must be at least 1"},
           Bad{R"([{"kind": "k_map", "population": "t", "min": 2, "max": 0.5}])",
               "rules[0] has the unknown key \"max\""},
           Bad{R"([{"kind": "k_map", "population": "t", "min": 2, "x": [{"release": "r", "column": "a"}]}])",
               "rules[0].x must be a list of columns of the source"},
           Bad{R"([{"kind": "presence", "population": "t"}])",
               "rules[0] must be an object with \"max\", \"below\" or \"min\""},
           Bad{R"([{"kind": "presence", "population": "t", "max": 0.5, "below": 0.5}])",
               "rules[0].below must be left out beside \"max\""},
           Bad{R"([{"kind": "presence", "population": "t", "max": 0.5, "min": 0.51}])",
               "rules[0].min must be at most \"max\""},
           Bad{R"([{"kind": "presence", "population": "t", "below": 0.5, "min": 0.50}])",
               "rules[0].min must be less than \"below\""},
           Bad{R"([{"kind": "presence", "population": "t", "max": 0}])", "rules[0].max must be above 0 and at most 1"},
       })
    EXPECT_ERROR(error_of([&] { parse(bad.json); }), Fault::kParameter, bad.message);
}

}  // namespace
}  // namespace anon_seq
