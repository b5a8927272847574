// Privacy rules of a sequential policy as people write them, before they meet any table.
//
// [{"kind": "anonymity", "x": ["job", {"release": "imm", "column": "race"}], "y": ["person"], "min": 40},
//  {"kind": "linkability", "x": ["job"], "y": [{"release": "imm", "column": "disease"}], "values": ["HIV"], "max":
//  0.3}]
// A bare string is a column of the source, {"release": r, "column": c} one of an earlier release,
// {"release": r} its records. "values" bounds the chance of any of them together, with "each": true of each
// singly; without "values" every value is bounded singly, NULL only with "nulls": true. "values" may also be an object
// of thresholds, {"HIV": 0.1, "flu": 0.5}: each value has its own, and "max" is not needed. "with": ["imm"] joins
// releases that neither x nor y has a column of.
//
// [{"kind": "k_map", "population": "town", "min": 20},
//  {"kind": "presence", "population": "town", "below": 0.5, "min": 0.01, "x": ["age", "job"]}]
// are about the people of a registered population. k_map: at least so many fit each class of x. presence: the share of
// them that the release shows is at most "max", or "below"; of everybody in the population, at least "min". x: all
// quasi columns, or some of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text/json_value.h"

namespace anon_seq {

struct RuleColumn {
  std::string release;  // empty: the source
  std::string column;   // empty: the release's records
  bool operator==(RuleColumn const&) const = default;
};

struct ListedValue {
  std::vector<std::optional<std::string>> parts;  // one per column of y: NULL, or a value; a node means all under it
  std::optional<Ratio> max;                       // of its own
};

struct RuleSpec {
  bool anonymity = true;            // of a population: k_map, else presence
  std::string population;           // empty: about the join
  std::vector<RuleColumn> x, y;     // x of a population may be empty: all quasi columns
  std::int64_t min = 1;             // anonymity
  std::optional<Ratio> max;         // linkability, presence
  bool below = false;               // presence: below max
  std::optional<Ratio> least;       // presence
  std::vector<ListedValue> values;  // linkability; empty: every value singly
  bool each = false;
  bool nulls = false;             // linkability without values: NULL is one
  std::vector<std::string> with;  // releases that are joined besides those of x and y
  bool partial_x = false;         // "partial_x": true lets x hold some copies of a common attribute and not others

  // "anonymity", "linkability", "k_map" or "presence".
  char const* kind() const;
  std::string text() const;  // as json
};

// Throws kParameter, saying where, for what is no list of rules.
std::vector<RuleSpec> parse_rules(JsonValue const& json);

// The rules of one bound each that a rule stands for: a presence with a bound on either side is two.
std::vector<RuleSpec> parts_of(RuleSpec const& rule);

// A column of a rule as json: "job" or {"release": "imm", "column": "race"}.
std::string rule_column_text(RuleColumn const& column);

}  // namespace anon_seq
