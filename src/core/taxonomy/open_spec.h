// Open taxonomies as they are stored and as people write them.
//
// Stored: a kind and its parameters as text. Written: {"kind": "range", "lower": 0, "upper": 100,
// "widths": [5, 10, 20]}, {"kind": "prefix", "lengths": [4, 3]}, {"kind": "date", "units": ["month", "year"]};
// this is what suggest_taxonomy gives for codes, numbers and dates, and create_taxonomy takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/taxonomy/json_taxonomy.h"
#include "core/taxonomy/open_taxonomy.h"

namespace anon_seq {

struct OpenSpec {
  std::string kind;                     // prefix, range or date
  std::vector<std::string> parameters;  // lengths; lower, upper, widths; units
};

// The rule of a spec, checked as its make_..._rule() does.
OpenTaxonomy open_rule(OpenSpec const& spec);

// The spec that a json value is; nothing if it is no spec but a tree. Throws kParameter, saying where,
// if it says "kind" but is no spec.
std::optional<OpenSpec> spec_from_json(std::string_view name, std::span<JsonEvent const> events);

}  // namespace anon_seq
