#include "sequential/detail.h"

#include <algorithm>
#include <cmath>

#include "core/sequential/detail_limits.h"
//
#include "pg/json_object.h"
#include "release/followable.h"

namespace anon_seq::sequential {
namespace {

constexpr int kMostSteps = 60;  // doublings of a ceiling that is too low

using Limits = std::map<std::string, double>;

std::optional<double> of(Limits const& limits, std::string const& column) {
  auto const found = limits.find(column);
  return found == limits.end() ? std::nullopt : std::optional(found->second);
}

DetailLimits limits_of(SequentialPolicy const& demands, std::string const& column) {
  return {of(demands.finest, column), of(demands.coarsest, column)};
}

std::string number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? std::to_string(static_cast<std::int64_t>(value))
                                                              : std::to_string(value);
}

void check_kind(char const* option, PublishedColumn const& column, std::optional<double> limit) {
  if (!limit) return;
  auto const refuse = [&](char const* expected, std::string const& why) {
    throw Error(Fault::kParameter, "options." + std::string(option) + "." + column.column + " must be " + expected,
                why);
  };
  bool const is_depth = *limit == std::floor(*limit) && *limit <= kMaxTaxonomyDepth;
  if (!column.taxonomy.empty() && !is_depth)
    refuse("a whole number", "The column has a taxonomy: it is a depth below the root.");
  if (column.taxonomy.empty() && !(*limit > 0))
    refuse("above 0", "The column shows ranges: it is a width, in days for dates and timestamps.");
}

std::string coarsest_json(Limits const& limits) {
  JsonObject json;
  for (auto const& [column, limit] : limits) json.add(column, number(limit));
  return "\"options\": {\"coarsest\": " + json.json() + "}";
}

}  // namespace

void check_detail(Policy const& policy, SequentialPolicy const& demands) {
  for (auto const& column : policy.columns) {
    if (!column.is_quasi()) continue;
    auto const [finest, coarsest] = limits_of(demands, column.column);
    check_kind("finest", column, finest);
    check_kind("coarsest", column, coarsest);
    if (!finest || !coarsest) continue;
    bool const tree = !column.taxonomy.empty();
    if (tree ? *finest >= *coarsest : *finest <= *coarsest) continue;
    throw Error(Fault::kParameter,
                "options.finest and options.coarsest leave nothing of column " + quoted(column.column) + " to show",
                tree
                    ? "What is shown would be at most " + number(*finest) + " and at least " + number(*coarsest) +
                          " levels below the root."
                    : "Ranges would be at least " + number(*finest) + " and less than " + number(*coarsest) + " wide.");
  }
}

void limit_detail(Policy const& policy, SequentialPolicy const& demands, Column const& column,
                  std::span<std::int64_t const> holders, Attribute& attribute) {
  auto const limits = limits_of(demands, column.name);
  if (attribute.taxonomy != nullptr) {
    limit_depth(attribute, limits);
    return;
  }
  if (limit_width(attribute, column, holders, limits)) return;
  DetailLimits wider = limits;
  bool found = false;
  for (int step = 0; step < kMostSteps && !found; ++step) {  // how much more it takes would tell of values
    *wider.coarsest *= 2;
    found = limit_width(attribute, column, holders, wider);
  }
  Limits all = demands.coarsest;
  if (found)
    all[column.name] = *wider.coarsest;
  else
    all.erase(column.name);
  throw Error(Fault::kData,
              "no cut of column " + quoted(column.name) + " has ranges as narrow as options.coarsest asks for",
              "A bound may show a value only if enough persons have it" +
                  std::string(limits.finest ? ", and options.finest keeps ranges wide." : "."),
              alter_statement(policy, coarsest_json(all)));
}

std::string coarsest_without(SequentialPolicy const& demands, std::vector<std::string> const& columns) {
  Limits left = demands.coarsest;
  for (auto const& column : columns) left.erase(column);
  return coarsest_json(left);
}

}  // namespace anon_seq::sequential
