// What a release lost, as numbers with a sentence each, as a whole and by column. The note of a version has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sequential/loss.h"
#include "core/text/json_value.h"
//
#include "catalog/policy.h"

namespace anon_seq::release {

class Draft;

struct Metric {
  char const *name, *unit, *meaning;
};
// All metrics of a release as a whole, in the order in which they are shown.
std::vector<Metric> const& metrics();
// Of a column: "ncp:<column>".
Metric const& column_metric();

// A column whose values are generalized.
struct ColumnDetail {
  std::string column;
  std::int64_t shown = 0;    // different values
  double ncp = 0;            // 0 is exact, 1 says nothing
  bool several = true;       // the source has different values
  std::int64_t unknown = 0;  // rows without a value, where the method counts them
};

std::string loss_json(Loss const& loss);
// REQUIRES: axes in the order of the quasi columns, or none.
std::vector<ColumnDetail> column_details(Policy const& policy, Loss const& loss);

// Json: metric -> value, those of columns included; what a note has and a preview shows. REQUIRES: the draft is solved.
std::string all_measures(Draft& draft);

// A number of what a note has; nullopt: it was not measured then. Throws kDamaged.
std::optional<std::string> measured(JsonValue const& measures, std::string const& metric);

// As json: column -> values shown, column -> ncp.
std::string shown_json(std::vector<ColumnDetail> const& columns);
std::string lost_json(std::vector<ColumnDetail> const& columns);

}  // namespace anon_seq::release
