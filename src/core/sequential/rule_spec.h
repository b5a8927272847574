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
  bool anonymity = true;
  std::vector<RuleColumn> x, y;
  std::int64_t min = 1;             // anonymity
  std::optional<Ratio> max;         // linkability
  std::vector<ListedValue> values;  // linkability; empty: every value singly
  bool each = false;
  bool nulls = false;             // linkability without values: NULL is one
  std::vector<std::string> with;  // releases that are joined besides those of x and y
  bool partial_x = false;         // "partial_x": true lets x hold some copies of a common attribute and not others

  std::string text() const;  // as json
};

// Throws kParameter, saying where, for what is no list of rules.
std::vector<RuleSpec> parse_rules(JsonValue const& json);

// A column of a rule as json: "job" or {"release": "imm", "column": "race"}.
std::string rule_column_text(RuleColumn const& column);

}  // namespace anon_seq
