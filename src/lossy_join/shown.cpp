#include "lossy_join/shown.h"

#include <algorithm>
#include <tuple>

#include "core/numbers/cut_point.h"
#include "core/numbers/line_place.h"
//
#include "pg/json_object.h"
#include "pg/sql_text.h"

namespace anon_seq::lossy_join {
namespace {

using Quasi = LossyProblem::Quasi;

// The bins that a region lies in, from that of the first value on: a node's of the tree, or those around codes.
Extent bins_around(Quasi const& of, Extent region) {
  if (of.line != nullptr) return of.line->codes[static_cast<std::size_t>(region.begin)];
  auto const first = std::ranges::upper_bound(of.bins, region.begin) - 1;
  auto const end = std::ranges::lower_bound(of.bins, region.end);
  return {static_cast<std::int32_t>(first - of.bins.begin()), static_cast<std::int32_t>(end - of.bins.begin())};
}

bool is_line(Quasi const& of) { return of.number == LossyProblem::kNone || !of.bins.empty(); }

std::string text_json(std::optional<std::string> const& text) { return text ? json_string(*text) : "null"; }

}  // namespace

std::optional<std::string> ShownClasses::text(ClassId id, std::size_t quasi) const {
  auto const& of = problem_.quasi()[quasi];
  if (of.number == LossyProblem::kNone) return "(,)";
  auto const region = classes_.region(id, of.number);
  return region_text(quasi, region.empty() ? Extent{0, 0} : region[0]);
}

std::optional<std::string> ShownClasses::region_text(std::size_t quasi, Extent region) const {
  auto const& of = problem_.quasi()[quasi];
  if (region.begin == region.end) return std::nullopt;
  if (of.bins.empty()) return std::string(problem_.axes()[of.number].taxonomy->label(region.begin));
  auto const bins = bins_around(of, region);
  return range_text(of, {of.bins[static_cast<std::size_t>(bins.begin)], of.bins[static_cast<std::size_t>(bins.end)]});
}

// In the form of the output functions: [a,b), unbounded sides left out; the last one includes a declared bound.
std::string ShownClasses::range_text(Quasi const& of, Extent codes) const {
  bool const lowest = codes.begin <= 1, highest = codes.end >= of.column->distinct();
  if (lowest && highest && of.has_null) return "(,)";
  std::string lower, upper;
  if (!lowest || of.domain) lower = lowest ? of.domain->lower : cut_point(*of.column, codes.begin);
  if (!highest || of.domain) upper = highest ? of.domain->upper : cut_point(*of.column, codes.end);
  bool closed = highest && of.domain;
  if (closed && of.column->kind == ValueKind::kInteger) {  // discrete ranges are shown half-open
    upper = std::to_string(std::stoll(upper) + 1);
    closed = false;
  }
  bool const quotes = of.column->kind == ValueKind::kTimestamp || of.column->kind == ValueKind::kTimestampTz;
  auto const bound = [&](std::string const& text) { return quotes && !text.empty() ? '"' + text + '"' : text; };
  return (lower.empty() ? "(" : "[") + bound(lower) + "," + bound(upper) + (closed ? "]" : ")");
}

std::vector<LossAxis> ShownClasses::loss_axes(SourceTable const& source) const {
  std::vector<LossAxis> axes;
  for (auto const& of : problem_.quasi()) {
    auto& axis = axes.emplace_back();
    axis.column = source.column(of.column->name);
    if (!is_line(of)) {
      auto const& quasi = problem_.axes()[of.number];
      axis.taxonomy = quasi.taxonomy;
      axis.leaves.assign(quasi.leaves.begin(), quasi.leaves.end());
      continue;
    }
    if (of.bins.empty()) {  // nobody has a value
      axis.bounds.assign(2, 0);
      continue;
    }
    auto const& places = of.column->positions;
    axis.lower = places[1];
    axis.upper = places.back();
    if (of.domain) std::tie(axis.lower, axis.upper) = domain_places(*of.column, *of.domain);
    for (std::size_t bin = 1; bin + 1 < of.bins.size(); ++bin)
      axis.bounds.push_back(bin == 1 ? axis.lower : places[static_cast<std::size_t>(of.bins[bin])]);
    axis.bounds.push_back(axis.upper);
    double const unit = line_unit(axis.lower, axis.upper);
    for (auto& bound : axis.bounds) bound *= unit;
    axis.lower *= unit;
    axis.upper *= unit;
  }
  return axes;
}

Extent ShownClasses::loss_region(ClassId id, std::size_t quasi) const {
  auto const& of = problem_.quasi()[quasi];
  if (of.number == LossyProblem::kNone) return {0, 1};
  auto const region = classes_.region(id, of.number);
  if (region.empty()) return {0, 0};
  if (!is_line(of)) return region[0];
  auto const bins = bins_around(of, region[0]);
  return {bins.begin - 1, bins.end - 1};
}

// Rows at and below the nodes of an attribute; those of NULL are below the root.
struct ShownClasses::Steps {
  Taxonomy const* taxonomy = nullptr;
  Vector<std::int64_t> at, below;
  std::int64_t nulls = 0;
};

ShownClasses::Steps ShownClasses::steps_of(std::size_t quasi, Vector<std::int64_t> const& sizes) const {
  auto const number = problem_.quasi()[quasi].number;
  Steps steps;
  if (number == LossyProblem::kNone) return steps;
  steps.taxonomy = problem_.axes()[number].taxonomy;
  auto const nodes = static_cast<std::size_t>(steps.taxonomy->size());
  steps.at.resize(nodes);
  steps.below.resize(nodes);
  for (ClassId id = 0; id < classes_.count(); ++id) {
    auto const region = classes_.region(id, number);
    auto const size = sizes[static_cast<std::size_t>(id)];
    (region.empty() ? steps.nulls : steps.at[static_cast<std::size_t>(region[0].begin)]) += size;
  }
  for (std::size_t node = nodes; node-- > 1;)  // children come after their parent
    steps.below[static_cast<std::size_t>(steps.taxonomy->parent(static_cast<Node>(node)))] +=
        steps.at[node] + steps.below[node];
  steps.below[kRoot] += steps.nulls;
  return steps;
}

std::string ShownClasses::trace_json() const {
  auto const sizes = classes_.sizes();
  std::vector<Steps> steps;
  int depth = 0;
  for (std::size_t quasi = 0; quasi < problem_.quasi().size(); ++quasi) {
    steps.push_back(steps_of(quasi, sizes));
    for (std::size_t node = 0; node < steps.back().below.size(); ++node)
      if (steps.back().below[node] > 0) depth = std::max(depth, steps.back().taxonomy->depth(static_cast<Node>(node)));
  }
  std::vector<std::string> rows;
  auto const add = [&](std::size_t quasi, Node node) {
    auto const& of = steps[quasi];
    auto const text = [&](Node n) { return text_json(region_text(quasi, {n, of.taxonomy->end(n)})); };
    std::vector<std::string> children;
    for (Node child = node + 1; child < of.taxonomy->end(node); child = of.taxonomy->end(child))
      if (of.at[static_cast<std::size_t>(child)] + of.below[static_cast<std::size_t>(child)] > 0)
        children.push_back(text(child));
    if (node == kRoot && of.nulls > 0) children.push_back("null");
    auto const below = of.below[static_cast<std::size_t>(node)], at = of.at[static_cast<std::size_t>(node)];
    rows.push_back(JsonObject()
                       .text("attribute", problem_.quasi()[quasi].column->name)
                       .add("value", text(node))
                       .add("children", "[" + joined(children, ", ") + "]")
                       .number("score", below)
                       .add("privacy_after", JsonObject().number("went_on", below).number("stayed", at).json())
                       .json());
  };
  for (int level = 0; level <= depth; ++level)
    for (std::size_t quasi = 0; quasi < steps.size(); ++quasi)
      for (std::size_t node = 0; node < steps[quasi].below.size(); ++node)
        if (steps[quasi].below[node] > 0 && steps[quasi].taxonomy->depth(static_cast<Node>(node)) == level)
          add(quasi, static_cast<Node>(node));
  return "[" + joined(rows, ", ") + "]";
}

}  // namespace anon_seq::lossy_join
