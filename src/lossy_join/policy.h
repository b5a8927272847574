// What a lossy join demands, read from its parameters and options.
#pragma once

#include <map>
#include <optional>

#include "core/lossy/topdown.h"
//
#include "catalog/policy.h"
#include "release/demands.h"
#include "release/release_cells.h"

namespace anon_seq::lossy_join {

enum class ClassKind { kRegional, kTopdown, kAnatomy };

struct LossyPolicy : Demands {
  bool generalized = false;  // one table; else projections
  bool numbered = false;     // that table shows the number of the class: classes are to be told apart
  Ratio alpha;               // of Anatomy: 1/l
  std::int64_t k = 1;        // of Anatomy: l
  ClassKind classes = ClassKind::kRegional;
  // Sensitive column -> values whose chance is bounded, labels of its taxonomy among them. A column without an entry:
  // every value singly, NULL too.
  std::map<std::string, std::vector<std::string>> listed;
  // Sensitive column -> values, or labels of its taxonomy, that have an alpha of their own; of several that mean a
  // value the least holds. Not of a list that is bounded together; beside one that is not, they are listed as well.
  std::map<std::string, std::map<std::string, Ratio>> alphas;

  // options
  bool each = false;                // listed values are bounded singly, not together
  std::optional<std::string> near;  // of the one sensitive column: values in [v, v + near] count together; a decimal
  // NSS shows labels and ranges that all rows of a class have in common: those of the class's nodes (topdown), or what
  // its region has in common (regional); Anatomy's classes follow no quasi value, and it is refused. Whatever is shown
  // follows from the quasi values and from NSS as it would be without: who knows those learns nothing from it, and who
  // does not know his class's fellows learns less, as rows of a class cannot be told apart any more.
  bool coarse = false;
  bool unguarded_again = false;  // changed content is published again, without a guarantee
  Decisions decisions = Decisions::kSimulatable;

  Listing listing(std::string const& column) const {
    return !listed.contains(column) ? Listing::kEvery : each ? Listing::kEach : Listing::kAny;
  }
};

// Throws kParameter, saying which parameter or option is wrong. Meets no table and no release.
LossyPolicy lossy_policy(Policy const& policy);

// Whether `near` means something for a column: a number, or a date, of which it counts days.
bool has_line(PublishedColumn const& column);

// The column that all relations of a release have, and those that it adds to one of them.
inline constexpr char kClassColumn[] = "class_id", kCountColumn[] = "n", kWeightColumn[] = "weight";

// Whether a policy's form is one generalized table. Of parameters that make no sense, no.
bool is_generalized(Policy const& policy);

// Whether its quasi columns show labels and ranges.
bool shows_labels(Policy const& policy);

// NSS, an SS for each sensitive column, then the join of each with NSS; or one table.
std::vector<RelationShape> relations(Policy const& policy);

}  // namespace anon_seq::lossy_join
