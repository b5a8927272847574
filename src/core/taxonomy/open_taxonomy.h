// Taxonomies over domains that nobody lists: codes, numbers, dates.
//
// Their nodes are made from the value by a rule instead of being stored: '20433' -> '2043*' -> '204**'
// -> '*'; 23 -> [20,25) -> [20,30) -> [0,100); 2024-03-15 -> 2024-03 -> 2024-Q1 -> 2024 -> 2020s -> ANY.
// A node's own label is understood as a value too and climbs from where it stands, so that what another
// release has generalized already can be generalized further. Equal neighbours are one node.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/checkpoint.h"

namespace anon_seq {

// From value or node (first) to the root (last), or nothing if `value` does not fit the rule.
using Path = std::vector<std::string>;

// Keeps the first lengths[0], lengths[1], ... characters and writes '*' for each of the rest.
struct PrefixRule {
  std::vector<int> lengths;  // descending, at least 1
  std::optional<Path> path(std::string_view value) const;
};

// Half-open intervals of widths[0], widths[1], ... from `lower`, the last of each width cut off at
// `upper`, as whole multiples of 10^-scale.
struct RangeRule {
  int scale = 0;
  std::int64_t lower = 0, upper = 0;
  std::vector<std::int64_t> widths;  // each divides the next
  std::optional<Path> path(std::string_view value) const;
  std::string interval(std::int64_t begin, std::int64_t end) const;
};

// Calendar units of ISO dates and timestamps, proleptic Gregorian, as written (no change of time zone).
// "infinity" and "-infinity" stand below the root.
struct DateRule {
  enum Unit { kHour, kDay, kMonth, kQuarter, kYear, kDecade };
  std::vector<Unit> units;  // ascending
  std::optional<Path> path(std::string_view value) const;
};

using OpenTaxonomy = std::variant<PrefixRule, RangeRule, DateRule>;

// The rules from the arguments of an SQL function, checked: Error kParameter, or kLimit where numbers
// need more than 15 digits after the point or more than 64 bits.
PrefixRule make_prefix_rule(std::vector<int> lengths);
RangeRule make_range_rule(std::string_view lower, std::string_view upper, std::vector<std::string> const& widths);
DateRule make_date_rule(std::vector<std::string> const& units);

// The label `levels` edges above the value, or the root's; nothing if the value does not fit.
std::optional<std::string> climb(OpenTaxonomy const& taxonomy, std::string_view value, int levels);

std::string root_label(OpenTaxonomy const& taxonomy);

// The intervals of a range taxonomy below its root, in preorder: visit(depth, label, parent's label).
using VisitInterval = std::function<void(int, std::string const&, std::string const&)>;
void list_intervals(RangeRule const& rule, Checkpoint& checkpoint, VisitInterval const& visit);

}  // namespace anon_seq
